//! Records of a BIFF8 workbook (\[MS-XLS\]) in a compound file.

use std::{
    collections::HashMap,
    io::{Cursor, Write},
};

use super::{Sheet, SheetError, Value, number};

/// Limit on the content of a record in bytes.
const MAX_RECORD: usize = 8224;
/// Limit on the text of a cell in UTF-16 code units.
const MAX_TEXT: usize = 32_767;
/// Index of the cell format for text. Formats 0 to 14 are style formats, which Excel expects.
const PLAIN: u16 = 15;
const HEADER: u16 = 16;
/// Index of the first cell format for numbers; the formats for 0, 1, 2, ... decimals follow each other.
const DECIMALS: u16 = 17;
const MAX_DECIMALS: usize = 15;
/// First index of user-defined number formats.
const FORMATS: u16 = 164;

pub(super) fn workbook(sheet: &Sheet, name: &str) -> Result<Vec<u8>, SheetError> {
    let mut strings = Strings::default();
    let cells = worksheet(sheet, &mut strings);
    let mut stream = globals(name, &strings);
    stream.extend(cells);
    // Readers of the format expect a stream of at least 4096 bytes.
    if stream.len() < 4096 {
        stream.resize(4096, 0);
    }
    let failed = |error: std::io::Error| SheetError::Container(error.to_string());
    let mut file = cfb::CompoundFile::create_with_version(cfb::Version::V3, Cursor::new(Vec::new())).map_err(failed)?;
    file.create_stream("/Workbook").and_then(|mut out| out.write_all(&stream)).map_err(failed)?;
    file.flush().map_err(failed)?;
    Ok(file.into_inner().into_inner())
}

fn record(kind: u16, content: &[u8], out: &mut Vec<u8>) {
    out.extend(kind.to_le_bytes());
    out.extend(u16::try_from(content.len()).unwrap_or(u16::MAX).to_le_bytes());
    out.extend_from_slice(content);
}

