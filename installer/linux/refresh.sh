# Tells the desktop that entries, icons and file types have changed; systems without these tools notice it at the next login.
update-desktop-database -q "$prefix/share/applications" 2>/dev/null || true
update-mime-database "$prefix/share/mime" 2>/dev/null || true
gtk-update-icon-cache -q -t -f "$prefix/share/icons/hicolor" 2>/dev/null || true
