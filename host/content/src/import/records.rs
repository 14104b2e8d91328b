//! Formats other than JATS: metadata of articles and issues (Crossref, DOAJ), books (ONIX, MARC), reference lists.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use masthead_domain::{
    ArticleId, Lang, LocalText,
    article::{Article, ArticleMeta, JournalRef},
    content::RefList,
    publication::Issue,
    resource::{Book, BookContributor, Renditions},
};
use masthead_formats::{
    FormatError, Records,
    catalogues::{Book as Source, Period, crossref, crossref_deposit, doaj, isbn13, jats_issue, marc, onix},
    references,
};
use masthead_store::Saved;

use crate::{
    export::article_package::ArticlePackage,
    import::{
        Importer, Item, OnItem, Outcome,
        article::{SourceFolder, from_other_format, kept_by_hand},
        outage::is_outage,
        recognition::has_text,
    },
};

/// Largest metadata file, in bytes; it is read into memory.
const LARGEST: u64 = 256 << 20;
/// Capacity of the queue between reading and storing books.
const WAITING: usize = 64;

/// Content of a metadata file.
struct Metadata {
    /// The articles, each with warnings about its record.
    articles: Vec<(Article, Vec<String>)>,
    faults: Vec<FormatError>,
    periods: Vec<Period>,
    journals: Vec<JournalRef>,
    /// How often the articles are cited, by the keys of their DOIs, if the file says so.
    citations: BTreeMap<String, u32>,
}

impl Metadata {
    /// `warnings` are those about articles, by their source keys.
    fn of(
        articles: Records<Article>,
        mut warnings: BTreeMap<String, Vec<String>>,
        periods: Vec<Period>,
        journals: Vec<JournalRef>,
    ) -> Self {
        let with_warnings = articles.records.into_iter().map(|article| {
            let own = warnings.remove(&article.meta.source_key).unwrap_or_default();
            (article, own)
        });
        let (articles, faults) = (with_warnings.collect(), articles.faults);
        Self { articles, faults, periods, journals, citations: BTreeMap::new() }
    }
}

/// Reads a file of Crossref or DOAJ, in JSON or XML.
fn read_metadata(bytes: &[u8], format: crate::import::Format) -> Result<Metadata, FormatError> {
    let jats = super::article::read_jats;
    if format == crate::import::Format::Doaj {
        let import = if crossref_deposit::is_xml(bytes) { doaj::import_xml } else { doaj::import };
        let made = import(bytes, jats)?;
        return Ok(Metadata::of(made.articles, made.warnings, made.periods, made.journals));
    }
    if crossref_deposit::is_xml(bytes) {
        let made = crossref_deposit::import(bytes, jats)?;
        let articles = made.articles.records.into_iter().map(|one| (one.article, one.warnings)).collect();
        let (faults, periods, journals) = (made.articles.faults, made.periods, made.journals);
        return Ok(Metadata { articles, faults, periods, journals, citations: BTreeMap::new() });
    }
    let made = crossref::import(bytes, jats)?;
    let citations = made.citations;
    Ok(Metadata { citations, ..Metadata::of(made.articles, made.warnings, made.periods, made.journals) })
}

impl Importer {
    /// Imports journals, issues and metadata of articles. Metadata never replaces a full text.
    pub(super) async fn metadata(&mut self, path: &Path, format: crate::import::Format, on_item: OnItem<'_>) {
        let shown = path.display().to_string();
        let made = match parsed(path, move |bytes| read_metadata(bytes, format)).await {
            Ok(made) => made,
            Err(error) => return on_item(Item::failed(shown, "metadata", &error)),
        };
        for journal in &made.journals {
            if self.is_stopped() {
                return;
            }
            on_item(self.journal(&shown, journal).await);
        }
        for period in &made.periods {
            if self.is_stopped() {
                return;
            }
            on_item(self.period(&shown, folder_of(path), period).await);
        }
        for (article, warnings) in made.articles {
            if self.is_stopped() {
                return;
            }
            let item = Item { warnings, ..Item::of(shown.clone(), "article") };
            let citations = article.meta.doi.as_ref().and_then(|doi| made.citations.get(&doi.key())).copied();
            let item = self.known_article(item, article).await;
            on_item(self.with_citations(item, citations).await);
        }
        for fault in &made.faults {
            on_item(Item::failed(shown.clone(), "article", fault));
        }
    }

