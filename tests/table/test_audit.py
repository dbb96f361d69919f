"""The end of a game: every piece is accounted for, and the summary tells how it went."""

from collections import Counter

from companion.table.audit import summary
from tests.table.support import MAKABANA
from tests.table.test_settle import played_out


def test_the_audit_counts_every_piece_of_the_box():
    scene = played_out()
    scene.watch(2.0)
    audit = scene.view("public")["end"]["audit"]
    assert {(row["piece"], row["colour"]): row["of"] for row in audit} == dict(MAKABANA.components(scene.state))
    laid = Counter(piece for pieces in MAKABANA.expected(scene.state).values() for piece in pieces)
    assert laid
    for row in audit:
        assert row["on_board"] == laid[row["piece"], row["colour"]]
        assert row["on_board"] + row["beside"] == row["of"]
        assert row["unseen"] == 0


def test_pieces_that_no_camera_has_seen_are_named_as_unseen():
    scene = played_out(camera=False)
    scene.wait(2.0)
    assert scene.answer("yes").accepted
    audit = scene.view("public")["end"]["audit"]
    assert sum(row["unseen"] for row in audit) == sum(row["on_board"] for row in audit) > 0


def test_the_summary_tells_who_told_the_table():
    scene = played_out()
    scene.watch(2.0)
    summary = scene.view("public")["end"]["summary"]
    assert summary["actions"] == len(scene.log)
    assert summary["told_by"] == {"phone": len(scene.log)}
    assert summary["scores"][-1]["totals"] == {
        player: points["total"] for player, points in MAKABANA.score(scene.state).points.items()
    }
    moments = [line["action"] for line in summary["scores"]]
    assert moments == sorted(set(moments))


def test_a_clock_that_was_set_back_in_mid_game_gives_no_negative_times():
    scene = played_out()
    scene.watch(2.0)
    session = scene.table.session._replace(began=scene.table.session.ended + 3600)
    told = summary(session)
    assert told["seconds"] == 0
    assert {line["at"] for line in told["scores"]} == {0}
