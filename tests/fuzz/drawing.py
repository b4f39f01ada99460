"""Cases drawn from a strategy, always the same ones for the same seed."""

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from tests.fuzz.case import Case


def draw_cases(strategy: SearchStrategy[Case], count: int, seed_number: int) -> list[Case]:
    """So many different cases, or fewer where there are no more."""
    drawn: dict[str, Case] = {}

    @seed(seed_number)
    @settings(
        max_examples=count,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def keep(case: Case) -> None:
        drawn.setdefault(case.to_json(), case)

    keep()
    return list(drawn.values())
