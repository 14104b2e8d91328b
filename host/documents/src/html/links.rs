//! Values of attributes: ids, languages and addresses.

use html_escape::{encode_double_quoted_attribute, encode_text};
use masthead_domain::{ids::Doi, link};

use super::{Renderer, ids::element_id};

/// Escapes text between tags.
pub(super) fn escape(text: &str) -> std::borrow::Cow<'_, str> {
    encode_text(text)
}

/// Escapes text between double quotes.
pub(super) fn quote(text: &str) -> std::borrow::Cow<'_, str> {
    encode_double_quoted_attribute(text)
}

/// The address of a link: of a DOI, of an entry of a known database, or one that pages may link to ([`link::destination`]).
pub(super) fn safe_href(href: &str, kind: &str) -> Option<String> {
    let href: String = href.chars().filter(|c| !c.is_control()).collect();
    let href = href.trim();
    let lower = href.to_ascii_lowercase();
    if lower.starts_with("doi:") || lower.starts_with("info:doi/") || kind == "doi" || href.starts_with("10.") {
        let bare = href.strip_prefix("info:doi/").unwrap_or(href);
        if let Ok(doi) = Doi::parse(bare) {
            return Some(doi.url());
        }
    }
    if link::destination(href).is_some() {
        return Some(href.replace(' ', "%20"));
    }
    if lower.starts_with("www.") {
        return Some(format!("https://{}", href.replace(' ', "%20"))).filter(|address| link::is_web(address));
    }
    let simple = !href.is_empty()
        && href.len() < 60
        && href.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    match kind {
        "pmid" | "pubmed" if simple => Some(format!("https://pubmed.ncbi.nlm.nih.gov/{href}/")),
        "pmcid" | "pmc" if simple => Some(format!("https://www.ncbi.nlm.nih.gov/pmc/articles/{href}/")),
        "gen" | "genbank" | "ncbi:nucleotide" if simple => Some(format!("https://www.ncbi.nlm.nih.gov/nuccore/{href}")),
        "ddbj/embl/genbank" if simple => Some(format!("https://www.ncbi.nlm.nih.gov/nuccore/{href}")),
        "uniprot" if simple => Some(format!("https://www.uniprot.org/uniprot/{href}")),
        "pdb" if simple => Some(format!("https://www.rcsb.org/structure/{href}")),
        "clinicaltrials" | "clinical-trial" if simple => Some(format!("https://clinicaltrials.gov/study/{href}")),
        _ => None,
    }
}

/// Writing direction of a language's script.
fn direction(lang: &str) -> &'static str {
    let primary = lang.split('-').next().unwrap_or_default();
    if matches!(primary, "ar" | "fa" | "he" | "ur" | "yi" | "ps" | "ug") { "rtl" } else { "ltr" }
}

impl Renderer<'_> {
    /// Reserves an id in the page for an id of the source; `fallback` replaces an empty id.
    pub(super) fn claim(&mut self, id: &str, fallback: &str) -> String {
        self.reserve(element_id(if id.is_empty() { fallback } else { id }))
    }

    /// Reserves an id in the page. An id that is in use gets a number.
    pub(super) fn reserve(&mut self, preferred: String) -> String {
        if self.used.insert(preferred.clone()) {
            return preferred;
        }
        loop {
            let number = self.repeated.entry(preferred.clone()).or_insert(1);
            *number += 1;
            let other = format!("{preferred}-{number}");
            if self.used.insert(other.clone()) {
                return other;
            }
        }
    }

    /// ` id="..."` for a source id, or "".
    pub(super) fn id_attr(&mut self, id: &str) -> String {
        if id.is_empty() {
            return String::new();
        }
        format!(" id=\"{}\"", self.claim(id, "x"))
    }

    /// ` lang="..."` and, if the direction changes, ` dir="..."`; "" if the language is that of the surrounding element.
    pub(super) fn lang_attr(&self, lang: &str) -> String {
        if lang.is_empty() || lang == self.lang {
            return String::new();
        }
        let turn = direction(lang) != direction(&self.lang);
        let dir = if turn { format!(" dir=\"{}\"", direction(lang)) } else { String::new() };
        format!(" lang=\"{}\"{dir}", quote(lang))
    }

    /// Whether the article has an element with this id, so that a cross-reference to it has a target.
    pub(super) fn known(&self, id: &str) -> bool {
        self.targets.as_ref().is_none_or(|targets| targets.contains(id))
    }

    /// The address of a file: of the stored one, else the source's own if it is an address on the web.
    pub(super) fn file(&self, href: &str) -> Option<String> {
        (self.asset_url)(href).map(|file| file.url).or_else(|| safe_href(href, "").filter(|url| link::is_web(url)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_harmless_schemes_are_allowed() {
        assert_eq!(safe_href("https://a.b/c d", ""), Some("https://a.b/c%20d".into()));
        assert_eq!(safe_href("10.5555/x", "doi"), Some("https://doi.org/10.5555/x".into()));
        for bad in [
            "javascript:alert(1)",
            " JaVa\nScript:x",
            "data:text/html,x",
            "//evil.example",
            "file:///etc/passwd",
            "vbscript:x",
            "ftp://a.example/",
            "",
        ] {
            assert_eq!(safe_href(bad, "uri"), None, "{bad}");
        }
    }
}