    /// Adds a journal, unless the site has one with the same ISSN or title.
    pub(super) async fn journal(&self, path: &str, journal: &JournalRef) -> Item {
        let mut item = Item::of(path.to_owned(), "journal");
        if self.converter.dry_run {
            item.outcome = Outcome::Valid;
            return item;
        }
        let saved = self.converter.media_writer.store.ensure_journal(journal).await;
        outcome(item, saved)
    }

    /// Adds an issue, or completes the data of an existing one. Its cover is searched in `folder`.
    pub(super) async fn period(&self, path: &str, folder: &Path, period: &Period) -> Item {
        let mut item = Item { warnings: period.warnings.clone(), ..Item::of(path.to_owned(), "period") };
        // Other years cannot be written in the name of an issue.
        let Some(year) = period.year.filter(|year| (1000..=9999).contains(year) && !period.issue.is_empty()) else {
            let reason = format!(
                "an issue needs a year and a number; this issue of {:?} has year {:?}, volume {:?}, issue {:?}",
                period.journal.title, period.year, period.volume, period.issue
            );
            item.error = Some(reason);
            return item;
        };
        let cover = self.cover(folder, &period.cover, &mut item).await.map(|cover| cover.big).unwrap_or_default();
        if item.outage {
            item.error = item.warnings.pop();
            return item;
        }
        if self.converter.dry_run {
            item.outcome = Outcome::Valid;
            return item;
        }
        let issue = Issue {
            journal: String::new(),
            year,
            volume: period.volume.clone(),
            issue: number(period),
            date: period.date.clone(),
            title: texts(&period.titles),
            cover,
            ..Issue::default()
        };
        self.save_issue(&period.journal, &issue, item).await
    }

    /// Adds an issue of a journal, or completes the stored one; what was edited by hand stays, and the item says so.
    pub(super) async fn save_issue(&self, of: &JournalRef, issue: &Issue, mut item: Item) -> Item {
        let store = &self.converter.media_writer.store;
        let saved = store.merge_issue(of, issue).await;
        match store.kept_of_issue(of, issue).await {
            Ok(kept) => item.warnings.extend(kept_by_hand(&kept)),
            Err(error) => item.warnings.push(error.to_string()),
        }
        outcome(item, saved)
    }

    /// Imports an article of which only metadata is known; an article with a full text is not changed.
    async fn known_article(&mut self, mut item: Item, article: Article) -> Item {
        item.doi = article.meta.doi.as_ref().map(ToString::to_string);
        match self.keeps_full_text(&article.meta, &mut item).await {
            Ok(true) => item,
            Ok(false) => self.converted(article, item).await,
            Err(error) => item.fail(&error.into()),
        }
    }

    /// Records how often an article is cited that was stored, or was there before.
    async fn with_citations(&self, mut item: Item, citations: Option<u32>) -> Item {
        let (Some(id), Some(citations)) = (item.article, citations) else { return item };
        if self.converter.dry_run {
            return item;
        }
        let store = &self.converter.media_writer.store;
        match store.save_external_citations(ArticleId(id), citations).await {
            Ok(changed) if changed && item.outcome == Outcome::Unchanged => item.outcome = Outcome::Updated,
            Ok(_) => {}
            Err(error) => return item.fail(&error.into()),
        }
        item
    }

    /// Whether the site has the full text of the article of which this is the metadata, which does not replace it. The item then says so.
    pub(super) async fn keeps_full_text(
        &self,
        meta: &ArticleMeta,
        item: &mut Item,
    ) -> Result<bool, masthead_store::StoreError> {
        let known = self.converter.media_writer.store.other_source_key(meta).await?;
        let Some(id) = self.fuller(known.as_deref().unwrap_or(&meta.source_key)).await? else { return Ok(false) };
        item.warnings.push("the site has the full text of this article; its text is not changed".to_owned());
        (item.outcome, item.article) = (Outcome::Unchanged, Some(id));
        Ok(true)
    }

