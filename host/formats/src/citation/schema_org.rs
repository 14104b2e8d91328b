//! JSON-LD in the vocabulary of schema.org, for search engines.

use masthead_domain::{
    Doi, Lang,
    article::{ArticleMeta, Contributor, Funding},
    lang::same_language,
    publication::Journal,
};
use serde_json::{Value, json};

use super::{LandingPage, MAX_AUTHORS_IN_HEAD, affiliations, issns, journal_title, orcid, published};

/// schema.org `ScholarlyArticle` with its issue, volume and journal.
///
/// `abstracts` are pairs of BCP 47 tag and plain text.
#[must_use]
pub fn json_ld(
    meta: &ArticleMeta,
    journal: Option<&Journal>,
    abstracts: &[(&str, &str)],
    landing: &LandingPage<'_>,
) -> Value {
    let title = meta.title(&meta.language);
    let others = meta.titles.iter().map(|text| &text.plain).filter(|text| *text != title && !text.is_empty());
    let own = abstracts.iter().find(|(lang, _)| same_language(lang, &meta.language));
    let summary = own.or_else(|| abstracts.first()).map(|(_, text)| *text);
    let doi = meta.doi.as_ref();
    let identifier = doi
        .map(|doi| json!({ "@type": "PropertyValue", "propertyID": "doi", "value": doi.as_str(), "url": doi.url() }));
    let funders: Vec<Value> = meta.funding.iter().filter(|fund| !fund.source.is_empty()).map(funder).collect();
    let keywords: Vec<&String> = meta.keywords.iter().flat_map(|group| &group.plain).collect();
    let mut value = json!({
        "@context": "https://schema.org",
        "@type": "ScholarlyArticle",
        "@id": doi.map_or_else(|| landing.address.to_owned(), Doi::url),
        "url": landing.address,
        "mainEntityOfPage": landing.address,
        "headline": title,
        "name": title,
        "alternativeHeadline": others.collect::<Vec<_>>(),
        "abstract": summary.unwrap_or_default(),
        "inLanguage": meta.language,
        "author": meta.authors().take(MAX_AUTHORS_IN_HEAD).map(|person| contributor(meta, person)).collect::<Vec<_>>(),
        // Access and not licence: whether this page shows the full text. The licence is a member of its own.
        "isAccessibleForFree": landing.readable,
        "isPartOf": part_of(meta, journal),
        "pageStart": meta.first_page,
        "pageEnd": meta.last_page,
        "pagination": meta.pages_or_number('-'),
        "datePublished": published(meta),
        "license": meta.license_url,
        "copyrightNotice": meta.copyright,
        "keywords": keywords,
        "about": meta.subjects,
        "publisher": named("Organization", &meta.journal.publisher),
        "funder": funders,
        "identifier": identifier,
        "sameAs": doi.map(Doi::url),
        "encoding": landing.pdf.then(
            || json!({ "@type": "MediaObject", "encodingFormat": "application/pdf", "contentUrl": landing.pdf_address() })
        ),
    });
    drop_empty(&mut value);
    value
}

fn contributor(meta: &ArticleMeta, person: &Contributor) -> Value {
    let group = !person.collab.is_empty();
    let mut places: Vec<Value> = Vec::new();
    for aff in affiliations(meta, person) {
        let mut place = named("Organization", &aff.text);
        if aff.institution_id.starts_with("http") {
            place["@id"] = json!(aff.institution_id);
        }
        places.push(place);
    }
    let names: Vec<&String> = person.alternatives.iter().map(|(_, name)| name).collect();
    json!({
        "@type": if group { "Organization" } else { "Person" },
        "@id": orcid(person),
        "name": person.display_name(),
        "familyName": if group { "" } else { &person.surname },
        "givenName": if group { "" } else { &person.given_names },
        "alternateName": names,
        "identifier": orcid(person),
        "affiliation": places,
    })
}

fn funder(fund: &Funding) -> Value {
    let id = Some(fund.source_id.as_str()).filter(|id| id.starts_with("http"));
    json!({ "@type": "Organization", "@id": id, "name": fund.source })
}

/// The issue with its volume and journal, as far as they are known.
fn part_of(meta: &ArticleMeta, journal: Option<&Journal>) -> Value {
    let periodical = json!({
        "@type": "Periodical",
        "name": journal_title(meta, journal),
        "alternateName": meta.journal.abbrev,
        "issn": issns(meta, journal),
    });
    let volume = match meta.volume.as_str() {
        "" => periodical,
        volume => json!({ "@type": "PublicationVolume", "volumeNumber": volume, "isPartOf": periodical }),
    };
    match meta.issue.as_str() {
        "" => volume,
        issue => json!({ "@type": "PublicationIssue", "issueNumber": issue, "isPartOf": volume }),
    }
}

fn named(kind: &str, name: &str) -> Value {
    if name.is_empty() { Value::Null } else { json!({ "@type": kind, "name": name }) }
}

/// schema.org `Periodical` for the home page of a site; for a site with several journals, a list of them.
#[must_use]
pub fn journals(site: &str, address: &str, lang: Lang, journals: &[Journal]) -> Value {
    let periodical = |journal: &Journal| {
        let names: Vec<&String> = journal.title.0.values().filter(|name| *name != journal.title.get(lang)).collect();
        let issn: Vec<&String> = [&journal.issn, &journal.eissn].into_iter().filter(|issn| !issn.is_empty()).collect();
        json!({
            "@type": "Periodical",
            "name": journal.title.get(lang),
            "alternateName": names,
            "issn": issn,
            "description": journal.introduction.get(lang),
            "publisher": named("Organization", journal.sponsor.get(lang)),
            "editor": named("Person", journal.editor_in_chief.get(lang)),
            "startDate": journal.start_year.map(|year| year.to_string()),
        })
    };
    let mut value = match journals {
        [only] => {
            let mut value = periodical(only);
            value["@id"] = json!(address);
            value["url"] = json!(address);
            value["inLanguage"] = json!(lang.tag());
            value
        }
        several => json!({
            "@type": "WebSite",
            "@id": address,
            "url": address,
            "name": site,
            "inLanguage": lang.tag(),
            "hasPart": several.iter().map(periodical).collect::<Vec<_>>(),
        }),
    };
    value["@context"] = json!("https://schema.org");
    drop_empty(&mut value);
    value
}

/// Removes members without a value: null, empty texts and empty lists.
fn drop_empty(value: &mut Value) {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    match value {
        Value::Object(map) => {
            map.values_mut().for_each(drop_empty);
            map.retain(|_, value| !is_empty(value));
        }
        Value::Array(items) => items.iter_mut().for_each(drop_empty),
        _ => {}
    }
}
