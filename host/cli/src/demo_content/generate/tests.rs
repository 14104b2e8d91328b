//! Tests of generated articles: reproducible, valid JATS, and distributed over journals, years and types.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use crate::demo_content::generate::*;
use masthead_documents::{html, jats::Limits};
use masthead_domain::content::ArticleBody;

fn articles(seed: u64, many: u64) -> Vec<Generated> {
    let generator = Generator::new(seed).unwrap();
    (0..many).map(|index| generator.article(index).unwrap()).collect()
}

#[test]
fn a_seed_always_gives_the_same_articles() {
    let twenty = articles(1, 20);
    assert_eq!(twenty, articles(1, 20));
    assert_ne!(twenty, articles(2, 20));
}

#[test]
fn an_article_does_not_depend_on_other_articles() {
    let generator = Generator::new(9).unwrap();
    let all = articles(9, 60);
    for index in [59_u64, 0, 31, 58] {
        let at = usize::try_from(index).unwrap();
        assert_eq!(generator.article(index).unwrap(), all[at], "{index}");
    }
}

#[test]
fn exported_articles_import_unchanged_and_without_warnings() {
    for made in articles(crate::demo_content::SEED, 120) {
        let text = jats::export(&made.article, &ExportOptions::default());
        let imported =
            jats::import(text.as_bytes(), &Limits::default()).unwrap_or_else(|error| panic!("{}: {error}", made.stem));
        assert!(imported.report.warnings.is_empty(), "{}: {:?}", made.stem, imported.report.warnings);
        assert!(imported.report.unknown.is_empty(), "{}: {:?}", made.stem, imported.report.unknown);
        assert_eq!(imported.article.meta, made.article.meta, "{}", made.stem);
        let plain = |body: &ArticleBody| masthead_domain::content::text::plain(&body.body);
        assert_eq!(plain(&imported.article.body), plain(&made.article.body), "{}", made.stem);
        // A second export and import gives the same article again.
        let again = jats::export(&imported.article, &ExportOptions::default());
        let again = jats::import(again.as_bytes(), &Limits::default()).unwrap().article;
        assert_eq!(again, imported.article, "{}", made.stem);
        let names: BTreeSet<&str> = made.pictures.iter().map(|picture| picture.name.as_str()).collect();
        assert_eq!(imported.assets.iter().map(String::as_str).collect::<BTreeSet<_>>(), names, "{}", made.stem);
        let _ = html::render(&imported.article, &|_| None);
    }
}

#[test]
fn articles_are_distributed_over_journals_years_languages_and_types() {
    let made = articles(crate::demo_content::SEED, 300);
    let mut years = BTreeMap::<&str, BTreeSet<i32>>::new();
    let mut issues = BTreeMap::<&str, BTreeSet<(i32, &str)>>::new();
    let mut kinds = BTreeMap::<&str, usize>::new();
    let (mut dois, mut titles, mut states) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::<i32, usize>::new());
    let mut repeated = 0;
    for one in &made {
        let meta = &one.article.meta;
        assert!(dois.insert(meta.doi.clone().unwrap().key()), "{}", one.stem);
        let own = meta.article_type != "article-commentary" && meta.related.is_empty();
        repeated += usize::from(!titles.insert(meta.title("en").to_owned()) && own);
        for list in [
            meta.titles.iter().map(|text| &text.lang).collect::<BTreeSet<_>>(),
            meta.keywords.iter().map(|group| &group.lang).collect(),
            one.article.body.abstracts.iter().map(|part| &part.lang).collect(),
        ] {
            assert_eq!(list.into_iter().map(String::as_str).collect::<Vec<_>>(), ["en", "zh"], "{}", one.stem);
        }
        let dates = &meta.dates;
        assert!(dates.received < dates.revised && dates.revised < dates.accepted, "{}", one.stem);
        if !dates.online.is_empty() {
            assert!(
                dates.accepted < dates.online && (dates.print.is_empty() || dates.online < dates.print),
                "{}",
                one.stem
            );
        }
        assert!((1..=7).contains(&meta.contributors.len()), "{}", one.stem);
        *kinds.entry(&meta.article_type).or_default() += 1;
        *states.entry(meta.first_status).or_default() += 1;
        if let Some(issue) = &one.issue {
            assert_eq!((Some(issue.year), &issue.volume, &issue.issue), (meta.year, &meta.volume, &meta.issue));
            years.entry(&one.journal).or_default().insert(issue.year);
            issues.entry(&one.journal).or_default().insert((issue.year, &issue.issue));
        }
    }
    assert!(repeated <= 3, "{repeated} titles occur twice");
    assert_eq!(years.len(), 4);
    assert!(years.values().all(|years| years.iter().copied().eq(2024..=2026)), "{years:?}");
    let sizes: BTreeMap<&str, usize> = issues.iter().map(|(journal, issues)| (*journal, issues.len())).collect();
    assert_eq!(
        sizes,
        BTreeMap::from([
            ("field-notes-pedagogy", 6),
            ("ocean-ledger", 12),
            ("quiet-circuits", 12),
            ("script-and-stone", 9)
        ])
    );
    for kind in ["research-article", "review-article", "data-paper", "article-commentary", "correction", "retraction"] {
        assert!(kinds.get(kind).is_some_and(|many| *many > 0), "{kind}: {kinds:?}");
    }
    assert!(kinds["retraction"] < 12 && kinds["correction"] < 24, "{kinds:?}");
    assert!(states[&-1] > 3 && states[&0] > 200 && states.keys().any(|state| *state > 0), "{states:?}");
    let chinese = made.iter().filter(|one| one.article.meta.language == "zh").count();
    assert!((100..200).contains(&chinese), "{chinese} are in Chinese");
}

