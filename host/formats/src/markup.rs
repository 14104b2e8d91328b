//! Titles and abstracts with markup (Crossref's face markup, HTML or JATS), read by the JATS importer.

use std::sync::LazyLock;

use masthead_domain::{
    article::{Article, LangText},
    content::{
        Abstract, Node,
        text::{fold, plain},
    },
    text::without_tags,
};
use regex::Regex;

/// Reads one JATS article. The caller passes the importer, because this crate does not depend on the one that has it.
pub type ReadJats = fn(&[u8]) -> Result<Article, JatsFault>;

/// Why bytes were not read as a JATS article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JatsFault {
    /// The bytes are XML of another vocabulary.
    NotArticle,
    /// The bytes are malformed or exceed a limit, for the given reason.
    Unreadable(String),
}

/// Limit on the length of a text that is read as markup, in bytes; of a longer one the plain text is kept.
const MAX_MARKUP: usize = 1 << 20;

/// A start or end tag: slash, namespace prefix, name, attributes.
static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"<(/?)(?:(\w+):)?([A-Za-z][\w-]*)([^<>]*)>").ok());

/// A text in one language, with its formatting.
pub(crate) fn text(jats: ReadJats, lang: &str, source: &str) -> LangText {
    let nodes = line(jats, source);
    LangText { lang: lang.to_owned(), plain: plain(&nodes), nodes }
}

/// Inline nodes of a title.
pub(crate) fn line(jats: ReadJats, source: &str) -> Vec<Node> {
    let source = fold(source);
    if !source.contains(['<', '&']) {
        return words(&source);
    }
    let wrapped = format!(
        "<article><front><article-meta><title-group><article-title>{}</article-title></title-group></article-meta></front></article>",
        to_jats(&source)
    );
    let read = (source.len() <= MAX_MARKUP).then(|| jats(wrapped.as_bytes()).ok());
    let title = read.flatten().and_then(|read| read.meta.titles.into_iter().next());
    title.map_or_else(|| words(&without_tags(&source)), |title| title.nodes)
}

/// Abstracts of a snippet in JATS, HTML or plain text.
pub(crate) fn abstracts(jats: ReadJats, lang: &str, source: &str) -> Vec<Abstract> {
    if source.trim().is_empty() {
        return Vec::new();
    }
    let snippet =
        if source.trim_start().starts_with('<') { to_jats(source) } else { format!("<p>{}</p>", to_jats(source)) };
    let wrapped =
        format!("<article><front><article-meta><abstract>{snippet}</abstract></article-meta></front></article>");
    let read = (source.len() <= MAX_MARKUP).then(|| jats(wrapped.as_bytes()).ok());
    let found = read.flatten().map(|read| read.body.abstracts).filter(|found| !found.is_empty());
    let mut found = found
        .unwrap_or_else(|| vec![Abstract { nodes: vec![paragraph(&without_tags(source))], ..Abstract::default() }]);
    for one in &mut found {
        lang.clone_into(&mut one.lang);
    }
    found
}

/// A paragraph of plain text.
pub(crate) fn paragraph(text: &str) -> Node {
    Node::P { id: String::new(), lang: String::new(), nodes: words(text) }
}

fn words(text: &str) -> Vec<Node> {
    if text.is_empty() { Vec::new() } else { vec![Node::text(text)] }
}

/// Converts HTML's and Crossref's elements to those of JATS, and escapes each `&` that begins no reference.
fn to_jats(source: &str) -> String {
    let source = with_escaped_ampersands(source);
    let Some(tag) = TAG.as_ref() else { return source };
    tag.replace_all(&source, |found: &regex::Captures| {
        let part = |at: usize| found.get(at).map_or("", |part| part.as_str());
        let (close, prefix, name, rest) = (part(1), part(2), part(3), part(4));
        let name = match name {
            "i" | "em" | "I" | "EM" => "italic",
            "b" | "strong" | "B" => "bold",
            "u" => "underline",
            "scp" => "sc",
            "tt" | "code" => "monospace",
            "sup" | "SUP" => "sup",
            "sub" | "SUB" => "sub",
            "br" | "BR" => return if close.is_empty() { "<break/>".to_owned() } else { String::new() },
            "div" | "span" | "a" | "article" | "front" | "body" | "abstract" | "html" => return String::new(),
            "ul" | "ol" => "list",
            "li" => return if close.is_empty() { "<list-item><p>" } else { "</p></list-item>" }.to_owned(),
            "h1" | "h2" | "h3" | "h4" => "title",
            other => other,
        };
        // MathML keeps its prefix and attributes; the attributes of other elements hold nothing but styles.
        let math = prefix == "mml" || name == "math";
        let end = if rest.trim_end().ends_with('/') { "/" } else { "" };
        match (math, prefix) {
            (true, "") => format!("<{close}{name}{rest}>"),
            (true, _) => format!("<{close}{prefix}:{name}{rest}>"),
            _ => format!("<{close}{name}{end}>"),
        }
    })
    .into_owned()
}

fn with_escaped_ampersands(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    for (at, part) in source.split('&').enumerate() {
        if at > 0 {
            let reference = part.split_once(';').is_some_and(|(name, _)| {
                (1..=31).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'#')
            });
            out.push_str(if reference { "&" } else { "&amp;" });
        }
        out.push_str(part);
    }
    out
}

/// The JATS importer in the form in which the host passes it.
#[cfg(test)]
pub(crate) fn jats_of_tests(xml: &[u8]) -> Result<Article, JatsFault> {
    use masthead_documents::jats::{ImportError, Limits, import};
    match import(xml, &Limits::default()) {
        Ok(read) => Ok(read.article),
        Err(ImportError::NotArticle { .. }) => Err(JatsFault::NotArticle),
        Err(error) => Err(JatsFault::Unreadable(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn face_markup_is_kept_and_unescaped_signs_are_read() {
        let made = text(jats_of_tests, "en", "The <i>E. coli</i> H<sub>2</sub>O &amp; R&D <jats:bold>x</jats:bold>");
        assert_eq!(made.plain, "The E. coli H2O & R&D x");
        assert!(made.nodes.iter().any(|node| matches!(node, Node::Italic { .. })), "{made:?}");
        assert!(made.nodes.iter().any(|node| matches!(node, Node::Sub { .. })));
        assert_eq!(text(jats_of_tests, "", "a < b and <i>open").plain, "a < b and open");
        assert_eq!(text(jats_of_tests, "", "").nodes, Vec::new());
    }

    #[test]
    fn abstracts_of_jats_html_and_text_are_read() {
        for (source, expected) in [
            ("<jats:title>Abstract</jats:title><jats:p>One.</jats:p><jats:p>Two.</jats:p>", "One. Two."),
            ("<p>One <em>two</em><br>three</p>", "One two three"),
            ("Plain & simple", "Plain & simple"),
            ("<p>never closed", "never closed"),
        ] {
            let found = abstracts(jats_of_tests, "en", source);
            assert_eq!(found.len(), 1);
            assert_eq!(found.first().map(|one| plain(&one.nodes)).as_deref(), Some(expected), "{source}");
        }
        assert!(abstracts(jats_of_tests, "en", " ").is_empty());
    }
}
