import os

import pytest

from dias.errors import DiasError, PDDLInputError
from dias.files import check_writable, open_atomically, read_text, write_text_atomically


def test_reads_any_line_end_and_no_byte_order_mark(tmp_path):
    path = tmp_path / "a"
    path.write_bytes("\ufeffZoë\r\nb\rc\n".encode())
    assert read_text(path) == "Zoë\nb\nc\n"


@pytest.mark.parametrize(
    ("data", "place", "fragment"),
    [(b"", "", "empty"), (b" \n", "", "empty"), (b"a\nZo\xeb", ":2", "UTF-8")],
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
    with pytest.raises(DiasError, match="cannot be read"):
        read_text("a\0b")


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
