"""Files in and out: text read with a clear error, anything written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from dias.errors import DiasError, did_you_mean
from dias.file_kinds import NOT_UTF_8, kind_of, remedy_for


def read_text(path: str | os.PathLike[str], error: type[DiasError] = DiasError) -> str:
    """The text of a UTF-8 file, without byte-order mark, its line ends one newline each.

    Args:
        path: The file to read.
        error: The class of the error to raise.

    Raises:
        DiasError: (as `error`) The file is missing, a folder, not readable, empty, or not UTF-8.
    """
    place = os.fspath(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as cause:  # ValueError: a path that holds a NUL character
        reason = getattr(cause, "strerror", None) or cause
        problem, remedy = f"the file cannot be read: {reason}", "Check its permissions."
        if isinstance(cause, FileNotFoundError | NotADirectoryError):
            problem = "expected a file, found nothing of that name"
            remedy = similar_file(path) or "Check the path."
        elif isinstance(cause, IsADirectoryError):
            problem, remedy = "expected a file, found a folder", "Name a file in it."
        raise error(problem, place=place, remedy=remedy) from cause
    if not data.strip():
        raise error(
            "expected text, found an empty file",
            place=place,
            remedy="Was the program that writes it stopped?",
        )
    kind = kind_of(data)
    if kind in NOT_UTF_8:
        raise error(f"expected UTF-8 text, found {kind}", place=place, remedy=remedy_for(kind))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        line = data.count(b"\n", 0, cause.start) + 1
        raise error(
            f"expected UTF-8 text, found the byte 0x{data[cause.start]:02x}",
            place=f"{place}:{line}",
            remedy="Save the file as UTF-8.",
        ) from cause
    return text.replace("\r\n", "\n").replace("\r", "\n")


def similar_file(path: str | os.PathLike[str]) -> str:
    """A remedy for a file that is not there: the name beside it that is most like it, if any."""
    folder, name = os.path.split(os.fspath(path))
    try:
        return did_you_mean(name, [own for own in os.listdir(folder or os.curdir) if own != name])
    except OSError:
        return ""


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise what writing the file would raise, as far as it shows beforehand; nothing is written.

    For the time before long work, whose result should have a place to go to.

    Raises:
        DiasError: The folder is missing, or it or the file cannot be written.
    """
    target = Path(path)
    try:
        target = _target(path)
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not target.parent.is_dir():
            number = errno.ENOTDIR if target.parent.exists() else errno.ENOENT
            raise OSError(number, os.strerror(number))
        written = [target] if target.exists() else []
        if not written or target.is_file():
            written.append(target.parent)  # where the new text goes before it is renamed
        if not all(os.access(place, os.W_OK) for place in written):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as cause:
        raise _not_written(path, target, cause) from cause


def write_text_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write `text` as UTF-8 so that the file at `path` is the whole text or what it was before.

    Raises:
        DiasError: The folder is missing, or it or the file cannot be written.
    """
    try:
        data = text.encode("utf-8")
    except ValueError as cause:  # a lone surrogate
        raise _not_written(path, Path(path), cause) from cause
    with open_atomically(path) as stream:
        stream.write(data)


@contextmanager
def open_atomically(
    path: str | os.PathLike[str], error: type[DiasError] = DiasError
) -> Iterator[IO[bytes]]:
    """A stream whose content becomes the file `path` at the end, and only if nothing goes wrong.

    It goes to a file beside the target that is then renamed. A target that is no regular
    file (``/dev/null``, a named pipe) is written in place.

    Args:
        path: The file to write. A link is kept: what it points to is written.
        error: The class of the error to raise.

    Raises:
        DiasError: (as `error`) The folder is missing, or it or the file cannot be written.
    """
    try:
        target = _target(path)
    except ValueError as cause:
        raise _not_written(path, Path(path), cause, error) from cause
    try:
        if target.exists() and not target.is_file():
            with open(target, "wb") as stream:
                yield stream
            return
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        # A name that no other writer in this folder has, also in another process or container.
        part = target.with_name(f".dias-{os.urandom(8).hex()}.part")
        try:
            with open(part, "wb") as stream:
                yield stream
            if target.exists():
                part.chmod(stat.S_IMODE(target.stat().st_mode))
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as cause:
        raise _not_written(path, target, cause, error) from cause


def _target(path: str | os.PathLike[str]) -> Path:
    """The file that is meant, behind all links; a ValueError if there is a NUL in the path.

    A pipe has no name behind ``/dev/stdout`` or ``/dev/fd/63``: it stays what it is called.
    """
    target = Path(os.path.realpath(path))
    return target if target.exists() or not os.path.exists(path) else Path(path)


def _not_written(
    path: str | os.PathLike[str], target: Path, cause: Exception, error: type[DiasError] = DiasError
) -> DiasError:
    if isinstance(cause, FileNotFoundError):
        problem, remedy = f"the folder {target.parent} does not exist", "Create it first."
    elif isinstance(cause, NotADirectoryError):
        problem, remedy = f"expected a folder, found the file {target.parent}", "Name a folder."
    elif isinstance(cause, IsADirectoryError):
        problem, remedy = "expected a file name, found a folder", "Name a file in it."
    else:
        reason = getattr(cause, "strerror", None) or cause
        problem, remedy = f"the file cannot be written: {reason}", "Choose another place."
    return error(problem, place=os.fspath(path), remedy=remedy)
