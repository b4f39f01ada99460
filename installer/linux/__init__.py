"""Packages for Linux."""
