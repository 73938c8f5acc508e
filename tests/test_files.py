import errno
import os
from pathlib import Path

import pytest

from dias.errors import DiasError, PDDLInputError
from dias.files import check_writable, open_atomically, read_text, write_text_atomically


def test_reads_any_line_end_and_no_byte_order_mark(tmp_path):
    path = tmp_path / "a"
    path.write_bytes("\ufeffZoë\r\nb\rc\n".encode())
    assert read_text(path) == "Zoë\nb\nc\n"


@pytest.mark.parametrize(
    ("data", "place", "fragment"),
    [
        (b"", "", "empty"),
        (b" \n", "", "empty"),
        (b"a\nZo\xeb\n\n", ":2", "UTF-8 text, found the byte 0xeb"),
        (b"\xebZo", ":1", "UTF-8 text, found the byte 0xeb"),
        (b"\x1f\x8b\x08", "", "UTF-8 text, found a gzip file"),
    ],
)
def test_bad_content_is_refused(tmp_path, data, place, fragment):
    path = tmp_path / "a"
    path.write_bytes(data)
    with pytest.raises(PDDLInputError, match=fragment) as caught:
        read_text(path, PDDLInputError)
    assert caught.value.place == f"{path}{place}"
    assert caught.value.remedy


def test_missing_file_and_folder_are_refused(tmp_path):
    with pytest.raises(DiasError, match="found nothing"):
        read_text(tmp_path / "missing")
    with pytest.raises(DiasError, match="found a folder"):
        read_text(tmp_path)
    with pytest.raises(DiasError, match=r"cannot be read: .*null"):
        read_text("a\0b")


def test_a_missing_file_is_looked_for_beside_itself(tmp_path, monkeypatch):
    (tmp_path / "domain.pddl").write_text("text")
    for folder in (tmp_path, ""):  # from elsewhere, and where one stands
        with pytest.raises(DiasError) as caught:
            read_text(os.path.join(folder, "domian.pddl"))
        assert caught.value.remedy == "Did you mean domain.pddl?"
        monkeypatch.chdir(tmp_path)
    for other in (tmp_path / "trace", tmp_path / "missing" / "domain.pddl"):
        with pytest.raises(DiasError) as caught:
            read_text(other)
        assert caught.value.remedy == "Check the path."


