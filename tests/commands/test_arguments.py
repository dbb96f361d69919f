"""A mistyped command line ends in one sentence of the user's language and exit code 2."""

import pytest

from companion.cli import main
from companion.commands.arguments import _SENTENCES, asked_language, complaint

MISTYPED = [
    ([], "Something is missing: COMMAND.", "Il manque quelque chose : COMMAND."),
    (["nonsense"], "COMMAND can't be 'nonsense'; choose", "COMMAND ne peut pas être 'nonsense' ; choisissez"),
    (["play", "--port", "abc"], "--port must be a whole number", "--port doit être un nombre entier"),
    (["play", "--pause", "abc"], "--pause must be a number", "--pause doit être un nombre"),
    (["play", "--port"], "--port needs a value", "--port demande une valeur"),
    (["play", "--p", "1"], "--p could be any of", "--p peut être"),
    (["doctor", "--nonsense"], "There is no place for --nonsense", "Il n’y a pas de place ici pour --nonsense"),
    (["table", "init"], "Something is missing: --kit.", "Il manque quelque chose : --kit."),
]


@pytest.mark.parametrize(("words", "english", "french"), MISTYPED)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_is_mistyped_is_said_in_one_line(
    words: list[str], english: str, french: str, language: str, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8" if language == "fr" else "en_GB.UTF-8")
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert said.startswith(f"makabana: {french if language == 'fr' else english}")
    assert "--help" in said


def test_the_language_may_be_asked_for_on_the_mistyped_line_itself(capsys) -> None:
    for words in (["--lang", "fr", "doctor", "--x"], ["doctor", "--lang=fr", "--x"], ["doctor", "--x", "--lang", "fr"]):
        with pytest.raises(SystemExit):
            main(words)
        assert "Il n’y a pas de place ici pour --x" in capsys.readouterr().err
    assert asked_language(["play", "--lang"], "en") == "en"
    assert asked_language([], "fr") == "fr"


@pytest.mark.parametrize(
    ("message", "english"),
    [
        ("argument --a: not allowed with argument --b", "--a and --b do not go together."),
        ("one of the arguments --a --b is required", "One of these is needed: --a --b."),
        ("something new", "something new"),
    ],
)
def test_complaints_that_no_command_of_ours_makes_yet_are_known_too(message: str, english: str) -> None:
    assert complaint(message, "en") == english


def test_every_complaint_is_said_in_both_languages() -> None:
    assert all(sentences.keys() == {"en", "fr"} for _, sentences in _SENTENCES)


def test_a_number_out_of_range_is_said_as_the_games_say_it(capsys) -> None:
    assert main(["--lang", "en", "simulate", "--games", "0"]) == 2
    assert "--games must be a whole number from 1" in capsys.readouterr().err


def test_a_table_is_not_written_under_a_name_that_it_can_not_have(tmp_path, capsys) -> None:
    path = tmp_path / "table.toml"
    for name in ("Café n°1", 'a"b', ""):
        assert main(["--lang", "en", "table", "init", "--kit", "trays", "--name", name, str(path)]) == 2
        assert "1 to 24 of a-z" in capsys.readouterr().err
        assert not path.exists()
