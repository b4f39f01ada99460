"""Objects that a `with` block closes."""

from typing import Self


class Closing:
    """The end of a `with` block calls `close`, also after an error."""

    def close(self) -> None:
        """Give back what was opened."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
