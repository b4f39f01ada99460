"""Keeping the window's memory small on Linux, where glibc holds on to what was freed; elsewhere nothing is done."""

import ctypes
import sys

_ARENA_MAX = -8
"""`M_ARENA_MAX` of malloc.h."""
_ARENAS = 2


def share_arenas() -> None:
    """Let all threads take memory from two arenas; call it before there are threads.

    Else each thread has one of its own, in which what it freed stays for itself: 50 MB with a long study.
    """
    if hasattr(library := _glibc(), "mallopt"):
        library.mallopt(_ARENA_MAX, _ARENAS)


def give_memory_back() -> None:
    """Give the system what reading a long study took and freed. Takes some 10 ms."""
    if hasattr(library := _glibc(), "malloc_trim"):
        library.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if sys.platform.startswith("linux") else None
