//! Named entities: those that the DTD, which is never read, would define are replaced by their characters; the expansion of
//! those that the file defines is limited.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use crate::{encoding::end_of, error::XmlError, writer::is_character};

/// Limit on the characters that all entities of a file expand to.
pub(crate) const MAX_EXPANSION: usize = 4 << 20;
/// Limit on the bytes of the name of an entity that a file defines.
const MAX_NAME: usize = 64;
/// The parser looks for each entity among all that a file defines; looking at this many is counted as one character.
const DEFINITIONS_PER_CHARACTER: usize = 256;

/// A position at which a replacement changed the length of a line, kept to report positions of the original text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shift {
    pub line: u32,
    pub column: u32,
    pub by: i64,
}

/// The column in the original text for a column of the changed text.
pub(crate) fn original_column(shifts: &[Shift], line: u32, column: u32) -> u32 {
    let moved: i64 =
        shifts.iter().filter(|shift| shift.line == line && shift.column < column).map(|shift| shift.by).sum();
    u32::try_from((i64::from(column) + moved).max(1)).unwrap_or(u32::MAX)
}

/// Replaces well-known named entities that the file does not define by their characters.
pub(crate) fn substitute(text: &str) -> Result<(Cow<'_, str>, Vec<Shift>), XmlError> {
    if !text.contains('&') {
        return Ok((Cow::Borrowed(text), Vec::new()));
    }
    let subset = internal_subset(text);
    if let Some((start, end)) = subset {
        let values = text.get(start..end).unwrap_or_default();
        for (at, _) in values.match_indices("&#") {
            character_reference(text, start + at)?;
        }
    }
    let defined = definitions(text, subset.map_or(0..0, |(start, end)| start..end))?;
    let mut expansion = Expansion::of(text)?;
    let mut writer = Writer { text, out: String::new(), copied: 0, shifts: Vec::new() };
    let mut at = subset.map_or(0, |range| range.1);
    while let Some(found) = next_of(text, at) {
        let rest = text.get(found..).unwrap_or_default();
        if let Some(skip) = opaque(rest) {
            at = found + skip;
        } else if let Some(name) = reference(rest) {
            if defined.contains_key(name) {
                expansion.add(text, found, name)?;
            } else {
                writer.reference(found, name)?;
            }
            at = found + name.len() + 2;
        } else {
            character_reference(text, found)?;
            at = found + 1;
        }
    }
    expansion.check_all(text)?;
    Ok(writer.finish())
}

/// Refuses a reference by number at this offset if the number is no character of XML. The parser would replace a surrogate by
/// U+FFFD without a word.
fn character_reference(text: &str, at: usize) -> Result<(), XmlError> {
    let Some(tail) = text.get(at..).and_then(|rest| rest.strip_prefix("&#")) else { return Ok(()) };
    // References that do not end are the parser's to report.
    let Some((number, _)) = tail.split_at_checked(tail.bytes().take(32).position(|byte| byte == b';').unwrap_or(0))
    else {
        return Ok(());
    };
    let code = match number.strip_prefix('x') {
        Some(digits) if is_number(digits, 16) => u32::from_str_radix(digits, 16),
        None if is_number(number, 10) => number.parse(),
        _ => return Ok(()),
    };
    if code.ok().and_then(char::from_u32).is_some_and(is_character) {
        return Ok(());
    }
    let (line, column) = end_of(text.get(..at).unwrap_or_default());
    Err(XmlError::NotACharacter { reference: format!("&#{number};"), line, column })
}

fn is_number(digits: &str, radix: u32) -> bool {
    !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix))
}

/// Offset of the next `&` or `<` at or behind `at`.
fn next_of(text: &str, at: usize) -> Option<usize> {
    text.as_bytes().get(at..)?.iter().position(|byte| matches!(byte, b'&' | b'<')).map(|found| at + found)
}

/// Length of the comment, CDATA section or processing instruction at the start of this text; nothing in these is a reference.
pub(crate) fn opaque(rest: &str) -> Option<usize> {
    [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")].into_iter().find(|(open, _)| rest.starts_with(open)).map(
        |(open, close)| {
            rest.get(open.len()..)
                .and_then(|tail| tail.find(close))
                .map_or(rest.len(), |end| open.len() + end + close.len())
        },
    )
}

/// The name in the reference `&name;` at the start of this text.
fn reference(rest: &str) -> Option<&str> {
    let tail = rest.strip_prefix('&')?;
    let end = tail.bytes().take(64).position(|byte| byte == b';')?;
    let name = tail.get(..end)?;
    let mut chars = name.chars();
    (chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_')))
    .then_some(name)
}

struct Writer<'a> {
    text: &'a str,
    out: String,
    copied: usize,
    shifts: Vec<Shift>,
}

