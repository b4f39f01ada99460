"""Seen frames merge, and reading begins with them."""

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine

from wce_desktop.core.span import Span, SpanSet
from wce_desktop.core.study import Study
from wce_desktop.library import Library, study_rows, tables
from wce_desktop.library.exchange.exporting import implicit_normals

spans = st.tuples(st.integers(0, 40), st.integers(1, 8)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(spans, max_size=3), max_size=6))
def test_seen_frames_agree_with_a_span_set(marked: list[list[Span]]) -> None:
    engine = create_engine("sqlite://")
    expected = SpanSet()
    with engine.begin() as connection:
        tables.metadata.create_all(connection)
        for some in marked:
            study_rows.mark_seen(connection, "s", some)
            expected = expected.union(some)
            assert study_rows.read_seen(connection, "s") == expected
        rows = connection.execute(tables.seen_spans.select()).all()
    engine.dispose()
    assert len(rows) == len(expected)


def test_reading_begins_with_the_first_seen_frame(library: Library, study: Study) -> None:
    library.annotations.mark_seen(study.study_id, [Span(0, 250), Span(250, 300)])
    after = library.studies.get(study.study_id)
    assert (after.state, after.state_text, after.seen_frames) == ("reading", "in reading", 300)
    library.studies.update(study.study_id, state="finished")
    library.annotations.mark_seen(study.study_id, [Span(300, 301)])
    assert library.studies.get(study.study_id).state == "finished"
    assert library.studies.all()[0].seen_frames == 301


def test_frames_played_too_fast_and_speeds_are_kept_apart(library: Library, study: Study) -> None:
    library.annotations.mark_seen(study.study_id, [Span(0, 10)], [Span(20, 40), Span(40, 50)], {8: 10, 20: 30})
    library.annotations.mark_seen(study.study_id, [], [Span(45, 60)], {20: 15, 0: 2})
    assert library.annotations.seen(study.study_id) == SpanSet([Span(0, 10)])
    assert library.annotations.fast(study.study_id) == SpanSet([Span(20, 60)])
    assert library.annotations.reading_speeds(study.study_id) == {0: 2, 8: 10, 20: 45}
    assert library.studies.get(study.study_id).seen_frames == 10


def test_frames_played_too_fast_never_become_normal(library: Library, study: Study) -> None:
    library.annotations.mark_seen(study.study_id, [Span(0, 10)], [Span(5, 40)])
    finished = library.studies.update(study.study_id, state="finished")
    (row,) = implicit_normals(library, finished)
    assert (row.start, row.stop) == (0, 10)
