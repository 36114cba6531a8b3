"""`python -m bicameral` is the command line."""

from bicameral.interfaces.cli import main

if __name__ == "__main__":
    main()