impl<'a> Writer<'a> {
    fn reference(&mut self, at: usize, name: &'a str) -> Result<(), XmlError> {
        if matches!(name, "lt" | "gt" | "amp" | "quot" | "apos") {
            return Ok(());
        }
        let source = format!("&{name};");
        let characters = html_escape::decode_html_entities(&source);
        if characters == source {
            let (line, column) = end_of(self.text.get(..at).unwrap_or_default());
            return Err(XmlError::UnknownEntity { name: name.to_owned(), line, column });
        }
        self.out.push_str(self.text.get(self.copied..at).unwrap_or_default());
        let before = self.out.len();
        for character in characters.chars() {
            if matches!(character, '<' | '>' | '&' | '"' | '\'') {
                self.out.push_str(&format!("&#{};", u32::from(character)));
            } else {
                self.out.push(character);
            }
        }
        self.copied = at + source.len();
        self.note(before, source.chars().count());
        Ok(())
    }

    /// Records how much a replacement changed the length of its line.
    fn note(&mut self, before: usize, was: usize) {
        let now = self.out.get(before..).unwrap_or_default().chars().count();
        let by = i64::try_from(was).unwrap_or(0) - i64::try_from(now).unwrap_or(0);
        // Each shift counts lines from the start, so that the number is limited to avoid quadratic time; later positions are
        // approximate.
        if by != 0 && self.shifts.len() < 200 {
            let (line, column) = end_of(self.out.get(..before).unwrap_or_default());
            self.shifts.push(Shift { line, column, by });
        }
    }

    fn finish(mut self) -> (Cow<'a, str>, Vec<Shift>) {
        if self.copied == 0 {
            return (Cow::Borrowed(self.text), self.shifts);
        }
        self.out.push_str(self.text.get(self.copied..).unwrap_or_default());
        (Cow::Owned(self.out), self.shifts)
    }
}

/// Byte range of the DOCTYPE's internal subset, without brackets.
fn internal_subset(text: &str) -> Option<(usize, usize)> {
    let start = text.find("<!DOCTYPE")?;
    let mut quote = None;
    let mut open = None;
    let bytes = text.as_bytes();
    let mut at = start + 9;
    while let Some(byte) = bytes.get(at) {
        if quote.is_none()
            && let Some(skip) = text.get(at..).and_then(opaque)
        {
            at += skip;
            continue;
        }
        match (quote, *byte) {
            (Some(mark), byte) if byte == mark => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b'[') if open.is_none() => open = Some(at + 1),
            (None, b']') => return open.map(|open| (open, at)),
            (None, b'>') if open.is_none() => return None,
            _ => {}
        }
        at += 1;
    }
    open.map(|open| (open, text.len()))
}

/// Entities with their replacement texts, in a part of a text that holds a DTD: at every place that could be a definition. Those in
/// comments and in the values of other entities are included, so that no definition that the parser finds is missing here. External
/// entities are included with an empty text, so that the parser reports them.
pub(crate) fn definitions(text: &str, part: Range<usize>) -> Result<HashMap<&str, Vec<&str>>, XmlError> {
    const OPEN: &str = "<!ENTITY";
    let mut found: HashMap<&str, Vec<&str>> = HashMap::new();
    let start = part.start;
    let part = text.get(part).unwrap_or_default();
    for (at, _) in part.match_indices(OPEN) {
        let rest = part.get(at + OPEN.len()..).unwrap_or_default();
        if !rest.starts_with(char::is_whitespace) {
            continue;
        }
        let rest = rest.trim_start();
        // The parser takes parameter entities for general ones.
        let rest = rest.strip_prefix('%').map_or(rest, str::trim_start);
        let Some(end) = rest.char_indices().take(MAX_NAME + 1).find(|(_, c)| c.is_whitespace()).map(|(end, _)| end)
        else {
            let (line, column) = end_of(text.get(..start + at).unwrap_or_default());
            let reason = format!("the name of an entity that it defines has more than {MAX_NAME} characters");
            return Err(XmlError::Malformed { reason, line, column });
        };
        let (name, rest) = rest.split_at(end);
        let rest = rest.trim_start();
        let value = rest
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\''))
            .and_then(|mark| rest.get(1..)?.split_once(mark))
            .map_or("", |(value, _)| value);
        found.entry(name).or_default().push(value);
    }
    Ok(found)
}

