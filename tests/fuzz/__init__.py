"""Fuzzing of every command and every file format; `python -m tests.fuzz --help` runs it for longer than tests do."""
