"""Any order of asking, taking, dropping and ending, against a list that remembers everything."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from training.service.requests import EmbedRequest, ExplainRequest
from training.service.service import Asked, Inbox

REQUESTS = {
    "explain": ExplainRequest(model=Path("m"), path=Path("v.mp4"), frame_index=0),
    "embed": EmbedRequest(model=Path("m"), path=Path("v.mp4")),
}
KINDS = st.sampled_from(sorted(REQUESTS))
STEPS = st.lists(st.tuples(st.sampled_from(["put", "take", "take_other", "drop", "end"]), KINDS), max_size=25)


class Everything:
    """The slow way: all that was ever asked, with what became of it."""

    def __init__(self) -> None:
        self.asked: list[dict[str, object]] = []

    def put(self, number: int, kind: str) -> None:
        self.drop(kind)
        self.asked.append({"number": number, "kind": kind, "state": "waiting"})

    def drop(self, kind: str) -> None:
        for one in self.asked:
            if one["kind"] == kind and one["state"] in ("waiting", "running"):
                one["state"] = "gone" if one["state"] == "waiting" else "needless"

    def waiting(self, unlike: str = "") -> list[dict[str, object]]:
        return [one for one in self.asked if one["state"] == "waiting" and one["kind"] != unlike]

    def end(self, number: int) -> None:
        for one in self.asked:
            if one["number"] == number:
                one["state"] = "ended"


@settings(deadline=None, max_examples=80)
@given(STEPS)
def test_it_hands_out_what_the_list_would(steps: list[tuple[str, str]]) -> None:
    inbox, known = Inbox(), Everything()
    taken: list[Asked] = []
    for number, (step, kind) in enumerate(steps):
        if step == "put":
            inbox.put(number, REQUESTS[kind])  # type: ignore[arg-type]
            known.put(number, kind)
        elif step == "drop":
            inbox.drop(kind)
            known.drop(kind)
        elif step == "end" and taken:
            inbox.end(taken[-1])
            known.end(taken.pop().number)
        elif step == "take" and not taken:  # one thread works: it takes the next when the last has ended
            _compare(inbox.take(0), known.waiting(), taken)
        elif step == "take_other" and len(taken) == 1:
            _compare(inbox.take_other(taken[0].request.kind), known.waiting(taken[0].request.kind), taken)
        states = {one["number"]: one["state"] for one in known.asked}
        assert [one.needless.is_set() for one in taken] == [states[one.number] == "needless" for one in taken]


def _compare(found: Asked | None, wanted: list[dict[str, object]], taken: list[Asked]) -> None:
    """The same request, or none; it runs from now on."""
    assert (found.number if found else None) == (wanted[0]["number"] if wanted else None)
    if found is not None:
        wanted[0]["state"] = "running"
        taken.append(found)
