//! Identifiers with types of their own, so that the compiler keeps them apart.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of a site, as the specification's `siteId` (448, 950, ...). Positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct SiteId(pub i64);

/// The number of an article, unique on its site, as the specification's `thesisId`. Positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArticleId(pub i64);

impl fmt::Display for SiteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for ArticleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A digital object identifier: `10.` + registrant + `/` + suffix, in the case in which it was written.
///
/// DOIs compare without regard to (ASCII) case; [`Doi::key`] gives the form to compare and to store in an index.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Doi(String);

/// Why a text is not a DOI.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a DOI: it has to look like 10.5555/suffix, without spaces, in at most 512 characters")]
pub struct NotADoi(pub String);

impl Doi {
    /// Parses a DOI with or without a `https://doi.org/`, `http://dx.doi.org/` or `doi:` prefix.
    ///
    /// # Errors
    /// [`NotADoi`] if the rest is not `10.<registrant>/<suffix>`.
    pub fn parse(text: &str) -> Result<Self, NotADoi> {
        let trimmed = text.trim();
        let lower = trimmed.to_ascii_lowercase();
        let skip = ["https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi:"]
            .iter()
            .find(|prefix| lower.starts_with(**prefix))
            .map_or(0, |prefix| prefix.len());
        let bare = trimmed[skip..].trim_start();
        let valid = bare.len() <= 512
            && !bare.chars().any(|c| c.is_whitespace() || c.is_control())
            && bare.strip_prefix("10.").and_then(|rest| rest.split_once('/')).is_some_and(|(registrant, suffix)| {
                !suffix.is_empty()
                    && !registrant.is_empty()
                    && registrant.chars().all(|c| c.is_ascii_digit() || c == '.')
            });
        if valid { Ok(Self(bare.to_owned())) } else { Err(NotADoi(text.chars().take(80).collect())) }
    }

    /// The DOI as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form for comparison: ASCII lower case.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// The address at the resolver, `https://doi.org/10....`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("https://doi.org/{}", self.0)
    }
}

impl PartialEq for Doi {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for Doi {}

impl fmt::Display for Doi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Doi {
    type Error = NotADoi;
    fn try_from(value: String) -> Result<Self, Self::Error> {
        Self::parse(&value)
    }
}

impl From<Doi> for String {
    fn from(value: Doi) -> Self {
        value.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_doi_is_read_with_and_without_a_resolver() {
        for text in
            ["10.5555/AbC.1", " doi:10.5555/AbC.1", "https://doi.org/10.5555/AbC.1", "http://dx.doi.org/10.5555/AbC.1"]
        {
            assert_eq!(Doi::parse(text).unwrap().as_str(), "10.5555/AbC.1", "{text}");
        }
    }

    #[test]
    fn texts_that_resemble_a_doi_are_refused() {
        for text in [
            "",
            "10.5555",
            "10.5555/",
            "11.5555/a",
            "10./a",
            "10.55x5/a",
            "10.5555/a b",
            &format!("10.5/{}", "a".repeat(600)),
        ] {
            assert!(Doi::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn dois_are_compared_without_case() {
        assert_eq!(Doi::parse("10.5555/ABC").unwrap(), Doi::parse("10.5555/abc").unwrap());
    }
}
