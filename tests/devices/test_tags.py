"""The tag register, its file, the guided enrolment, and the text on a tag."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.enrolment import Enrolment
from companion.devices.ndef import ndef_of, piece_of
from companion.devices.tags import Register, parse_register, parse_uid, read_register, register_text, write_register
from companion.devices.texts import say
from companion.table.observations import FormatError, Piece
from tests.devices.support import problems_of

BLUE, GREEN = Piece("tiki", "blue"), Piece("tiki", "green")
AZZURA, PAINT = Piece("card", "blue", "Azzura"), Piece("card", "blue", "Paint", 2)
A, B, C = "04A1B2C3D4E580", "1A2B3C4D", "08112233445566778899"
PIECES = st.sampled_from([BLUE, GREEN]) | st.builds(
    Piece, st.just("card"), st.sampled_from(["blue", "green"]), st.sampled_from(["Azzura", "Paint"]), st.integers(1, 9)
)
UIDS = st.sampled_from([8, 14, 20]).flatmap(lambda size: st.text("0123456789ABCDEF", min_size=size, max_size=size))


@pytest.mark.parametrize(
    ("text", "uid"),
    [
        (A, A),
        ("04-A1-B2-C3-D4-E5-80", A),
        (" 1a2b3c4d ", B),
        ("", None),
        ("1A2B3C", None),
        ("1A2B3C4G", None),
        ("1A2B3C4D5E", None),
        (None, None),
        (5, None),
        ("A" * 10**6, None),
    ],
)
def test_a_uid_has_four_seven_or_ten_bytes(text: object, uid: str | None) -> None:
    assert parse_uid(text) == uid


@given(st.dictionaries(UIDS, PIECES, max_size=8))
def test_a_register_reads_as_it_is_written(tags: dict[str, Piece]) -> None:
    register = Register({uid: piece for piece, uid in {piece: uid for uid, piece in tags.items()}.items()})
    assert parse_register(register_text(register).encode()) == register


def test_the_file_is_readable(tmp_path: Path) -> None:
    write_register(tmp_path / "tags.json", Register({B: AZZURA, A: BLUE}))
    assert (tmp_path / "tags.json").read_text().splitlines() == [
        "{",
        ' "makabana_tags": 1,',
        ' "tags": {',
        '  "1A2B3C4D": "blue card Azzura",',
        '  "04A1B2C3D4E580": "blue tiki"',
        " }",
        "}",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["tags.json"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tags.json"
    write_register(path, Register({A: BLUE}))

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        write_register(path, Register({B: GREEN}))
    assert read_register(path) == Register({A: BLUE})


def test_no_file_yet_is_an_empty_register(tmp_path: Path) -> None:
    assert len(read_register(tmp_path / "tags.json")) == 0


def file_of(tags: str) -> bytes:
    return b'{"makabana_tags": 1, "tags": {%s}}' % tags.encode()


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        (b"", ["tags_broken"]),
        (b"[]", ["tags_not_ours"]),
        (b"\xff", ["tags_not_text"]),
        (b"[" * 100_000, ["tags_not_ours"]),
        (b'{"makabana_tags": 2, "tags": {}}', ["tags_not_ours"]),
        (b'{"makabana_tags": ' + b"9" * 5000 + b"}", ["tags_not_ours"]),
        (file_of(f'"{A}": "blue tiki", "{A}": "green tiki"'), ["tag_twice"]),
        (file_of(f'"{A}": "blue tiki", "04-A1-B2-C3-D4-E5-80": "green tiki"'), ["tag_twice"]),
        (file_of(f'"{A}": "blue tiki", "{B}": "blue tiki"'), ["piece_twice"]),
        (file_of('"12": "blue tiki"'), ["uid_unreadable"]),
        (file_of(f'"{A}": "blue hat", "{B}": 5'), ["piece_wrong", "piece_wrong"]),
    ],
)
def test_each_mistake_in_a_tag_file_is_named(content: bytes, codes: list[str]) -> None:
    with pytest.raises(FormatError) as caught:
        parse_register(content)
    assert [problem.code for problem in caught.value.problems] == codes
    assert all(say(problem, language) for problem in caught.value.problems for language in ("en", "fr"))


@given(
    st.binary(max_size=100) | st.builds(json.dumps, st.dictionaries(st.text(max_size=9), st.integers())).map(str.encode)
)
def test_any_bytes_are_a_register_or_named_mistakes(content: bytes) -> None:
    assert problems_of(lambda: parse_register(content)) != ()


def test_a_register_is_frozen_and_never_shows_its_tags() -> None:
    register = Register({A: BLUE})
    assert register.with_tag(B, GREEN) == {A: BLUE, B: GREEN}
    assert register.with_tag(B, BLUE) == {B: BLUE}  # a new sticker replaces the old one
    assert register == {A: BLUE}
    assert repr(register) == "Register(1 tags)"


# --- Enrolment ---


def enrolment(*pieces: Piece, register: Register | None = None) -> Enrolment:
    return Enrolment(pieces, register or Register())


def test_the_first_prompt_asks_for_the_piece_in_words() -> None:
    assert say(enrolment(AZZURA).prompt) == "1/1 · Lay Blue's Azzura card on any reader."
    assert say(enrolment(BLUE).prompt, "fr") == "1/1 · Posez le tiki Bleu sur un lecteur."


def test_pieces_are_learned_one_after_the_other() -> None:
    guide = enrolment(BLUE, AZZURA)
    assert guide.see(frozenset({A})).code == "enrol_taken"
    assert guide.see(frozenset({A})).code == "enrol_clear"  # it still lies there: not an answer to the next question
    assert guide.see(frozenset()).code == "enrol_lay_card"
    assert guide.see(frozenset({B})).code == "enrol_taken"
    assert guide.is_over
    assert guide.register == {A: BLUE, B: AZZURA}
    assert say(guide.prompt) == "All done: 2 tags are registered."


def test_a_tag_of_another_piece_is_refused_with_its_name() -> None:
    guide = enrolment(AZZURA, register=Register({A: GREEN}))
    problem = guide.see(frozenset({A}))
    assert say(problem).startswith("This tag is already Green's tiki. Lay Blue's Azzura card instead")
    assert guide.register == {A: GREEN}
    assert guide.see(frozenset({B})).code == "enrol_taken"


def test_two_tags_at_once_are_no_answer() -> None:
    guide = enrolment(BLUE)
    assert guide.see(frozenset({A, B})).code == "enrol_several"
    assert guide.see(frozenset({B})).code == "enrol_taken"


def test_skip_and_back() -> None:
    guide = enrolment(BLUE, AZZURA)
    guide.skip()
    assert guide.piece == AZZURA
    guide.back()
    guide.back()
    assert guide.piece == BLUE


@given(st.lists(st.frozensets(st.sampled_from([A, B, C])) | st.sampled_from(["skip", "back"]), max_size=30))
def test_whatever_happens_no_tag_has_two_pieces_and_no_piece_two_tags(steps: list[object]) -> None:
    guide = enrolment(BLUE, AZZURA, PAINT)
    for step in steps:
        event = getattr(guide, step)() if isinstance(step, str) else guide.see(step)
        assert say(event)
    assert len(set(guide.register.values())) == len(guide.register)


# --- The text on a tag ---


def test_the_bytes_on_a_tag_are_these() -> None:
    assert ndef_of(BLUE) == b"\xd1\x01\x15T\x02enmakabana:blue tiki"


@given(PIECES)
def test_the_text_on_a_tag_names_its_piece(piece: Piece) -> None:
    assert piece_of(ndef_of(piece)) == piece


@given(st.binary(max_size=60) | st.binary(max_size=40).map(lambda rest: b"\xd1\x01" + rest))
def test_any_other_bytes_on_a_tag_are_refused(content: bytes) -> None:
    with pytest.raises(FormatError):
        piece_of(content)
