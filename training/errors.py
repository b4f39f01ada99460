"""The error that is meant for a person: one sentence, and what to do about it."""


class UserError(Exception):
    """Something the user can understand and mend; anything else that is raised is a bug.

    Args:
        message: one sentence that names the thing concerned (the file, the frame, the setting).
        hint: what to do next; may be empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()
