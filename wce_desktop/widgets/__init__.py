"""Qt widgets that know no feature and no library."""
