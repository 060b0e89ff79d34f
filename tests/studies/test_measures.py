import pytest
from sample_comparisons import sample_comparison


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: c.against("crat"), "'cart'"),
        (lambda c: c.against("cart", level=2), "level must be a number between 0 and 1"),
        (lambda c: c.test(kind="corected_t"), "'corrected_t'"),
        (lambda c: c.scores("acuracy"), "'accuracy'"),
        (lambda c: c.plot("bar"), "'bars'"),
    ],
)
def test_a_wrong_name_gets_the_nearest(call, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        call(sample_comparison())
