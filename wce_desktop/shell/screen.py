"""Whether Qt will find a screen here: without one it would abort the process instead of saying what is missing."""

import ctypes
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from training.errors import UserError


def check_screen(environment: Mapping[str, str]) -> None:
    """Look for what Qt needs of a Linux desktop before Qt does; other systems always have it.

    Args:
        environment: the process's environment variables.

    Raises:
        UserError: there is no screen, or it does not answer.
        ImportError: a system library that Qt's plugin for X11 needs is missing; it names the library.
    """
    if not sys.platform.startswith("linux"):
        return
    platform = environment.get("QT_QPA_PLATFORM", "")
    has_wayland, has_x11 = bool(environment.get("WAYLAND_DISPLAY")), bool(environment.get("DISPLAY"))
    if not platform and not has_wayland and not has_x11:
        raise UserError(
            "wce-desktop cannot start because there is no screen (neither DISPLAY nor WAYLAND_DISPLAY is set).",
            "Start it on a desktop; for a --screenshot without one set QT_QPA_PLATFORM=offscreen.",
        )
    if platform.startswith("xcb") or (not platform and not has_wayland):
        load_plugin(plugins_folder() / "libqxcb.so")
        if not answers():
            raise UserError(
                f"wce-desktop cannot start because the screen “{environment.get('DISPLAY', '')}” does not answer.",
                "Check DISPLAY and the permissions of that screen; for a --screenshot set QT_QPA_PLATFORM=offscreen.",
            )


def answers() -> bool:
    """Whether the X11 screen of this process's DISPLAY takes connections; Qt's plugin brought the library along."""
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    has_error = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not has_error


def plugins_folder() -> Path:
    """Where the installed Qt keeps its plugins for screens."""
    spec = find_spec("PySide6")
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(places[0] if places else "") / "Qt" / "plugins" / "platforms"


def load_plugin(plugin: Path) -> None:
    """Load one of Qt's plugins; `ImportError` when a library that it needs is missing."""
    if not plugin.is_file():
        return  # a Qt of the system's own keeps it elsewhere, and comes with what it needs
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        raise ImportError(str(error)) from error
