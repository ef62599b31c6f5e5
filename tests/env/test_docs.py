"""What the page for researchers shows is what happens."""

import doctest


def test_every_example_of_the_page_for_researchers_is_true() -> None:
    result = doctest.testfile("../../docs/research.md", encoding="utf-8")
    assert result.attempted > 20
    assert result.failed == 0
