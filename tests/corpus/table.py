"""The outcomes of a corpus as Markdown."""

from collections.abc import Callable, Iterator

from tests.corpus.checking import Outcome

_COLUMNS = (
    "sources",
    "reads",
    "wrong",
    "torn",
    "missing",
    "explained",
    "renumbered",
    "refused",
    "OpenCV: reads",
    "wrong",
)


def as_table(outcomes: list[Outcome]) -> str:
    """One line for each codec, then one for each kind of damage, then all together."""
    lines = [f"| group | {' | '.join(_COLUMNS)} |", "|---" * (len(_COLUMNS) + 1) + "|"]
    for group, members in _by(outcomes, lambda outcome: outcome.source.codec):
        lines.append(_line(group, members))
    for group, members in _by(outcomes, lambda outcome: outcome.source.damage):
        lines.append(_line(f"damage: {group}", members))
    for group, members in _by(outcomes, lambda outcome: outcome.source.kind):
        lines.append(_line(f"kind: {group}", members))
    return "\n".join([*lines, _line("**all**", outcomes)])


def named(outcomes: list[Outcome]) -> str:
    """A line for each source that does not come out as it should, and for those whose frames are renumbered."""
    lines = []
    for outcome in outcomes:
        notes = [*outcome.wrong[:3], *outcome.contradictions[:3]]
        notes += [f"not explained: {sorted(outcome.unexplained)}"] if outcome.unexplained else []
        notes += ["renumbered"] if outcome.is_renumbered else []
        notes += [outcome.refused] if outcome.refused else []
        if notes:
            lines.append(f"* {outcome.source.group}, {outcome.source.name}: {'; '.join(notes)}")
    return "\n".join(lines)


def _line(name: str, outcomes: list[Outcome]) -> str:
    missing = sum(len(outcome.missing) for outcome in outcomes)
    counts = (
        len(outcomes),
        sum(outcome.reads for outcome in outcomes),
        sum(len(outcome.wrong) for outcome in outcomes),
        sum(outcome.torn for outcome in outcomes),
        missing,
        missing - sum(len(outcome.unexplained) for outcome in outcomes),
        sum(outcome.is_renumbered for outcome in outcomes),
        sum(bool(outcome.refused) for outcome in outcomes),
        sum(outcome.opencv.reads for outcome in outcomes),
        sum(outcome.opencv.wrong for outcome in outcomes),
    )
    return f"| {name} | {' | '.join(f'{count:,}' for count in counts)} |"


def _by(outcomes: list[Outcome], key: Callable[[Outcome], str]) -> Iterator[tuple[str, list[Outcome]]]:
    for group in dict.fromkeys(map(key, outcomes)):
        yield group, [outcome for outcome in outcomes if key(outcome) == group]
