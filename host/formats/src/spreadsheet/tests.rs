#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use std::io::Cursor;

use calamine::{Data, Reader, Xls};
use masthead_domain::content::{Caption, Footnote, Grid, Node};
use proptest::prelude::*;

use super::*;

fn cell(text: &str, rowspan: u16, colspan: u16) -> Cell {
    Cell { nodes: vec![Node::text(text)], rowspan, colspan, ..Cell::default() }
}

fn row(texts: &[&str]) -> Row {
    Row { cells: texts.iter().map(|text| cell(text, 1, 1)).collect() }
}

fn table() -> Table {
    Table {
        label: "Table 1".into(),
        captions: vec![Caption { title: vec![Node::text("Tides, 潮汐")], ..Caption::default() }],
        grids: vec![Grid {
            head: vec![
                Row { cells: vec![cell("Place", 2, 1), cell("Height", 0, 2)] },
                Row { cells: vec![cell("low", 0, 0), cell("high", 0, 0)] },
            ],
            bodies: vec![vec![
                row(&["青岛", "1.50", "−4.25"]),
                row(&["=HYPERLINK(\"x\")", "1,234", "007"]),
                Row { cells: vec![cell("last", 9, 1), cell("-", 1, 1), cell("1e-3", 1, 1)] },
            ]],
            ..Grid::default()
        }],
        footnotes: vec![Footnote {
            label: "a".into(),
            nodes: vec![Node::text("Measured in May.")],
            ..Footnote::default()
        }],
        ..Table::default()
    }
}

fn read(bytes: Vec<u8>) -> (calamine::Range<Data>, Vec<calamine::Dimensions>, String) {
    let mut book: Xls<_> = Xls::new(Cursor::new(bytes)).unwrap();
    let name = book.sheet_names()[0].clone();
    let merged = book.merge_cells_by_sheet_name(&name).unwrap();
    (book.worksheet_range(&name).unwrap(), merged, name)
}

#[test]
fn csv_has_all_columns_in_every_row_and_no_formula() {
    let text = String::from_utf8(csv(&table()).unwrap()).unwrap();
    assert_eq!(
        text,
        "\u{feff}Place,Height,\r\n,low,high\r\n青岛,1.50,−4.25\r\n\"'=HYPERLINK(\"\"x\"\")\",\"1,234\",007\r\nlast,-,1e-3\r\n"
    );
}

#[test]
fn formulas_get_an_apostrophe_and_numbers_do_not() {
    for (source, expected) in [
        ("-1.5", "-1.5"),
        ("+3", "+3"),
        ("-3%", "-3%"),
        ("--", "--"),
        ("+++", "+++"),
        ("-1-2", "'-1-2"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+cmd", "'+cmd"),
        ("＝1", "'＝1"),
        ("=", "'="),
        ("a=b", "a=b"),
    ] {
        let grid = Grid { bodies: vec![vec![row(&[source])]], ..Grid::default() };
        let made = csv(&Table { grids: vec![grid], ..Table::default() }).unwrap();
        assert_eq!(String::from_utf8(made).unwrap(), format!("\u{feff}{expected}\r\n"));
    }
}

#[test]
fn a_workbook_is_read_back_with_its_values_and_merged_cells() {
    let (range, merged, name) = read(xls(&table(), "Table 1: tides?").unwrap());
    assert_eq!(name, "Table 1 tides");
    let text = |row, column| range.get_value((row, column)).unwrap().clone();
    assert_eq!(text(0, 0), Data::String("Table 1 Tides, 潮汐".into()));
    assert_eq!(text(2, 2), Data::String("high".into()));
    assert_eq!(text(3, 0), Data::String("青岛".into()));
    assert_eq!(text(3, 1), Data::Float(1.5));
    assert_eq!(text(3, 2), Data::Float(-4.25));
    assert_eq!(text(4, 0), Data::String("=HYPERLINK(\"x\")".into()));
    assert_eq!(text(4, 1), Data::String("1,234".into()));
    assert_eq!(text(4, 2), Data::String("007".into()));
    assert_eq!(text(5, 2), Data::Float(0.001));
    assert_eq!(text(6, 0), Data::String("a Measured in May.".into()));
    let spans: Vec<_> = merged.iter().map(|one| (one.start, one.end)).collect();
    // A cell of the last row spans no row beyond the body.
    assert_eq!(spans, [((1, 0), (2, 0)), ((1, 1), (1, 2)), ((0, 0), (0, 2)), ((6, 0), (6, 2))]);
}

#[test]
fn many_and_long_texts_continue_in_further_records() {
    let long: Vec<String> = (0..400).map(|at| format!("n{at} {}", "长文本𠮷".repeat(at * 7 % 900))).collect();
    let rows = long.iter().map(|text| row(&[text])).collect();
    let grid = Grid { bodies: vec![rows], ..Grid::default() };
    let (range, ..) = read(xls(&Table { grids: vec![grid], ..Table::default() }, "").unwrap());
    for (at, text) in long.iter().enumerate() {
        let expected = masthead_domain::content::text::fold(text);
        assert_eq!(range.get_value((u32::try_from(at).unwrap(), 0)), Some(&Data::String(expected)), "{at}");
    }
    let huge = "字".repeat(40_000);
    let grid = Grid { bodies: vec![vec![row(&[&huge])]], ..Grid::default() };
    let (range, ..) = read(xls(&Table { grids: vec![grid], ..Table::default() }, "").unwrap());
    assert!(matches!(range.get_value((0, 0)), Some(Data::String(text)) if text.chars().count() == 32_766));
}

#[test]
fn tables_beyond_the_format_are_refused() {
    let wide = Row { cells: vec![cell("x", 1, 300)] };
    let grid = Grid { bodies: vec![vec![wide]], ..Grid::default() };
    let error = xls(&Table { grids: vec![grid.clone()], ..Table::default() }, "").unwrap_err();
    assert!(error.to_string().contains("300 columns"), "{error}");
    assert!(csv(&Table { grids: vec![grid], ..Table::default() }).is_ok());
    // Spans made to exhaust memory.
    let bomb = Row { cells: (0..2000).map(|_| cell("x", 65_535, 65_535)).collect() };
    let grid = Grid { bodies: vec![vec![bomb; 3000]], ..Grid::default() };
    assert!(csv(&Table { grids: vec![grid], ..Table::default() }).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn any_table_is_read_back(cells in prop::collection::vec(prop::collection::vec(("[ -~字𠮷]{0,40}", 0_u16..5, 0_u16..5), 0..8), 0..8)) {
        let rows = cells.iter().map(|row| Row { cells: row.iter().map(|(text, r, c)| cell(text, *r, *c)).collect() }).collect();
        let made = Table { grids: vec![Grid { bodies: vec![rows], ..Grid::default() }], ..Table::default() };
        let (range, merged, _) = read(xls(&made, "x").unwrap());
        for (at, one) in merged.iter().enumerate() {
            for other in merged.iter().skip(at + 1) {
                let apart = one.end.0 < other.start.0 || other.end.0 < one.start.0 || one.end.1 < other.start.1 || other.end.1 < one.start.1;
                prop_assert!(apart, "{:?} {:?}", one, other);
            }
        }
        let filled = cells.iter().flatten().filter(|(text, ..)| !text.trim().is_empty()).count();
        prop_assert_eq!(range.used_cells().count(), filled);
        prop_assert!(csv(&made).is_ok());
    }
}
