"""Who is there: people with browsers, people whose phones speak the same HTTP without a page, and the staff."""

from __future__ import annotations

import json
import re
import secrets
from http.cookiejar import CookieJar
from typing import Any, Protocol
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from playwright.sync_api import Browser, expect

from companion.games.protocol import Action
from tests.web.players import PATIENCE_MS, Phone

TIMEOUT_S = 60


class Person(Protocol):
    """Somebody at the table, whatever their phone is."""

    def sit(self, seat: str, name: str) -> None: ...
    def act(self, action: Action) -> None: ...
    def is_asked(self) -> bool: ...


class Client:
    """Asks for pages and sends forms and commands as a browser does, and keeps cookies."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self._opener.addheaders = [("Origin", address), ("X-Makabana", "1"), ("Accept-Language", "en")]

    def get(self, path: str) -> str:
        return self._ask(Request(self._address + path))

    def send_form(self, path: str, **fields: str) -> str:
        return self._ask(Request(self._address + path, urlencode(fields).encode()))

    def send_json(self, path: str, data: object) -> Any:
        headers = {"Content-Type": "application/json"}
        return json.loads(self._ask(Request(self._address + path, json.dumps(data).encode(), headers)))

    def _ask(self, request: Request) -> str:
        """The answer's text, a refusal's as well: those say why."""
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                return str(answer.read().decode("utf-8"))
        except HTTPError as refusal:
            with refusal:
                return str(refusal.read().decode("utf-8"))


class PlainPhone:
    """A phone without a page: the commands a page would send."""

    def __init__(self, address: str, code: str) -> None:
        self._client, self._code = Client(address), code

    def sit(self, seat: str, name: str) -> None:
        self._client.send_form(f"/t/{self._code}/sit", seat=seat, name=name)

    def act(self, action: Action) -> None:
        command = {"key": secrets.token_hex(8), "do": "act", "args": [action.verb, *action.args]}
        answer = self._client.send_json(f"/t/{self._code}/do", command)
        assert answer["accepted"], (action, answer)

    def is_asked(self) -> bool:
        seen = json.loads(self._client.get(f"/t/{self._code}/snapshot"))
        return "data-question" in seen["regions"]["question"]


class Page:
    """Something that people look at."""

    phone: Phone

    def shows(self, what: str, text: str = "") -> None:
        expect(self.phone.page.locator(what)).to_contain_text(text, timeout=PATIENCE_MS)

    def hides(self, what: str) -> None:
        """A page that has nothing to say about it, or says nothing that can be seen."""
        expect(self.phone.page.locator(what).filter(visible=True)).to_have_count(0, timeout=PATIENCE_MS)


class BrowserPhone(Page):
    """A phone with the real page, tapped as a person does."""

    def __init__(self, browser: Browser, address: str, code: str) -> None:
        self.phone = Phone(browser, address, code)

    def sit(self, seat: str, name: str) -> None:
        self.phone.join(seat, name)

    def act(self, action: Action) -> None:
        if action.verb == "plan":
            self.choose(action)
            self.phone.lock()
        elif action.args:
            self.phone.place(action.args[0])
        else:
            self.phone.act(action.verb)

    def choose(self, plan: Action) -> None:
        """The project's plot, its further card and its clue; not locked yet."""
        *cards, _, clue = plan.args
        self.phone.choose("-".join(cards[:3]), "".join(cards[3:]), cards.index(clue))

    def is_asked(self) -> bool:
        return self.phone.page.locator(".question").count() > 0


class Staff:
    """Whoever looks after the tables, behind the PIN."""

    def __init__(self, address: str, pin: str) -> None:
        self._client, self._pin = Client(address), pin

    def home(self) -> str:
        """The list of tables. A house that was started anew asks for the PIN again."""
        page = self._client.get("/staff")
        return page if "table-list" in page else self._client.send_form("/staff/door", pin=self._pin)

    def set_up(self, game: str, people: int) -> str:
        """A game at the one table there is; gives the table's code."""
        page = self.home()
        table = re.search(r'href="/staff/t/([^"]+)"', page)
        code = re.search(r'class="code-small">([^<]+)<', page)
        assert table, page
        assert code, page
        self._client.send_form(f"/staff/t/{table[1]}/game", game=game, people=str(people))
        return code[1]

    def finds_all_well(self) -> bool:
        return "all sensors well" in self.remarks()

    def finds_one_sensor_out(self) -> bool:
        return "1 sensor out" in self.remarks()

    def remarks(self) -> list[str]:
        """What the list says of the table."""
        return re.findall(r'class="tag[^"]*">([^<]+)<', self.home())


class Screen(Page):
    """The table's screen in a browser; and what it was sent, asked for anew."""

    def __init__(self, browser: Browser, address: str, code: str) -> None:
        self._client, self._code = Client(address), code
        self.phone = Phone(browser, address, code, width=1920)
        self.phone.open(f"/screen/{code}")
        self.asked: list[str] = []  # whom the table has asked something, one after another

    def snapshot(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._client.get(f"/screen/{self._code}/snapshot"))
        asked = re.search(r"A question for ([^:]+):", found["regions"]["stage"])
        if asked and self.asked[-1:] != [asked[1]]:
            self.asked.append(asked[1])
        return found

    def shows_agreement(self) -> bool:
        """Whether nothing is left to do on the board, and nothing there is in doubt."""
        found = self.snapshot()
        return not found["marks"] and not found["lit"]

    def final_score(self) -> dict[str, int]:
        """What the finale says, once it has come."""
        rows = self.phone.page.locator(".finale-row")
        rows.first.wait_for()
        return {
            str(row.get_attribute("data-player")): int(row.locator(".finale-points").inner_text()) for row in rows.all()
        }
