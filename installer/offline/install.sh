#!/bin/sh
# Installs wce_desktop from this folder into an environment of its own, without a network: sh install.sh FOLDER [PYTHON]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2s/^# //p' "$0"; exit 2; }
python=${2:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (@MAJOR@, @MINOR@))' 2>/dev/null ||
    { echo "wce_desktop was not installed: these wheels are for Python @MAJOR@.@MINOR@; name one: sh install.sh $1 PYTHON" >&2; exit 1; }
(cd "$here" && sha256sum --check --quiet SHA256SUMS) ||
    { echo "wce_desktop was not installed: files of this folder are damaged or missing; copy it again." >&2; exit 1; }
"$python" -m venv "$1"
"$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --find-links "$here/wheels" \
    --require-hashes -r "$here/requirements.txt"
echo "wce_desktop @VERSION@ was installed; start it as $1/bin/wce-desktop."