#[test]
fn corrections_and_commentaries_refer_to_existing_earlier_articles() {
    let made = articles(crate::demo_content::SEED, 300);
    let by_doi: BTreeMap<String, &Generated> =
        made.iter().map(|one| (one.article.meta.doi.clone().unwrap().key(), one)).collect();
    let mut related = 0;
    for one in &made {
        for link in &one.article.meta.related {
            let other = by_doi[&link.href.to_lowercase()];
            assert_eq!(other.journal, one.journal);
            assert!(other.article.meta.dates.published() < one.article.meta.dates.published(), "{}", one.stem);
            related += 1;
        }
    }
    assert!(related > 20, "{related}");
}

#[test]
fn templates_have_no_unknown_placeholders_and_text_in_both_languages() {
    for made in articles(3, 200) {
        let text = serde_json::to_string(&made.article).unwrap();
        assert!(!text.contains("{object}") && !text.contains("{measure}"), "{}", made.stem);
        for text in made
            .article
            .meta
            .titles
            .iter()
            .map(|title| &title.plain)
            .chain(made.article.meta.keywords.iter().flat_map(|group| &group.plain))
        {
            assert!(!text.trim().is_empty() && !text.contains('{'), "{}: {text}", made.stem);
        }
        for part in &made.article.body.abstracts {
            let plain = masthead_domain::content::text::plain(&part.nodes);
            assert!(plain.chars().count() > 20 && !plain.contains('{'), "{}: {plain}", made.stem);
        }
        // Only formulas may contain braces.
        let written = words(&serde_json::to_value(&made.article.body.body).unwrap());
        assert!(!written.contains(['{', '}']), "{}: {written}", made.stem);
    }
}

#[test]
fn orcid_ids_have_valid_check_digits_and_are_not_assigned() {
    let made = articles(4, 80);
    let ids: BTreeSet<&str> = made
        .iter()
        .flat_map(|one| &one.article.meta.contributors)
        .map(|person| person.orcid.as_str())
        .filter(|id| !id.is_empty())
        .collect();
    assert!(ids.len() > 50);
    for id in ids {
        let digits: Vec<u32> = id.chars().filter(|c| *c != '-').map(|c| c.to_digit(10).unwrap_or(10)).collect();
        let total = digits[..15].iter().fold(0, |total, digit| (total + digit) * 2);
        assert_eq!((12 - total % 11) % 11, digits[15], "{id}");
        assert!(id.starts_with("0000-0009-"), "{id} is in a range that ORCID assigns");
    }
}

/// The concatenated text nodes of a JSON value.
fn words(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Object(node) if node.get("type").is_some_and(|kind| kind == "text") => {
            node["text"].as_str().unwrap_or_default().to_owned()
        }
        serde_json::Value::Object(node) => node.values().map(words).collect(),
        serde_json::Value::Array(nodes) => nodes.iter().map(words).collect(),
        _ => String::new(),
    }
}
