"""The promises of the project's frame: pins, targets, READMEs, and an import that costs nothing."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import companion

ROOT = Path(__file__).parents[1]
FOLDERS = ("companion", "vision", "web", "firmware", "hardware", "tests")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PYPROJECT["project"]["optional-dependencies"]

# In pieces, so that this file does not contain what it looks for.
ADDRESSES = ("pypi" + r"\.org", "python" + "hosted", "piwheels" + r"\.org", r"registry\." + "npm", "index" + "-url")
MACHINE_PATH = r"(?<![\w.~-])/(?:home|root|Users|work|mnt)/\w"
PRIVATE = re.compile("|".join((*ADDRESSES, MACHINE_PATH)))


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pairs = [line.split("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pairs}


def our_files() -> list[Path]:
    """Tracked files and those about to be; in a copy without git, whatever lies in our folders and at the top."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode == 0 and listing.stdout:
        paths = [ROOT / name for name in listing.stdout.split("\0")]
    else:
        paths = [*ROOT.iterdir(), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
    return [path for path in paths if path.is_file() and path.suffix != ".pyc"]


def needs_of(name: str, seen: set[str]) -> Iterator[str]:
    """The installed distributions that `name` needs here, directly or not."""
    for line in metadata.requires(name) or ():
        need = Requirement(line)
        key = canonicalize_name(need.name)
        is_wanted = need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in ("", *EXTRAS))
        if is_wanted and key not in seen and any(metadata.distributions(name=key)):
            seen.add(key)
            yield key
            yield from needs_of(key, seen)


def test_installed_version_is_the_one_in_the_code() -> None:
    assert metadata.version("makabana-companion") == companion.__version__


@pytest.mark.parametrize("extra", ["build", "always", *EXTRAS])
def test_every_dependency_is_pinned_within_its_range(extra: str) -> None:
    groups = {"build": PYPROJECT["build-system"]["requires"], "always": PYPROJECT["project"]["dependencies"], **EXTRAS}
    for need in map(Requirement, groups[extra]):
        assert need.specifier.contains(pins()[canonicalize_name(need.name)]), need


def test_every_installed_dependency_has_the_pinned_version() -> None:
    installed = {name: metadata.version(name) for name in needs_of("makabana-companion", set())}
    assert "pluggy" in installed  # needed by pytest only, so the walk went below the first level
    assert installed == {name: pins().get(name) for name in installed}


def test_constraints_hold_nothing_but_versions() -> None:
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        assert re.fullmatch(r"#.*|[\w.-]+==[\w.]+", line), line


def test_no_file_names_a_registry_or_somebodys_machine() -> None:
    files = our_files()
    assert ROOT / "pyproject.toml" in files
    found = [
        f"{path.relative_to(ROOT)}: {hit.group()}"
        for path in files
        for hit in PRIVATE.finditer(path.read_bytes().decode("utf-8", "replace"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "is_private"),
    [
        ("see /" + "home/jo/board.json", True),
        ("'/" + "root/x'", True),
        ("--index" + "-url x", True),
        ("https://pypi" + ".org/p", True),
        ("on /dev/ttyACM0", False),
        ("/usr/bin/chromium", False),
        ("hardware/home/notes", False),
    ],
)
def test_private_things_are_recognised(text: str, is_private: bool) -> None:
    assert bool(PRIVATE.search(text)) is is_private


@pytest.mark.parametrize("folder", [".", *FOLDERS])
def test_every_folder_has_a_readme(folder: str) -> None:
    assert len((ROOT / folder / "README.md").read_text("utf-8").splitlines()) > 5


def test_no_other_folder_stands_at_the_top() -> None:
    folders = {path.relative_to(ROOT).parts[0] for path in our_files() if path.parent != ROOT}
    assert folders - {".ci"} == set(FOLDERS)


@pytest.mark.parametrize("target", ["play", "test", "check", "format", "bench", "clean", "help"])
def test_makefile_has_the_promised_target(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def test_importing_is_free() -> None:
    heavy = {"cv2", "flask", "gpiozero", "numpy", "paho", "picamera2", "reportlab", "serial"}
    script = "import sys, companion.cli, vision, web; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "companion" in loaded.split()
    assert heavy & set(loaded.split()) == set()
