//! Exports of OJS: imports the journal with its issues, articles and their files, sections, announcements, pages and usage counts,
//! and saves redirects for the addresses that they had.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use masthead_documents::jats::Omission;
use masthead_domain::{ArticleId, article::JournalRef};
use masthead_formats::{
    archive::Unpacked,
    catalogues::ojs::{self, Imported, OjsIssue},
};
use masthead_store::Store;

use crate::{
    import::{
        Importer, Item, OnItem, Outcome,
        article::read_jats,
        ojs_addresses::{Moved, OldAddress},
        ojs_articles::linked_bytes,
        package::unpack,
        records::{folder_of, parsed},
        source,
    },
    scratch::Scratch,
};

/// What the imports of one run know from each other.
pub(super) struct Run {
    /// The addresses of the journal in OJS, if they are given.
    pub(super) old_addresses: Vec<OldAddress>,
    pub(super) store: Store,
    /// The articles of this run by their numbers in OJS.
    pub(super) articles: HashMap<String, ArticleId>,
}

impl Run {
    pub(super) fn new(store: Store) -> Self {
        Self { old_addresses: Vec::new(), store, articles: HashMap::new() }
    }
}

/// The journal that an export belongs to.
pub(super) struct TargetJournal {
    pub(super) of: JournalRef,
    /// Its key, or "" in a dry run on a site that does not have it.
    pub(super) key: String,
    /// The paths of the journal in OJS (`/index.php/rivers`).
    pub(super) prefixes: Vec<String>,
}

/// Counts things that are left out of an import.
pub(super) fn leave_out(list: &mut Vec<Omission>, path: &'static str, reason: &'static str, times: usize) {
    let times = u32::try_from(times).unwrap_or(u32::MAX);
    match list.iter_mut().find(|known| known.path == path) {
        _ if times == 0 => {}
        Some(known) => known.texts = known.texts.saturating_add(times),
        None => list.push(Omission { path, reason, texts: times }),
    }
}

impl Importer {
    /// Imports an export of OJS, a package of one, or a usage report. An export of issues does not name its journal: then the first
    /// journal of the site is used.
    pub(super) async fn ojs(&mut self, path: &Path, on_item: OnItem<'_>) {
        let shown = path.display().to_string();
        if !source::is_package(path) {
            return self.ojs_file(path, &shown, on_item).await;
        }
        match unpack(path, &self.scratch).await {
            Ok((folder, unpacked)) => {
                let files = exports(folder.path(), &unpacked);
                if files.is_empty() {
                    let reason = "the package has no export of OJS: there is no journal.xml and no native XML in it";
                    on_item(Item::failed(shown.clone(), "package", &reason));
                }
                for (file, name) in files {
                    if self.is_stopped() {
                        return;
                    }
                    self.ojs_file(&file, &format!("{shown}/{name}"), on_item).await;
                }
            }
            Err(error) => on_item(Item::of(shown, "package").fail(&error)),
        }
    }

    async fn ojs_file(&mut self, path: &Path, shown: &str, on_item: OnItem<'_>) {
        self.converter.reading.note(shown);
        if source::is_usage_report(path) {
            let counts = parsed(path, ojs::usage::report).await;
            return on_item(match counts {
                Ok(counts) => self.ojs_counts(shown, &counts, &self.ojs_prefixes("")).await,
                Err(error) => Item::failed(shown.to_owned(), "counts", &format!("{error:#}")),
            });
        }
        let beside = folder_of(path).to_owned();
        let folder = beside.clone();
        let read = move |bytes: &[u8]| ojs::import(bytes, read_jats, &|href| linked_bytes(&beside, href));
        match parsed(path, read).await {
            Ok(made) => self.ojs_export(made, shown, &folder, on_item).await,
            Err(error) => on_item(Item::failed(shown.to_owned(), "ojs", &format!("{error:#}"))),
        }
    }

    async fn ojs_export(&mut self, mut made: Imported, shown: &str, folder: &Path, on_item: OnItem<'_>) {
        let target = match self.ojs_target(&made, shown, on_item).await {
            Ok(target) => target,
            Err(error) => return on_item(Item::of(shown.to_owned(), "ojs").fail(&error.into())),
        };
        let mut moved = Moved::default();
        let mut export = Item { outcome: Outcome::Valid, ..Item::of(shown.to_owned(), "export") };
        for one in &made.left_out {
            leave_out(&mut export.left_out, one.what, one.reason, one.times as usize);
        }
        self.ojs_journal_addresses(&target, &mut moved).await;
        for section in &made.sections {
            if self.is_stopped() {
                return;
            }
            on_item(self.ojs_section(shown, section, &target).await);
        }
        let mut outcomes = Vec::with_capacity(made.issues.len());
        for issue in &made.issues {
            if self.is_stopped() {
                return;
            }
            moved.issue(issue, &target.key);
            let item = self.ojs_issue(shown, folder, issue, &target).await;
            outcomes.push(item.outcome);
            on_item(item);
        }
        let mut stored = Vec::with_capacity(made.articles.records.len());
        for mut article in std::mem::take(&mut made.articles.records) {
            if self.is_stopped() {
                return;
            }
            let warnings = std::mem::take(&mut article.warnings);
            let item = Item { warnings, ..Item::of(shown.to_owned(), "article") };
            let done = self.ojs_article(article, &target, folder, item.clone(), &mut moved, &mut export).await;
            let done = done.unwrap_or_else(|error| item.fail(&error));
            stored.push(done.article.map(ArticleId));
            on_item(done);
        }
        self.ojs_orders(&made, (&outcomes, &stored), shown, &target, on_item).await;
        for fault in &made.articles.faults {
            on_item(Item::failed(shown.to_owned(), "article", fault));
        }
        self.ojs_besides(&made, shown, &target, moved, on_item).await;
        if self.is_stopped() {
            return;
        }
        if target.prefixes.is_empty() {
            let hint = "the export does not say which address the journal had, so that old addresses lead nowhere: import it \
                        again with --old-address https://HOST/index.php/JOURNAL, or in a call with oldAddress";
            export.warnings.push(hint.to_owned());
        }
        on_item(export);
    }

