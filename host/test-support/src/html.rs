//! Small parsers for HTML documents that the host wrote.

use serde_json::Value;

/// The text between two markers; "" if one is missing.
pub fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    text.split_once(before).and_then(|(_, rest)| rest.split_once(after)).map_or("", |(inner, _)| inner)
}

/// The bootstrap JSON of a document.
pub fn bootstrap(page: &str) -> Value {
    let json = between(page, " id=\"bootstrap\"", "</script>").split_once('>').map_or("", |(_, json)| json);
    serde_json::from_str(json).unwrap_or_else(|error| panic!("the bootstrap does not parse: {error}: {json}"))
}

/// A start tag with its name and its attributes; values are not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    pub name: String,
    pub attributes: Vec<(String, String)>,
}

impl Tag {
    /// The decoded value of an attribute, or "".
    pub fn get(&self, name: &str) -> String {
        let value = self.attributes.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
        html_escape::decode_html_entities(value).into_owned()
    }

    pub fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|(key, _)| key == name)
    }
}

/// All start tags of a document that the host wrote; the content of `<script>` and `<style>` is skipped.
pub fn tags(page: &str) -> Vec<Tag> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let mut quoted = false;
        let end = rest
            .char_indices()
            .find(|(_, c)| {
                quoted ^= *c == '"';
                *c == '>' && !quoted
            })
            .map_or(rest.len(), |(at, _)| at);
        let tag = parse(&rest[..end]);
        rest = &rest[end..];
        if matches!(tag.name.as_str(), "script" | "style") {
            let close = format!("</{}", tag.name);
            rest = rest.find(&close).map_or("", |at| &rest[at..]);
        }
        found.push(tag);
    }
    found
}

fn parse(tag: &str) -> Tag {
    let (name, mut rest) = tag.split_once(|c: char| c.is_whitespace()).unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let key = rest[..end].to_lowercase();
        rest = &rest[end..];
        let mut value = "";
        if let Some(after) = rest.strip_prefix("=\"") {
            let close = after.find('"').unwrap_or(after.len());
            (value, rest) = (&after[..close], after.get(close + 1..).unwrap_or_default());
        } else if let Some(after) = rest.strip_prefix('=') {
            let close = after.find(char::is_whitespace).unwrap_or(after.len());
            (value, rest) = after.split_at(close);
        }
        attributes.push((key, value.to_owned()));
    }
    Tag { name: name.trim_end_matches('/').to_lowercase(), attributes }
}

/// All start tags with this name.
pub fn named(page: &str, name: &str) -> Vec<Tag> {
    tags(page).into_iter().filter(|tag| tag.name == name).collect()
}

/// The addresses of the articles in the lists of a page.
pub fn listed(page: &str) -> Vec<String> {
    page.split("class=\"card-title\"").skip(1).map(|rest| between(rest, "<a href=\"", "\"").to_owned()).collect()
}

/// The module ids in a slot of a bootstrap.
pub fn slot(bootstrap: &Value, name: &str) -> Vec<String> {
    let modules = bootstrap["slots"][name].as_array().cloned().unwrap_or_default();
    modules.iter().map(|module| module["module"].as_str().unwrap_or_default().to_owned()).collect()
}