/// The values as little-endian numbers of two bytes.
fn words(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn word(value: usize) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

/// A text with a length of one byte.
fn short_text(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().take(255).collect();
    let mut out = vec![u8::try_from(units.len()).unwrap_or(u8::MAX), 1];
    out.extend(words(&units));
    out
}

fn begin(kind: u16, out: &mut Vec<u8>) {
    // BIFF8; build and year of Excel 97; readable by any version since.
    record(0x0809, &words(&[0x0600, kind, 0x0dbb, 0x07cc, 0x0041, 0, 0x0006, 0]), out);
}

fn globals(name: &str, strings: &Strings) -> Vec<u8> {
    let mut out = Vec::new();
    begin(0x0005, &mut out);
    // Code page 1200 is UTF-16.
    record(0x0042, &words(&[1200]), &mut out);
    record(0x003d, &words(&[0, 0, 0x4000, 0x2000, 0x0038, 0, 0, 1, 0x0258]), &mut out);
    for weight in [400, 400, 400, 400, 700] {
        let mut font = words(&[200, u16::from(weight > 400), 0x7fff, weight, 0]);
        font.extend([0, 0, 0, 0]);
        font.extend(short_text("Arial"));
        record(0x0031, &font, &mut out);
    }
    for decimals in 0..=MAX_DECIMALS {
        let code = if decimals == 0 { "0".to_owned() } else { format!("0.{}", "0".repeat(decimals)) };
        let mut format = words(&[FORMATS + word(decimals), word(code.len())]);
        format.push(1);
        format.extend(words(&code.encode_utf16().collect::<Vec<_>>()));
        record(0x041e, &format, &mut out);
    }
    for style in 0..15 {
        cell_format(0, 0, 0xfff5, if style == 0 { 0 } else { 0xf4 }, &mut out);
    }
    cell_format(0, 0, 1, 0, &mut out);
    // The format has no font 4; the fifth font has index 5.
    cell_format(5, 0, 1, 0x08, &mut out);
    for decimals in 0..=MAX_DECIMALS {
        cell_format(0, FORMATS + word(decimals), 1, 0x04, &mut out);
    }
    record(0x0293, &[0x00, 0x80, 0x00, 0xff], &mut out);

    let name = short_text(&sheet_name(name));
    let shared = strings.records();
    let boundsheet = 4 + 6 + name.len();
    let start = out.len() + boundsheet + shared.len() + 4;
    let mut sheet = u32::try_from(start).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    sheet.extend([0, 0]);
    sheet.extend(name);
    record(0x0085, &sheet, &mut out);
    out.extend(shared);
    record(0x000a, &[], &mut out);
    out
}

fn cell_format(font: u16, format: u16, kind: u16, used: u8, out: &mut Vec<u8>) {
    let mut content = words(&[font, format, kind]);
    content.extend([0x20, 0, 0, used]);
    content.extend([0; 8]);
    content.extend(0x20c0_u16.to_le_bytes());
    record(0x00e0, &content, out);
}

/// The name without what Excel forbids in sheet names: more than 31 characters, `[:*?/\` and `]`, an apostrophe at an end.
fn sheet_name(name: &str) -> String {
    let allowed = name.chars().filter(|c| !matches!(c, '[' | ']' | ':' | '*' | '?' | '/' | '\\') && !c.is_control());
    let mut units = 0;
    let kept: String = allowed
        .take_while(|c| {
            units += c.len_utf16();
            units <= 31
        })
        .collect();
    let kept = kept.trim_matches(['\'', ' ']);
    if kept.is_empty() { "Table".to_owned() } else { kept.to_owned() }
}

fn worksheet(sheet: &Sheet, strings: &mut Strings) -> Vec<u8> {
    let mut out = Vec::new();
    begin(0x0010, &mut out);
    let (rows, columns) = (u32::try_from(sheet.rows.len()).unwrap_or(u32::MAX), word(sheet.columns));
    let mut dimensions = [0_u32.to_le_bytes(), rows.to_le_bytes()].concat();
    dimensions.extend(words(&[0, columns, 0]));
    record(0x0200, &dimensions, &mut out);
    for (row, cells) in sheet.rows.iter().enumerate() {
        for (column, value) in cells.iter().enumerate() {
            if let Some(value) = value {
                cell(word(row), word(column), value, strings, &mut out);
            }
        }
    }
    record(0x023e, &words(&[0x06b6, 0, 0, 0x0040, 0, 0, 0, 0, 0]), &mut out);
    let lines = sheet.lines.iter().filter(|_| sheet.columns > 1).map(|row| (*row, *row, 0, sheet.columns - 1));
    let merged: Vec<_> = sheet.merged.iter().copied().chain(lines).collect();
    for part in merged.chunks(1020) {
        let mut content = words(&[word(part.len())]);
        for (first_row, last_row, first, last) in part {
            content.extend(words(&[word(*first_row), word(*last_row), word(*first), word(*last)]));
        }
        record(0x00e5, &content, &mut out);
    }
    record(0x000a, &[], &mut out);
    out
}

fn cell(row: u16, column: u16, value: &Value, strings: &mut Strings, out: &mut Vec<u8>) {
    if value.text.is_empty() {
        return;
    }
    if let (Some((number, decimals)), false) = (number(&value.text), value.header) {
        let mut content = words(&[row, column, DECIMALS + word(decimals.min(MAX_DECIMALS))]);
        // Numbers in exponential notation get the general format.
        if value.text.contains(['e', 'E']) {
            content = words(&[row, column, PLAIN]);
        }
        content.extend(number.to_le_bytes());
        record(0x0203, &content, out);
        return;
    }
    let mut content = words(&[row, column, if value.header { HEADER } else { PLAIN }]);
    content.extend(strings.index(&value.text).to_le_bytes());
    record(0x00fd, &content, out);
}

/// The table of shared strings.
#[derive(Default)]
struct Strings {
    all: Vec<Vec<u16>>,
    known: HashMap<Vec<u16>, u32>,
    used: u32,
}

impl Strings {
    fn index(&mut self, text: &str) -> u32 {
        let mut units: Vec<u16> = text.encode_utf16().collect();
        if units.len() > MAX_TEXT {
            units.truncate(MAX_TEXT - 2);
            if units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
                units.pop();
            }
            units.push(0x2026);
        }
        self.used += 1;
        let next = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        *self.known.entry(units.clone()).or_insert_with(|| {
            self.all.push(units);
            next
        })
    }

    /// The SST record and its CONTINUE records. A text that continues in the next record repeats its flag of encoding there.
    fn records(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let unique = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let mut content = [self.used.to_le_bytes(), unique.to_le_bytes()].concat();
        let mut kind = 0x00fc;
        let mut close = |content: &mut Vec<u8>| {
            record(kind, content, &mut out);
            kind = 0x003c;
            content.clear();
        };
        for units in &self.all {
            // Length and flags must be in one record with at least one character.
            if content.len() + 7 > MAX_RECORD {
                close(&mut content);
            }
            content.extend(word(units.len()).to_le_bytes());
            content.push(1);
            let mut rest = units.as_slice();
            while !rest.is_empty() {
                let mut take = ((MAX_RECORD - content.len()) / 2).min(rest.len());
                let splits_pair = |take: usize| {
                    take < rest.len()
                        && take
                            .checked_sub(1)
                            .and_then(|last| rest.get(last))
                            .is_some_and(|u| (0xd800..0xdc00).contains(u))
                };
                if splits_pair(take) {
                    take -= 1;
                }
                let (now, later) = rest.split_at(take);
                content.extend(words(now));
                rest = later;
                if !rest.is_empty() {
                    close(&mut content);
                    content.push(1);
                }
            }
        }
        close(&mut content);
        out
    }
}