    /// The number of the article with this source key, if the site has its full text.
    pub(super) async fn fuller(&self, source_key: &str) -> Result<Option<i64>, masthead_store::StoreError> {
        let store = &self.converter.media_writer.store;
        let Some(id) = store.article_id_by_key(source_key).await? else { return Ok(None) };
        Ok(has_text(store, id).await?.then_some(id.0))
    }

    /// Imports the issues named in a JATS file.
    pub(super) async fn periods(&mut self, path: &Path, on_item: OnItem<'_>) {
        let shown = path.display().to_string();
        let owned = path.to_owned();
        let read = tokio::task::spawn_blocking(move || -> anyhow::Result<Vec<Period>> {
            Ok(jats_issue::periods(std::io::BufReader::new(std::fs::File::open(owned)?))?)
        });
        match read.await.map_err(anyhow::Error::from).and_then(|read| read) {
            Ok(periods) if periods.is_empty() => on_item(Item::failed(shown, "period", &"the file contains no issue")),
            Ok(periods) => {
                for period in &periods {
                    if self.is_stopped() {
                        return;
                    }
                    on_item(self.period(&shown, folder_of(path), period).await);
                }
            }
            Err(error) => on_item(Item::failed(shown, "period", &format!("{error:#}"))),
        }
    }

    /// Stores an article that was converted from another format and has no files.
    async fn converted(&mut self, article: Article, mut item: Item) -> Item {
        let ready = match from_other_format(article, Vec::new()) {
            Ok((imported, digest)) => {
                let folder = SourceFolder { folder: Path::new("."), stem: "" };
                self.converter.store(imported, digest, folder, &mut item).await
            }
            Err(error) => Err(error.into()),
        };
        self.commit(crate::import::Prepared { item, ready }).await
    }

    /// Imports books one by one while the file is read, because a catalogue may be larger than memory.
    pub(super) async fn books(&mut self, path: &Path, format: crate::import::Format, on_item: OnItem<'_>) {
        let shown = path.display().to_string();
        let (sender, mut receiver) = tokio::sync::mpsc::channel(WAITING);
        let owned = path.to_owned();
        let reader = tokio::task::spawn_blocking(move || read_books(&owned, format, &sender));
        while let Some(book) = receiver.recv().await {
            on_item(match book {
                Ok(book) => self.book(&shown, book).await,
                Err(fault) => Item::failed(shown.clone(), "book", &fault),
            });
            if self.is_stopped() {
                // The reader ends at its next book.
                receiver.close();
                return;
            }
        }
        if let Err(error) = reader.await.map_err(anyhow::Error::from).and_then(|read| read) {
            on_item(Item::failed(shown, "book", &format!("{error:#}")));
        }
    }

    async fn book(&self, path: &str, mut source: Source) -> Item {
        // Each catalogue has its own record keys; the ISBN identifies the same book in several catalogues.
        if let Some(isbn) = isbn13(&source.isbn) {
            source.key = isbn;
        }
        let mut item = Item::of(path.to_owned(), "book");
        item.warnings.clone_from(&source.warnings);
        item.doi = source.doi.as_ref().map(ToString::to_string);
        let store = &self.converter.media_writer.store;
        if source.withdrawn {
            item.warnings.push(format!("the publisher withdrew {}; it is removed from the site", source.key));
        }
        if self.converter.dry_run {
            item.outcome = Outcome::Valid;
            return item;
        }
        if source.withdrawn {
            let saved = match store.resource_by_key::<Book>(&source.key).await {
                Ok(Some(known)) => store
                    .remove_resource(masthead_domain::resource::ResourceKind::Book, known.id)
                    .await
                    .map(|_| Saved::Updated(known.id)),
                Ok(None) => Ok(Saved::Unchanged(0)),
                Err(error) => Err(error),
            };
            return outcome(item, saved);
        }
        let cover = self.cover(folder_of(Path::new(path)), &source.cover, &mut item).await;
        let cover = cover.map(|cover| cover.small).unwrap_or_default();
        if item.outage {
            item.error = item.warnings.pop();
            return item;
        }
        let saved = store.import_resource(&of_book(source, cover)).await;
        let saved = saved.map(|(saved, kept)| {
            item.warnings.extend(kept_by_hand(&kept));
            saved
        });
        outcome(item, saved)
    }

