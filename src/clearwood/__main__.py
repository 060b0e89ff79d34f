"""The command line by ``python -m clearwood``, where the command ``clearwood`` is not on the path."""

from clearwood.cli import main

if __name__ == "__main__":
    main()
