//! Services of a site for libraries and search engines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a site offers to libraries and search engines: everything, unless it is switched off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Library {
    /// Harvesting by OAI-PMH.
    pub oai: bool,
    /// RSS and Atom.
    pub feeds: bool,
    /// Sitemaps.
    pub sitemap: bool,
    /// Typed links and link sets of articles (FAIR signposting).
    pub signposting: bool,
    /// E-mail address for harvesters; "" stands for the postmaster of the site's domain.
    pub contact: String,
    /// The part of OAI identifiers that names the site: `journal.example.org` in `oai:journal.example.org:article/17`. "" stands for the
    /// first of the site's domains. Harvesters know articles by their identifiers, so that a site whose domains change states here the
    /// name that it had before.
    pub oai_namespace: String,
}

impl Library {
    /// Whether a name can be the namespace of OAI identifiers: a host name with a dot, of ASCII letters, digits and hyphens, whose labels
    /// begin with a letter (guidelines for the scheme `oai`, section 2.1).
    #[must_use]
    pub fn is_oai_namespace(name: &str) -> bool {
        let mut labels = name.split('.');
        let letter = |label: &str| label.starts_with(|c: char| c.is_ascii_alphabetic());
        let plain = |label: &str| label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        labels.next().is_some_and(|label| letter(label) && plain(label))
            && name.contains('.')
            && labels.all(|label| letter(label) && label.len() > 1 && plain(label))
    }
}

impl Default for Library {
    fn default() -> Self {
        Self {
            oai: true,
            feeds: true,
            sitemap: true,
            signposting: true,
            contact: String::new(),
            oai_namespace: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Library;

    #[test]
    fn only_host_names_are_namespaces_of_oai_identifiers() {
        for name in ["a.example", "ocean-1.localhost", "Journal.Example.org"] {
            assert!(Library::is_oai_namespace(name), "{name}");
        }
        for name in ["localhost", "3d.example", "a..b", "", "a.example:8080", "a b.example"] {
            assert!(!Library::is_oai_namespace(name), "{name}");
        }
    }
}
