#!/bin/sh
# Installs wce_desktop @VERSION@ (@TITLE@): sh NAME.run [--prefix DIR], or only unpacks it: sh NAME.run --extract DIR
set -eu
prefix=$HOME/.local extract=
[ "$(id -u)" -ne 0 ] || prefix=/usr/local
while [ $# -gt 0 ]; do
    case $1 in
    --prefix | --extract)
        [ $# -ge 2 ] || { echo "$1 needs a folder." >&2; exit 2; }
        case $2 in /*) folder=$2 ;; *) folder=$PWD/$2 ;; esac
        if [ "$1" = --prefix ]; then prefix=$folder; else extract=$folder; fi
        shift 2
        ;;
    *) sed -n '2s/^# //p' "$0"; exit 2 ;;
    esac
done
stop() { echo "wce_desktop was not installed: $1" >&2; exit 1; }

[ "$(uname -s)-$(uname -m)" = Linux-@MACHINE@ ] || stop "this package is for Linux on @MACHINE@, this machine is $(uname -s) on $(uname -m)."
found=$(getconf GNU_LIBC_VERSION 2>/dev/null) || stop "this Linux has no GNU C library; it needs glibc @GLIBC@ or newer."
found=${found#glibc } needed=@GLIBC@
newest=$(printf '%s\n%s\n' "$needed" "$found" | sort -t. -k1,1n -k2,2n | tail -n 1)
[ "$newest" = "$found" ] || stop "this Linux is too old: it has glibc $found, and $needed or newer is needed (such as @RELEASES@)."

target=${extract:-$prefix/lib}
mkdir -p "$target" 2>/dev/null || stop "$target cannot be made; choose another folder with --prefix."
[ -w "$target" ] || stop "you may not write to $target; choose another folder with --prefix."
free=$(df -Pk "$target" | awk 'NR == 2 { print int($4 / 1024) }')
[ "$free" -ge @MEGABYTES@ ] || stop "there is not enough space in $target: $free MB are free and @MEGABYTES@ MB are needed."

[ -n "$extract" ] || [ ! -e "$target/wce-desktop" ] || [ -e "$target/wce-desktop/files.txt" ] ||
    stop "$target/wce-desktop is there already and is not this program; choose another folder with --prefix."
for name in wce-desktop wce-training; do # pip puts programs of these names into the same folder
    command=$prefix/bin/$name
    [ -n "$extract" ] || { [ ! -e "$command" ] && [ ! -L "$command" ]; } || [ "$(readlink "$command")" = "../lib/wce-desktop/$name" ] ||
        stop "$command is there already and is not this program; remove it, or choose another folder with --prefix."
done

# Unpacked beside and renamed: an installed version stays complete until the new one is.
fresh=$target/.wce-desktop-new.$$
trap 'rm -rf -- "$fresh"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$fresh"
tail -n +@LINES@ "$0" | tar -x@COMPRESSION@f - -C "$fresh" 2>"$fresh/.errors" ||
    stop "it could not be unpacked ($(tail -n 1 "$fresh/.errors")); the disk may be full or the file damaged. Nothing was changed."
rm -f "$fresh/.errors"
if [ -n "$extract" ]; then
    [ ! -e "$extract/wce-desktop" ] || stop "$extract/wce-desktop is there already."
    mv "$fresh" "$extract/wce-desktop"
    trap - EXIT
    echo "wce_desktop @VERSION@ was unpacked to $extract/wce-desktop; start $extract/wce-desktop/bin/wce-desktop."
    exit 0
fi

old=$target/.wce-desktop-old.$$
[ ! -e "$target/wce-desktop" ] || mv "$target/wce-desktop" "$old"
mv "$fresh/lib/wce-desktop" "$target/wce-desktop"
(cd "$fresh" && find bin share ! -type d) >"$target/wce-desktop/files.txt"
mkdir -p "$prefix/bin" "$prefix/share"
cp -RP "$fresh/bin" "$fresh/share" "$prefix/" || stop "$prefix cannot be written to."
entry=$prefix/share/applications/wce-desktop.desktop
sed "s|^Exec=wce-desktop|Exec=\"$prefix/bin/wce-desktop\"|" "$fresh/share/applications/wce-desktop.desktop" >"$entry"
rm -rf -- "$old"
@REFRESH@
echo "wce_desktop @VERSION@ (@TITLE@) was installed; start it as $prefix/bin/wce-desktop or from the menu of programs."
echo "To remove it: sh $prefix/lib/wce-desktop/uninstall.sh"
exit 0
