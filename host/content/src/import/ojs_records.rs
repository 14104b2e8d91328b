//! What an export has besides issues and articles: the journal, sections, announcements, pages, usage counts, the order of issues.

use std::collections::HashMap;

use masthead_documents::jats::Omission;
use masthead_domain::{
    ArticleId, Lang,
    article::JournalRef,
    publication::Issue,
    resource::{Column, Information, News, NewsType},
    text::without_tags,
};
use masthead_formats::catalogues::ojs::{Imported, OjsAnnouncement, OjsIssue, OjsPage, OjsSection, Texts, UsageCount};
use masthead_store::{ImportedCount, StoreError, StoredResource, subjects};

use crate::{
    import::{
        Importer, Item, OnItem, Outcome,
        article::kept_by_hand,
        ojs::TargetJournal,
        ojs_addresses::Moved,
        records::{number, outcome, texts},
    },
    sanitize,
};

impl Importer {
    /// The journal of an export: the one that it names, which is added if the site does not have it, else the first of the site. A site
    /// without journals gets the one that the articles name.
    pub(super) async fn ojs_target(
        &self,
        made: &Imported,
        shown: &str,
        on_item: OnItem<'_>,
    ) -> Result<TargetJournal, StoreError> {
        let (journal, store) = (&made.journal, &self.converter.media_writer.store);
        let named = !journal.names.title.is_empty();
        let mut of = if named { journal.names.clone() } else { self.first_journal().await? };
        if of.title.is_empty() {
            let mut in_articles = made.articles.records.iter().map(|one| &one.article.meta.journal);
            of = in_articles.find(|journal| !journal.title.is_empty()).cloned().unwrap_or_default();
        }
        if named {
            on_item(self.journal(shown, &of).await);
        } else if !self.converter.dry_run {
            store.ensure_journal(&of).await?;
        }
        if of.title.is_empty() {
            // The name that it got when it was added.
            of = self.first_journal().await?;
        }
        let key = store.journal_key(&of).await?.unwrap_or_default();
        if named && !self.converter.dry_run {
            self.ojs_introduction(&key, &journal.description).await?;
        }
        Ok(TargetJournal { of, key, prefixes: self.ojs_prefixes(&journal.path) })
    }

    async fn first_journal(&self) -> Result<JournalRef, StoreError> {
        let journals = self.converter.media_writer.store.journals().await?;
        Ok(journals.first().map_or_else(JournalRef::default, |journal| JournalRef {
            title: journal.title.get(Lang::En).to_owned(),
            issn: [&journal.issn, &journal.eissn].into_iter().filter(|issn| !issn.is_empty()).cloned().collect(),
            ..JournalRef::default()
        }))
    }

    /// Introduces a journal that has no introduction yet, unless an editor has taken it away.
    async fn ojs_introduction(&self, key: &str, description: &Texts) -> Result<(), StoreError> {
        let store = &self.converter.media_writer.store;
        let journals = store.journals().await?;
        let journal = journals.into_iter().find(|journal| journal.key == key && journal.introduction.is_empty());
        let Some(mut journal) = journal.filter(|_| !description.is_empty()) else { return Ok(()) };
        let edits = store.edits(&subjects::journal(key)).await?;
        if edits.iter().any(|(path, _)| path.split('.').next() == Some("introduction")) {
            return Ok(());
        }
        journal.introduction = texts(&plain(description));
        store.save_journal(&journal).await
    }

    pub(super) async fn ojs_section(&self, shown: &str, section: &OjsSection, target: &TargetJournal) -> Item {
        let column = Column {
            key: format!("ojs:{}/{}", target.key, section.key),
            journal: target.key.clone(),
            title: texts(&section.titles),
            abbreviation: texts(&section.abbreviations),
            introduction: texts(&plain(&section.policies)),
            position: section.position,
            ..Column::default()
        };
        self.ojs_resource(shown, column).await.0
    }

    /// Completes an issue with the order in which OJS lists its sections and articles. The keys of articles are known when they are stored:
    /// `stored` are the articles of the export, in its order.
    pub(super) async fn ojs_order(
        &self,
        shown: &str,
        issue: &OjsIssue,
        stored: &[Option<ArticleId>],
        target: &TargetJournal,
    ) -> Item {
        let item = Item::of(shown.to_owned(), "period");
        let ids: Vec<ArticleId> =
            issue.order.iter().filter_map(|place| stored.get(*place).copied().flatten()).collect();
        let metas = match self.converter.media_writer.store.metas(&ids).await {
            Ok(metas) => metas,
            Err(error) => return item.fail(&error.into()),
        };
        let keys = ids.iter().filter_map(|id| metas.get(id)).map(|(meta, _)| meta.source_key.clone());
        let ordered = Issue {
            year: issue.period.year.unwrap_or_default(),
            issue: number(&issue.period),
            sections: issue.sections.clone(),
            articles: keys.collect(),
            ..Issue::default()
        };
        self.save_issue(&target.of, &ordered, item).await
    }

