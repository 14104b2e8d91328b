//! Finds the single article in a source.

use masthead_xml::{Limits, Tree, node::name, parse};

use super::{error::ImportError, xml::X};

/// Namespace prefixes that the JATS DTDs declare, so that files may use them without a declaration.
pub const PREFIXES: &[(&str, &str)] = &[
    ("xlink", "http://www.w3.org/1999/xlink"),
    ("mml", "http://www.w3.org/1998/Math/MathML"),
    ("ali", "http://www.niso.org/schemas/ali/1.0/"),
    ("xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    ("xi", "http://www.w3.org/2001/XInclude"),
    ("oasis", "http://www.niso.org/standards/z39-96/ns/oasis-exchange/table"),
    ("tp", "http://www.plazi.org/taxpub"),
];

/// Parses the text and passes its article to `then`.
pub(super) fn with_article<T>(text: &str, limits: &Limits, then: impl FnOnce(&Tree, X) -> T) -> Result<T, ImportError> {
    refuse_other_kinds(text)?;
    parse(text, limits, PREFIXES, |tree| article_of(tree).map(|article| then(tree, article)))?
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

fn article_of<'a, 'i>(tree: &Tree<'a, 'i>) -> Result<X<'a, 'i>, ImportError> {
    let root = tree.root();
    if name(root) == "article" {
        return Ok(root);
    }
    if name(root).eq_ignore_ascii_case("html") {
        return Err(ImportError::Html);
    }
    let (line, column) = tree.position(root);
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
