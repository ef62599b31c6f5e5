"""``python -m purlieu`` is ``purlieu``."""

from .cli import main

if __name__ == "__main__":
    main()
