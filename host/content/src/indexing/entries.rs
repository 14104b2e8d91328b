//! The entries of the index: the searchable fields of an article, a journal, and a resource.

use std::collections::BTreeSet;

use masthead_documents::{
    figures_and_tables,
    html::{RenderedArticle, SectionKind},
};
use masthead_domain::{
    ArticleId, LocalText,
    access::FullText,
    article::{ArticleMeta, Contributor, LangText},
    content::{ArticleBody, Grid, text::plain},
    of_kind,
    publication::Journal,
    resource::{Resource as _, ResourceKind, ResourceSource, SearchText, TableSheet, TextParts},
    text::without_tags,
};
use masthead_search::{Entry, EntryKind, ExactField, Texts};
use masthead_store::{ResourceRow, SiteStore, StoreError, StoredArticle, StoredForm as _};

/// Largest number of authors per article in the author facet.
const PEOPLE: usize = 50;
/// Largest number of characters of the cells of one table.
const MAX_CELLS: usize = 100_000;

/// The cells of the tables of an article, which the rows of its tables do not have.
pub(super) struct Cells(Option<FullText<ArticleBody>>);

impl Cells {
    pub(super) async fn of(store: &SiteStore, article: ArticleId) -> Result<Self, StoreError> {
        match store.body(article).await {
            Err(StoreError::Damaged { .. }) => Ok(Self(None)),
            body => body.map(Self),
        }
    }

    /// The text of the cells of a table, one row a line.
    fn of_table(&self, data: &str) -> Option<String> {
        let sheet = TableSheet::decode(data).ok()?;
        let table = figures_and_tables::table(self.0.as_ref()?.unsealed(), &sheet.element)?;
        let rows = |grid: &Grid| -> Vec<String> {
            let rows = grid.head.iter().chain(grid.bodies.iter().flatten()).chain(&grid.foot);
            rows.map(|row| row.cells.iter().map(|cell| plain(&cell.nodes)).collect::<Vec<_>>().join(" ")).collect()
        };
        let text = table.grids.iter().flat_map(rows).collect::<Vec<_>>().join("\n");
        Some(text.chars().take(MAX_CELLS).collect())
    }
}

/// The entry of an article, without the number of its citations; `journal` is that of the site.
pub(super) fn of_article(article: &StoredArticle, journal: Option<&Journal>) -> Entry {
    let meta = &article.meta;
    // An article that cannot be parsed is found by its metadata; its page reports the error.
    let rendered: RenderedArticle = serde_json::from_str(article.rendered.unsealed()).unwrap_or_default();
    let own = |lang: &str| if lang.is_empty() { meta.language.clone() } else { lang.to_owned() };
    let tagged = |text: &LangText| (own(&text.lang), text.plain.clone());
    let keywords = meta.keywords.iter().flat_map(|group| group.plain.iter().map(|word| (own(&group.lang), word)));
    let abstracts = rendered.sections.iter().filter(|section| section.kind == SectionKind::Abstract);
    let first_page = if meta.first_page.is_empty() { &meta.elocation_id } else { &meta.first_page };
    Entry {
        kind: EntryKind::Article,
        id: article.id.0,
        article: article.id.0,
        title: meta.titles.iter().chain(&meta.subtitles).map(tagged).collect(),
        keywords: keywords.collect(),
        authors: names(meta),
        company: meta.affiliations.iter().map(|place| (&place.lang, &place.text)).collect(),
        funds: funds(meta),
        publication: publication(meta, journal),
        summary: abstracts.map(|section| (own(&section.lang), without_tags(&section.html))).collect(),
        text: [(&meta.language, &rendered.text)].into_iter().collect(),
        languages: languages([meta.language.as_str()]),
        doi: meta.doi.as_ref().map(ToString::to_string).unwrap_or_default(),
        year: meta.year,
        journal: article.journal.clone(),
        article_type: meta.article_type.clone(),
        open_access: Some(meta.open_access),
        columns: meta.subjects.clone(),
        people: people(meta),
        exact_values: vec![
            (ExactField::Part, meta.part.clone()),
            (ExactField::FirstPage, first_page.clone()),
            (ExactField::LastPage, meta.last_page.clone()),
        ],
        date: meta.dates.published().to_owned(),
        print_date: meta.dates.print.clone(),
        issue: meta.issue.clone(),
        first_status: meta.first_status,
        references: meta.reference_count,
        online_first: Some(meta.is_online_first()),
        updated: Some(article.changed_ms),
        ..Entry::default()
    }
}

/// The names of all contributors in every script, one a line.
fn names(meta: &ArticleMeta) -> String {
    let names = meta.contributors.iter().flat_map(|person| {
        std::iter::once(person.display_name()).chain(person.alternatives.iter().map(|(_, name)| name.clone()))
    });
    names.collect::<Vec<_>>().join("\n")
}

/// Funders and grants, each once.
fn funds(meta: &ArticleMeta) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let all = meta.funding.iter().flat_map(|one| std::iter::once(&one.source).chain(&one.awards));
    all.filter(|name| !name.trim().is_empty() && seen.insert(name.as_str())).cloned().collect()
}

