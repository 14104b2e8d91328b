//! Only an explicit open licence makes an article open access.

use masthead_documents::jats::{self, ExportOptions, Limits};
use masthead_domain::article::Article;

fn import(permissions: &str) -> Article {
    let source = format!(
        "<article xmlns:xlink='http://www.w3.org/1999/xlink' xmlns:ali='http://www.niso.org/schemas/ali/1.0/'><front><article-meta>\
         <title-group><article-title>T</article-title></title-group>{permissions}</article-meta></front><body><p>x</p></body></article>"
    );
    jats::import(source.as_bytes(), &Limits::default()).unwrap_or_else(|error| panic!("{error}: {source}")).article
}

const CLOSED: [&str; 7] = [
    "",
    "<permissions><copyright-statement>© 2026 Pier. Open access.</copyright-statement></permissions>",
    "<permissions><license><license-p>All rights reserved.</license-p></license></permissions>",
    "<permissions><license license-type='free'><license-p>Free to read.</license-p></license></permissions>",
    "<permissions><ali:free_to_read/></permissions>",
    "<permissions><license><ali:license_ref>https://www.elsevier.com/tdm/userlicense/1.0/</ali:license_ref></license></permissions>",
    "<permissions><license xlink:href='https://example.org/terms'><license-p>See <ext-link xlink:href='https://example.org/open-access'>the terms</ext-link>.</license-p></license></permissions>",
];

const OPEN: [&str; 8] = [
    "<permissions><license xlink:href='http://creativecommons.org/licenses/by/4.0/'><license-p>x</license-p></license></permissions>",
    "<permissions><license><ali:license_ref>https://creativecommons.org/licenses/by-nc/4.0/</ali:license_ref></license></permissions>",
    "<permissions><ali:license_ref>https://creativecommons.org/publicdomain/zero/1.0/</ali:license_ref></permissions>",
    "<permissions><license license-type='open-access'><license-p>Share it.</license-p></license></permissions>",
    "<permissions><license license-type='OpenAccess'><license-p>Share it.</license-p></license></permissions>",
    "<permissions><license><license-p>See <ext-link xlink:href='https://creativecommons.org/licenses/by/3.0/'>here</ext-link>.</license-p></license></permissions>",
    "<permissions><license><license-p>Under the Creative Commons Attribution License.</license-p></license></permissions>",
    "<permissions><license xml:lang='en'><license-p>Ask us.</license-p></license><license xml:lang='de' license-type='cc-by'><license-p>x</license-p></license></permissions>",
];

#[test]
fn an_article_is_open_access_by_its_licence_alone() {
    for closed in CLOSED {
        assert!(!import(closed).meta.open_access, "{closed}");
    }
    for open in OPEN {
        assert!(import(open).meta.open_access, "{open}");
    }
}

#[test]
fn the_xml_of_an_export_says_whether_the_article_is_open_access() {
    let portable = ExportOptions { portable: true, ..ExportOptions::default() };
    for (permissions, open) in CLOSED.map(|one| (one, false)).into_iter().chain(OPEN.map(|one| (one, true))) {
        let written = jats::export(&import(permissions), &portable);
        let read = jats::import(written.as_bytes(), &Limits::default()).unwrap().article;
        assert_eq!(read.meta.open_access, open, "{permissions} became {written}");
    }
    // The kind of a licence may be all that its source says.
    let stated = import("<permissions><license license-type='open-access'/></permissions>");
    assert!(stated.meta.open_access && stated.meta.license.is_empty() && stated.meta.license_url.is_empty());
    let written = jats::export(&stated, &portable);
    assert!(jats::import(written.as_bytes(), &Limits::default()).unwrap().article.meta.open_access, "{written}");
}