    pub(super) async fn ojs_announcement(
        &self,
        shown: &str,
        announcement: &OjsAnnouncement,
        target: &TargetJournal,
        moved: &mut Moved,
    ) -> Item {
        let title = announcement.titles.first().map(|(_, title)| title.as_str()).unwrap_or_default();
        let name = if announcement.id.is_empty() { title } else { &announcement.id };
        let news = News {
            key: format!("ojs:{}/{name}", target.key),
            kind: NewsType::Announcement,
            title: texts(&announcement.titles),
            summary: texts(&plain(&announcement.summaries)),
            content: texts(&announcement.contents),
            date: announcement.date.clone(),
            ..News::default()
        };
        let (mut item, id) = self.ojs_resource(shown, news).await;
        item.warnings.extend(announcement.warnings.iter().cloned());
        if let Some(id) = id {
            moved.announcement(&announcement.id, id);
        }
        item
    }

    pub(super) async fn ojs_page(
        &self,
        shown: &str,
        page: &OjsPage,
        target: &TargetJournal,
        moved: &mut Moved,
    ) -> Item {
        let information = Information {
            key: format!("ojs:{}/{}", target.key, page.path),
            title: texts(&page.titles),
            content: texts(&page.contents),
            ..Information::default()
        };
        let (item, id) = self.ojs_resource(shown, information).await;
        if let Some(id) = id {
            moved.page(&page.path, id);
        }
        item
    }

    /// Stores a resource, with the fields that were edited by hand; returns its number if it is stored.
    async fn ojs_resource<T: StoredResource>(&self, shown: &str, value: T) -> (Item, Option<i64>) {
        let mut item = Item::of(shown.to_owned(), T::KIND.as_str());
        let value = match sanitize::cleaned(value) {
            Ok(value) => value,
            Err(error) => return (item.fail(&error), None),
        };
        if self.converter.dry_run {
            item.outcome = Outcome::Valid;
            return (item, None);
        }
        let saved = self.converter.media_writer.store.import_resource(&value).await;
        let saved = saved.map(|(saved, kept)| {
            item.warnings.extend(kept_by_hand(&kept));
            saved
        });
        let id = saved.as_ref().ok().map(|saved| saved.id());
        (outcome(item, saved), id)
    }

    /// Takes over the counts of the articles of this run, and of those that an earlier run has imported.
    pub(super) async fn ojs_counts(&self, shown: &str, counts: &[UsageCount], prefixes: &[String]) -> Item {
        let mut item = Item::of(shown.to_owned(), "counts");
        if self.converter.dry_run {
            return Item { outcome: Outcome::Valid, number: Some(counts.len()), ..item };
        }
        match self.take_counts(counts, prefixes, &mut item).await {
            Ok(0) => Item { outcome: Outcome::Unchanged, ..item },
            Ok(_) => Item { outcome: Outcome::Updated, ..item },
            Err(error) => item.fail(&error),
        }
    }

    async fn take_counts(&self, counts: &[UsageCount], prefixes: &[String], item: &mut Item) -> anyhow::Result<usize> {
        let store = &self.converter.media_writer.store;
        let articles = self.ojs_counted(counts, prefixes).await?;
        let ids: Vec<ArticleId> = articles.values().copied().collect();
        // A redirect leads on to an article that was removed, and an export has articles that are withdrawn here: neither is counted.
        let present = store.changed_at(&ids).await?;
        let known: Vec<ImportedCount> = counts
            .iter()
            .filter_map(|count| {
                let article = *articles.get(&count.article).filter(|id| present.contains_key(*id))?;
                Some(ImportedCount { article, day: count.day, visits: count.views, downloads: count.downloads })
            })
            .collect();
        if known.len() < counts.len() {
            let texts = u32::try_from(counts.len() - known.len()).unwrap_or(u32::MAX);
            let reason = "import the export with these articles first, or together with the counts";
            item.left_out.push(Omission { path: "counts of articles that are not on the site", reason, texts });
        }
        item.number = Some(known.len());
        Ok(store.import_article_counts(&known).await?)
    }

    /// The articles that counts may name, by their numbers in OJS: those of this run, and, where these are not all, those of earlier ones.
    async fn ojs_counted(
        &self,
        counts: &[UsageCount],
        prefixes: &[String],
    ) -> anyhow::Result<HashMap<String, ArticleId>> {
        let own = &self.ojs.articles;
        let complete = counts.iter().all(|count| own.contains_key(&count.article));
        // Without the address of the journal, numbers of other journals may be the same ones.
        let earlier = !complete && (own.is_empty() || !prefixes.is_empty());
        let mut articles = if earlier { self.ojs_earlier_articles(prefixes).await? } else { HashMap::new() };
        articles.extend(own.iter().map(|(number, id)| (number.clone(), *id)));
        Ok(articles)
    }
}

