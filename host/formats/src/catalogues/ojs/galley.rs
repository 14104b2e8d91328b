//! The JATS galley of an article, which is read as its source. What OJS says besides completes it.

use masthead_domain::{
    article::{Article, JournalRef, LangText},
    content::text::plain,
    lang::same_language,
    text::title_key,
};

use super::{FORMAT, Galleys, Imported, OjsArticle};
use crate::{FormatError, JatsFault};

/// Reads the article from its JATS galley, if there is one; OJS's metadata complete it, and decide on issue and section.
pub(super) fn take_source(record: &mut OjsArticle, galleys: Galleys<'_>, made: &mut Imported) {
    for (at, file) in record.files.iter().enumerate() {
        let xml = file.mime.contains("xml") && !file.mime.contains("html")
            || file.name.to_ascii_lowercase().ends_with(".xml");
        if !xml || file.role == "cover" {
            continue;
        }
        let linked = if file.bytes.is_empty() { (galleys.linked)(&file.href) } else { None };
        let bytes = linked.as_deref().unwrap_or(&file.bytes);
        if bytes.is_empty() {
            continue;
        }
        match (galleys.jats)(bytes) {
            Ok(read) => {
                let known = std::mem::replace(&mut record.article, read);
                let meta = &mut record.article.meta;
                if record.issue.is_some() {
                    meta.volume.clone_from(&known.meta.volume);
                    meta.issue.clone_from(&known.meta.issue);
                    meta.year = known.meta.year;
                }
                if !record.section.is_empty() {
                    meta.subjects.retain(|subject| *subject != record.section);
                    meta.subjects.insert(0, record.section.clone());
                }
                fill(&mut record.article, known);
                record.source = Some(at);
                return;
            }
            Err(JatsFault::NotArticle) => {}
            Err(JatsFault::Unreadable(error)) => {
                let reason = format!("the XML galley was not used as the article's source: {error}");
                made.articles.fault(FormatError::new(FORMAT, reason).field(file.name.clone()));
            }
        }
    }
}

fn fill(article: &mut Article, mut known: Article) {
    add_languages(article, &mut known);
    let (meta, other) = (&mut article.meta, known.meta);
    // A licence of the galley decides alone; without one, it is what OJS says.
    if meta.license.is_empty() && meta.license_url.is_empty() {
        meta.license_url = other.license_url;
        meta.open_access |= other.open_access;
    }
    if meta.journal == JournalRef::default() {
        meta.journal = other.journal;
    }
    if meta.doi.is_none() {
        meta.doi = other.doi;
        meta.source_key = other.source_key;
    }
    for (own, given) in [
        (&mut meta.volume, other.volume),
        (&mut meta.issue, other.issue),
        (&mut meta.dates.received, other.dates.received),
        (&mut meta.copyright, other.copyright),
    ] {
        if own.is_empty() {
            *own = given;
        }
    }
    if meta.dates.published().is_empty() {
        meta.dates.online = other.dates.online;
    }
    if meta.first_page.is_empty() && meta.elocation_id.is_empty() {
        (meta.first_page, meta.last_page, meta.elocation_id) = (other.first_page, other.last_page, other.elocation_id);
    }
    meta.year = meta.year.or(other.year);
    if meta.contributors.is_empty() {
        (meta.contributors, meta.affiliations) = (other.contributors, other.affiliations);
    }
    if article.body.reference_lists.is_empty() {
        article.body.reference_lists = known.body.reference_lists;
        meta.reference_count = other.reference_count;
    }
}

/// Adds the titles, abstracts and keywords in languages in which the galley has none.
fn add_languages(article: &mut Article, known: &mut Article) {
    let (meta, other) = (&mut article.meta, &mut known.meta);
    let given = std::mem::take(&mut other.titles);
    let titles = further(meta.titles.iter(), given, |one| (one.lang.as_str(), title_key(&one.plain)));
    let of_these = |one: &LangText| titles.iter().any(|title| title.lang == one.lang);
    meta.subtitles.extend(std::mem::take(&mut other.subtitles).into_iter().filter(of_these));
    meta.titles.extend(titles);
    let given = std::mem::take(&mut other.keywords);
    let keywords =
        further(meta.keywords.iter(), given, |group| (group.lang.as_str(), title_key(&group.plain.join(" "))));
    meta.keywords.extend(keywords);
    let own = article.body.abstracts.iter().filter(|one| one.kind.is_empty());
    let given = std::mem::take(&mut known.body.abstracts);
    let abstracts = further(own, given, |one| (one.lang.as_str(), title_key(&plain(&one.nodes))));
    article.body.abstracts.extend(abstracts);
}

/// Those of the given texts that are in languages of which there is none; all of them, if there are no texts. `of` gives the language and the
/// words of a text. A galley that does not state its language is taken for English, so that the same words are no further text.
fn further<'a, T: 'a>(own: impl Iterator<Item = &'a T>, given: Vec<T>, of: impl Fn(&T) -> (&str, String)) -> Vec<T> {
    let known: Vec<(&str, String)> = own.map(&of).collect();
    let is_further = |one: &T| {
        let (lang, words) = of(one);
        let other = |(known, text): &(&str, String)| !same_language(known, lang) && *text != words;
        known.is_empty() || (!lang.is_empty() && known.iter().all(other))
    };
    given.into_iter().filter(is_further).collect()
}
