"""Run when a Python starts with this folder on PYTHONPATH: an editable install of the project is set aside.

Such an install puts a finder before all others, so it would win over the build that PYTHONPATH names, in every process
that a test starts too.
"""

import sys

sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "MesonpyMetaFinder"]
