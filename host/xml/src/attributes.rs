//! Limits on attributes, checked in one pass over the text before it is parsed.

use std::collections::HashSet;

use crate::{
    encoding::end_of,
    entities::{MAX_EXPANSION, definitions, opaque},
    error::XmlError,
};

/// Limit on the number of namespace prefixes: the parser looks for the prefix of each name among all that are in force.
const MAX_PREFIXES: usize = 1000;
/// Limit on the square of the number of namespace prefixes times the number of elements that declare any: for each such element the
/// parser compares the declarations in force with one another. Files of publishers that declare MathML on each formula have less
/// than a hundredth of it.
const MAX_COMPARISONS: usize = 1_000_000_000;

/// Refuses a text with an element that has more than `limit` attributes, or with more declarations of namespaces than the parser
/// resolves in reasonable time. The time of the check is linear; what is not well-formed is left to the parser.
pub(crate) fn check(text: &str, limit: usize) -> Result<(), XmlError> {
    let mut prefixes: HashSet<&str> = HashSet::new();
    let (mut declaring, mut at, mut own_dtd) = (0_usize, 0, false);
    while let Some(found) = text.as_bytes().get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'<')) {
        let start = at + found;
        let rest = text.get(start..).unwrap_or_default();
        // In a value of a DTD, what looks like the start of a comment is none and would hide the elements behind it.
        if !own_dtd && let Some(skip) = opaque(rest) {
            at = start + skip;
            continue;
        }
        if !own_dtd && rest.starts_with("<!DOCTYPE") {
            let length = length_of_doctype(rest);
            own_dtd = length.is_none();
            if own_dtd {
                declaring = declaring_in_entities(text, start)?;
            }
            at = start + length.unwrap_or(1);
            continue;
        }
        at = start + 1;
        if !rest.get(1..).is_some_and(|name| name.starts_with(may_begin_a_name)) {
            continue;
        }
        let tag = Tag::of(rest, limit);
        if tag.attributes > limit {
            let (line, column) = end_of(text.get(..start).unwrap_or_default());
            return Err(XmlError::TooManyAttributes { limit, line, column });
        }
        if !tag.declared.is_empty() {
            declaring += 1;
            prefixes.extend(tag.declared);
            let comparisons = prefixes.len().saturating_mul(prefixes.len()).saturating_mul(declaring);
            if prefixes.len() > MAX_PREFIXES || comparisons > MAX_COMPARISONS {
                let (line, column) = end_of(text.get(..start).unwrap_or_default());
                return Err(XmlError::TooManyNamespaces {
                    prefixes: prefixes.len(),
                    elements: declaring,
                    line,
                    column,
                });
            }
        }
        at = start + tag.length;
    }
    Ok(())
}

/// Whether the parser may accept a name that begins with this character.
fn may_begin_a_name(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | ':') || !c.is_ascii()
}

/// Length of the DOCTYPE at the start of this text; `None` if it holds a DTD of its own, or does not end.
fn length_of_doctype(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(mark), byte) if byte == mark => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[') => return None,
            (None, b'>') => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// How many elements that declare namespaces the entities of the DTD at `start` can make: none if no entity has a declaration, else
/// as many as the limit on their expansion allows.
fn declaring_in_entities(text: &str, start: usize) -> Result<usize, XmlError> {
    const SHORTEST: &str = "<a xmlns=''/>";
    let defined = definitions(text, start..text.len())?;
    let any = defined.values().flatten().any(|value| value.contains("xmlns"));
    Ok(if any { MAX_EXPANSION / SHORTEST.len() } else { 0 })
}

/// What a start tag has.
struct Tag<'a> {
    /// Its attributes, at most one more than the limit.
    attributes: usize,
    /// The attributes among them that declare a namespace.
    declared: Vec<&'a str>,
    /// The bytes of the tag that were looked at.
    length: usize,
}

