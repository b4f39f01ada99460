"""What shows changes made behind the program's back: signatures of reports, and the chain of the audit log."""
