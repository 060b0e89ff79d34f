"""What a criterion is stands in one file."""

import re
from pathlib import Path

from clearwood.kernels.common.codes import Criterion

KERNELS = Path(__file__).parents[3] / "src" / "clearwood" / "kernels"


def test_no_other_kernel_asks_which_criterion_it_has():
    """They ask what follows from it: so a new one needs a name in codes.pxd and its formulas in score.pxd.

    OC1's impurities are a list of their own, some of whose names are the same.
    """
    named = re.compile(rf"\b({'|'.join(Criterion.__members__)})\b|criterion\s*(<|>|==|!=)")
    askers = {
        f"{file.parent.name}/{file.name}"
        for file in [*KERNELS.glob("*/*.pyx"), *KERNELS.glob("*/*.pxd")]
        if file.stem != "split_impurity"
        if named.search(re.sub(r"#.*", "", file.read_text(encoding="utf-8")))
    }
    assert askers == {"common/codes.pxd", "greedy/score.pxd"}
