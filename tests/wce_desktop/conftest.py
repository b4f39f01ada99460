"""What every test of the application may use."""

from tests.wce_desktop.leaks import no_leaks

__all__ = ["no_leaks"]
