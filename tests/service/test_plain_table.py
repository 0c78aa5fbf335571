from service.plain_table import WIDTH, plain_table


def test_columns_stand_below_one_another_and_lines_end_with_their_text():
    assert plain_table(("ID", "NAME", "MADE"), [("1", "Ada", "2026"), ("22", "", "2027")], folded=("NAME",)) == (
        "ID  NAME  MADE\n1   Ada   2026\n22        2027"
    )


def test_what_is_too_long_goes_on_below_in_its_own_column_and_the_others_keep_their_width():
    lines = plain_table(("ID", "NAME"), [("i" * 36, "n" * 100), ("2", "short")], folded=("NAME",)).splitlines()
    assert lines[1] == "i" * 36 + "  " + "n" * 42
    assert lines[2] == " " * 38 + "n" * 42
    assert lines[3] == " " * 38 + "n" * 16
    assert lines[4].split() == ["2", "short"]
    assert max(map(len, lines)) == WIDTH


def test_letters_that_take_two_columns_are_counted_so_and_marks_take_none():
    wide, marked, plain = plain_table(
        ("A", "B"), [("\u5de5\u4f5c", "x"), ("e\u0301", "x"), ("abcd", "x")], folded=()
    ).splitlines()[1:]
    assert (wide, marked, plain) == ("\u5de5\u4f5c  x", "e\u0301     x", "abcd  x")


def test_nothing_in_a_cell_steers_the_terminal():
    assert "\x1b" not in plain_table(("A",), [("\x1b[31mred\x07",)], folded=())
