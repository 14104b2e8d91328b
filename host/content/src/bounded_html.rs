//! HTML of others before it is parsed: written anew with nothing but tags, attributes and text, and refused if its tree would be too large.
//!
//! The tree may be far larger than the page: an element of formatting that is not closed begins again in each later block, and the time of
//! the parser grows with the depth. Both are estimated from the tags, never too low. A page could hide end tags where only this file finds
//! some, in comments or scripts; the parser therefore gets the page as it was read here.

/// Limits on the tree of a page.
#[derive(Clone, Copy, Debug)]
pub struct HtmlLimits {
    /// Depth of nested elements, without those that HTML closes by itself.
    pub depth: usize,
    /// Number of elements.
    pub elements: usize,
}

/// Why a page is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HtmlRefusal {
    /// It exceeds the depth.
    #[error("the elements of the page are nested more than {0} deep, or not closed")]
    Deep(usize),
    /// It exceeds the number of elements.
    #[error("the page has more than {0} elements, with those that its unclosed tags repeat")]
    Large(usize),
}

/// Largest number of attributes of an element; further ones are left out.
const ATTRIBUTES: usize = 32;
/// Greatest length in bytes of the value of an attribute; longer ones are left out.
const LONGEST_VALUE: usize = 8192;
/// Length in bytes from which a text is divided. html5ever writes each `&`, and each character that begins with the byte C2, in a time that
/// grows with the rest of its text: a text of some megabytes of them would take minutes.
const LONGEST_TEXT: usize = 4096;
/// A comment divides a text into two; the sanitizer removes it.
const DIVISION: &str = "<!---->";

/// Elements whose content the parser takes for text. None of it is shown.
const RAW: [&str; 9] = ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript"];
/// Elements without content.
const VOID: [&str; 19] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr",
];
/// Elements that HTML closes by itself, and those that a part of a page does not have.
const SELF_CLOSED: [&str; 13] =
    ["body", "colgroup", "frameset", "head", "html", "option", "p", "tbody", "td", "tfoot", "th", "thead", "tr"];
/// Elements that begin again in the next block if they are not closed.
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
/// Other elements within a line.
const INLINE: [&str; 22] = [
    "abbr", "acronym", "bdi", "bdo", "cite", "data", "del", "dfn", "ins", "kbd", "label", "mark", "q", "rp", "rt",
    "ruby", "samp", "span", "sub", "sup", "time", "var",
];
const BLOCKS: [&str; 36] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "dd",
    "details",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
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
    "hgroup",
    "li",
    "listing",
    "main",
    "menu",
    "nav",
    "ol",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "ul",
    "form",
];
const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];

/// Writes a page anew. Comments, declarations, and elements whose content is text are left out; long texts are divided by comments.
///
/// # Errors
/// [`HtmlRefusal`].
pub fn reduced(html: &str, bounds: HtmlLimits) -> Result<String, HtmlRefusal> {
    let mut out = String::with_capacity(html.len());
    let mut open = Open { bounds, entries: Vec::new(), elements: 0 };
    let (mut at, mut divided) = (0, 0);
    while let Some(found) = html[at..].find('<') {
        let begin = at + found;
        push_text(&mut out, &html[at..begin], &mut divided);
        let behind = &html[begin + 1..];
        at = if begins_name(behind) {
            // The parser drops a tag without an end, too.
            let Some(tag) = Tag::read(html, begin + 1) else { return Ok(out) };
            if RAW.contains(&tag.name.as_str()) {
                behind_raw(html, tag.behind, &tag.name)
            } else {
                open.write_start(&tag, &mut out)?;
                tag.behind
            }
        } else if behind.strip_prefix('/').is_some_and(begins_name) {
            let Some(tag) = Tag::read(html, begin + 2) else { return Ok(out) };
            open.write_end(&tag, &mut out)?;
            tag.behind
        } else if behind.starts_with("!--") {
            behind_of(html, begin + 2, "-->")
        } else if behind.starts_with(['!', '?', '/']) {
            behind_of(html, begin, ">")
        } else {
            out.push_str("&lt;");
            begin + 1
        };
    }
    push_text(&mut out, &html[at..], &mut divided);
    Ok(out)
}