/// How many characters the entities of a file expand to.
struct Expansion<'a> {
    /// Where the DTD begins; without one, the file defines no entities.
    start: Option<usize>,
    defined: HashMap<&'a str, Vec<&'a str>>,
    /// What finding the definition of an entity counts, in characters.
    search: usize,
    sizes: HashMap<&'a str, usize>,
    spent: usize,
}

impl<'a> Expansion<'a> {
    fn of(text: &'a str) -> Result<Self, XmlError> {
        let start = text.find("<!DOCTYPE");
        let defined = definitions(text, start.unwrap_or(text.len())..text.len())?;
        let search = defined.values().map(Vec::len).sum::<usize>() / DEFINITIONS_PER_CHARACTER;
        Ok(Self { start, defined, search, sizes: HashMap::new(), spent: 0 })
    }

    /// Counts the reference at `at`.
    fn add(&mut self, text: &str, at: usize, name: &'a str) -> Result<(), XmlError> {
        self.spent = self.spent.saturating_add(self.size(name, 0));
        if self.spent <= MAX_EXPANSION {
            return Ok(());
        }
        let (line, column) = end_of(text.get(..at).unwrap_or_default());
        Err(XmlError::EntityExpansion { name: name.to_owned(), limit: MAX_EXPANSION, line, column })
    }

    /// Counts everything that could be a reference to a defined entity, wherever it is: the limit holds even where a file makes the
    /// end of its DTD, or of a comment, hard to tell.
    fn check_all(&mut self, text: &'a str) -> Result<(), XmlError> {
        let Some(start) = self.start.filter(|_| !self.defined.is_empty()) else { return Ok(()) };
        self.spent = 0;
        for (found, _) in text.get(start..).unwrap_or_default().match_indices('&') {
            let at = start + found;
            if let Some(name) = text.get(at..).and_then(name_of).filter(|name| self.defined.contains_key(name)) {
                self.add(text, at, name)?;
            }
        }
        Ok(())
    }

    /// Number of characters that an entity expands to, with what finding it counts; more than [`MAX_EXPANSION`] if it contains itself.
    /// Of several definitions, the largest counts.
    fn size(&mut self, name: &'a str, depth: u8) -> usize {
        if let Some(size) = self.sizes.get(name) {
            return *size;
        }
        // The parser's limit is ten as well; an entity that contains itself exceeds it.
        if depth > 10 {
            return MAX_EXPANSION + 1;
        }
        let Some(values) = self.defined.get(name).cloned() else { return 1 };
        let mut largest = 0;
        for value in values {
            let mut size = value.len() + self.search;
            for (found, _) in value.match_indices('&') {
                if let Some(inner) = value.get(found..).and_then(name_of) {
                    size = size.saturating_add(self.size(inner, depth + 1));
                }
                // The rest cannot change the result; without this end, an entity that contains itself often would be followed along
                // each of the ways.
                if size > MAX_EXPANSION {
                    break;
                }
            }
            largest = largest.max(size);
        }
        self.sizes.insert(name, largest);
        largest
    }
}