    /// Completes the issues with the order of their sections and articles. `outcomes` are those of the issues, `stored` are the articles here,
    /// both in the order of the export. An issue that the run has added or changed is not reported once more.
    async fn ojs_orders(
        &self,
        made: &Imported,
        (outcomes, stored): (&[Outcome], &[Option<ArticleId>]),
        shown: &str,
        target: &TargetJournal,
        on_item: OnItem<'_>,
    ) {
        for (at, (issue, outcome)) in made.issues.iter().zip(outcomes).enumerate() {
            if self.is_stopped() {
                return;
            }
            let is_same =
                |other: &OjsIssue| other.period.year == issue.period.year && other.period.issue == issue.period.issue;
            let has_order = !issue.sections.is_empty() || !issue.order.is_empty();
            let is_stored = matches!(outcome, Outcome::Created | Outcome::Updated | Outcome::Unchanged);
            // Of an issue that the export has twice, the first one decides.
            if !has_order || !is_stored || made.issues.iter().take(at).any(is_same) {
                continue;
            }
            let item = self.ojs_order(shown, issue, stored, target).await;
            let is_news = item.outcome == Outcome::Updated && *outcome == Outcome::Unchanged;
            if is_news || item.outcome == Outcome::Failed || !item.warnings.is_empty() {
                on_item(item);
            }
        }
    }

    /// Imports what an export has besides articles, and saves the redirects to all of it.
    async fn ojs_besides(
        &self,
        made: &Imported,
        shown: &str,
        target: &TargetJournal,
        mut moved: Moved,
        on_item: OnItem<'_>,
    ) {
        for announcement in &made.announcements {
            if self.is_stopped() {
                return;
            }
            on_item(self.ojs_announcement(shown, announcement, target, &mut moved).await);
        }
        for page in &made.pages {
            if self.is_stopped() {
                return;
            }
            on_item(self.ojs_page(shown, page, target, &mut moved).await);
        }
        if !made.counts.is_empty() && !self.is_stopped() {
            on_item(self.ojs_counts(shown, &made.counts, &target.prefixes).await);
        }
        if !target.prefixes.is_empty() && !self.is_stopped() {
            on_item(self.ojs_redirects(shown, moved.redirects(&target.prefixes, &made.locales)).await);
        }
    }

    /// The paths of a journal in OJS: those that are given, else those that its name makes.
    pub(super) fn ojs_prefixes(&self, name: &str) -> Vec<String> {
        let mut given: Vec<String> = self.ojs.old_addresses.iter().map(|old| old.path().to_owned()).collect();
        if given.is_empty() && !name.is_empty() {
            return vec![format!("/index.php/{name}"), format!("/{name}")];
        }
        // Where addresses of several journals are given, those that end in the name of this one are its own.
        let is_own = |path: &String| !name.is_empty() && path.rsplit('/').next() == Some(name);
        if given.iter().any(is_own) {
            given.retain(|path| path.is_empty() || is_own(path));
        }
        given
    }

    /// Stores an issue with its cover.
    async fn ojs_issue(&self, shown: &str, beside: &Path, issue: &OjsIssue, target: &TargetJournal) -> Item {
        let mut period = issue.period.clone();
        period.journal.clone_from(&target.of);
        let Some(cover) = &issue.cover else { return self.period(shown, beside, &period).await };
        if cover.bytes.is_empty() {
            period.cover.clone_from(&cover.href);
            return self.period(shown, beside, &period).await;
        }
        let laid_out = Scratch::new(&self.scratch, "issue-").and_then(|folder| {
            period.cover = crate::import::job::file_name(&cover.name);
            std::fs::write(folder.path().join(&period.cover), &cover.bytes).map(|()| folder)
        });
        match laid_out {
            Ok(folder) => self.period(shown, folder.path(), &period).await,
            Err(error) => {
                let error = anyhow::Error::from(error).context("writing the cover of the issue");
                Item::of(shown.to_owned(), "period").fail(&error)
            }
        }
    }
}

/// The exports in an unpacked package, with their names in it.
fn exports(folder: &Path, unpacked: &Unpacked) -> Vec<(PathBuf, String)> {
    let mut names: Vec<&str> = unpacked.files.iter().map(|file| file.name.as_str()).collect();
    names.sort_unstable_by_key(|name| (source::is_usage_report(Path::new(name)), *name));
    let files = names.into_iter().map(|name| (folder.join(name), name.to_owned()));
    files.filter(|(path, _)| source::is_ojs(path)).collect()
}