/// Texts without their markup.
fn plain(texts: &Texts) -> Texts {
    texts.iter().map(|(lang, html)| (lang.clone(), without_tags(html))).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::{SiteId, resource::ResourceKind};
    use masthead_formats::catalogues::Period;
    use masthead_store::{Store, Totals};
    use serde_json::json;

    use super::*;
    use crate::records::{RecordEdit, RecordType, Records};

    const SITE: SiteId = SiteId(448);

    /// A folder with a store, and an importer into it.
    async fn desk() -> (tempfile::TempDir, Store, Importer) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let importer = Importer::new(&store, SITE, folder.path(), false);
        (folder, store, importer)
    }

    fn edit(path: &str, text: &str) -> RecordEdit {
        RecordEdit { fields: vec![(path.to_owned(), json!(text))], who: "ada".to_owned(), ..RecordEdit::default() }
    }

    #[tokio::test]
    async fn a_repeated_import_keeps_what_an_editor_has_changed() {
        let (folder, store, importer) = desk().await;
        let records = Records::new(&store, SITE, folder.path());
        let target = TargetJournal { of: JournalRef::default(), key: "ferry".to_owned(), prefixes: Vec::new() };
        let call = OjsAnnouncement {
            id: "7".to_owned(),
            date: "2026-05-01".to_owned(),
            titles: vec![("en".to_owned(), "Call".to_owned())],
            ..OjsAnnouncement::default()
        };
        let first = importer.ojs_announcement("x", &call, &target, &mut Moved::default()).await;
        assert_eq!(first.outcome, Outcome::Created, "{first:?}");
        let news = RecordType::Resource(ResourceKind::News);
        records.set(news, "ojs:ferry/7", &edit("title.en", "Closed")).await.unwrap();
        let again = importer.ojs_announcement("x", &call, &target, &mut Moved::default()).await;
        assert_eq!((again.outcome, again.warnings.len()), (Outcome::Unchanged, 1), "{again:?}");
        assert!(again.warnings[0].contains("title.en"), "{again:?}");
        let stored = store.site(SITE).resource_by_key::<News>("ojs:ferry/7").await.unwrap().unwrap();
        assert_eq!(stored.value.title.get(Lang::En), "Closed");
        store.close().await;
    }

    #[tokio::test]
    async fn an_introduction_that_an_editor_has_taken_away_stays_away() {
        let (folder, store, importer) = desk().await;
        let of = JournalRef { title: "Ferry".to_owned(), ..JournalRef::default() };
        store.site(SITE).ensure_journal(&of).await.unwrap();
        let description = vec![("en".to_owned(), "<p>On boats</p>".to_owned())];
        let introduction = async || {
            importer.ojs_introduction("ferry", &description).await.unwrap();
            store.site(SITE).journals().await.unwrap().remove(0).introduction.get(Lang::En).to_owned()
        };
        assert_eq!(introduction().await, "On boats");
        let records = Records::new(&store, SITE, folder.path());
        let away = RecordEdit { fields: vec![("introduction.en".to_owned(), json!(null))], ..edit("", "") };
        records.set(RecordType::Journal, "ferry", &away).await.unwrap();
        assert_eq!(introduction().await, "");
        store.close().await;
    }

    #[tokio::test]
    async fn an_order_that_an_editor_has_set_stays() {
        let (folder, store, importer) = desk().await;
        let of = JournalRef { title: "Ferry".to_owned(), ..JournalRef::default() };
        store.site(SITE).ensure_journal(&of).await.unwrap();
        let target = TargetJournal { of, key: "ferry".to_owned(), prefixes: Vec::new() };
        let period = Period { year: Some(2026), issue: "3".to_owned(), ..Period::default() };
        let sections = ["Letters", "Articles"].map(str::to_owned).to_vec();
        let issue = OjsIssue { period, sections, ..OjsIssue::default() };
        for expected in [Outcome::Created, Outcome::Unchanged] {
            assert_eq!(importer.ojs_order("x", &issue, &[], &target).await.outcome, expected);
        }
        let records = Records::new(&store, SITE, folder.path());
        let by_hand = RecordEdit { fields: vec![("sections".to_owned(), json!(["Articles"]))], ..edit("", "") };
        records.set(RecordType::Issue, "ferry/2026/3", &by_hand).await.unwrap();
        let again = importer.ojs_order("x", &issue, &[], &target).await;
        assert_eq!(again.outcome, Outcome::Unchanged, "{again:?}");
        assert_eq!(again.warnings, ["kept as edited by hand: sections"]);
        let stored = store.site(SITE).issues("ferry").await.unwrap().remove(0);
        assert_eq!(stored.sections, ["Articles"]);
        store.close().await;
    }

    #[tokio::test]
    async fn articles_that_are_not_on_the_site_are_not_counted() {
        let (_folder, store, mut importer) = desk().await;
        importer.ojs.articles.insert("12".to_owned(), ArticleId(5));
        let counts = [UsageCount { article: "12".to_owned(), day: None, views: 3, downloads: 1 }];
        let item = importer.ojs_counts("x", &counts, &[]).await;
        assert_eq!((item.outcome, item.left_out.len()), (Outcome::Unchanged, 1), "{item:?}");
        assert_eq!(store.site(SITE).totals("article", 5).await.unwrap(), Totals::default());
        store.close().await;
    }
}
