"""What a learner must know of a criterion before it grows a tree; the formulas are in the .pxd file."""


def needs_two_branches(int criterion):
    """Whether a criterion can only judge tests with two branches."""
    return bool(compares_two_branches(criterion))