/// What stands between the `&` at the start of this text and the next `;`, if a name of an entity is as short.
fn name_of(rest: &str) -> Option<&str> {
    let tail = rest.strip_prefix('&')?;
    // A character has at most four bytes.
    let end = tail.bytes().take(4 * MAX_NAME + 1).position(|byte| byte == b';')?;
    tail.get(..end)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn entities_of_the_dtd_become_characters() {
        let (text, shifts) = substitute("<a b=\"&eacute;\">&nbsp;&alpha;&amp;<!-- &x; --><![CDATA[&y;]]></a>").unwrap();
        assert_eq!(text, "<a b=\"é\">\u{a0}α&amp;<!-- &x; --><![CDATA[&y;]]></a>");
        assert_eq!(shifts.len(), 3);
        assert_eq!(original_column(&shifts, 1, 10), 17);
    }

    #[test]
    fn an_unknown_entity_is_reported_by_name() {
        let error = substitute("<a>\n &unheardof;</a>").unwrap_err();
        assert_eq!(error.position(), Some((2, 2)));
        assert!(error.to_string().contains("&unheardof;"));
    }

    #[test]
    fn entities_that_the_file_defines_are_kept() {
        let source = "<!DOCTYPE article [<!ENTITY me \"x\"><!-- ] -->]><article>&me;</article>";
        assert_eq!(substitute(source).unwrap().0, source);
    }

    #[test]
    fn expansion_and_recursion_are_limited() {
        let lol: String =
            (1..10).map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10))).collect();
        let laughs = format!("<!DOCTYPE a [<!ENTITY l0 \"lol\">{lol}]><a>&l9;</a>");
        assert!(matches!(substitute(&laughs), Err(XmlError::EntityExpansion { .. })));
        let quadratic = format!("<!DOCTYPE a [<!ENTITY l \"{}\">]><a>{}</a>", "x".repeat(50_000), "&l;".repeat(50_000));
        assert!(matches!(substitute(&quadratic), Err(XmlError::EntityExpansion { .. })));
        let endless = "<!DOCTYPE a [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]><a>&a;</a>";
        assert!(matches!(substitute(endless), Err(XmlError::EntityExpansion { .. })));
    }

    #[test]
    fn no_way_to_write_a_definition_hides_its_size() {
        let long = "x".repeat(50_000);
        let references = |name: &str| format!("<a>{}</a>", format!("&{name};").repeat(100));
        for (kind, subset, name) in [
            ("a smaller one in a comment", format!("<!-- <!ENTITY q \"x\"> --><!ENTITY q \"{long}\">"), "q"),
            ("a smaller one in a value", format!("<!ENTITY z '<!ENTITY q \"x\">'><!ENTITY q \"{long}\">"), "q"),
            ("another begins in its value", format!("<!ENTITY q \"<!ENTITY z {long}\">"), "q"),
            ("a colon in the name", format!("<!ENTITY q:q \"{long}\">"), "q:q"),
            ("a parameter entity", format!("<!ENTITY % p \"{long}\"><!ENTITY q \"&p;\">"), "q"),
            ("a quote that is none", format!("<!ELEMENT a (#PCDATA) '><!ENTITY q \"{long}\">"), "q"),
        ] {
            let text = format!("<!DOCTYPE a [{subset}]>{}", references(name));
            assert!(matches!(substitute(&text), Err(XmlError::EntityExpansion { .. })), "{kind}");
        }
        let name = "q".repeat(70);
        let text = format!("<!DOCTYPE a [<!ENTITY {name} \"{long}\">]>{}", references(&name));
        assert!(matches!(substitute(&text), Err(XmlError::Malformed { line: 1, .. })));
        let lines = text.replace("<!", "\n<!");
        assert!(matches!(substitute(&lines), Err(XmlError::Malformed { line: 3, column: 1, .. })));
    }

    #[test]
    fn an_entity_that_contains_itself_often_is_not_followed_along_each_way() {
        // Thirty ways at each of ten levels.
        let text = format!("<!DOCTYPE a [<!ENTITY a \"{}\">]><a>&a;</a>", "&a;".repeat(30));
        assert!(matches!(substitute(&text), Err(XmlError::EntityExpansion { .. })));
    }

    #[test]
    fn finding_entities_among_many_counts_too() {
        let text = |definitions: usize, references: usize| {
            let subset: String = (0..definitions).map(|number| format!("<!ENTITY e{number} ''>")).collect();
            format!("<!DOCTYPE a [{subset}]><a>{}</a>", "&e7;".repeat(references))
        };
        let hostile = text(50_000, 50_000);
        assert!(matches!(substitute(&hostile), Err(XmlError::EntityExpansion { .. })));
        let usual = text(2_500, 50_000);
        assert_eq!(substitute(&usual).unwrap().0, usual);
    }

    #[test]
    fn references_to_no_character_are_refused() {
        for (reference, place) in [
            ("&#xD800;", (2, 2)),
            ("&#xdfff;", (2, 2)),
            ("&#55357;", (2, 2)),
            ("&#0;", (2, 2)),
            ("&#xFFFE;", (2, 2)),
            ("&#x110000;", (2, 2)),
            ("&#99999999999;", (2, 2)),
        ] {
            let error = substitute(&format!("<a>\n {reference}</a>")).unwrap_err();
            assert_eq!(error.position(), Some(place), "{error}");
            assert!(error.to_string().contains(reference), "{error}");
            let defined = format!("<!DOCTYPE a [\n<!ENTITY e \"{reference}\">]><a>&e;</a>");
            assert!(matches!(substitute(&defined), Err(XmlError::NotACharacter { line: 2, .. })), "{reference}");
            let attribute = format!("<a b=\"{reference}\"/>");
            assert!(matches!(substitute(&attribute), Err(XmlError::NotACharacter { .. })), "{reference}");
        }
        for kept in ["<a>&#x1F600;&#9;&#233;</a>", "<a><!-- &#xD800; --><![CDATA[&#xD800;]]></a>", "<a>&#;&#x;&#z;</a>"]
        {
            assert_eq!(substitute(kept).unwrap().0, kept);
        }
    }
}
