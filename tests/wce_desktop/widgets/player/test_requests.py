"""What overtakes what, between two threads."""

import threading

from wce_desktop.widgets.player.frame_reader import Request, RequestQueue


def test_a_seek_drops_all_that_waits() -> None:
    queue = RequestQueue()
    queue.seek(1, 1, 1)
    queue.prepare([2, 3], 1, 1)
    number = queue.seek(9, 2, -1)
    assert queue.take(0) == Request(number, 9, 2, -1, is_seek=True)
    assert queue.take(0) is None


def test_prepared_frames_come_in_order_and_can_be_forgotten() -> None:
    queue = RequestQueue()
    seek = queue.seek(1, 1, 1)
    last = queue.prepare([2, 3, 4], 1, 1)
    assert last == seek + 3
    assert queue.forget_prepared() == last
    queue.prepare([7, 6], 1, -1)
    taken = [queue.take(0) for _ in range(3)]
    assert [(request.first, request.is_seek) for request in taken if request] == [(1, True), (7, False), (6, False)]


def test_closing_wakes_who_waits() -> None:
    queue, taken = RequestQueue(), []
    thread = threading.Thread(target=lambda: taken.append(queue.take()))
    thread.start()
    queue.close()
    thread.join(20)
    assert taken == [None]
    assert queue.is_closed