/// Appends a text, which is divided where that is due. `divided` is the offset in `out` behind the latest division: tags in between may be
/// ones that the parser ignores, so that the texts around them are one.
fn push_text(out: &mut String, mut text: &str, divided: &mut usize) {
    // Before these bytes begins a character, and ends every reference to one.
    let can_divide = |byte: &u8| matches!(byte, b'&' | 0xC2);
    loop {
        let free = (*divided + LONGEST_TEXT).saturating_sub(out.len());
        let Some(at) = text.as_bytes().iter().skip(free).position(can_divide) else { break };
        let (before, rest) = text.split_at(free + at);
        out.push_str(before);
        out.push_str(DIVISION);
        *divided = out.len();
        text = rest;
    }
    out.push_str(text);
}

fn begins_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The offset behind the first occurrence of a text from an offset on, else the end.
fn behind_of(html: &str, from: usize, text: &str) -> usize {
    html[from..].find(text).map_or(html.len(), |found| from + found + text.len())
}

/// The offset behind the end tag of an element whose content is text.
fn behind_raw(html: &str, from: usize, name: &str) -> usize {
    let mut at = from;
    while let Some(found) = html[at..].find("</") {
        at += found + 2;
        let (named, next) = (html.as_bytes().get(at..at + name.len()), html.as_bytes().get(at + name.len()));
        if named.is_some_and(|bytes| bytes.eq_ignore_ascii_case(name.as_bytes()))
            && next.is_none_or(|byte| ends_name(*byte))
        {
            return Tag::read(html, at).map_or(html.len(), |tag| tag.behind);
        }
    }
    html.len()
}

const fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')
}

/// A start or end tag.
struct Tag<'a> {
    /// Name in lower case.
    name: String,
    attributes: Vec<(&'a str, &'a str)>,
    /// Whether it ends in `/>`.
    closed: bool,
    /// The offset behind it.
    behind: usize,
}

impl<'a> Tag<'a> {
    /// Reads the tag whose name begins at an offset; `None` if it does not end.
    fn read(html: &'a str, begin: usize) -> Option<Self> {
        let bytes = html.as_bytes();
        let mut at = begin + bytes[begin..].iter().position(|byte| ends_name(*byte))?;
        let mut tag = Self {
            name: html[begin..at].to_ascii_lowercase(),
            attributes: Vec::new(),
            closed: false,
            behind: bytes.len(),
        };
        loop {
            match bytes.get(at)? {
                b'>' => {
                    tag.behind = at + 1;
                    return Some(tag);
                }
                b'/' => {
                    tag.closed = bytes.get(at + 1) == Some(&b'>');
                    at += 1;
                }
                byte if byte.is_ascii_whitespace() => at += 1,
                _ => at = tag.attribute(html, at)?,
            }
        }
    }

    /// Reads the attribute that begins at an offset; returns the offset behind it.
    fn attribute(&mut self, html: &'a str, begin: usize) -> Option<usize> {
        let bytes = html.as_bytes();
        let spaces = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        // An equals sign in first place belongs to the name.
        let ends = |byte: &u8| ends_name(*byte) || *byte == b'=';
        let end = begin + 1 + bytes.get(begin + 1..)?.iter().position(ends)?;
        let name = &html[begin..end];
        let equals = end + spaces(end);
        if bytes.get(equals) != Some(&b'=') {
            self.add(name, "");
            return Some(equals);
        }
        let at = equals + 1 + spaces(equals + 1);
        let (value, behind) = match bytes.get(at)? {
            quote @ (b'"' | b'\'') => {
                let length = bytes[at + 1..].iter().position(|byte| byte == quote)?;
                (&html[at + 1..at + 1 + length], at + 2 + length)
            }
            _ => {
                let length = bytes[at..].iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>')?;
                (&html[at..at + length], at + length)
            }
        };
        self.add(name, value);
        Some(behind)
    }

    fn add(&mut self, name: &'a str, value: &'a str) {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_:".contains(&byte);
        if self.attributes.len() < ATTRIBUTES && value.len() <= LONGEST_VALUE && name.bytes().all(plain) {
            self.attributes.push((name, value));
        }
    }

    /// Whether the parser knows the element, or may have elements of this name in a drawing or a formula.
    fn is_plain(&self) -> bool {
        self.name != "plaintext" && self.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    }

