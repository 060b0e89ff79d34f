def test_a_bar_is_drawn_on_a_terminal_only(capsys, monkeypatch):
    from clearwood.cli.printing import progress_bar

    with progress_bar("working", quiet=False) as progress:
        assert progress is None
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress_bar("working", quiet=True) as progress:
        assert progress is None
    with progress_bar("working", quiet=False) as progress:
        progress(1, 2)
    out, err = capsys.readouterr()
    assert out == "" and "working" in err