    /// Stores the cover if the folder contains it. The item names a cover that is not there, is refused or is on another server: pages
    /// load no pictures of other servers. A dry run stores nothing.
    async fn cover(&self, folder: &Path, name: &str, item: &mut Item) -> Option<Renditions> {
        if name.is_empty() {
            return None;
        }
        let Some(asset) = crate::import::assets::find(folder, name) else {
            let reason = if name.contains("://") { "it is on another server" } else { "it is not beside the file" };
            item.warnings.push(format!("the cover {name} is not imported: {reason}"));
            return None;
        };
        if self.converter.dry_run {
            return None;
        }
        match asset.keep(&self.converter.media_writer, &mut item.warnings).await {
            Ok(kept) => Some(kept.renditions),
            Err(error) => {
                item.outage |= is_outage(&error);
                item.warnings.push(format!("the cover {name} is not imported: {error:#}"));
                None
            }
        }
    }

    /// Replaces the reference list of an article.
    pub async fn references(&mut self, article: &str, path: &Path) -> Item {
        let item = Item::of(path.display().to_string(), "references");
        match self.take_references(article, path, item.clone()).await {
            Ok(done) => done,
            Err(error) => item.fail(&error),
        }
    }

    async fn take_references(&mut self, article: &str, path: &Path, mut item: Item) -> anyhow::Result<Item> {
        let store = self.converter.media_writer.store.clone();
        let works = parsed(path, references::read).await?;
        anyhow::ensure!(!works.records.is_empty(), "the file contains no references");
        item.warnings.extend(works.faults.iter().map(ToString::to_string));
        let doi = masthead_domain::Doi::parse(article)?;
        let id = store.article_id_by_doi(&doi).await?;
        let id = id.ok_or_else(|| anyhow::anyhow!("the site has no article {doi}; import it first"))?;
        let mut whole = ArticlePackage::read(&store, &self.converter.media_writer.data, id).await?;
        let numbered = works
            .records
            .iter()
            .enumerate()
            .map(|(at, work)| work.to_reference(crate::import::article::read_jats, format!("ref{}", at + 1)));
        let refs: Vec<_> = numbered.collect();
        whole.article.meta.reference_count = u32::try_from(refs.len()).unwrap_or(u32::MAX);
        whole.article.body.reference_lists = vec![RefList { id: "references".to_owned(), refs, ..RefList::default() }];
        let folder = tempfile::tempdir()?;
        let source = whole.write(folder.path()).await?;
        let done = self.file(&source).await;
        Ok(Item { path: item.path, kind: item.kind, warnings: item.warnings, ..done })
    }
}

/// The number of an issue here: that of its source, with its supplement.
pub(super) fn number(period: &Period) -> String {
    [period.issue.as_str(), period.supplement.as_str()].join(" ").trim().to_owned()
}

/// Reads a file into memory and parses it on a blocking thread.
pub(super) async fn parsed<T: Send + 'static>(
    path: &Path,
    read: impl FnOnce(&[u8]) -> Result<T, FormatError> + Send + 'static,
) -> anyhow::Result<T> {
    let length = tokio::fs::metadata(path).await?.len();
    anyhow::ensure!(length <= LARGEST, "the file has {length} bytes; the limit is {LARGEST} bytes; split it");
    let bytes = tokio::fs::read(path).await?;
    Ok(tokio::task::spawn_blocking(move || read(&bytes)).await??)
}

type Books = tokio::sync::mpsc::Sender<Result<Source, FormatError>>;

