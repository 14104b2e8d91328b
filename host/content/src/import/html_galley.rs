//! The full text of an article from an HTML page: the page is sanitized, converted to JATS, and read as JATS is.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use ammonia::{Builder, UrlRelative};
use masthead_domain::{
    content::{Node, text::fold},
    link,
};
use masthead_formats::{JatsFault, html_text};
use masthead_xml::{Child, Element, XmlWriter};

use crate::{
    bounded_html::{self, HtmlLimits},
    import::{article::read_jats, html_tree, job},
};

/// Largest page that is converted, in bytes.
const LARGEST: usize = 2 << 20;
/// Greatest depth of nested elements.
const DEPTH: usize = 64;
/// Limits before the page is parsed. Paragraphs, items and cells are not counted in its depth.
const BOUNDS: HtmlLimits = HtmlLimits { depth: 2 * DEPTH, elements: 500_000 };

/// Elements that begin a new block of text.
const BLOCKS: [&str; 29] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "ul",
];
/// Elements of tables, and elements within a line.
const OTHERS: [&str; 38] = [
    "caption", "thead", "tbody", "tfoot", "tr", "td", "th", "a", "b", "br", "cite", "code", "del", "dfn", "em", "font",
    "i", "img", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u",
    "var", "abbr", "bdi", "bdo", "time", "big",
];
/// Elements that are removed with all that they contain.
const REMOVED: [&str; 16] = [
    "script", "style", "title", "template", "noscript", "iframe", "object", "embed", "svg", "math", "canvas", "audio",
    "video", "button", "select", "textarea",
];

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let attributes = HashMap::from([
        ("a", HashSet::from(["href", "name"])),
        ("img", HashSet::from(["src", "alt"])),
        ("td", HashSet::from(["colspan", "rowspan"])),
        ("th", HashSet::from(["colspan", "rowspan"])),
    ]);
    let mut builder = Builder::empty();
    builder
        .tags(BLOCKS.into_iter().chain(OTHERS).collect())
        .clean_content_tags(HashSet::from(REMOVED))
        .tag_attributes(attributes)
        .generic_attributes(HashSet::from(["id"]))
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(UrlRelative::PassThrough)
        .link_rel(None)
        .strip_comments(true);
    builder
});

/// What a page says.
#[derive(Debug)]
pub struct GalleyPage {
    /// Its text.
    pub nodes: Vec<Node>,
    /// The elements that were removed with their content, and how often they occur; of pictures, those that are not files beside the page.
    pub removed: Vec<(&'static str, usize)>,
    /// The names of the pictures that it shows.
    pub pictures: Vec<String>,
}

/// Reads the text of an HTML page. A heading that repeats the title of the article is left out.
///
/// # Errors
/// A message, if the page is too large, nested too deeply, not in its encoding, or has no text.
pub fn read(bytes: &[u8], title: &str) -> anyhow::Result<GalleyPage> {
    anyhow::ensure!(bytes.len() <= LARGEST, "the page has {} bytes; the limit is {LARGEST} bytes", bytes.len());
    let source = html_text::decode(bytes)?;
    let page = html_tree::read(&CLEANER.clean(&bounded_html::reduced(&source, BOUNDS)?).to_string(), DEPTH)?;
    let mut writer = Writer {
        xml: XmlWriter::new(),
        levels: Vec::new(),
        title: fold(title).to_lowercase(),
        id: String::new(),
        pictures: Vec::new(),
        foreign: 0,
    };
    writer.xml.start("article", &[("xmlns:xlink", "http://www.w3.org/1999/xlink")]);
    // Only the body is used; an article needs a title to be read.
    writer
        .xml
        .raw("<front><article-meta><title-group><article-title>.</article-title></title-group></article-meta></front>");
    writer.xml.start("body", &[]);
    writer.blocks(&page.children, true);
    writer.close_sections(0);
    writer.xml.end("body");
    writer.xml.end("article");
    let Writer { xml, pictures, foreign, .. } = writer;
    let nodes = match read_jats(xml.finish().as_bytes()) {
        Ok(article) => article.body.body,
        Err(JatsFault::Unreadable(reason)) => anyhow::bail!("the converted page cannot be read: {reason}"),
        Err(JatsFault::NotArticle) => anyhow::bail!("the page cannot be converted"),
    };
    anyhow::ensure!(!nodes.is_empty(), "the page has no text");
    let lower = source.to_ascii_lowercase();
    let times = |name: &&'static str| {
        let begin = format!("<{name}");
        let ends = |at: &usize| !lower[at + begin.len()..].starts_with(|c: char| c.is_ascii_alphanumeric());
        (*name, lower.match_indices(&begin).map(|(at, _)| at).filter(ends).count())
    };
    let shown = REMOVED.iter().filter(|name| !matches!(**name, "script" | "style" | "title" | "template" | "noscript"));
    let removed = shown.map(times).chain([("img", foreign)]).filter(|(_, times)| *times > 0).collect();
    Ok(GalleyPage { nodes, removed, pictures })
}