    fn write(&self, out: &mut String) {
        out.push('<');
        out.push_str(&self.name);
        for (name, value) in &self.attributes {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            out.push_str(&value.replace('"', "&quot;"));
            out.push('"');
        }
        out.push('>');
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Formatting,
    Inline,
    Block,
    /// Tables and rare elements: end tags in them do not close elements around them.
    Other,
}

fn kind(name: &str) -> Kind {
    if FORMATTING.contains(&name) {
        Kind::Formatting
    } else if INLINE.contains(&name) {
        Kind::Inline
    } else if BLOCKS.contains(&name) && !matches!(name, "table" | "form") {
        Kind::Block
    } else {
        Kind::Other
    }
}

struct Entry {
    name: String,
    kind: Kind,
}

/// The elements that may be open: at least those that are.
struct Open {
    bounds: HtmlLimits,
    entries: Vec<Entry>,
    elements: usize,
}

impl Open {
    fn write_start(&mut self, tag: &Tag<'_>, out: &mut String) -> Result<(), HtmlRefusal> {
        if !tag.is_plain() {
            return Ok(());
        }
        let name = tag.name.as_str();
        match name {
            // A link within a link ends it.
            "a" => self.end_formatting("a", 0),
            "li" => self.end_item(&["li"]),
            "dd" | "dt" => self.end_item(&["dd", "dt"]),
            _ => {}
        }
        let is_void = VOID.contains(&name);
        if !is_void && !SELF_CLOSED.contains(&name) {
            self.entries.push(Entry { name: name.to_owned(), kind: kind(name) });
        }
        if self.entries.len() > self.bounds.depth {
            return Err(HtmlRefusal::Deep(self.bounds.depth));
        }
        self.count()?;
        tag.write(out);
        // Elements of drawings and formulas may be closed in their start tag; those of HTML may not.
        let is_html =
            is_void || [&SELF_CLOSED[..], &FORMATTING, &INLINE, &BLOCKS].iter().any(|names| names.contains(&name));
        if tag.closed && !is_html { self.write_end(tag, out) } else { Ok(()) }
    }

    fn write_end(&mut self, tag: &Tag<'_>, out: &mut String) -> Result<(), HtmlRefusal> {
        if !tag.is_plain() {
            return Ok(());
        }
        self.count()?;
        self.end(&tag.name);
        out.push_str("</");
        out.push_str(&tag.name);
        out.push('>');
        Ok(())
    }

    /// Counts an element, and the formatting elements that may begin again around the content after it.
    fn count(&mut self) -> Result<(), HtmlRefusal> {
        self.elements += 1 + self.entries.iter().filter(|entry| entry.kind == Kind::Formatting).count();
        if self.elements > self.bounds.elements { Err(HtmlRefusal::Large(self.bounds.elements)) } else { Ok(()) }
    }

    fn end(&mut self, name: &str) {
        let is_heading = HEADINGS.contains(&name);
        let same = |entry: &Entry| entry.name == name || (is_heading && HEADINGS.contains(&entry.name.as_str()));
        let Some(at) = self.entries.iter().rposition(same) else { return };
        let above = &self.entries[at + 1..];
        let only = |kinds: &[Kind]| above.iter().all(|entry| kinds.contains(&entry.kind));
        let within_line = only(&[Kind::Formatting, Kind::Inline]);
        let within_table = only(&[Kind::Formatting, Kind::Inline, Kind::Block]);
        let is_list = |entry: &Entry| matches!(entry.name.as_str(), "ol" | "ul");
        match kind(name) {
            // The parser follows the end of formatting out of eight blocks at most.
            Kind::Formatting => self.end_formatting(name, 7),
            Kind::Block if within_table && !(name == "li" && above.iter().any(is_list)) => self.close(at),
            // The end of a form ends nothing else.
            Kind::Other if name == "form" => _ = self.entries.remove(at),
            Kind::Other if within_line || (name == "table" && within_table) => self.close(at),
            Kind::Inline if within_line => self.close(at),
            Kind::Block | Kind::Other | Kind::Inline => {}
        }
    }

    /// Ends the last element of formatting with a name, out of at most this number of blocks, or out of any number if it is 0.
    fn end_formatting(&mut self, name: &str, most: usize) {
        let Some(at) = self.entries.iter().rposition(|entry| entry.name == name) else { return };
        let above = &self.entries[at + 1..];
        let blocks = above.iter().filter(|entry| entry.kind == Kind::Block).count();
        if above.iter().all(|entry| entry.kind != Kind::Other) && (most == 0 || blocks <= most) {
            self.entries.remove(at);
        }
    }

    /// Ends the open item of a list before the next one begins.
    fn end_item(&mut self, names: &[&str]) {
        let passed = |entry: &Entry| {
            matches!(entry.kind, Kind::Formatting | Kind::Inline) || matches!(entry.name.as_str(), "address" | "div")
        };
        let stops = |entry: &Entry| names.contains(&entry.name.as_str()) || !passed(entry);
        let last = self.entries.iter().rposition(stops);
        if let Some(at) = last.filter(|at| names.contains(&self.entries[*at].name.as_str())) {
            self.close(at);
        }
    }

