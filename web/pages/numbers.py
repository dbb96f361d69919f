"""The café's numbers: what was played, for how long, and how the scores went. For the staff."""

from __future__ import annotations

import csv
import io
import time
from collections import Counter
from statistics import median

from flask import Blueprint, Response, jsonify, render_template
from markupsafe import Markup

from web.chronicle import Chronicle, Played
from web.drawing.scene import symbols
from web.language import _
from web.pages.staff import staff_only
from web.plots import bars, lines
from web.tables import evening

blueprint = Blueprint("numbers", __name__)
MOST_GAMES, MOST_NIGHTS = 20, 10
NIGHT_ENDS_H = 6  # a game that ends at two in the morning belongs to the evening before
COLUMNS = ("table", "game", "rules", "began", "ended", "teaching_s", "playing_s", "people", "winners", "totals")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a table program would run what begins with these


@blueprint.get("/staff/numbers")
@staff_only
def page() -> str:
    games = _games()
    plots = [(game, _score_plot(game)) for game in games[:MOST_GAMES]]
    return render_template(
        "staff/numbers.html", games=games, plots=plots, overview=_overview(games), when=_when, symbols=symbols()
    )


@blueprint.get("/staff/games.json")
@staff_only
def as_json() -> Response:
    response = jsonify({"games": [game.to_json() for game in _games()]})
    response.headers["Content-Disposition"] = 'attachment; filename="games.json"'
    return response


@blueprint.get("/staff/games.csv")
@staff_only
def as_csv() -> Response:
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    for game in _games():
        data = game.to_json()
        data["winners"] = " ".join(data["winners"])
        data["totals"] = " ".join(f"{player}:{total}" for player, total in data["totals"].items())
        data["began"], data["ended"] = _when(data["began"]), _when(data["ended"])
        rows.writerow([_harmless(str(data[column])) for column in COLUMNS])
    response = Response(text.getvalue(), mimetype="text/csv")
    response.headers["Content-Disposition"] = 'attachment; filename="games.csv"'
    return response


def _games() -> list[Played]:
    chronicle: Chronicle = evening().chronicle
    return chronicle.games()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _overview(games: list[Played]) -> dict[str, Markup | str]:
    if not games:
        return {}
    nights = Counter(
        time.strftime("%d.%m.", time.localtime(game.session.ended - NIGHT_ENDS_H * 3600)) for game in reversed(games)
    )
    minutes = [
        (str(index + 1), float(round(game.playing_s / 60))) for index, game in enumerate(reversed(games[:MOST_GAMES]))
    ]
    return {
        "teaching": str(round(median(game.teaching_s for game in games) / 60)),
        "playing": str(round(median(game.playing_s for game in games) / 60)),
        "nights": bars([(night, float(count)) for night, count in nights.items()][-MOST_NIGHTS:], _("Games per night")),
        "minutes": bars(minutes, _("Minutes of play, game by game")),
    }


def _score_plot(game: Played) -> Markup:
    scores = game.to_json()["scores"]
    players = scores[0]["totals"] if scores else {}
    points = {player: [(line["action"], line["totals"][player]) for line in scores] for player in players}
    return lines(points, _("Score, action by action"))