/// Whether an element begins a block, or holds one within a line.
fn is_block(element: &Element) -> bool {
    BLOCKS.contains(&element.name.as_str()) || element.elements().any(is_block)
}

/// Writes a page as the body of a JATS article.
struct Writer {
    xml: XmlWriter,
    /// The levels of the headings of the open sections.
    levels: Vec<u8>,
    /// Title of the article, until a heading has repeated it.
    title: String,
    /// Id of the block around the next paragraph.
    id: String,
    /// The names of the pictures so far.
    pictures: Vec<String>,
    /// Number of pictures that are on other servers or in the page itself.
    foreign: usize,
}

impl Writer {
    /// `top`: whether a heading may begin a section here.
    fn blocks(&mut self, children: &[Child], top: bool) {
        let mut line: Vec<&Child> = Vec::new();
        for child in children {
            match child {
                Child::Element(element) if is_block(element) => {
                    self.paragraph(&line);
                    line.clear();
                    self.block(element, top);
                }
                _ => line.push(child),
            }
        }
        self.paragraph(&line);
    }

    fn block(&mut self, element: &Element, top: bool) {
        let id = element.attribute("id");
        match element.name.as_str() {
            name @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => {
                let level = name.bytes().last().map_or(1, |digit| digit - b'0');
                self.heading(element, level, top);
            }
            "ul" | "ol" => self.list(element),
            "dl" => self.definitions(element),
            "table" => self.table(element),
            "blockquote" => {
                self.xml.start("disp-quote", &[]);
                self.blocks(&element.children, false);
                self.xml.end("disp-quote");
            }
            "pre" => self.xml.text("preformat", &[], &element.raw_text()),
            "figure" => self.figure(element),
            "hr" => {}
            _ => {
                if !id.is_empty() {
                    id.clone_into(&mut self.id);
                }
                self.blocks(&element.children, top);
            }
        }
    }

    /// A heading that repeats the title of the article is skipped. One that cannot begin a section is a bold line.
    fn heading(&mut self, element: &Element, level: u8, top: bool) {
        let text = element.text();
        if text.is_empty() {
            return;
        }
        if text.to_lowercase() == self.title {
            self.title.clear();
            return;
        }
        if !top {
            return self.bold_line(element);
        }
        self.close_sections(level);
        self.levels.push(level);
        self.start("sec", element.attribute("id"));
        self.xml.start("title", &[]);
        self.line(&element.children);
        self.xml.end("title");
    }

    /// Begins an element, with its id if it has one.
    fn start(&mut self, name: &str, id: &str) {
        if id.is_empty() { self.xml.start(name, &[]) } else { self.xml.start(name, &[("id", id)]) }
    }

    /// The content of an element as a paragraph in bold.
    fn bold_line(&mut self, element: &Element) {
        self.xml.raw("<p><bold>");
        self.line(&element.children);
        self.xml.raw("</bold></p>");
    }

    /// The captions of a table or a figure: the elements in it with this name.
    fn captions(&mut self, element: &Element, name: &str) {
        for caption in element.all(name) {
            self.xml.start("caption", &[]);
            self.blocks(&caption.children, false);
            self.xml.end("caption");
        }
    }

    /// Closes the open sections whose heading has at least this level.
    fn close_sections(&mut self, level: u8) {
        while self.levels.pop_if(|open| *open >= level).is_some() {
            self.xml.end("sec");
        }
    }