impl<'a> Tag<'a> {
    /// Reads the tag at the start of the text up to its end, or up to the first attribute beyond the limit.
    fn of(text: &'a str, limit: usize) -> Self {
        let mut tag = Self { attributes: 0, declared: Vec::new(), length: text.len() };
        let (mut quote, mut name) = (None, 1);
        for (at, byte) in text.bytes().enumerate().skip(1) {
            match (quote, byte) {
                // The parser allows no `<` in a value; a quotation mark without its pair must not hide the elements behind it.
                (_, b'<') | (None, b'>') => {
                    tag.length = at;
                    break;
                }
                (Some(mark), byte) if byte == mark => (quote, name) = (None, at + 1),
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => {
                    tag.attributes += 1;
                    let declared = text.get(name..at).map_or("", str::trim);
                    if declared.starts_with("xmlns") {
                        tag.declared.push(declared);
                    }
                    if tag.attributes > limit {
                        tag.length = at;
                        break;
                    }
                }
                // The name of the first attribute begins behind that of the element.
                (None, byte) if byte.is_ascii_whitespace() && name == 1 => name = at + 1,
                (None, _) => {}
            }
        }
        tag
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn element(attributes: usize) -> String {
        let all: String = (0..attributes).map(|number| format!(" a{number}='=\">'")).collect();
        format!("<r>\n<!-- <x b='' c=''> --><e{all}/></r>")
    }

    #[test]
    fn an_element_has_as_many_attributes_as_the_limit_and_no_more() {
        assert_eq!(check(&element(1000), 1000), Ok(()));
        for attributes in [1001, 50_000] {
            let error = check(&element(attributes), 1000).unwrap_err();
            assert!(matches!(error, XmlError::TooManyAttributes { limit: 1000, line: 2, column: 23 }), "{error}");
        }
    }

    #[test]
    fn no_way_to_write_a_dtd_or_a_name_hides_an_element() {
        for dtd in [
            "<!DOCTYPE r SYSTEM \"<!--\">",
            "<!DOCTYPE r SYSTEM '<x \">'>",
            "<!DOCTYPE r [<!ENTITY e \"<x '\">]>",
            "<!DOCTYPE r [<!ENTITY e '<!--'>]>",
            "<!DOCTYPE r [<!ENTITY e '<![CDATA['><!ENTITY f '<?x'>]>",
            "<!DOCTYPE r [<!ELEMENT r (#PCDATA) \">]>",
            "<!-- <!DOCTYPE r> --><!DOCTYPE r [<!ENTITY e '<!--'>]>",
        ] {
            let error = check(&format!("{dtd}{}", element(1001)), 1000);
            assert!(matches!(error, Err(XmlError::TooManyAttributes { .. })), "{dtd}");
            assert_eq!(check(&format!("{dtd}{}", element(1000)), 1000), Ok(()), "{dtd}");
        }
        let symbol = element(1001).replace("<e", "<\u{2100}");
        assert!(matches!(check(&symbol, 1000), Err(XmlError::TooManyAttributes { .. })));
        let comment = "<!DOCTYPE r PUBLIC '-//R//DTD R [1]//EN' \"r>.dtd\"><r><!-- <e a='' b='' c=''/> --></r>";
        assert_eq!(check(comment, 2), Ok(()));
    }

    #[test]
    fn nothing_behind_the_limit_is_looked_at() {
        let source = element(50_000);
        let tag = &source[source.find("<e").unwrap()..];
        let read = Tag::of(tag, 1000);
        assert_eq!(read.attributes, 1001);
        assert_eq!(tag[..read.length].matches('\'').count(), 2000, "the quotation marks of a thousand attributes");
    }

    #[test]
    fn attributes_of_other_elements_do_not_count() {
        let many = "<e a='1' b='2'>=====</e>".repeat(30_000);
        assert_eq!(check(&format!("<r>{many}</r>"), 2), Ok(()));
        assert_eq!(check("<r a='1'", 2), Ok(()));
        assert_eq!(check("<r a='1", 2), Ok(()));
    }

    #[test]
    fn namespaces_are_limited_by_the_work_that_they_make() {
        let usual = format!("<r xmlns:a='1'>{}</r>", "<m xmlns='2' xmlns:b='3'/>".repeat(100_000));
        assert_eq!(check(&usual, 1000), Ok(()));
        let prefixes: String = (0..1000).map(|number| format!(" xmlns:p{number}='{number}'")).collect();
        let hostile = format!("<r{prefixes}>{}</r>", "<m xmlns:p0='x'/>".repeat(20_000));
        let error = check(&hostile, 1000).unwrap_err();
        assert!(matches!(error, XmlError::TooManyNamespaces { prefixes: 1000, elements: 1001, .. }), "{error}");
        let more = format!("<r{prefixes}><m xmlns:q='x'/></r>");
        assert!(matches!(check(&more, 1000), Err(XmlError::TooManyNamespaces { prefixes: 1001, elements: 2, .. })));
    }

    #[test]
    fn elements_that_entities_make_count_as_declaring_namespaces() {
        let file = |prefixes: usize| {
            let all: String = (0..prefixes).map(|number| format!(" xmlns:p{number}='{number}'")).collect();
            format!("<!DOCTYPE r [<!ENTITY m \"<m xmlns='x'/>\">]>\n<r{all}>{}</r>", "&m;".repeat(100_000))
        };
        assert_eq!(check(&file(20), 1000), Ok(()));
        assert!(matches!(check(&file(100), 1000), Err(XmlError::TooManyNamespaces { prefixes: 101, line: 2, .. })));
        let plain = file(100).replace("<m xmlns='x'/>", "<m/>");
        assert_eq!(check(&plain, 1000), Ok(()));
    }
}