    /// Closes an element with all in it, except that formatting begins again behind it.
    fn close(&mut self, at: usize) {
        let mut place = 0;
        self.entries.retain(|entry| {
            let kept = place < at || (place > at && entry.kind == Kind::Formatting);
            place += 1;
            kept
        });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const BOUNDS: HtmlLimits = HtmlLimits { depth: 20, elements: 2000 };

    #[test]
    fn a_page_is_written_with_the_tags_that_the_parser_reads() {
        for (page, written) in [
            (
                "<!DOCTYPE html><P CLASS='a \"b\"' id=x hidden>1 < 2 &amp; 3",
                "<p CLASS=\"a &quot;b&quot;\" id=\"x\" hidden=\"\">1 &lt; 2 &amp; 3",
            ),
            ("a<!-- </b> -->b<!-->c<?x y?>d</ e>f", "abcdf"),
            ("<script>'</b>' <!-- </scripty></SCRIPT >a<title>b</title>", "a"),
            ("<a href=x/>b</a><br/><path d='1'/>", "<a href=\"x/\">b</a><br><path d=\"1\"></path>"),
            ("<o:p>a</o:p><b data-\u{e9}=1 title='>'>c</b x='>'>", "a<b title=\">\">c</b>"),
            ("a<b", "a"),
            ("a<", "a&lt;"),
            ("<b title='x", ""),
            ("<style>p{}", ""),
        ] {
            assert_eq!(reduced(page, BOUNDS).unwrap(), written, "{page}");
        }
    }

    #[test]
    fn long_texts_are_divided_between_characters() {
        // Empty comments, tags and references in between do not keep a text whole.
        for part in ["&amp;", "\u{b7}\u{6d77}", "a&b\u{a0}", "&<!--x-->", "&</x>"] {
            let page = part.repeat(3 * LONGEST_TEXT);
            let written = reduced(&page, HtmlLimits { elements: 100_000, ..BOUNDS }).unwrap();
            assert_eq!(written.replace(DIVISION, ""), page.replace("<!--x-->", ""), "{part}");
            assert!(written.split(DIVISION).all(|text| text.len() < LONGEST_TEXT + 16), "{part}");
        }
        let words = "sea ".repeat(LONGEST_TEXT);
        assert_eq!(reduced(&words, BOUNDS).unwrap(), words, "nothing in it takes long");
        let long = "x".repeat(LONGEST_VALUE + 1);
        assert_eq!(reduced(&format!("<p title='{long}' lang=en>"), BOUNDS).unwrap(), "<p lang=\"en\">");
    }

    #[test]
    fn pages_that_close_what_they_open_are_taken_however_long_they_are() {
        for page in [
            "<div><p>a<b>b</b><span>c</span></div>",
            "<ul><li>a<li>b</ul>",
            "<dl><dt>a<dd>b<dt>c</dl>",
            "<table><tr><td><div>a</div><tr><td>b</table>",
            "<p><a name=x>a<p>",
            "<svg><path/><g><path></path></g></svg>",
            "<h2><em>a</em></h2>",
            "<form><p>a</form>",
        ] {
            let bounds = HtmlLimits { depth: 20, elements: 100_000 };
            assert!(reduced(&page.repeat(500), bounds).is_ok(), "{page}");
        }
    }

    #[test]
    fn trees_that_grow_beyond_their_page_are_refused_however_it_hides_them() {
        for part in [
            "<div>",
            // End tags that the parser does not find, or that end nothing.
            "<div></x>",
            "<div></b>",
            "<div><!-- </div> -->",
            "<div title='</div>'>",
            "<div><script>'</div>'</script>",
            "<div><textarea></div></textarea>",
            "<span><div></span>",
            "<div><table><td></div>",
            "<table><caption></table>",
            "<li><dd>",
            // Formatting that begins again in each block.
            "<p><b id=x>y",
            "<p><b id=x>y</p></x>",
            "<p><b id=x>y</p><!-- </b> -->",
            "<h1><span><h2></h1>",
        ] {
            assert!(reduced(&part.repeat(500), BOUNDS).is_err(), "{part}");
        }
        let repeated = "<b><i><u><s><tt>".to_owned() + &"<p>x".repeat(1000);
        assert_eq!(reduced(&repeated, BOUNDS), Err(HtmlRefusal::Large(2000)));
    }
}
