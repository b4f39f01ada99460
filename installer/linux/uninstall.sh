#!/bin/sh
# Removes wce_desktop as `install.sh` put it there. What was labelled stays.
set -eu
program=$(dirname "$(readlink -f "$0")")
prefix=${program%/lib/wce-desktop}
while read -r path; do
    case $path in
    bin/*) [ "$(readlink "$prefix/$path")" = "../lib/wce-desktop/${path#bin/}" ] || continue ;; # replaced by another program
    esac
    rm -f -- "$prefix/$path"
done < "$program/files.txt"
rm -rf -- "$program"
@REFRESH@
# What the lines above generated is of no use where no other program is left.
[ -n "$(ls -A "$prefix/share/mime/packages" 2>/dev/null)" ] || rm -rf -- "$prefix/share/mime"
[ "$(ls -A "$prefix/share/applications" 2>/dev/null)" != mimeinfo.cache ] || rm -f -- "$prefix/share/applications/mimeinfo.cache"
find "$prefix/share/icons/hicolor" -mindepth 1 -depth -type d -empty -delete 2>/dev/null || true
[ "$(ls -A "$prefix/share/icons/hicolor" 2>/dev/null)" != icon-theme.cache ] || rm -f -- "$prefix/share/icons/hicolor/icon-theme.cache"
for folder in share/applications share/icons share bin lib; do
    [ ! -d "$prefix/$folder" ] || find "$prefix/$folder" -depth -type d -empty -delete 2>/dev/null || true
done
echo "wce_desktop was removed from $prefix."
echo "@DATA@"
