//! Which licences make an article open access. An article without an explicit open licence is not open access, even if everybody may
//! read it.

use url::Url;

use crate::{
    content::{
        Node,
        text::{children, plain},
    },
    text::letters,
};

/// Servers of open licences, with the beginning of the paths of these.
const OPEN: [(&str, &str); 7] = [
    ("creativecommons.org", "/licenses/"),
    ("creativecommons.org", "/publicdomain/"),
    ("opendatacommons.org", "/licenses/"),
    ("gnu.org", "/licenses/"),
    ("artlibre.org", "/"),
    ("nationalarchives.gov.uk", "/doc/open-government-licence"),
    ("etalab.gouv.fr", "/licence-ouverte"),
];

/// Whether this is the address of an open licence; one without a scheme (`creativecommons.org/licenses/by/4.0/`) is understood.
#[must_use]
pub fn is_open(address: &str) -> bool {
    let address = address.trim();
    let whole = if address.contains("://") { address.to_owned() } else { format!("https://{address}") };
    let Ok(url) = Url::parse(&whole) else { return false };
    if !matches!(url.scheme(), "http" | "https") {
        return false;
    }
    let (host, path) = (url.host_str().unwrap_or_default(), url.path().to_ascii_lowercase());
    let host = host.strip_prefix("www.").unwrap_or(host);
    OPEN.iter().any(|(known, start)| host == *known && path.starts_with(start))
}

/// Whether a kind of licence (JATS `license/@license-type`) says that it is an open one: `open-access`, `OpenAccess`, `CC BY`,
/// `creative-commons-attribution`, `public-domain`.
#[must_use]
pub fn is_open_kind(kind: &str) -> bool {
    let kind = letters(kind);
    kind == "openaccess"
        || kind == "publicdomain"
        || ["creativecommons", "ccby", "cc0", "cczero"].iter().any(|start| kind.starts_with(start))
}

/// Whether the text of a licence names an open one: Creative Commons, or the public domain. "Open access" and "free" are not enough, as
/// texts of other licences say so too.
#[must_use]
pub fn names_open(text: &str) -> bool {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let abbreviated = ["cc by", "cc-by", "cc0"].iter().any(|name| {
        text.match_indices(name).any(|(at, _)| !text[..at].ends_with(|before: char| before.is_alphanumeric()))
    });
    let dedicated = text.contains("public domain") && !text.contains("not in the public domain");
    abbreviated
        || dedicated
        || ["creative commons", "creativecommons.org/", "知识共享"].iter().any(|name| text.contains(name))
}

/// Whether a licence with this address and this text is an open one: by its address, by what its text names, or by a link in its text.
#[must_use]
pub fn states_open(address: &str, text: &[Node]) -> bool {
    is_open(address) || names_open(&plain(text)) || text.iter().any(links_open)
}

fn links_open(node: &Node) -> bool {
    let is_link = matches!(node, Node::ExtLink { href, .. } if is_open(href));
    is_link || children(node).iter().any(links_open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_open_licences_are_known() {
        for open in [
            "https://creativecommons.org/licenses/by/4.0/",
            " http://www.creativecommons.org/licenses/by-nc-nd/3.0 ",
            "https://CreativeCommons.org/publicdomain/zero/1.0/legalcode",
            "creativecommons.org/licenses/by/2.0",
            "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/",
        ] {
            assert!(is_open(open), "{open}");
        }
        for other in [
            "",
            "https://www.elsevier.com/tdm/userlicense/1.0/",
            "https://creativecommons.org.example/licenses/by/4.0/",
            "https://example.org/?from=creativecommons.org/licenses/by/4.0/",
            "https://creativecommons.org/about",
            "ftp://creativecommons.org/licenses/by/4.0/",
            "open-access",
        ] {
            assert!(!is_open(other), "{other}");
        }
    }

    #[test]
    fn kinds_of_licences_are_read_as_publishers_write_them() {
        for open in
            ["open-access", "OpenAccess", "CC BY", "cc-by-nc", "creativeCommonsBy", "creative-commons", "public-domain"]
        {
            assert!(is_open_kind(open), "{open}");
        }
        for other in ["", "free", "restricted", "subscription", "https://example.org/licence", "no-open-access"] {
            assert!(!is_open_kind(other), "{other}");
        }
    }

    #[test]
    fn texts_of_licences_that_name_an_open_one_are_recognized() {
        for open in [
            "distributed under the terms of the Creative\n Commons Attribution License",
            "Licence: CC BY-NC 4.0",
            "(CC0) waiver",
            "All content is public domain unless otherwise noted.",
            "本文依据知识共享署名 4.0 国际许可协议发布。",
        ] {
            assert!(names_open(open), "{open}");
        }
        for other in
            ["All rights reserved.", "Free to read.", "This work is not in the public domain", "open access", "abcc by"]
        {
            assert!(!names_open(other), "{other}");
        }
    }

    #[test]
    fn a_licence_is_open_by_its_address_its_text_or_a_link_in_it() {
        const BY: &str = "https://creativecommons.org/licenses/by/4.0/";
        let paragraph = |nodes: Vec<Node>| vec![Node::P { id: String::new(), lang: String::new(), nodes }];
        let words = |text: &str| paragraph(vec![Node::text(text)]);
        let link = |href: &str| {
            let nodes = vec![Node::text("here")];
            paragraph(vec![Node::ExtLink { href: href.to_owned(), kind: String::new(), nodes }])
        };
        let terms = "https://example.org/terms";
        assert!(states_open(BY, &[]) && states_open(BY, &words("Ask us.")));
        assert!(states_open("", &words("CC BY 4.0")) && states_open(terms, &words("CC BY 4.0")));
        assert!(states_open("", &link(BY)) && states_open(terms, &link(BY)));
        assert!(!states_open("", &[]) && !states_open(terms, &words("Free to read.")));
        assert!(!states_open("", &link(terms)));
    }
}
