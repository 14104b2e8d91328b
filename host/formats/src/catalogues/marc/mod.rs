//! MARC 21: ISO 2709 (UTF-8 and MARC-8) and MARCXML, record by record.

mod fields;
mod iso2709;
mod marc8;

use std::io::Read;

use super::book::Book;
use crate::{
    FormatError,
    xml::{Element, Elements},
};

const FORMAT: &str = "MARC 21";
/// Limit on the size of a MARCXML record in bytes; ISO 2709 cannot declare more than 99,999.
const MAX_RECORD: usize = 4 << 20;

/// Iterates over the records of a file in ISO 2709 (`.mrc`), holding one record in memory at a time.
///
/// A malformed record is an error that names it; iteration continues with the next.
pub fn records<R: Read>(source: R) -> impl Iterator<Item = Result<Book, FormatError>> {
    iso2709::Records::new(source)
        .enumerate()
        .map(|(at, read)| read.and_then(|record| fields::book(&record)).map_err(|error| error.record(at + 1)))
}

/// Iterates over the records of a MARCXML file in the same way.
pub fn xml_records<R: Read>(source: R) -> impl Iterator<Item = Result<Book, FormatError>> {
    let mut elements = Elements::new(FORMAT, source, &["record"], MAX_RECORD);
    let mut record = 0;
    let mut ended = false;
    std::iter::from_fn(move || {
        if ended {
            return None;
        }
        let next = elements.next();
        if next.is_none() && record == 0 {
            ended = true;
            let root = elements.root().map_or("", |root| &root.name);
            let reason = format!("the file holds no <record> (its root element is <{root}>): send MARCXML");
            return Some(Err(FormatError::new(FORMAT, reason)));
        }
        record += 1;
        let read = next?;
        let line = read.as_ref().map_or(0, |element| element.line);
        let book = read.and_then(|element| fields::book(&Record::of(&element))).map_err(|error| error.record(record));
        Some(book.map_err(|error| if error.line.is_none() { error.line(line) } else { error }))
    })
}

/// A record: leader and fields.
#[derive(Debug, Default)]
struct Record {
    leader: String,
    /// Tag and value of the control fields 001 to 009.
    control: Vec<(String, String)>,
    data: Vec<Field>,
    warnings: Vec<String>,
}

#[derive(Debug, Default)]
struct Field {
    tag: String,
    indicators: [char; 2],
    /// Code and value of each subfield.
    subfields: Vec<(char, String)>,
}

impl Record {
    fn of(element: &Element) -> Self {
        let tag = |one: &Element| one.attribute("tag").to_owned();
        let indicator = |one: &Element, name: &str| {
            // A space as indicator means "undefined".
            one.attributes
                .iter()
                .find(|(own, _)| own == name)
                .and_then(|(_, value)| value.chars().next())
                .unwrap_or(' ')
        };
        Self {
            leader: element.child("leader").map(Element::raw_text).unwrap_or_default(),
            control: element.all("controlfield").map(|one| (tag(one), one.raw_text())).collect(),
            data: element
                .all("datafield")
                .map(|one| Field {
                    tag: tag(one),
                    indicators: [indicator(one, "ind1"), indicator(one, "ind2")],
                    subfields: one
                        .all("subfield")
                        .map(|sub| (sub.attribute("code").chars().next().unwrap_or(' '), sub.text()))
                        .collect(),
                })
                .collect(),
            warnings: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