    /// Writes inline content as a paragraph; pictures without text are written as `graphic` elements.
    fn paragraph(&mut self, line: &[&Child]) {
        let pictures: Option<Vec<&Element>> = line
            .iter()
            .filter(|child| !matches!(child, Child::Text(text) if text.trim().is_empty()))
            .map(|child| match child {
                Child::Element(element) if element.name == "img" => Some(element),
                _ => None,
            })
            .collect();
        match pictures {
            Some(pictures) => pictures.into_iter().for_each(|picture| self.picture(picture, "graphic")),
            None => {
                let id = std::mem::take(&mut self.id);
                self.start("p", &id);
                line.iter().for_each(|child| self.inline(child));
                self.xml.end("p");
            }
        }
    }

    fn list(&mut self, element: &Element) {
        let style = if element.name == "ol" { "order" } else { "bullet" };
        self.xml.start("list", &[("list-type", style)]);
        for item in element.elements() {
            self.xml.start("list-item", &[]);
            if item.name == "li" {
                self.blocks(&item.children, false)
            } else {
                self.block(item, false)
            }
            self.xml.end("list-item");
        }
        self.xml.end("list");
    }

    /// Terms and definitions as paragraphs, the terms bold: in HTML they need not come in pairs.
    fn definitions(&mut self, element: &Element) {
        for part in element.elements() {
            if part.name == "dt" && !is_block_within(part) {
                self.bold_line(part);
            } else {
                self.blocks(&part.children, false);
            }
        }
    }

    fn table(&mut self, element: &Element) {
        self.start("table-wrap", element.attribute("id"));
        self.captions(element, "caption");
        self.xml.start("table", &[]);
        for part in element.elements().filter(|part| matches!(part.name.as_str(), "thead" | "tbody" | "tfoot")) {
            let name = if part.name == "thead" { "thead" } else { "tbody" };
            self.xml.start(name, &[]);
            part.all("tr").for_each(|row| self.row(row));
            self.xml.end(name);
        }
        self.xml.end("table");
        self.xml.end("table-wrap");
    }

    fn row(&mut self, row: &Element) {
        self.xml.start("tr", &[]);
        for cell in row.elements().filter(|cell| matches!(cell.name.as_str(), "td" | "th")) {
            let spans = ["colspan", "rowspan"].map(|name| (name, cell.attribute(name)));
            let spans: Vec<(&str, &str)> = spans.into_iter().filter(|(_, span)| span.parse::<u16>().is_ok()).collect();
            self.xml.start(&cell.name, &spans);
            if is_block_within(cell) {
                self.blocks(&cell.children, false)
            } else {
                self.line(&cell.children)
            }
            self.xml.end(&cell.name);
        }
        self.xml.end("tr");
    }

    /// A figure with its caption; without a picture, its content.
    fn figure(&mut self, element: &Element) {
        let mut pictures = Vec::new();
        find_pictures(element, &mut pictures);
        if pictures.is_empty() {
            return self.blocks(&element.children, false);
        }
        self.start("fig", element.attribute("id"));
        self.captions(element, "figcaption");
        pictures.into_iter().for_each(|picture| self.picture(picture, "graphic"));
        self.xml.end("fig");
    }

    /// A picture of a file that came with the page; pictures of other servers cannot be shown.
    fn picture(&mut self, element: &Element, name: &str) {
        let source = element.attribute("src");
        if source.is_empty() || source.contains("://") || source.starts_with("//") {
            self.foreign += 1;
            return;
        }
        let file = source.split(['?', '#']).next().unwrap_or_default().replace("%20", " ");
        let file = job::file_name(&file);
        self.xml.start(name, &[("xlink:href", file.as_str())]);
        self.pictures.push(file);
        let alt = element.attribute("alt");
        if !alt.is_empty() {
            self.xml.text("alt-text", &[], alt);
        }
        self.xml.end(name);
    }

    fn line(&mut self, children: &[Child]) {
        children.iter().for_each(|child| self.inline(child));
    }

    fn inline(&mut self, child: &Child) {
        let element = match child {
            Child::Text(text) => return self.xml.characters(text),
            Child::Element(element) => element,
        };
        let name = match element.name.as_str() {
            "em" | "i" | "cite" | "dfn" | "var" => "italic",
            "b" | "strong" => "bold",
            "u" | "ins" => "underline",
            "s" | "strike" | "del" => "strike",
            "sub" => "sub",
            "sup" => "sup",
            "code" | "kbd" | "samp" | "tt" => "monospace",
            "br" => return self.xml.empty("break", &[]),
            "img" => return self.picture(element, "inline-graphic"),
            "a" => return self.link(element),
            "q" => {
                self.xml.characters("\u{201c}");
                self.line(&element.children);
                return self.xml.characters("\u{201d}");
            }
            _ => return self.line(&element.children),
        };
        self.xml.start(name, &[]);
        self.line(&element.children);
        self.xml.end(name);
    }

