#!/bin/sh
# Removes wce_desktop as `install.sh` put it there. What was labelled stays.
set -eu
program=$(dirname "$(readlink -f "$0")")
prefix=${program%/lib/wce-desktop}
while read -r path; do
    rm -f -- "$prefix/$path"
done < "$program/files.txt"
rm -rf -- "$program"
for folder in share/applications share/mime/packages share/icons/hicolor share/icons share bin lib; do
    [ ! -d "$prefix/$folder" ] || find "$prefix/$folder" -depth -type d -empty -delete 2>/dev/null || true
done
@REFRESH@
echo "wce_desktop was removed from $prefix."
echo "@DATA@"
