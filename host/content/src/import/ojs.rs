//! OJS native XML: imports its issues, and its articles with their embedded files, into the journal of the site.

use std::path::Path;

use masthead_domain::{Lang, article::JournalRef};
use masthead_formats::catalogues::{
    Period,
    ojs::{self, OjsArticle, OjsFile},
};

use crate::import::{
    Importer, Item, OnItem, Prepared,
    article::{SourceFolder, from_other_format},
    records::parsed,
};

impl Importer {
    /// Imports an OJS export. OJS does not name the journal, so the first journal of the site is used.
    pub(super) async fn ojs(&mut self, path: &Path, on_item: OnItem<'_>) {
        let shown = path.display().to_string();
        let made = match parsed(path, |bytes| ojs::import(bytes, super::article::read_jats)).await {
            Ok(made) => made,
            Err(error) => return on_item(Item::failed(shown, "ojs", &format!("{error:#}"))),
        };
        let journal = match self.first_journal().await {
            Ok(journal) => journal,
            Err(error) => return on_item(Item::of(shown, "ojs").fail(&error.into())),
        };
        for period in made.periods {
            on_item(self.period(&shown, &Period { journal: journal.clone(), ..period }).await);
        }
        for article in made.articles.records {
            if self.is_stopped() {
                return;
            }
            let item = Item::of(shown.clone(), "article");
            on_item(match self.ojs_article(article, &journal, item.clone()).await {
                Ok(item) => item,
                Err(error) => item.fail(&error),
            });
        }
        for fault in &made.articles.faults {
            on_item(Item::failed(shown.clone(), "article", fault));
        }
    }

    async fn first_journal(&self) -> Result<JournalRef, masthead_store::StoreError> {
        let journals = self.converter.media_writer.store.journals().await?;
        Ok(journals.first().map_or_else(JournalRef::default, |journal| JournalRef {
            title: journal.title.get(Lang::En).to_owned(),
            issn: [&journal.issn, &journal.eissn].into_iter().filter(|issn| !issn.is_empty()).cloned().collect(),
            ..JournalRef::default()
        }))
    }

    async fn ojs_article(&mut self, source: OjsArticle, journal: &JournalRef, mut item: Item) -> anyhow::Result<Item> {
        let mut article = source.article;
        if article.meta.journal.title.is_empty() && article.meta.journal.issn.is_empty() {
            article.meta.journal = journal.clone();
        }
        std::fs::create_dir_all(&self.scratch)?;
        let folder = tempfile::tempdir_in(&self.scratch)?;
        let assets = lay_out(&source.files, folder.path(), &mut item)?;
        let pdf = source.files.iter().find(|file| file.role == "galley" && file.mime == "application/pdf");
        if let Some(name) =
            pdf.map(|file| crate::import::job::file_name(&file.name)).filter(|name| assets.contains(name))
        {
            article.meta.pdf = name;
        }
        let (imported, digest) = from_other_format(article, assets)?;
        let ready =
            self.converter.store(imported, digest, SourceFolder { folder: folder.path(), stem: "" }, &mut item).await;
        Ok(self.commit(Prepared { item, ready }).await)
    }
}

/// Writes the embedded files to a folder and returns their names. Files that are only linked are not fetched; a warning names them.
fn lay_out(files: &[OjsFile], folder: &Path, item: &mut Item) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::with_capacity(files.len());
    for file in files {
        if file.bytes.is_empty() {
            if !file.href.is_empty() {
                item.warnings.push(format!(
                    "the file {} is not embedded, only linked ({}); it is not fetched",
                    file.name, file.href
                ));
            }
            continue;
        }
        let name = crate::import::job::file_name(&file.name);
        if names.contains(&name) {
            item.warnings.push(format!("two files have the name {name}; the second is skipped"));
            continue;
        }
        std::fs::write(folder.join(&name), &file.bytes)?;
        names.push(name);
    }
    Ok(names)
}
