"""Files that are no usable pictures are refused with a sentence, the huge ones before they are decoded."""

import struct
import zlib

import cv2
import numpy as np
import pytest

from vision.errors import NotAPicture, PictureBroken, PictureTooLarge, PictureTooSmall, VisionError, texts
from vision.images import decode, open_picture, size_of


def _jpeg(width: int, height: int) -> bytes:
    return cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8))[1].tobytes()


def _png_header(width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))


def test_text_is_not_a_picture(tmp_path):
    file = tmp_path / "notes.jpg"
    file.write_text("not a picture")
    with pytest.raises(NotAPicture, match=r"notes\.jpg is not a picture"):
        open_picture(file)


@pytest.mark.parametrize("name", ["absent.jpg", "", "a\0b"])
def test_a_file_that_is_not_there_is_refused(tmp_path, name):
    with pytest.raises(NotAPicture):
        open_picture(str(tmp_path / name) if name else tmp_path)


def test_a_jpeg_that_breaks_off_is_refused():
    whole = _jpeg(640, 480)
    assert decode(whole).shape == (480, 640, 3)
    with pytest.raises(PictureBroken):
        decode(whole[: len(whole) // 2])


def test_a_png_that_breaks_off_is_refused():
    whole = cv2.imencode(".png", np.zeros((300, 300, 3), np.uint8))[1].tobytes()
    with pytest.raises(PictureBroken):
        decode(whole[:-20])


def test_one_pixel_is_too_small():
    with pytest.raises(PictureTooSmall, match="only 1 x 1 pixels"):
        decode(_jpeg(1, 1))


def test_30000_pixels_a_side_are_refused_by_the_header_alone():
    with pytest.raises(PictureTooLarge, match="30000 x 30000"):
        decode(_png_header(30_000, 30_000))


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp"])
def test_sizes_are_read_from_headers(kind):
    content = cv2.imencode(kind, np.zeros((217, 301, 3), np.uint8))[1].tobytes()
    assert size_of(content) == (301, 217)


def test_no_bytes_make_anything_but_a_vision_error():
    rng = np.random.default_rng(3)
    starts = (b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"BM", b"RIFF\x00\x00\x00\x00WEBPVP8 ", b"")
    for _ in range(200):
        content = starts[rng.integers(len(starts))] + rng.bytes(int(rng.integers(0, 120)))
        with pytest.raises(VisionError):
            decode(content)


def test_every_text_is_there_in_both_languages_and_takes_the_same_data():
    import string

    for code, said in texts().items():
        fields = [{name for _, name, _, _ in string.Formatter().parse(said[lang]) if name} for lang in ("en", "fr")]
        assert fields[0] == fields[1], code
