"""A whole reading goes into one file, and out of it again without loss."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.wce_desktop.tampering import raw_database
from training.errors import UserError
from training.files.outputs import ForeignFileError
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.annotation.finding import ENTRIES, NUMBERS, Box, Finding
from wce_desktop.core.annotation.label import SOURCES, Label
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.report_part import KINDS, ReportPart
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.exchange.reading_file import export_reading, import_reading, plan_reading
from wce_desktop.library.label_counts import LabelCount

FRAMES = 400
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
words = st.text("abcdefgh éß'\"=", min_size=1, max_size=10).filter(lambda text: bool(text.strip()))
spans = st.tuples(st.integers(0, FRAMES - 20), st.integers(1, 19)).map(lambda at: Span(at[0], at[0] + at[1]))
relevances = st.sampled_from(("", *ENTRIES["relevance"].values))
models = st.none() | st.just("starter")


@st.composite
def readings(draw: st.DrawFn) -> Callable[[str], list[Any]]:
    """study id -> items of a random reading of it."""
    found = [
        (draw(spans), draw(words), draw(texts), draw(st.sampled_from(("", *NUMBERS))), draw(relevances),
         draw(st.none() | st.floats(0.1, 90)), draw(models), draw(st.none() | st.booleans()))
        for _ in range(draw(st.integers(0, 4)))
    ]  # fmt: skip
    labelled = {
        name: SpanSet(draw(st.lists(spans, max_size=4))) for name in draw(st.lists(words, max_size=3, unique=True))
    }
    sources = draw(st.sampled_from(SOURCES))
    marks = draw(st.dictionaries(st.sampled_from(list(Region)), st.integers(0, FRAMES - 1)))
    corners = draw(st.lists(st.tuples(st.integers(0, FRAMES - 1), st.floats(0, 50), st.floats(1, 50)), max_size=3))
    parts = draw(st.dictionaries(st.sampled_from(KINDS), st.dictionaries(words, st.integers() | texts), max_size=3))
    links = draw(st.lists(st.tuples(st.integers(0, FRAMES // 2 - 1), st.booleans()), max_size=2))
    reader = draw(words)

    def items(study_id: str) -> list[Any]:
        made: list[Any] = [
            replace(
                Finding.new(study_id=study_id, kind=kind, span=span, key_frames=(span.start,), reader=reader),
                comment=comment, number=number, relevance=relevance, size_mm=size, model_id=model, was_seen_before=seen,
            )
            for span, kind, comment, number, relevance, size, model, seen in found
        ]  # fmt: skip
        finding = made[0].finding_id if made else None
        made += [
            Label(new_id(), study_id, span, name, sources, finding, reader)
            for name, pieces in labelled.items() for span in pieces
        ]  # fmt: skip
        made += [Landmark(new_id(), study_id, region, frame, reader) for region, frame in marks.items()]
        made += [
            Box(new_id(), study_id, frame, edge, edge, edge + side, edge + side, "polyp", finding, reader)
            for frame, edge, side in corners
        ]
        made += [
            ReportPart.new(study_id=study_id, kind=kind, content=content, reader=reader)
            for kind, content in parts.items()
        ]
        made += [Link(new_id(), study_id, frame, study_id, FRAMES // 2 + frame, same, reader) for frame, same in links]
        return made

    return items


def add_study(library: Library, fingerprint: str = "content") -> Study:
    return library.studies.add(
        Path("MEIER_Anna.mp4"), frame_count=FRAMES, duration_seconds=9.5, fingerprint=fingerprint
    )


def content(library: Library, study_id: str) -> dict[str, Any]:
    """What a reading holds, its own audit lines aside."""
    found = library.studies.whole_reading(study_id)
    return {name: value for name, value in found.items() if name != "audit"}


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(items=readings(), seen=st.lists(spans, max_size=4))
def test_a_random_reading_survives(
    tmp_path: Path, empty_library: Path, items: Callable[[str], list[Any]], seen: list[Span]
) -> None:
    folder = tmp_path / new_id()
    for name in ("here", "there"):
        shutil.copytree(empty_library, folder / name)
    with Library.open(folder / "here", "ada") as here, Library.open(folder / "there", "bob") as there:
        study = add_study(here)
        here.annotations.edit(study.study_id, "Everything", [Add(item) for item in items(study.study_id)])
        record = here.studies.record(study.study_id)
        named = replace(record, pseudonym="MEIER Anna", birth_year=1950, sex="female", exam_date="2026-11-20")
        here.annotations.edit(study.study_id, "Record", [Replace(record, named)])
        here.annotations.mark_seen(study.study_id, seen)
        file = folder / "reading.json"
        export_reading(here, study.study_id, file, has_free_text=True)
        assert "MEIER" not in file.read_text(encoding="utf-8")
        plan = plan_reading(there, file)
        assert plan.place == "new"
        arrived = import_reading(there, plan)
        before, after = content(here, study.study_id), content(there, arrived.study_id)
        assert _without_own_ids(after, arrived.study_id) == _without_own_ids(before, study.study_id)
        past = here.studies.whole_reading(study.study_id)["audit"]
        assert there.studies.whole_reading(arrived.study_id)["audit"][: len(past) + 1][1:] == past
        assert there.loss is None
        there.annotations.undo(arrived.study_id)
        assert there.annotations.labels(arrived.study_id) == ()
    with Library.open(folder / "there", "bob") as there:  # the imported history is no loss of labels
        assert there.loss is None
    shutil.rmtree(folder)


def _without_own_ids(document: dict[str, Any], study_id: str) -> dict[str, Any]:
    links = [{**link, "other_study_id": link["other_study_id"] == study_id} for link in document["links"]]
    return {**document, "links": links}


@pytest.fixture
def file(library: Library, tmp_path: Path) -> Path:
    """The reading of a study with one labelled polyp."""
    study = add_study(library)
    finding = Finding.new(study_id=study.study_id, kind="polyp", span=Span(3, 9), reader="ada")
    label = Label(new_id(), study.study_id, Span(3, 9), "polyp", finding_id=finding.finding_id, reader="ada")
    library.annotations.edit(study.study_id, "A polyp", [Add(finding), Add(label)])
    export_reading(library, study.study_id, tmp_path / "reading.json")
    return tmp_path / "reading.json"


def test_a_recording_with_a_reading_gets_a_second_one(library: Library, file: Path) -> None:
    (first,) = library.studies.all()
    for name in ("ada 2", "ada 3"):
        plan = plan_reading(library, file)
        assert plan.place == "second"
        assert "second reader" in plan.sentences[-1]
        second = import_reading(library, plan)
        assert (second.second_of, second.read_by) == (first.study_id, name)
        (label,), (finding,) = (
            library.annotations.labels(second.study_id),
            library.annotations.findings(second.study_id),
        )
        assert label.finding_id == finding.finding_id != library.annotations.findings(first.study_id)[0].finding_id
    assert library.studies.all() == (library.studies.get(first.study_id),)
    assert [(row.name, row.new_frames) for row in library.annotations.label_counts_by_study()] == [
        ("polyp", 6)
    ]  # those of second readers are no training data


def test_a_recording_without_a_reading_is_filled(
    library: Library, file: Path, empty_library: Path, tmp_path: Path
) -> None:
    with Library.open(Path(shutil.copytree(empty_library, tmp_path / "other")), "bob") as other:
        study = add_study(other)
        plan = plan_reading(other, file)
        assert (plan.place, plan.reader) == ("empty", "ada")
        assert import_reading(other, plan).study_id == study.study_id
        assert [label.reader for label in other.annotations.labels(study.study_id)] == ["ada"]


def broken(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def apply(path: Path) -> None:
        document = json.loads(path.read_text(encoding="utf-8"))
        change(document)
        path.write_text(json.dumps(document), encoding="utf-8")

    return apply


def test_texts_of_a_finding_that_a_file_lacks_are_empty(library: Library, file: Path) -> None:
    broken(lambda document: [document["findings"][0].pop(name, None) for name in ("comment", "morphology")])(file)
    second = import_reading(library, plan_reading(library, file))
    (finding,) = library.annotations.findings(second.study_id)
    assert (finding.comment, finding.morphology) == ("", "")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.write_text("{", encoding="utf-8"), "not a valid reading"),
        (lambda path: path.write_text("{}", encoding="utf-8"), "is not a reading"),
        (broken(lambda one: one.update(format=9)), "newer version"),
        (broken(lambda one: one.pop("study")), "of which recording"),
        (broken(lambda one: one.pop("labels")), "labels is not a list"),
        (broken(lambda one: one["labels"][0].update(start="x")), "labels, entry 1: start"),
        (broken(lambda one: one["labels"].append({**one["labels"][0], "label_id": "twice"})), "overlap"),
        (broken(lambda one: one["findings"][0].update(stop=5000)), "past the end"),
        (broken(lambda one: one["seen"].append([5, 3])), "cannot be used"),
        (broken(lambda one: one["audit"].append({"title": 5})), "audit"),
        (broken(lambda one: one["study"].update(frame_count=17)), "400"),
    ],
)
def test_files_that_cannot_be_used(library: Library, file: Path, damage: Callable[[Path], object], said: str) -> None:
    damage(file)
    before = [content(library, study.study_id) for study in library.studies.all()]
    with pytest.raises(UserError) as caught:
        import_reading(library, plan_reading(library, file))
    assert said in caught.value.message
    assert [content(library, study.study_id) for study in library.studies.all()] == before
    assert library.studies.second_readings() == ()


def test_another_programs_file_is_not_replaced(library: Library, file: Path) -> None:
    (study,) = library.studies.all()
    export_reading(library, study.study_id, file)
    file.write_text('{"mine": 1}', encoding="utf-8")
    with pytest.raises(ForeignFileError):
        export_reading(library, study.study_id, file)


def test_links_to_recordings_that_are_not_there(
    library: Library, file: Path, empty_library: Path, tmp_path: Path
) -> None:
    (study,) = library.studies.all()
    elsewhere = add_study(library, "another")
    library.annotations.edit(
        study.study_id, "Link", [Add(Link(new_id(), study.study_id, 4, elsewhere.study_id, 7, True))]
    )
    export_reading(library, study.study_id, file)
    with Library.open(Path(shutil.copytree(empty_library, tmp_path / "other")), "bob") as other:
        assert import_reading(other, plan_reading(other, file)).study_id
        assert other.annotations.links(other.studies.all()[0].study_id) == ()
        known = add_study(other, "another")
        second = import_reading(other, plan_reading(other, file))
        assert [link.other_study_id for link in other.annotations.links(second.study_id)] == [known.study_id]


def test_free_text_is_exported_on_request_only(library: Library, tmp_path: Path) -> None:
    study = add_study(library)
    words = ["comment words", "morphology words", "segment words", "report words", "indication words"]
    finding = Finding(
        "f-1", study.study_id, "polyp", Span(3, 6), comment=words[0], morphology=words[1], segment=words[2]
    )
    library.annotations.edit(study.study_id, "A finding", [Add(finding)])
    library.annotations.edit(
        study.study_id, "Again", [Replace(finding, replace(finding, comment=f"more {words[0]}", size_mm=4.0))]
    )
    part = ReportPart.new(study_id=study.study_id, kind="texts", content={"summary": words[3]})
    library.annotations.edit(study.study_id, "Texts", [Add(part)])
    record = library.studies.record(study.study_id)
    library.annotations.edit(
        study.study_id, "Record", [Replace(record, replace(record, indication=words[4], sex="female"))]
    )
    texts = []
    for has_free_text in (False, True):
        path = tmp_path / f"{has_free_text}.json"
        export_reading(library, study.study_id, path, has_free_text=has_free_text)
        texts.append(path.read_text(encoding="utf-8"))
    assert not any(word in texts[0] for word in words)
    assert all(word in texts[1] for word in words)
    with Library.open(tmp_path / "other", "bob") as other:
        arrived = import_reading(other, plan_reading(other, tmp_path / "False.json"))
        (there,) = other.annotations.findings(arrived.study_id)
        assert (there.kind, there.size_mm, there.comment) == ("polyp", 4.0, "")
        assert other.studies.record(arrived.study_id).sex == "female"


def test_labels_of_no_time_are_counted(library: Library, file: Path) -> None:
    broken(lambda document: document["labels"][0].update(created_utc=""))(file)
    second = import_reading(library, plan_reading(library, file))
    (label,) = library.annotations.labels(second.study_id)
    counts = library.annotations.label_counts_by_study()
    (first,) = library.studies.all()
    assert LabelCount(first.study_id, label.name, "yes", 1, len(label.span)) in counts
    with raw_database(library.folder) as raw:
        raw.execute("UPDATE labels SET created_utc = ''")
    assert library.annotations.label_counts_by_study() == counts
