"""Fixtures for jobs."""

from tests.wce_desktop.leaks import no_leaks

__all__ = ["no_leaks"]