    fn link(&mut self, element: &Element) {
        let (href, id) = (element.attribute("href"), [element.attribute("id"), element.attribute("name")]);
        if let Some(id) = id.into_iter().find(|id| !id.is_empty()) {
            self.xml.empty("target", &[("id", id)]);
        }
        let name = if let Some(target) = href.strip_prefix('#').filter(|target| !target.is_empty()) {
            self.xml.start("xref", &[("rid", target)]);
            "xref"
        } else if link::is_web(href) || href.starts_with("mailto:") {
            self.xml.start("ext-link", &[("ext-link-type", "uri"), ("xlink:href", href)]);
            "ext-link"
        } else {
            // The page that it leads to is not here.
            return self.line(&element.children);
        };
        self.line(&element.children);
        self.xml.end(name);
    }
}

/// Whether an element holds a block.
fn is_block_within(element: &Element) -> bool {
    element.elements().any(is_block)
}

fn find_pictures<'a>(element: &'a Element, found: &mut Vec<&'a Element>) {
    for child in element.elements() {
        if child.name == "img" { found.push(child) } else { find_pictures(child, found) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::content::text::plain;

    use super::*;

    #[test]
    fn a_page_becomes_sections_paragraphs_tables_and_pictures() {
        let page = "<!DOCTYPE html><html><head><title>Weirs</title><style>p{}</style><script>steal()</script></head><body onload=x>\
            <h1>Low weirs</h1><p>Lead with a <a href=\"#n1\">note</a> and a <a href='javascript:steal()'>link</a>, x < y &amp; z.</p>\
            <div><h2 id=s1>Methods</h2>Loose text<p>One <em>two</em><br>three</p><h3>Sites</h3><ul><li>First<li><p>Second</p></ul>\
            <table><caption>Levels</caption><tr><th>River<td colspan=2>3<tr><td><p>4</p></table></div>\
            <h2>Notes</h2><p><img src='img/fig%201.png' alt='A weir'><img src='data:image/png;base64,AA=='></p><p id=n1>The note.</p>\
            <iframe src=x></iframe>";
        let page = read(page.as_bytes(), "Low Weirs").unwrap();
        let text = plain(&page.nodes);
        for there in ["Lead with a note", "x < y & z.", "Loose text", "two", "First", "Second", "River", "The note."] {
            assert!(text.contains(there), "{there} in {text}");
        }
        for gone in ["Low weirs", "steal", "p{}"] {
            assert!(!text.contains(gone), "{gone} in {text}");
        }
        let json = serde_json::to_string(&page.nodes).unwrap();
        assert!(json.contains("fig_1.png") && json.contains("A weir"), "{json}");
        assert!(!json.contains("javascript") && json.contains("\"rids\":[\"n1\"]"), "{json}");
        let sections: Vec<_> = page.nodes.iter().filter(|node| matches!(node, Node::Sec { .. })).collect();
        assert_eq!(sections.len(), 2, "the section of the third level is within one of the second: {json}");
        assert_eq!(page.removed, [("iframe", 1), ("img", 1)]);
        assert_eq!(page.pictures, ["fig_1.png"]);
    }

    #[test]
    fn hostile_and_empty_pages_are_refused_with_a_reason() {
        let deep = "<div>".repeat(10_000) + "x";
        let hidden = "<div></x><!-- </div> -->".repeat(10_000) + "x";
        let repeated = "<b id=a><b id=b><b id=c><b id=d>".to_owned() + &"<p>x".repeat(200_000);
        let long = "a".repeat(LARGEST + 1);
        let refused: [(&[u8], &str); 6] = [
            (deep.as_bytes(), "nested"),
            (hidden.as_bytes(), "nested"),
            (repeated.as_bytes(), "unclosed tags"),
            (long.as_bytes(), "the limit"),
            (b"<p>\xe8</p>", "UTF-8"),
            (b"<script>x</script>", "no text"),
        ];
        for (page, words) in refused {
            let error = read(page, "").unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
