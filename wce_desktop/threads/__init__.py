"""Background work as Qt objects: threads of this process, and threads that own a child process."""
