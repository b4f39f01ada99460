"""Numbers of frames from names of files."""

from training.datasets.public.files import frame_numbers


def followers(paths: list[str]) -> set[tuple[str, str]]:
    """Pairs of which the second is the frame after the first."""
    numbers = frame_numbers(paths)
    by_number = {number: path for path, number in numbers.items()}
    assert len(by_number) == len(paths)
    return {(path, by_number[number + 1]) for path, number in numbers.items() if number + 1 in by_number}


def test_only_the_last_number_counts_up() -> None:
    paths = ["c/a1_9.jpg", "c/a1_10.jpg", "c/a1_12.jpg", "c/a2_13.jpg", "d/a1_13.jpg"]
    assert followers(paths) == {("c/a1_9.jpg", "c/a1_10.jpg")}


def test_an_underscore_behind_the_number_and_no_number() -> None:
    assert followers(["s/x_1_.jpg", "s/x_2_.jpg", "s/none.jpg", "other.jpg"]) == {("s/x_1_.jpg", "s/x_2_.jpg")}
    assert frame_numbers([]) == {}


def test_long_numbers_are_numbers() -> None:
    assert followers(["20181001100941.jpg", "20181001100942.jpg"]) == {("20181001100941.jpg", "20181001100942.jpg")}
