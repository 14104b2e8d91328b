//! What an export has besides issues and articles: the journal, sections, announcements, pages, usage counts.

use std::collections::HashMap;

use masthead_documents::jats::LeftOut;
use masthead_domain::{
    Lang,
    article::JournalRef,
    resource::{Column, Information, News, NewsType},
    text::without_tags,
};
use masthead_formats::catalogues::ojs::{Imported, OjsAnnouncement, OjsPage, OjsSection, Texts, UsageCount};
use masthead_store::{ImportedCount, StoreError, StoredResource};

use crate::{
    import::{
        Importer, Item, OnItem, Outcome,
        ojs::Target,
        ojs_addresses::Moved,
        records::{outcome, texts},
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
    ) -> Result<Target, StoreError> {
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
        Ok(Target { of, key, prefixes: self.ojs_prefixes(&journal.path) })
    }

    async fn first_journal(&self) -> Result<JournalRef, StoreError> {
        let journals = self.converter.media_writer.store.journals().await?;
        Ok(journals.first().map_or_else(JournalRef::default, |journal| JournalRef {
            title: journal.title.get(Lang::En).to_owned(),
            issn: [&journal.issn, &journal.eissn].into_iter().filter(|issn| !issn.is_empty()).cloned().collect(),
            ..JournalRef::default()
        }))
    }

    /// Introduces a journal that has no introduction yet.
    async fn ojs_introduction(&self, key: &str, description: &Texts) -> Result<(), StoreError> {
        let store = &self.converter.media_writer.store;
        let journals = store.journals().await?;
        let journal = journals.into_iter().find(|journal| journal.key == key && journal.introduction.is_empty());
        match journal {
            Some(mut journal) if !description.is_empty() => {
                journal.introduction = texts(&plain(description));
                store.save_journal(&journal).await
            }
            _ => Ok(()),
        }
    }

    pub(super) async fn ojs_section(&self, shown: &str, section: &OjsSection, target: &Target) -> Item {
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

    pub(super) async fn ojs_announcement(
        &self,
        shown: &str,
        announcement: &OjsAnnouncement,
        target: &Target,
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
        let (item, id) = self.ojs_resource(shown, news).await;
        if let Some(id) = id {
            moved.announcement(&announcement.id, id);
        }
        item
    }

    pub(super) async fn ojs_page(&self, shown: &str, page: &OjsPage, target: &Target, moved: &mut Moved) -> Item {
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

    /// Stores a resource; returns its number if it is stored.
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
        let saved = self.converter.media_writer.store.save_resource(&value).await;
        let id = saved.as_ref().ok().map(|saved| saved.id());
        (outcome(item, saved), id)
    }

    /// Takes over the counts of the articles of this run, else of those that an earlier run has imported.
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
        let earlier =
            if self.ojs.articles.is_empty() { self.ojs_earlier_articles(prefixes).await? } else { HashMap::new() };
        let articles = if self.ojs.articles.is_empty() { &earlier } else { &self.ojs.articles };
        let known: Vec<ImportedCount> = counts
            .iter()
            .filter_map(|count| {
                let article = *articles.get(&count.article)?;
                Some(ImportedCount { article, day: count.day, visits: count.views, downloads: count.downloads })
            })
            .collect();
        if known.len() < counts.len() {
            let texts = u32::try_from(counts.len() - known.len()).unwrap_or(u32::MAX);
            let reason = "import the export with these articles first, or together with the counts";
            item.left_out.push(LeftOut { path: "counts of articles that are not on the site", reason, texts });
        }
        item.number = Some(known.len());
        Ok(self.converter.media_writer.store.import_article_counts(&known).await?)
    }
}

/// Texts without their markup.
fn plain(texts: &Texts) -> Texts {
    texts.iter().map(|(lang, html)| (lang.clone(), without_tags(html))).collect()
}