/// The names of an article's journal, as the site has them and as the article's source prints them.
fn publication(meta: &ArticleMeta, journal: Option<&Journal>) -> Texts {
    let source = &meta.journal;
    let (mut all, mut seen) = (Texts::default(), BTreeSet::new());
    let mut add = |lang: &str, title: &str| {
        if seen.insert(title.to_owned()) {
            all.push(lang, title);
        }
    };
    journal.into_iter().flat_map(|journal| local(&journal.title)).for_each(|(lang, title)| add(lang, title));
    source.trans_titles.iter().for_each(|(lang, title)| add(lang, title));
    [&source.title, &source.abbrev].into_iter().for_each(|title| add("", title));
    all
}

/// The parts of a text by language, with the tags of the languages.
fn local(text: &LocalText) -> impl Iterator<Item = (&'static str, &str)> {
    text.0.iter().map(|(lang, text)| (lang.tag(), text.as_str()))
}

fn texts<'a>(all: impl IntoIterator<Item = &'a LocalText>) -> Texts {
    all.into_iter().flat_map(local).collect()
}

/// The primary parts of language tags (`zh` of `zh-Hans`), each once.
fn languages<'a>(tags: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let primary = |tag: &str| tag.split(['-', '_']).next().unwrap_or_default().trim().to_ascii_lowercase();
    let all: BTreeSet<String> = tags.into_iter().map(primary).filter(|tag| !tag.is_empty()).collect();
    all.into_iter().collect()
}

/// The entry of a journal.
pub(super) fn of_journal(journal: &Journal) -> Entry {
    let introduction: Texts = local(&journal.introduction).map(|(lang, text)| (lang, without_tags(text))).collect();
    let numbers = [&journal.issn, &journal.eissn, &journal.cn].map(String::as_str).join("\n");
    let editors: Vec<&str> = journal.editor_in_chief.0.values().map(String::as_str).collect();
    Entry {
        kind: EntryKind::Publication,
        title: texts([&journal.title]),
        publication: texts([&journal.title]),
        company: texts([&journal.sponsor, &journal.supervisor]),
        authors: editors.join("\n"),
        summary: introduction,
        text: format!("{numbers}\n{}", journal.databases.join("\n")).into(),
        languages: languages(local(&journal.title).map(|(lang, _)| lang)),
        year: journal.start_year,
        journal: journal.key.clone(),
        exact_values: vec![
            (ExactField::Issn, journal.issn.clone()),
            (ExactField::Issn, journal.eissn.clone()),
            (ExactField::Cn, journal.cn.clone()),
        ],
        ..Entry::default()
    }
}

/// Texts of a resource.
fn of_parts(parts: TextParts) -> Texts {
    parts.into_iter().collect()
}

/// The index entry of a resource, with the article that it is part of; `None` if the resource has no searchable text or cannot be parsed.
pub(super) fn of_resource(row: &ResourceRow, article: Option<&StoredArticle>, cells: Option<&Cells>) -> Option<Entry> {
    let read: serde_json::Result<Option<Entry>> = of_kind!(row.kind, T => {
        T::decode(&row.data).map(|value| {
            let (place, words) = (value.list_keys(), value.search_text());
            (words != SearchText::default()).then(|| Entry {
                kind: EntryKind::Resource(row.kind),
                id: row.id,
                article: row.article,
                languages: languages(words.title.iter().map(|(lang, _)| *lang)),
                title: of_parts(words.title),
                keywords: of_parts(words.keywords),
                people: words.authors.iter().take(PEOPLE).cloned().collect(),
                authors: words.authors.join("\n"),
                company: of_parts(words.company),
                summary: of_parts(words.summary),
                text: of_parts(words.text),
                year: place.date.get(..4).and_then(|year| year.parse().ok()),
                date: place.date.to_owned(),
                // Lists of other kinds are divided by other things.
                journal: if row.kind.source() == ResourceSource::Article { place.section.to_owned() } else { String::new() },
                exact_values: vec![(ExactField::Isbn, words.isbn)],
                updated: (row.changed_ms > 0).then_some(row.changed_ms),
                ..Entry::default()
            })
        })
    });
    let mut entry = match read {
        Ok(entry) => entry?,
        Err(error) => {
            // A damaged row is logged and skipped, so that it does not block all later changes.
            tracing::error!(%error, kind = row.kind.as_str(), id = row.id, "a resource cannot be indexed");
            return None;
        }
    };
    if let Some(article) = article {
        part_of(&mut entry, article);
    }
    if row.kind == ResourceKind::Table
        && let Some(text) = cells.and_then(|cells| cells.of_table(&row.data))
    {
        entry.text.push("", &text);
    }
    Some(entry)
}

/// Adds what is the same for an article and for what is part of it: by this, both are filtered and counted.
fn part_of(entry: &mut Entry, article: &StoredArticle) {
    let meta = &article.meta;
    entry.doi = meta.doi.as_ref().map(ToString::to_string).unwrap_or_default();
    entry.open_access = Some(meta.open_access);
    entry.languages = languages([meta.language.as_str()]);
    entry.columns.clone_from(&meta.subjects);
    entry.people = people(meta);
}

/// The authors one by one.
fn people(meta: &ArticleMeta) -> Vec<String> {
    meta.authors().take(PEOPLE).map(Contributor::display_name).collect()
}
