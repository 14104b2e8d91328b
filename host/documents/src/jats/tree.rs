//! Text to tree: well-formedness, limits, and the one article in it.

use roxmltree::{Document, Error, Node, ParsingOptions};

use super::{
    Limits,
    decode::end_of,
    entities::{Shift, original_column, substitute},
    error::ImportError,
    xml::name,
};

/// Prefixes that JATS DTDs declare by themselves, so that files may use them without a declaration.
const PREFIXES: &[(&str, &str)] = &[
    ("xlink", "http://www.w3.org/1999/xlink"),
    ("mml", "http://www.w3.org/1998/Math/MathML"),
    ("ali", "http://www.niso.org/schemas/ali/1.0/"),
    ("xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    ("xi", "http://www.w3.org/2001/XInclude"),
    ("oasis", "http://www.niso.org/standards/z39-96/ns/oasis-exchange/table"),
    ("tp", "http://www.plazi.org/taxpub"),
];

/// Parses the text and hands over its article.
pub(super) fn with_article<T>(text: &str, limits: &Limits, then: impl FnOnce(Node) -> T) -> Result<T, ImportError> {
    refuse_other_kinds(text)?;
    let (prepared, mut shifts) = substitute(text)?;
    let mut prepared = prepared.into_owned();
    for _ in 0..=PREFIXES.len() {
        let options = ParsingOptions { allow_dtd: true, nodes_limit: limits.max_nodes, ..ParsingOptions::default() };
        let undeclared = match Document::parse_with_options(&prepared, options) {
            Ok(tree) => return article_of(&tree, limits, &shifts).map(then),
            Err(Error::UnknownNamespace(prefix, position)) => match declaration(&prepared, &prefix) {
                Some(found) => found,
                None => return Err(malformed(&Error::UnknownNamespace(prefix, position), &shifts, &prepared, limits)),
            },
            Err(error) => return Err(malformed(&error, &shifts, &prepared, limits)),
        };
        let (at, insert) = undeclared;
        let (line, column) = end_of(prepared.get(..at).unwrap_or_default());
        shifts.push(Shift { line, column, by: -i64::try_from(insert.len()).unwrap_or(0) });
        prepared.insert_str(at, &insert);
    }
    Err(ImportError::Malformed { reason: "its namespace prefixes are not declared".to_owned(), line: 1, column: 1 })
}

fn refuse_other_kinds(text: &str) -> Result<(), ImportError> {
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if start.is_empty() {
        return Err(ImportError::Empty);
    }
    let head: String = start.chars().take(200).collect::<String>().to_ascii_lowercase();
    if head.starts_with("<!doctype html") || head.starts_with("<html") {
        return Err(ImportError::Html);
    }
    if !start.starts_with('<') {
        return Err(ImportError::NotXml { start: start.chars().take(20).collect() });
    }
    Ok(())
}

/// Where to declare this prefix on the root element, and with what.
fn declaration(text: &str, prefix: &str) -> Option<(usize, String)> {
    let (_, uri) = PREFIXES.iter().find(|(known, _)| *known == prefix)?;
    let declaration = format!(" xmlns:{prefix}=\"{uri}\"");
    let start = text.find("<!DOCTYPE").unwrap_or(0);
    let mut at = start;
    // The first tag of a name, outside of comments and declarations.
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

fn malformed(error: &Error, shifts: &[Shift], text: &str, limits: &Limits) -> ImportError {
    if matches!(error, Error::NodesLimitReached) {
        return ImportError::TooManyNodes { limit: limits.max_nodes };
    }
    let position = error.pos();
    let at_end = matches!(error, Error::UnclosedRootNode | Error::UnexpectedEndOfStream | Error::NoRootNode);
    let (line, column) = if at_end { end_of(text) } else { (position.row, position.col) };
    let message = error.to_string();
    // The parser appends its own position, which is that of the prepared text.
    let reason = message.rsplit_once(" at ").map_or(message.as_str(), |(reason, place)| {
        if place.starts_with(|c: char| c.is_ascii_digit()) { reason } else { message.as_str() }
    });
    if let Error::UnknownEntityReference(name, _) = error {
        return ImportError::UnknownEntity { name: name.clone(), line, column: original_column(shifts, line, column) };
    }
    ImportError::Malformed { reason: reason.to_owned(), line, column: original_column(shifts, line, column) }
}

fn article_of<'a, 'i>(tree: &'a Document<'i>, limits: &Limits, shifts: &[Shift]) -> Result<Node<'a, 'i>, ImportError> {
    let place = |node: Node| {
        let position = tree.text_pos_at(node.range().start);
        (position.row, original_column(shifts, position.row, position.col))
    };
    if let Some(deep) = deeper_than(tree, limits.max_depth) {
        let (line, column) = place(deep);
        return Err(ImportError::TooDeep { limit: limits.max_depth, line, column });
    }
    let root = tree.root_element();
    if name(root) == "article" {
        return Ok(root);
    }
    if name(root).eq_ignore_ascii_case("html") {
        return Err(ImportError::Html);
    }
    let (line, column) = place(root);
    let root_name = name(root).chars().take(80).collect();
    if !matches!(name(root), "articles" | "pmc-articleset" | "record" | "OAI-PMH" | "GetRecord" | "ListRecords") {
        return Err(ImportError::NotArticle { root: root_name, line, column });
    }
    let mut articles = root.descendants().filter(|node| node.is_element() && name(*node) == "article");
    match (articles.next(), articles.count()) {
        (Some(article), 0) => Ok(article),
        (first, more) => Err(ImportError::NotOneArticle {
            root: root_name,
            count: more + usize::from(first.is_some()),
            line,
            column,
        }),
    }
}

/// The first element beyond this depth; walks without recursion.
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
