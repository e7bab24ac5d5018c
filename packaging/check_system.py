"""Say which Debian packages Qt still needs on this Linux; standard library only.

    python packaging/check_system.py            names what is missing, exit 1 when anything is
    python packaging/check_system.py --install  installs it (root on Debian or Ubuntu)

PySide6's wheels bring Qt and leave these libraries of X11, GL and fonts to the system. Windows
and macOS have them all.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
"""What Qt's xcb platform and PDF libraries link to (ldd), with the package of Debian 12."""

FONT_PACKAGE = "fonts-dejavu-core"
"""Without a single font Qt draws boxes; any font will do."""


def missing_packages() -> list[str]:
    """Return the Debian packages of the libraries that cannot be loaded, sorted."""
    if not sys.platform.startswith("linux"):
        return []
    missing = {package for library, package in PACKAGES.items() if not _is_loadable(library)}
    if not _has_font():
        missing.add(FONT_PACKAGE)
    return sorted(missing)


def _is_loadable(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_font() -> bool:
    roots = ("/usr/share/fonts", "/usr/local/share/fonts", Path("~/.fonts").expanduser())
    return any(
        name.endswith((".ttf", ".otf", ".ttc"))
        for root in roots
        for _, _, names in os.walk(root)
        for name in names
    )


def install(packages: list[str]) -> int:
    """Install packages with apt-get; returns its exit code."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages],
    ):
        code = subprocess.run(command, env=environment, check=False).returncode
        if code != 0:
            return code
    return 0


def main() -> int:
    """Check, and install when asked to and possible."""
    packages = missing_packages()
    if not packages:
        return 0
    command = f"apt-get install -y {' '.join(packages)}"
    may_install = shutil.which("apt-get") is not None and os.geteuid() == 0
    if "--install" in sys.argv[1:] and may_install:
        code = install(packages)
        packages = missing_packages()
        if code == 0 and not packages:
            return 0
    sys.stderr.write(
        "The window needs libraries that this system lacks. On Debian or Ubuntu:\n"
        f"    sudo {command}\n"
        "The command line works without them.\n"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
