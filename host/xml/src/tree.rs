//! Parsing of text into a tree: well-formedness, limits, positions in the original file.

use roxmltree::{Document, Error, Node, ParsingOptions};

use crate::{
    attributes,
    encoding::end_of,
    entities::{Shift, original_column, substitute},
    error::XmlError,
};

/// Limits on the size and depth of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of the file in bytes.
    pub max_bytes: usize,
    /// Depth of nested elements.
    pub max_depth: usize,
    /// Number of elements, texts and comments.
    pub max_nodes: u32,
    /// Number of attributes of one element. The parser compares each attribute with all others of its element, so that this
    /// limit keeps its time linear in the length of the file.
    pub max_attributes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_bytes: 64 << 20, max_depth: 256, max_nodes: 3_000_000, max_attributes: 1000 }
    }
}

/// A parsed file.
pub struct Tree<'a, 'i> {
    document: &'a Document<'i>,
    shifts: &'a [Shift],
}

impl<'a, 'i> Tree<'a, 'i> {
    /// The outermost element.
    #[must_use]
    pub fn root(&self) -> Node<'a, 'i> {
        self.document.root_element()
    }

    /// The source text of an element, as parsed (with entities replaced).
    #[must_use]
    pub fn source(&self, element: Node) -> Option<&'a str> {
        self.document.input_text().get(element.range())
    }

    /// The source text of an element before and after one of its descendants, as parsed (with entities replaced).
    #[must_use]
    pub fn around(&self, element: Node, node: Node) -> Option<(&'a str, &'a str)> {
        let (text, outer, inner) = (self.document.input_text(), element.range(), node.range());
        Some((text.get(outer.start..inner.start)?, text.get(inner.end..outer.end)?))
    }

    /// Line and column of a node in the original text, from 1.
    #[must_use]
    pub fn position(&self, node: Node) -> (u32, u32) {
        let position = self.document.text_pos_at(node.range().start);
        (position.row, original_column(self.shifts, position.row, position.col))
    }
}

/// Parses a text and passes its tree to `then`.
///
/// Entities of HTML are replaced by their characters; those that the file defines are expanded up to a limit. A prefix in
/// `prefixes` (`(prefix, namespace)`) that the file uses but does not declare is declared on its outermost element, because the
/// DTDs of some vocabularies declare prefixes and are never fetched. The caller checks `max_bytes` of the limits.
///
/// # Errors
/// [`XmlError`] if the text is not well-formed or exceeds a limit.
pub fn parse<T>(
    text: &str,
    limits: &Limits,
    prefixes: &[(&str, &str)],
    then: impl FnOnce(&Tree) -> T,
) -> Result<T, XmlError> {
    attributes::check(text, limits.max_attributes)?;
    let (mut prepared, mut shifts) = substitute(text)?;
    for _ in 0..=prefixes.len() {
        let options = ParsingOptions { allow_dtd: true, nodes_limit: limits.max_nodes, ..ParsingOptions::default() };
        let undeclared = match Document::parse_with_options(&prepared, options) {
            Ok(document) => {
                let tree = Tree { document: &document, shifts: &shifts };
                if let Some(deep) = deeper_than(&document, limits.max_depth) {
                    let (line, column) = tree.position(deep);
                    return Err(XmlError::TooDeep { limit: limits.max_depth, line, column });
                }
                return Ok(then(&tree));
            }
            Err(Error::UnknownNamespace(prefix, position)) => match declaration(&prepared, &prefix, prefixes) {
                Some(found) => found,
                None => return Err(malformed(&Error::UnknownNamespace(prefix, position), &shifts, &prepared, limits)),
            },
            Err(error) => return Err(malformed(&error, &shifts, &prepared, limits)),
        };
        let (at, insert) = undeclared;
        let (line, column) = end_of(prepared.get(..at).unwrap_or_default());
        shifts.push(Shift { line, column, by: -i64::try_from(insert.len()).unwrap_or(0) });
        prepared.to_mut().insert_str(at, &insert);
    }
    Err(XmlError::Malformed { reason: "its namespace prefixes are not declared".to_owned(), line: 1, column: 1 })
}

/// The offset in the root element's start tag at which to declare this prefix, and the declaration.
fn declaration(text: &str, prefix: &str, prefixes: &[(&str, &str)]) -> Option<(usize, String)> {
    let (_, uri) = prefixes.iter().find(|(known, _)| *known == prefix)?;
    let declaration = format!(" xmlns:{prefix}=\"{uri}\"");
    let start = text.find("<!DOCTYPE").unwrap_or(0);
    let mut at = start;
    // The first start tag outside of comments and declarations.
    loop {
        let open = at + text.get(at..)?.find('<')?;
        let rest = text.get(open..)?;
        if rest.starts_with("<!--") {
            at = open + rest.find("-->")?;
        } else if rest.get(1..)?.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))?;
            let tag = rest.get(..rest.find('>')?)?;
            return (!tag.contains(&format!("xmlns:{prefix}="))).then_some((open + end, declaration));
        } else {
            at = open + 1;
        }
    }
}

fn malformed(error: &Error, shifts: &[Shift], text: &str, limits: &Limits) -> XmlError {
    if matches!(error, Error::NodesLimitReached) {
        return XmlError::TooManyNodes { limit: limits.max_nodes };
    }
    let position = error.pos();
    let at_end = matches!(error, Error::UnclosedRootNode | Error::UnexpectedEndOfStream | Error::NoRootNode);
    let (line, column) = if at_end { end_of(text) } else { (position.row, position.col) };
    let message = error.to_string();
    // The parser appends a position, which refers to the changed text.
    let reason = message.rsplit_once(" at ").map_or(message.as_str(), |(reason, place)| {
        if place.starts_with(|c: char| c.is_ascii_digit()) { reason } else { message.as_str() }
    });
    if let Error::UnknownEntityReference(name, _) = error {
        return XmlError::UnknownEntity { name: name.clone(), line, column: original_column(shifts, line, column) };
    }
    XmlError::Malformed { reason: reason.to_owned(), line, column: original_column(shifts, line, column) }
}

/// The first element nested deeper than `limit`. It does not recurse, so that deep nesting cannot overflow the stack.
fn deeper_than<'a, 'i>(tree: &'a Document<'i>, limit: usize) -> Option<Node<'a, 'i>> {
    let (mut depth, mut at) = (0_usize, tree.root());
    loop {
        if let Some(child) = at.first_child() {
            at = child;
            depth += 1;
            if depth > limit && at.is_element() {
                return Some(at);
            }
            continue;
        }
        loop {
            if let Some(next) = at.next_sibling() {
                at = next;
                break;
            }
            at = at.parent()?;
            depth = depth.saturating_sub(1);
        }
    }
}