fn read_books(path: &PathBuf, format: crate::import::Format, sender: &Books) -> anyhow::Result<()> {
    let file = std::io::BufReader::new(std::fs::File::open(path)?);
    let is_xml = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"));
    let books: Box<dyn Iterator<Item = Result<Source, FormatError>>> = match format {
        crate::import::Format::Onix => Box::new(onix::products(file)),
        _ if is_xml => Box::new(marc::xml_records(file)),
        _ => Box::new(marc::records(file)),
    };
    for book in books {
        // The receiver is gone because the run was cancelled.
        if sender.blocking_send(book).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

fn of_book(source: Source, cover: String) -> Book {
    let lang = Lang::from_tag(&source.language).unwrap_or(Lang::En);
    let mut title = LocalText::of(lang, source.title);
    if !source.english_title.is_empty() {
        title.0.entry(Lang::En).or_insert(source.english_title);
    }
    let editors = source.contributors.iter().filter(|person| person.role == "editor");
    Book {
        key: source.key,
        isbn: source.isbn,
        title,
        subtitle: if source.subtitle.is_empty() { LocalText::default() } else { LocalText::of(lang, source.subtitle) },
        edition: source.edition,
        publisher: source.publisher,
        chief_editor: editors.map(|person| person.name.listed()).next().unwrap_or_default(),
        contributors: source
            .contributors
            .iter()
            .map(|person| BookContributor {
                name: person.name.listed(),
                role: person.role.clone(),
                bio: crate::sanitize::clean(&person.bio),
            })
            .collect(),
        first_published: if source.first_published.is_empty() { source.published } else { source.first_published },
        language: source.language,
        introduction: if source.description.is_empty() {
            LocalText::default()
        } else {
            LocalText::of(lang, crate::sanitize::clean(&source.description))
        },
        catalogue: source.contents.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect(),
        subjects: source.subjects,
        pages: source.pages.unwrap_or(0),
        cover,
    }
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Texts by language; of those in other languages than the portal's, the first stands for English where there is none.
pub(super) fn texts(texts: &[(String, String)]) -> LocalText {
    let mut all = LocalText::default();
    let known = texts.iter().filter_map(|(tag, text)| Some((Lang::from_tag(tag)?, text)));
    let other = texts.iter().filter(|(tag, _)| Lang::from_tag(tag).is_none()).map(|(_, text)| (Lang::En, text));
    for (lang, text) in known.chain(other) {
        all.0.entry(lang).or_insert_with(|| text.clone());
    }
    all
}

pub(super) fn outcome<Id: Copy>(mut item: Item, saved: Result<Saved<Id>, masthead_store::StoreError>) -> Item {
    match saved {
        Ok(saved) => item.outcome = saved.into(),
        Err(error) => return item.fail(&error.into()),
    }
    item
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::SiteId;
    use masthead_store::Store;

    use super::*;
    use crate::import::Format;

    #[tokio::test]
    async fn items_say_which_of_their_dates_no_calendar_has() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let onix = "<ONIXMessage release='3.0'><Product><RecordReference>r1</RecordReference><DescriptiveDetail><TitleDetail>\
                    <TitleType>01</TitleType><TitleElement><TitleText>Tides</TitleText></TitleElement></TitleDetail></DescriptiveDetail>\
                    <PublishingDetail><PublishingDate><PublishingDateRole>01</PublishingDateRole><Date>20150229</Date></PublishingDate>\
                    </PublishingDetail></Product></ONIXMessage>";
        let work = "{\"DOI\":\"10.5555/x\",\"type\":\"journal-article\",\"title\":[\"Tides\"],\"container-title\":[\"Ledger\"],\
                    \"issue\":\"2\",\"published-online\":{\"date-parts\":[[2015,2,29]]},\"reference-count\":0}";
        let ojs = "<issue published='1'><issue_identification><number>4</number><year>2015</year></issue_identification>\
                   <date_published>2015-02-29</date_published><articles><article locale='en'><title>Silt</title>\
                   <date_published>2015-02-29</date_published></article></articles></issue>";
        for (name, text, format, kinds) in [
            ("onix.xml", onix, Format::Onix, &["book"][..]),
            ("crossref.json", work, Format::Crossref, &["article"][..]),
            ("ojs.xml", ojs, Format::Ojs, &["period", "article"][..]),
        ] {
            let (path, mut items) = (folder.path().join(name), Vec::<Item>::new());
            std::fs::write(&path, text).unwrap();
            let mut importer = Importer::new(&store, SiteId(448), folder.path(), true);
            importer.run(&[path], format, &mut |item| items.push(item)).await.unwrap();
            for kind in kinds {
                let warnings = items.iter().filter(|item| item.kind == *kind).flat_map(|item| &item.warnings);
                let dates = warnings.filter(|warning| warning.contains("no calendar has the day 29 of month 2"));
                assert_eq!(dates.count(), 1, "{name}, {kind}: {items:?}");
            }
            assert!(items.iter().all(|item| item.outcome != Outcome::Failed), "{name}: {items:?}");
        }
        store.close().await;
    }
}
