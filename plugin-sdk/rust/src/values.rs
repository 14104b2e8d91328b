//! Helpers to create and read the values of hooks.

use serde::Serialize;

use crate::{
    Additions, Badge, Contribution, IdentityAnswer, Message, MessageFailure, Response, RouteRequest, Text, Tone,
    TranslateFailure, bindings::capabilities::masthead::plugin::http,
};

impl Contribution {
    /// A module for a slot, with properties that are serialized to a JSON object.
    ///
    /// # Errors
    /// If the properties cannot be serialized to JSON.
    pub fn new(slot: &str, module: &str, props: &impl Serialize) -> Result<Self, String> {
        let props = serde_json::to_string(props).map_err(|error| format!("properties of {module}: {error}"))?;
        Ok(Self { slot: slot.to_owned(), module: module.to_owned(), props })
    }
}

impl Default for Additions {
    /// No additions.
    fn default() -> Self {
        Self { badges: Vec::new(), sections: Vec::new(), downloads: Vec::new() }
    }
}

impl Badge {
    /// A badge without hint and link.
    #[must_use]
    pub fn new(label: impl Into<String>, tone: Tone) -> Self {
        Self { label: label.into(), hint: String::new(), tone, href: String::new() }
    }
}

impl RouteRequest {
    /// The first query parameter of this name.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&str> {
        find(&self.query, name)
    }

    /// The header of this name, in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }
}

impl IdentityAnswer {
    /// The first query parameter of this name.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&str> {
        find(&self.query, name)
    }
}

impl Message {
    /// The value of this name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        find(&self.values, name)
    }
}

pub(crate) fn find<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

impl Response {
    /// A response with this media type and status 200.
    #[must_use]
    pub fn new(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, headers: vec![("content-type".to_owned(), content_type.to_owned())], body: body.into() }
    }

    /// An HTML document.
    #[must_use]
    pub fn html(body: impl Into<String>) -> Self {
        Self::new("text/html; charset=utf-8", body.into())
    }

    /// Plain text.
    #[must_use]
    pub fn text(body: impl Into<String>) -> Self {
        Self::new("text/plain; charset=utf-8", body.into())
    }

    /// A value as JSON.
    ///
    /// # Errors
    /// If the value cannot be serialized to JSON.
    pub fn json(value: &impl Serialize) -> Result<Self, String> {
        let body = serde_json::to_vec(value).map_err(|error| format!("serializing the response: {error}"))?;
        Ok(Self::new("application/json", body))
    }

    /// A redirect to a path inside the site.
    #[must_use]
    pub fn redirect(path: &str) -> Self {
        Self { status: 303, headers: vec![("location".to_owned(), path.to_owned())], body: Vec::new() }
    }

    /// Status 404 with a text.
    #[must_use]
    pub fn not_found(text: &str) -> Self {
        Self::text(text).status(404)
    }

    /// Sets the status.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Makes the response a download with this file name. Characters other than ASCII letters, digits, `.`, `-` and `_` become `-`.
    #[must_use]
    pub fn attachment(self, name: &str) -> Self {
        let safe = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
        let name: String = name.chars().map(|letter| if safe(letter) { letter } else { '-' }).collect();
        self.header("content-disposition", format!("attachment; filename=\"{name}\""))
    }
}

/// The text in an interface language (`zh`, `en`, `ara`, ...), otherwise in English, otherwise the first text, otherwise "".
///
/// Interface languages are codes of the host, while texts have BCP 47 tags. Only the primary subtag is compared: `zh` matches `zh-Hans`.
#[must_use]
pub fn pick<'a>(texts: &'a [Text], lang: &str) -> &'a str {
    let in_language = |wanted: &str| {
        let primary = |text: &&Text| text.lang.split('-').next().is_some_and(|tag| tag.eq_ignore_ascii_case(wanted));
        texts.iter().find(primary)
    };
    let found = in_language(language_tag(lang)).or_else(|| in_language("en")).or_else(|| texts.first());
    found.map_or("", |text| text.value.as_str())
}

/// The BCP 47 tag of an interface language: `ar` for `ara`, `ja` for `jp`, and so on.
#[must_use]
pub fn language_tag(lang: &str) -> &str {
    match lang {
        "ara" => "ar",
        "spa" => "es",
        "fra" => "fr",
        "jp" => "ja",
        "kor" => "ko",
        other => other,
    }
}

impl From<String> for TranslateFailure {
    fn from(words: String) -> Self {
        Self::Other(words)
    }
}

impl From<http::Failure> for TranslateFailure {
    fn from(failure: http::Failure) -> Self {
        Self::Other(failure.into())
    }
}

impl From<String> for MessageFailure {
    fn from(words: String) -> Self {
        Self::Other(words)
    }
}

impl From<http::Failure> for MessageFailure {
    fn from(failure: http::Failure) -> Self {
        Self::Other(failure.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_picked_by_its_primary_language() {
        let text = |lang: &str, value: &str| Text { lang: lang.to_owned(), value: value.to_owned() };
        let texts = [text("en", "Sea"), text("zh-Hans", "海"), text("ja", "うみ")];
        assert_eq!(pick(&texts, "zh"), "海");
        assert_eq!(pick(&texts, "jp"), "うみ");
        assert_eq!(pick(&texts, "de"), "Sea");
        assert_eq!(pick(&[text("zh", "海"), text("en", "Sea")], "de"), "Sea", "English goes before the first");
        assert_eq!(pick(&[], "de"), "");
    }

    #[test]
    fn file_names_are_sanitized() {
        let answer = Response::text("").attachment("a\"\r\nb/c.ris");
        assert_eq!(answer.headers[1].1, "attachment; filename=\"a---b-c.ris\"");
    }
}
