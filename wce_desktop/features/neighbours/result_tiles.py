"""What was found, as tiles of the strip: the frames, or those that voted, and the suggested label."""

from collections.abc import Callable, Sequence
from functools import partial

from wce_desktop.core import counted, format_time, number_text, score_text, tr, tr_count
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.features.neighbours import neighbour_query
from wce_desktop.features.neighbours.neighbour_strip import NeighbourStrip
from wce_desktop.session.frame_facts import FrameFact, FrameFacts
from wce_desktop.session.keys import key_of
from wce_desktop.widgets import frame_tile

TileOfFact = Callable[[FrameFact, str, str, frame_tile.Relation], frame_tile.FrameTile]


class FoundTiles:
    """Fills the strip; `facts` and `tile` access the library."""

    def __init__(self, strip: NeighbourStrip, facts: FrameFacts, vocabulary: Vocabulary, tile: TileOfFact) -> None:
        self._strip, self._facts, self._vocabulary, self._tile_of = strip, facts, vocabulary, tile
        self.found: neighbour_query.Found | None = None

    @property
    def is_showing_voters(self) -> bool:
        """Whether those that voted are shown instead of the nearest."""
        return self._strip.voters.isChecked()

    @property
    def frames(self) -> tuple[neighbour_query.FoundFrame, ...]:
        """What is shown."""
        if self.found is None:
            return ()
        return self.found.voters if self.is_showing_voters else self.found.frames

    def show(self) -> None:
        """Show what was found, or those that voted."""
        result, frames = self.found, self.frames
        if result is None:
            return
        if not frames:
            self._strip.show_message(tr(result.note) or tr("No frame was found."), tr("Change the search: Filters…"))
            return
        notes = (result.searched, result.note, result.votes.note)
        note = " · ".join(filter(None, (tr(text).rstrip(".") for text in notes)))
        count, query = counted(len(frames), "frame"), result.query.words
        title = tr("{frames} like {query}", frames=count, query=query)
        if self.is_showing_voters:
            title = tr("{frames} voted on {query}", frames=count, query=query)
        # bound to these frames: they may be painted after `found` has changed
        make = partial(self._tile, frames, self.is_showing_voters)
        self._strip.show_tiles(title, len(frames), make, note)
        self.show_suggestion()

    def labels_changed(self) -> None:
        """Show labels as they are now."""
        if self.found is not None:
            self._strip.tiles.make_again()
            self.show_suggestion()

    def show_suggestion(self) -> None:
        """Offer the label with most votes for the query; nothing for an image file, or without votes."""
        result = self.found
        suggestion = result.suggestion if result else None
        if result is None or suggestion is None or not result.query.own_frames:
            self._strip.show_suggestion("", "")
            return
        name, share = suggestion
        title = self._vocabulary.of(name).shown_title
        is_labelled = name in self._facts.of(*next(iter(result.query.own_frames))).labels
        tip = tr_count(
            "The {count} labelled frame nearest to it, nearer frames count more: {shares}.",
            "The {count} labelled frames nearest to it, nearer frames count more: {shares}.",
            len(result.voters),
            shares=result.shares_in_words,
        )
        if not result.is_decided:
            self._strip.show_suggestion(tr("Undecided"), f"{tip} {tr('They do not agree.')}", is_open=False)
            return
        then = (
            tr("The frame already has this label.")
            if is_labelled
            else tr("Press {key} to apply it.", key=key_of("accept_votes"))
        )
        self._strip.show_suggestion(f"{title} {score_text(share)}", f"{tip} {then}", is_open=not is_labelled)

    def _tile(self, frames: Sequence[neighbour_query.FoundFrame], is_by_vote: bool, row: int) -> frame_tile.FrameTile:
        """Distance, or weight in the vote; then the time in the same study or the date of another one."""
        result = frames[row]
        item = result.neighbour
        fact, place = self._facts.of(item.study_id, item.frame_index), format_time(item.video_seconds)
        if result.relation == "other" and (study := self._facts.study(item.study_id)) is not None:
            place = study.exam_date or study.name
        if is_by_vote:
            number = number_text(result.weight, ".1%")
            message = tr("{share} of the votes", share=number)
        else:
            number = tr("distance {distance}", distance=number_text(item.distance, "#.3g"))
            message = tr("{distance}: the smaller, the more alike to the model", distance=number)
        sentence = f"{fact.sentence}; {tr(frame_tile.RELATIONS[result.relation].title)}, {message}"
        return self._tile_of(fact, f"{number} · {place}", sentence, result.relation)
