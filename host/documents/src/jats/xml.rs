//! Small readers over the parsed tree.

use roxmltree::Node;

use super::own;

pub(super) type X<'a, 'i> = Node<'a, 'i>;

pub(super) const XLINK: &str = "http://www.w3.org/1999/xlink";
const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// Name without prefix.
pub(super) fn name<'a>(x: X<'a, '_>) -> &'a str {
    x.tag_name().name()
}

pub(super) fn attr<'a>(x: X<'a, '_>, key: &str) -> &'a str {
    x.attribute(key).unwrap_or_default().trim()
}

/// The id; the exporter notes one that XML does not allow.
pub(super) fn id(x: X) -> String {
    match attr(x, "id") {
        "" => own::note(x, "id").unwrap_or_default(),
        id => id.to_owned(),
    }
}

/// A type from a fixed list of JATS, or the one that stands beside `custom`.
pub(super) fn typed<'a>(x: X<'a, '_>, key: &str) -> &'a str {
    match (attr(x, key), attr(x, "custom-type")) {
        ("custom", custom) if !custom.is_empty() => custom,
        (kind, _) => kind,
    }
}

pub(super) fn href(x: X) -> String {
    x.attribute((XLINK, "href")).or_else(|| x.attribute("href")).unwrap_or_default().trim().to_owned()
}

/// The language that the element itself declares, or "".
pub(super) fn own_lang(x: X) -> String {
    x.attribute((XML, "lang")).map(tag).unwrap_or_default()
}

/// The language declared nearest upwards, or "".
pub(super) fn lang(x: X) -> String {
    x.ancestors().find_map(|up| up.attribute((XML, "lang"))).map(tag).unwrap_or_default()
}

/// A BCP 47 tag from what sources write: `EN`, `pt_BR`, `zho`, `eng`.
pub(crate) fn tag(text: &str) -> String {
    let text = text.trim().replace('_', "-");
    if text.is_empty() || text.len() > 35 || !text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return String::new();
    }
    let (primary, rest) = text.split_once('-').unwrap_or((text.as_str(), ""));
    let lower = primary.to_ascii_lowercase();
    let primary = match lower.as_str() {
        "eng" => "en",
        "zho" | "chi" | "cn" => "zh",
        "fra" | "fre" => "fr",
        "deu" | "ger" => "de",
        "spa" => "es",
        "por" => "pt",
        "rus" => "ru",
        "jpn" | "jp" => "ja",
        "kor" | "kr" => "ko",
        "ara" => "ar",
        "ita" => "it",
        // "Undetermined" says no more than no tag.
        "und" if rest.is_empty() => "",
        other => other,
    };
    if rest.is_empty() { primary.to_owned() } else { format!("{primary}-{rest}") }
}

pub(super) fn child<'a, 'i>(x: X<'a, 'i>, wanted: &str) -> Option<X<'a, 'i>> {
    x.children().find(|c| c.is_element() && name(*c) == wanted)
}

pub(super) fn children<'a, 'i: 'a>(x: X<'a, 'i>, wanted: &'a str) -> impl Iterator<Item = X<'a, 'i>> {
    x.children().filter(move |c| c.is_element() && name(*c) == wanted)
}

pub(super) fn elements<'a, 'i: 'a>(x: X<'a, 'i>) -> impl Iterator<Item = X<'a, 'i>> {
    x.children().filter(|c| c.is_element())
}

/// The first element on a path of child names.
pub(super) fn path<'a, 'i>(x: X<'a, 'i>, names: &[&str]) -> Option<X<'a, 'i>> {
    names.iter().try_fold(x, |at, wanted| child(at, wanted))
}

/// All text below, white space folded.
pub(super) fn text(x: X) -> String {
    let mut all = String::new();
    for node in x.descendants().filter(|node| node.is_text()) {
        all.push_str(node.text().unwrap_or_default());
    }
    fold(&all)
}

/// Text of the first child of this name, or "".
pub(super) fn child_text(x: X, wanted: &str) -> String {
    child(x, wanted).map(text).unwrap_or_default()
}

pub(super) fn fold(text: &str) -> String {
    text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
