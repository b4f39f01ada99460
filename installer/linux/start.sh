#!/bin/sh
# Starts wce_desktop, after a look at what would make it fail without a sentence.
needed=@GLIBC@
here=$(dirname "$(readlink -f "$0")")
found=$(getconf GNU_LIBC_VERSION 2>/dev/null)
found=${found#glibc }
case $found in
[0-9]*.[0-9]*)
    if [ "${found%%.*}" -lt "${needed%%.*}" ] ||
        { [ "${found%%.*}" -eq "${needed%%.*}" ] && [ "$(echo "$found" | cut -d. -f2)" -lt "${needed#*.}" ]; }; then
        echo "wce-desktop cannot start because this Linux is too old: it has glibc $found, and $needed or newer is needed." >&2
        echo "Install it on a newer release, such as @RELEASES@." >&2
        exit 1
    fi
    ;;
*)
    echo "wce-desktop cannot start because this Linux has no GNU C library; it needs glibc $needed or newer." >&2
    exit 1
    ;;
esac
exec "$here/program/$(basename "$0")" "$@"
