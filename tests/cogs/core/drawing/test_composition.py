"""Compositions: the positions of their parts, and the names of their bands."""

from PIL import Image

from cogs.core.drawing.composition import BAND, Bitmap, Composition, band_edges

PALETTE = bytes(range(256)) * 3


def bitmap(width: int, height: int, index: int = 7) -> Bitmap:
    return Bitmap(Image.new("P", (width, height), index))


def blank(height: int = 100, index: int = 1) -> Composition:
    return Composition(index, 40, band_edges(height, (30, 60)), PALETTE)


def test_bands_begin_where_they_are_said_to_or_evenly():
    assert band_edges(100, (60, 30, 0, 100, 400)) == (0, 30, 60, 100)
    assert band_edges(2 * BAND + 1) == (0, BAND, 2 * BAND, 2 * BAND + 1)
    assert band_edges(BAND) == (0, BAND) and band_edges(5) == (0, 5)


def test_a_bitmap_is_in_the_names_of_just_the_bands_that_it_touches():
    empty = blank().bands()
    for top, height, touched in ((0, 30, {0}), (29, 2, {0, 1}), (30, 30, {1}), (60, 40, {2}), (20, 60, {0, 1, 2})):
        sheet = blank()
        sheet.paste(bitmap(4, height), (3, top))
        changed = {number for number, name in enumerate(sheet.bands()) if name != empty[number]}
        assert changed == touched


def test_what_lies_outside_is_in_no_name_and_in_no_row():
    sheet = blank()
    sheet.paste(bitmap(4, 10), (3, -10))
    sheet.paste(bitmap(4, 10), (3, 100))
    assert (sheet.bands(), bytes(sheet.rows(0, 100))) == (blank().bands(), bytes(blank().rows(0, 100)))


def test_names_identify_each_bitmap_its_place_and_its_order():
    one, other = bitmap(4, 4), bitmap(4, 4)
    names = set()
    for lying in ([], [(one, 2)], [(one, 3)], [(other, 2)], [(one, 2), (other, 3)], [(other, 3), (one, 2)]):
        sheet = blank()
        for what, left in lying:
            sheet.paste(what, (left, 5))
        names.add(sheet.bands()[0])
    assert len(names) == 6
    filled = blank()
    filled.fill(one.number, (2, 5, 6, 9))
    assert filled.bands()[0] not in names
    assert blank(index=2).bands()[0] not in names


def test_bands_of_one_tall_bitmap_have_names_of_their_own():
    sheet = blank()
    sheet.paste(bitmap(40, 100), (0, 0))
    assert len(set(sheet.bands())) == 3


def test_what_is_laid_later_lies_above_and_through_a_mask_the_rest_is_seen():
    mask = Image.new("1", (4, 4))
    mask.paste(1, (0, 0, 2, 4))
    sheet = blank(10)
    sheet.fill(5, (0, 0, 10, 10))
    sheet.paste(Bitmap(Image.new("P", (4, 4), 9), mask), (2, 3))
    shown = sheet.image()
    assert (shown.size, shown.mode) == ((40, 10), "P")
    assert [shown.getpixel((x, 4)) for x in range(12)] == [5, 5, 9, 9, 5, 5, 5, 5, 5, 5, 1, 1]


def test_rows_begin_without_a_filter_even_if_a_bitmap_crosses_the_left_edge():
    sheet = Composition(bitmap(40, 70, 3), 40, (0, 70), PALETTE)
    sheet.paste(bitmap(10, 70, 9), (-4, 0))
    sheet.fill(8, (-2, 10, 3, 20))
    rows = sheet.rows(5, 70)
    lines = [rows[at : at + 41] for at in range(0, len(rows), 41)]
    assert len(lines) == 65 and all(line[0] == 0 for line in lines)
    assert lines[0][1:] == bytes([9] * 6 + [3] * 34) and lines[5][1:4] == bytes([8] * 3)


def test_a_part_of_the_rows_is_that_part_of_all_of_them():
    sheet = blank()
    for number in range(9):
        sheet.paste(bitmap(5, 21, 10 + number), (4 * number, 10 * number))
    whole = bytes(sheet.rows(0, 100))
    assert sheet.rows(30, 60) == whole[30 * 41 : 60 * 41]
