"""Worked examples of Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006."""

import numpy as np

LEARNERS = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")

# Table 6: AUC on 14 data sets; its first two columns are Table 2
AUC = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],  # adult (sample)
        [0.599, 0.591, 0.590, 0.569],  # breast cancer
        [0.954, 0.971, 0.968, 0.967],  # breast cancer wisconsin
        [0.628, 0.661, 0.654, 0.657],  # cmc
        [0.882, 0.888, 0.886, 0.898],  # ionosphere
        [0.936, 0.931, 0.916, 0.931],  # iris
        [0.661, 0.668, 0.609, 0.685],  # liver disorders
        [0.583, 0.583, 0.563, 0.625],  # lung cancer
        [0.775, 0.838, 0.866, 0.875],  # lymphography
        [1.000, 1.000, 1.000, 1.000],  # mushroom
        [0.940, 0.962, 0.965, 0.962],  # primary tumor
        [0.619, 0.666, 0.614, 0.669],  # rheum
        [0.972, 0.981, 0.9751, 0.975],  # voting: both are printed 0.975, but ranked 2 and 3
        [0.957, 0.978, 0.946, 0.970],  # wine
    ]
)
AVERAGE_RANKS = (3.143, 2.000, 2.893, 1.964)

# Table 5(a): critical values of the Nemenyi test for 2 to 10 classifiers
Q_05 = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
Q_10 = (1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920)

# Table 3: the wins that the sign test asks for at 0.05, for 5 to 22 data sets
WINS_05 = (5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16)
