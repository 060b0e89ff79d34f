"""Interrupts: a look whether the user has pressed Ctrl-C, for loops that run long without Python's lock.

In the main thread Python's handler is called, and what it raises ends the loop; in other threads nothing happens.
"""

from cpython.exc cimport PyErr_CheckSignals


cdef inline int look_for_interrupt(Py_ssize_t *steps, Py_ssize_t new) except -1 nogil:
    """Count the steps of a loop, and look after about every ten million: several times a second."""
    steps[0] += new
    if steps[0] > 10_000_000:
        steps[0] = 0
        with gil:
            PyErr_CheckSignals()
    return 0
