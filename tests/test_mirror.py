"""The tests mirror the sources: a stranger finds the test of a file, and the file of a test."""

from pathlib import Path

TESTS = Path(__file__).parent
SOURCES = TESTS.parent / "src" / "clearwood"

# Modules that are tested through another one; a name that ends in * stands for the rest of a folder.
THROUGH = {
    "condition_wording": "test_wording",
    "view/heading": "view/test_svg",
    "column": "test_table",  # a table is the only thing that holds columns
    "table_check": "test_table",
    "tree_arrays": "test_tree",
    "callable_package": "test_imports",
    "json_fields": "test_tree_json",
    "best/*": "best/test_procedure",  # one procedure, step by step
    "__main__": "cli/test_run",
    "cli/app": "cli/test_run",  # the program as a whole
    "cli/checked": "cli/test_fit",
    "cli/command": "cli/test_compare",  # several values after one option
    "cli/demo": "test_demo",
    "cli/explore": "view/page/test_explore",
    "cli/export": "cli/test_show",  # both render the same forms
    "cli/failures": "cli/test_compare",
    "cli/formats": "cli/test_show",
    "cli/obeying": "view/page/test_explore",  # a page's constraints, on the command line
    "cli/options": "cli/test_run",  # declarations: the help shows them
    "cli/scanning": "cli/test_fit",
    "cli/scored": "cli/test_predict",
    "evaluate/reached": "view/page/test_agreement",  # what reaches a node, counted in the browser too
    "cli/scored_file": "cli/test_predict",
    "evaluate/signed_ranks": "evaluate/test_significance",  # Wilcoxon's test is one of three with one interface
    "evolve/base": "evolve/setgen/test_classifier",
    "evolve/search": "evolve/test_run",  # an interface without code
    "evolve/linear/*": "evolve/linear/test_classifier",
    "evolve/pareto/*": "evolve/pareto/test_classifier",
    "evolve/setgen/*": "evolve/setgen/test_classifier",
    "export/sql_numbers": "export/test_sql_dialects",
    "learn/constrained/classifier": "learn/constrained/test_fit",
    "learn/constrained/growth": "learn/constrained/test_fit",
    "learn/constrained/parts": "learn/constrained/test_front",
    "learn/distilled/*": "learn/distilled/test_classifier",
    "learn/distilled_base": "learn/test_ism",
    "learn/distilling": "learn/test_ism",
    "learn/foreign_trees": "learn/test_gathering",
    "learn/forest_trees": "learn/test_forest",
    "learn/front_choice": "learn/distilled/test_classifier",
    "learn/growing": "learn/test_c45",
    "learn/path_errors": "learn/test_cart",
    "learn/planes": "learn/test_oc1",
    "learn/scanned/*": "learn/scanned/test_fit",  # the tree in memory, node for node
    "scan/*": "scan/test_scan",
    "scan/engines/arrow": "scan/engines/test_postgres",
    "scan/engines/engine": "scan/test_scan",
    "scan/engines/stoppable": "scan/engines/test_clickhouse",
    "read/disguised": "read/test_values",
    "read/duck": "read/test_delimited",
    "read/frame_cells": "read/test_frames",
    "read/sheets": "read/test_sources",
    "read/names_file": "read/test_c45_names",
    "studies/dask_backend": "studies/test_backends",
    "studies/ray_backend": "studies/test_backends",
    "studies/frames": "studies/test_comparison",
    "studies/page": "studies/test_report",
    "studies/rankings": "studies/test_comparison",
    "studies/reproduction": "studies/test_reproduce",
    "studies/study": "studies/test_reproduce",
    "studies/text_grid": "studies/test_comparison",
    "studies/tree_pages": "cli/test_compare",
    "studies/best/*": "studies/best/test_study",
    "studies/distilled/*": "studies/distilled/test_study",
    "studies/emo/*": "studies/emo/test_study",
    "studies/gdt/*": "studies/gdt/test_study",
    "studies/ism/*": "studies/ism/test_study",
    "studies/setgen/*": "studies/setgen/test_study",
    "view/axes": "view/test_partition",
    "view/cards": "view/test_figure",
    "view/legend": "view/test_figure",
    "view/page/next_best": "view/page/test_steering",
    "view/page/*": "view/page/test_document",
    "view/picture": "view/test_figure",
    "view/sketch": "view/test_figure",
}

