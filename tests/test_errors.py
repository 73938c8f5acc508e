from dias.errors import DiasError, did_you_mean


def test_a_message_has_place_problem_and_remedy():
    assert str(DiasError("expected a, found b", place="f:1", remedy="Do")) == (
        "f:1: expected a, found b. Do"
    )
    assert str(DiasError("expected a, found b")) == "expected a, found b"


def test_did_you_mean():
    assert did_you_mean("bolck", {"block", "table"}) == "Did you mean block?"
    assert did_you_mean("zebra", {"block", "table"}) == ""
