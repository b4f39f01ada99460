"""The papers' tables as commands: what each row is, what the paper says, what this engine gets, side by side."""