# Tests of what is no single module.
ACROSS = {
    "docs/test_pages": "the guide",
    "learn/test_estimator_checks": "every learner before scikit-learn's own checks",
    "learn/test_frames": "every learner, fed with frames",
    "read/test_ordered": "ordered values from every source",
    "learn/test_missing": "every learner, with gaps",
    "learn/test_parameters": "every learner's parameters",
    "learn/test_scikit_learn_tools": "every learner in pipelines and searches",
    "scan/engines/test_trouble": "every engine, with bad tables",
    "learn/test_threads": "every learner, by several threads",
    "learn/test_weights": "every learner, with weights",
    "fuzz/test_fuzz": "whatever comes from outside",
    "test_benchmarks": "benchmarks/",
    "view/page/test_access": "the page: who can use it",
    "view/page/test_agreement": "the page: what it answers, beside Python",
    "view/page/test_appearance": "the page: what can be told apart",
    "view/page/test_bundle": "explorer/",
    "view/page/test_exports": "the page: what it writes, run by other programs",
    "view/page/test_interactions": "the page: what people do there",
    "view/page/test_large": "the page: large trees",
    "view/page/test_named_values": "the page: sums that ask for values, shown and routed",
    "view/page/test_named_values_taken": "the page: the same, tried out and taken along",
    "view/page/test_safety": "the page: hostile names, its policy",
    "view/page/test_steering": "the page: its edits, obeyed by Python",
    "test_build": "the build under test",
    "test_equality": "scanned trees, a part of tests/equality",
    "test_golden": "C4.5 against recorded trees of J48",
    "test_imports": "the package",
    "test_mirror": "this",
    "test_mutants": "the faults of make mutants",
    "test_readme": "README.md",
}


def modules():
    """Every module but those of the kernels, whose tests have rooms of their own."""
    return _names(SOURCES, "*.py") - {name for name in _names(SOURCES, "*.py") if name.endswith("__init__")}


def all_tests():
    return _names(TESTS, "test_*.py")


def _names(root, pattern):
    paths = [path.relative_to(root).with_suffix("") for path in root.rglob(pattern)]
    return {path.as_posix() for path in paths if path.parts[0] != "kernels"}


def like_named(module):
    """The tests that bear a module's name, or a shorter one that it extends: ``arff_rows`` belongs to ``arff``."""
    folder, name = Path(module).parent, Path(module).name
    words = name.split("_")
    return [(folder / f"test_{'_'.join(words[:n])}").as_posix() for n in range(len(words), 0, -1)]


def test_every_module_has_a_test():
    listed = {module: [THROUGH.get(module), THROUGH.get(f"{Path(module).parent.as_posix()}/*")] for module in modules()}
    without = [m for m in modules() if all_tests().isdisjoint([*like_named(m), *listed[m]])]
    assert not without, "write a like-named test, or say in THROUGH which one tests it"


def test_every_test_has_a_module():
    def own(test):  # test_sql_planes belongs to sql, as sql_cells does
        bare = test.replace("test_", "")
        return any(longer.replace("test_", "") in modules() for longer in like_named(bare))

    assert not [test for test in all_tests() if test not in ACROSS and not own(test)]


def test_no_exception_is_out_of_date():
    assert not [test for test in ACROSS if test not in all_tests()]
    assert not [test for test in THROUGH.values() if test not in all_tests()]
    single = [module for module in THROUGH if not module.endswith("*")]
    assert not [module for module in single if module not in modules()]
    assert not [module for module in single if like_named(module)[0] in all_tests()], "it has a test of its own"
