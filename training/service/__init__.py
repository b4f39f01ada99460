"""The inference child: one process that keeps networks loaded and answers what is asked of it while one looks."""
