import numpy as np
import pytest

import clearwood as cw


def test_a_column_in_tiny_units_brings_a_warning_that_names_the_remedy():
    lengths = np.arange(20)[:, None] * 1e-7  # metres, of bacteria
    with pytest.warns(UserWarning, match="column 'x0' lie closer together than min_gap=1e-05.*pass min_gap=0"):
        assert cw.C45Classifier().fit(lengths, np.arange(20) > 9).tree_.n_leaves == 1
    assert cw.C45Classifier(min_gap=0).fit(lengths, np.arange(20) > 9).tree_.n_leaves == 2


@pytest.mark.filterwarnings("error")
def test_other_columns_bring_none():
    cw.C45Classifier().fit(np.arange(20)[:, None] / 10, np.arange(20) > 9)
    cw.C45Classifier(min_gap=0).fit(np.arange(20)[:, None] * 1e-7, np.arange(20) > 9)
    cw.CARTClassifier(pruning=None).fit(np.arange(20)[:, None] * 1e-7, np.arange(20) > 9)
