//! The HTML of a letter: one column of paragraphs that every mail program shows, in the colours of the reader's.

use masthead_domain::Lang;

use super::Item;

/// A part of a letter.
pub(super) enum Block {
    /// A paragraph.
    Text(String),
    /// A verification code.
    Code(String),
    /// New items.
    Items(Vec<Item>),
    /// A link with its text.
    Link {
        /// The text.
        text: String,
        /// The address.
        address: String,
    },
    /// The end of the letter, in small letters.
    Small(String),
}

/// The text as content of an element or of an attribute in double quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// An address that a letter may link to: over http, and nothing else.
pub(super) fn link(address: &str) -> Option<String> {
    let url = url::Url::parse(address).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.to_string())
}

/// The document of a letter.
pub(super) fn document(lang: Lang, title: &str, blocks: &[Block]) -> String {
    let mut body = format!("<h1>{}</h1>", escaped(title));
    for block in blocks {
        body.push('\n');
        body.push_str(&markup(block));
    }
    format!(
        "<!doctype html>\n<html lang=\"{tag}\" dir=\"{dir}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n",
        tag = lang.tag(),
        dir = lang.dir(),
        title = escaped(title),
    )
}

/// The style sheet is in the letter itself: an external one would reveal to the sender who reads the letter, and when.
const STYLE: &str = ":root{color-scheme:light dark}body{margin:0;padding:1rem;font:16px/1.6 sans-serif}\
main{max-width:38rem;margin:0 auto}h1{font-size:1.25rem;line-height:1.3}ul{padding-inline-start:1.25rem}\
li{margin-block-end:1rem}.code{font-size:1.75rem;letter-spacing:.2em}.small{font-size:.875rem;margin-block-start:2rem}";

fn markup(block: &Block) -> String {
    match block {
        Block::Text(text) => format!("<p>{}</p>", escaped(text)),
        Block::Code(code) => format!("<p class=\"code\" dir=\"ltr\"><strong>{}</strong></p>", escaped(code)),
        Block::Items(items) => {
            let items: String = items.iter().map(item).collect();
            format!("<ul>\n{items}</ul>")
        }
        Block::Link { text, address } => format!("<p>{}</p>", anchor(text, address)),
        Block::Small(text) => format!("<p class=\"small\">{}</p>", escaped(text)),
    }
}

fn anchor(text: &str, address: &str) -> String {
    match link(address) {
        Some(address) => format!("<a href=\"{}\">{}</a>", escaped(&address), escaped(text)),
        None => escaped(text),
    }
}

fn item(item: &Item) -> String {
    let Item { title, lang, authors, source, address } = item;
    let mut out = format!("<li><bdi lang=\"{}\">{}</bdi>", escaped(lang), anchor(title, address));
    for line in [authors, source].into_iter().filter(|line| !line.is_empty()) {
        out.push_str("<br><bdi>");
        out.push_str(&escaped(line));
        out.push_str("</bdi>");
    }
    out + "</li>\n"
}
