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
    _ask_glibc("mallopt", _ARENA_MAX, _ARENAS)


def give_memory_back() -> None:
    """Give the system what reading a long study, or flagging it anew, took and freed. Takes some 10 ms."""
    _ask_glibc("malloc_trim", 0)


def _ask_glibc(name: str, *numbers: int) -> None:
    if sys.platform.startswith("linux") and hasattr(library := ctypes.CDLL(None), name):
        getattr(library, name)(*numbers)