def test_why_a_file_cannot_be_read_is_said(tmp_path, monkeypatch):
    def denied(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(PDDLInputError) as caught:
        read_text(tmp_path / "a", PDDLInputError)
    assert str(caught.value) == (
        f"{tmp_path / 'a'}: the file cannot be read: Permission denied. Check its permissions."
    )


def test_a_path_through_a_file_leads_to_nothing(tmp_path):
    (tmp_path / "file").write_text("text")
    with pytest.raises(DiasError, match="found nothing of that name"):
        read_text(tmp_path / "file" / "a")


def test_writes_utf8_with_line_feeds_and_leaves_nothing_beside(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    write_text_atomically(path, "Zoë\n")
    assert path.read_bytes() == "Zoë\n".encode()
    assert os.listdir(tmp_path) == ["a"]


def test_keeps_mode_and_link(tmp_path):
    path, link = tmp_path / "a", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_text_atomically(link, "new\n")
    assert link.is_symlink()
    assert path.read_text() == "new\n"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_failed_write_keeps_the_old_text(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    with pytest.raises(DiasError, match="cannot be written"):
        write_text_atomically(path, "\ud800")  # a lone surrogate is no text
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_stream_that_ends_early_leaves_what_was_there(tmp_path, error):
    path = tmp_path / "a"
    path.write_text("old")
    with pytest.raises(error), open_atomically(path) as stream:
        stream.write(b"half")
        raise error
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


def test_why_a_file_cannot_be_written_is_said(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    with pytest.raises(PDDLInputError) as caught, open_atomically(path, PDDLInputError) as stream:
        stream.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")
    assert str(caught.value) == (
        f"{path}: the file cannot be written: No space left on device. Choose another place."
    )
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize(
    ("name", "denied", "is_refused"),
    [
        ("new", "", True),  # nothing can be put into the folder
        ("old", "", True),  # nor can a file that takes the old one's place
        ("old", "old", True),
        ("new", "old", False),
        ("old", "other", False),
    ],
)
def test_what_cannot_be_written_shows_beforehand(tmp_path, monkeypatch, name, denied, is_refused):
    (tmp_path / "old").write_text("text")
    monkeypatch.setattr(os, "access", lambda place, _: Path(place) != tmp_path / denied)
    if not is_refused:
        check_writable(tmp_path / name)
        return
    with pytest.raises(DiasError, match="cannot be written: Permission denied"):
        check_writable(tmp_path / name)
    if denied:
        with pytest.raises(DiasError, match="cannot be written: Permission denied"):
            write_text_atomically(tmp_path / name, "new")
    assert (tmp_path / "old").read_text() == "text"
    assert os.listdir(tmp_path) == ["old"]


def test_a_device_needs_no_room_beside_it(monkeypatch):
    monkeypatch.setattr(os, "access", lambda place, _: str(place) == os.devnull)
    check_writable(os.devnull)
    write_text_atomically(os.devnull, "text")


def test_two_streams_at_once_do_not_mix(tmp_path):
    with open_atomically(tmp_path / "a") as first, open_atomically(tmp_path / "b") as second:
        first.write(b"first")
        second.write(b"second")
    assert (tmp_path / "a").read_bytes() == b"first"
    assert (tmp_path / "b").read_bytes() == b"second"


def test_a_long_name_has_room_beside_it(tmp_path):
    path = tmp_path / ("a" * 250)
    write_text_atomically(path, "text")
    assert path.read_text() == "text"


def test_the_class_of_the_error_is_chosen(tmp_path):
    expected = pytest.raises(PDDLInputError, match="does not exist")
    with expected, open_atomically(tmp_path / "missing" / "a", PDDLInputError):
        pass
    with pytest.raises(PDDLInputError, match="null"), open_atomically("a\0b", PDDLInputError):
        pass


def test_a_device_is_written_in_place():
    write_text_atomically(os.devnull, "text")
    assert not os.path.isfile(os.devnull)


def test_bad_targets_are_refused(tmp_path):
    (tmp_path / "file").write_text("text")
    for target, finding in [
        (tmp_path / "missing" / "a", "does not exist"),
        (tmp_path / "file" / "a", "expected a folder, found the file"),
        (tmp_path, "found a folder"),
        (tmp_path.root, "found a folder"),
        ("a\0b", "cannot be written"),
    ]:
        for refuse in (check_writable, lambda path: write_text_atomically(path, "text")):
            with pytest.raises(DiasError, match=finding) as caught:
                refuse(target)
            assert caught.value.place == str(target)
            assert caught.value.remedy
    assert os.listdir(tmp_path) == ["file"]


def test_checking_a_good_target_leaves_no_trace(tmp_path):
    (tmp_path / "old").write_text("text")
    for target in (tmp_path / "new", tmp_path / "old", os.devnull):
        check_writable(target)
    assert os.listdir(tmp_path) == ["old"]
    assert (tmp_path / "old").read_text() == "text"


def test_a_pipe_of_another_name_is_written_in_place():
    """What ``/dev/stdout`` leads to has no name in a folder."""
    reading, writing = os.pipe()
    try:
        path = f"/dev/fd/{writing}"
        check_writable(path)
        write_text_atomically(path, "text")
        assert os.read(reading, 9) == b"text"
    finally:
        os.close(reading)
        os.close(writing)


def test_a_link_to_nothing_is_not_taken_for_its_own_remedy(tmp_path):
    (tmp_path / "dangling").symlink_to(tmp_path / "gone")
    with pytest.raises(DiasError) as caught:
        read_text(tmp_path / "dangling")
    assert caught.value.remedy == "Check the path."
