//! The addresses of OJS, and what is there now.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    str::FromStr,
};

use masthead_domain::ArticleId;
use masthead_formats::catalogues::ojs::{OjsFile, OjsIssue};
use masthead_store::{AuditQuery, Redirect, RedirectTarget};

use crate::{
    import::{Format, Importer, Item, Outcome, article::kept_by_hand, ojs::TargetJournal},
    redirects,
};

/// What stands before the path of a redirect in the name of its record ([`masthead_store::subjects::redirect`]).
const REDIRECTS: &str = "redirect";

/// The address that a journal had in OJS, such as `https://journals.example.org/index.php/rivers`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldAddress(String);

impl OldAddress {
    /// Its path, without trailing slash; "" if the journal had a host of its own.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.0
    }

    /// Checks that files of this format have old addresses, where any are given.
    ///
    /// # Errors
    /// A message, if they have none.
    pub fn fit<T>(given: &[T], format: Format) -> Result<(), String> {
        if given.is_empty() || matches!(format, Format::Ojs | Format::Auto) {
            return Ok(());
        }
        Err("an old address belongs to an export of OJS: import it with the format ojs".to_owned())
    }

    /// Reads the addresses that are given for files of a format.
    ///
    /// # Errors
    /// A message, if one of them is none, or files of this format have none.
    pub fn all(given: &[String], format: Format) -> Result<Vec<Self>, String> {
        Self::fit(given, format)?;
        given.iter().map(|address| address.parse()).collect()
    }
}

impl FromStr for OldAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("{text:?} is no address of a journal: write https://HOST/index.php/JOURNAL or its path");
        let text = text.trim();
        let path = match text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")) {
            Some(rest) => rest.find('/').map_or("", |at| &rest[at..]),
            None if text.starts_with('/') => text,
            None => return Err(form()),
        };
        let path = path.trim_end_matches('/');
        if path.is_empty() || path.strip_prefix('/').is_some_and(|path| path.split('/').all(is_plain)) {
            Ok(Self(path.to_owned()))
        } else {
            Err(form())
        }
    }
}

/// Whether a text can be a part of an address of OJS.
fn is_plain(part: &str) -> bool {
    (1..=200).contains(&part.len())
        && !part.bytes().all(|byte| byte == b'.')
        && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-~".contains(&byte))
}

/// A file of an article, and where it is now.
pub(super) struct MovedFile<'a> {
    pub file: &'a OjsFile,
    /// Its address below the root of the site, or "" if it is not stored.
    pub address: String,
}

/// The names of an article in addresses.
pub(super) struct ArticleNames<'a> {
    /// Its number, or "".
    pub number: &'a str,
    /// Names that may stand for the number.
    pub others: Vec<&'a str>,
    pub versions: &'a [String],
    pub files: &'a [MovedFile<'a>],
}

/// What is now at the addresses below that of a journal.
#[derive(Default)]
pub(super) struct Moved(BTreeMap<String, RedirectTarget>);

impl Moved {
    fn add(&mut self, path: String, to: &RedirectTarget) {
        self.0.insert(path, to.clone());
    }

    /// Adds the address of an article. A name that is the number of another article, which public ids may be, gives way to it.
    fn add_named(&mut self, by_number: bool, path: String, to: &RedirectTarget) {
        if by_number {
            self.add(path, to);
        } else {
            self.0.entry(path).or_insert_with(|| to.clone());
        }
    }

    /// The pages of the journal; `query` names it where the site has several.
    pub(super) fn journal(&mut self, key: &str, query: &str) {
        const ABOUT: [&str; 7] =
            ["", "/index", "/submissions", "/editorialTeam", "/contact", "/privacy", "/aboutThisPublishingSystem"];
        for path in ["", "/index"] {
            self.add(path.to_owned(), &RedirectTarget::Journal(key.to_owned()));
        }
        for path in ABOUT {
            self.add(format!("/about{path}"), &to_path("/about"));
        }
        for path in ["/search", "/search/search"] {
            self.add(path.to_owned(), &to_path("/search"));
        }
        self.add("/issue/current".to_owned(), &to_path(&format!("/issue{query}")));
        for path in ["/issue", "/issue/index", "/issue/archive"] {
            self.add(path.to_owned(), &to_path("/issues"));
        }
        for path in ["/announcement", "/announcement/index"] {
            self.add(path.to_owned(), &to_path("/news"));
        }
        self.add("/oai".to_owned(), &to_path("/oai"));
        for (plugin, feed) in [("rss", "feed.rss"), ("rss2", "feed.rss"), ("atom", "feed.atom")] {
            self.add(format!("/gateway/plugin/WebFeedGatewayPlugin/{plugin}"), &to_path(&format!("/{feed}{query}")));
        }
    }

    pub(super) fn issue(&mut self, issue: &OjsIssue, journal: &str) {
        let (Some(year), false) = (issue.period.year, issue.period.issue.is_empty() || journal.is_empty()) else {
            return;
        };
        let to = RedirectTarget::Issue { journal: journal.to_owned(), year, issue: issue.period.issue.clone() };
        for name in [&issue.id, &issue.url_path].into_iter().filter(|name| is_plain(name)) {
            self.add(format!("/issue/view/{name}"), &to);
            self.add(format!("/issue/view/{name}/showToc"), &to);
            for galley in issue.galleys.iter().filter(|galley| is_plain(galley)) {
                self.add(format!("/issue/view/{name}/{galley}"), &to);
                self.add(format!("/issue/download/{name}/{galley}"), &to);
            }
        }
    }

    pub(super) fn article(&mut self, article: &ArticleNames<'_>, id: ArticleId) {
        let page = RedirectTarget::Article(id);
        let others = article.others.iter().map(|name| (false, *name));
        for (by_number, name) in std::iter::once((true, article.number)).chain(others).filter(|one| is_plain(one.1)) {
            let view = format!("/article/view/{name}");
            for version in article.versions.iter().filter(|version| is_plain(version)) {
                self.add_named(by_number, format!("{view}/version/{version}"), &page);
            }
            for moved in article.files {
                let file = if moved.address.is_empty() { page.clone() } else { to_path(&moved.address) };
                for galley in moved.file.galley.iter().filter(|galley| is_plain(galley)) {
                    self.add_named(by_number, format!("{view}/{galley}"), &page);
                    for call in ["download", "viewFile", "downloadSuppFile"] {
                        self.add_named(by_number, format!("/article/{call}/{name}/{galley}"), &file);
                    }
                    if is_plain(&moved.file.id) {
                        self.add_named(by_number, format!("{view}/{galley}/{}", moved.file.id), &page);
                        let download = format!("/article/download/{name}/{galley}/{}", moved.file.id);
                        self.add_named(by_number, download, &file);
                    }
                }
            }
            // OJS 2 has this address.
            self.add_named(by_number, format!("/article/viewArticle/{name}"), &page);
            self.add_named(by_number, view, &page);
        }
    }

    pub(super) fn announcement(&mut self, number: &str, id: i64) {
        if is_plain(number) {
            self.add(format!("/announcement/view/{number}"), &to_path(&format!("/newsDetails/{id}")));
        }
    }

    pub(super) fn page(&mut self, path: &str, id: i64) {
        if path.split('/').all(is_plain) {
            self.add(format!("/{path}"), &to_path(&format!("/info/{id}")));
        }
    }

    /// The redirects from below these paths. OJS may write a locale behind the path of the journal.
    pub(super) fn redirects(&self, prefixes: &[String], locales: &BTreeSet<String>) -> Vec<Redirect> {
        let mut all = Vec::new();
        for prefix in prefixes {
            let of_locales = locales.iter().map(|locale| format!("{prefix}/{locale}"));
            for base in std::iter::once(prefix.clone()).chain(of_locales) {
                let one =
                    |(path, to): (&String, &RedirectTarget)| Redirect { from: format!("{base}{path}"), to: to.clone() };
                all.extend(self.0.iter().map(one).filter(leads_elsewhere));
            }
        }
        all
    }
}

/// Whether a redirect is one: the root of a host is a page of the site, and so are the pages whose address is the same as in OJS, in whichever
/// language.
fn leads_elsewhere(redirect: &Redirect) -> bool {
    let is_same = |path: &str| {
        let page = path.split('?').next().unwrap_or_default();
        redirects::forms(&redirect.from).iter().any(|form| form == page)
    };
    !redirect.from.is_empty() && !matches!(&redirect.to, RedirectTarget::Path(path) if is_same(path))
}

fn to_path(path: &str) -> RedirectTarget {
    RedirectTarget::Path(path.to_owned())
}

impl Importer {
    pub(super) async fn ojs_journal_addresses(&self, target: &TargetJournal, moved: &mut Moved) {
        if target.key.is_empty() {
            return;
        }
        // Journals without articles count too, though readers are not shown them: the redirect is stored, and such a journal may get
        // articles later, as that of the export does after this. A path with the journal stays right then; one without it would lead to
        // the current issue of the journal that was added first.
        let several = self.converter.media_writer.store.journals().await.is_ok_and(|journals| journals.len() > 1);
        // A key that a query cannot hold as it is stays away: the page is then that of the site.
        let query = if several && is_plain(&target.key) { format!("?journal={}", target.key) } else { String::new() };
        moved.journal(&target.key, &query);
    }

    /// Saves the redirects that the site does not have. One that somebody has added, changed or removed by hand stays as it is.
    pub(super) async fn ojs_redirects(&self, shown: &str, redirects: Vec<Redirect>) -> Item {
        let mut item = Item { number: Some(redirects.len()), ..Item::of(shown.to_owned(), "redirects") };
        if self.converter.dry_run {
            item.outcome = Outcome::Valid;
            return item;
        }
        match self.save_redirects(redirects, &mut item.warnings).await {
            Ok(outcome) => Item { outcome, ..item },
            Err(error) => item.fail(&error.into()),
        }
    }

    async fn save_redirects(
        &self,
        mut new: Vec<Redirect>,
        warnings: &mut Vec<String>,
    ) -> Result<Outcome, masthead_store::StoreError> {
        let (store, site) = (&self.ojs.store, self.converter.media_writer.site);
        let known: HashMap<String, RedirectTarget> =
            store.redirects(site).await?.into_iter().map(|redirect| (redirect.from, redirect.to)).collect();
        new.retain(|redirect| known.get(&redirect.from) != Some(&redirect.to));
        if new.is_empty() {
            return Ok(Outcome::Unchanged);
        }
        let by_hand = self.redirects_by_hand().await?;
        let (kept, new): (Vec<Redirect>, Vec<Redirect>) =
            new.into_iter().partition(|redirect| by_hand.contains(&redirect.from));
        let kept: Vec<String> = kept.into_iter().map(|redirect| redirect.from).collect();
        warnings.extend(kept_by_hand(&kept));
        if new.is_empty() {
            return Ok(Outcome::Unchanged);
        }
        store.add_redirects(site, &new).await?;
        let replaced = new.iter().any(|redirect| known.contains_key(&redirect.from));
        Ok(if replaced { Outcome::Updated } else { Outcome::Created })
    }

    /// The paths of the redirects that were added, changed or removed by hand: those that are among what was edited by hand, which a copy
    /// of the site has, or of which the audit trail has a line, which is all that earlier versions wrote.
    async fn redirects_by_hand(&self) -> Result<HashSet<String>, masthead_store::StoreError> {
        let path = |subject: &String| subject.strip_prefix(REDIRECTS).map(str::to_owned);
        let edited = self.converter.media_writer.store.edited_subjects(REDIRECTS).await?;
        let mut paths: HashSet<String> = edited.iter().filter_map(path).collect();
        let site = Some(self.converter.media_writer.site);
        let mut query = AuditQuery { site, subject: REDIRECTS.to_owned(), limit: 1000, ..AuditQuery::default() };
        loop {
            let lines = self.ojs.store.audit(&query).await?;
            let Some(oldest) = lines.last() else { return Ok(paths) };
            query.older_than = Some(oldest.id);
            paths.extend(lines.iter().filter_map(|line| path(&line.entry.subject)));
        }
    }

    /// The articles that earlier imports have redirected to, by their numbers in OJS: those below these paths, or all if there are
    /// none.
    ///
    /// # Errors
    /// A message, if a number stands for several articles.
    pub(super) async fn ojs_earlier_articles(&self, prefixes: &[String]) -> anyhow::Result<HashMap<String, ArticleId>> {
        let mut found = HashMap::new();
        for Redirect { from, to } in self.ojs.store.redirects(self.converter.media_writer.site).await? {
            let (Some((prefix, number)), RedirectTarget::Article(id)) = (from.split_once("/article/view/"), to) else {
                continue;
            };
            if number.contains('/') || !(prefixes.is_empty() || prefixes.iter().any(|known| known == prefix)) {
                continue;
            }
            if let Some(other) = found.insert(number.to_owned(), id) {
                anyhow::ensure!(
                    other == id,
                    "the articles {other} and {id} of the site both had the number {number} in OJS: name the journal \
                     with --old-address"
                );
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::{SiteId, article::JournalRef, publication::Journal};
    use masthead_store::Store;

    use super::*;

    #[test]
    fn old_addresses_are_read_from_addresses_and_paths() {
        for (text, path) in [
            ("https://journals.example.org/index.php/rivers/", "/index.php/rivers"),
            ("/index.php/rivers", "/index.php/rivers"),
            ("http://rivers.example.org", ""),
            ("http://rivers.example.org/", ""),
        ] {
            assert_eq!(text.parse::<OldAddress>().unwrap().path(), path, "{text}");
        }
        for text in ["", "rivers", "/a/../b", "/a//b", "/a?b", "/a%2fb", "ftp://a.example/b", "/a b"] {
            assert!(text.parse::<OldAddress>().is_err(), "{text}");
        }
        let given = ["/index.php/rivers", "http://weirs.example.org/w"].map(str::to_owned);
        let paths = OldAddress::all(&given, Format::Ojs).unwrap();
        assert_eq!(paths.iter().map(OldAddress::path).collect::<Vec<_>>(), ["/index.php/rivers", "/w"]);
        assert!(OldAddress::all(&given, Format::Jats).unwrap_err().contains("the format ojs"));
        assert!(OldAddress::all(&["rivers".to_owned()], Format::Auto).unwrap_err().contains("HOST/index.php"));
        assert_eq!(OldAddress::all(&[], Format::Jats), Ok(Vec::new()));
    }

    #[test]
    fn every_address_of_an_article_leads_to_its_page_or_file() {
        let file = OjsFile { galley: vec!["pdf".into(), "31".into()], id: "90".into(), ..OjsFile::default() };
        let files = [MovedFile { file: &file, address: "/file".to_owned() }];
        let mut moved = Moved::default();
        let others = vec!["weirs", "a/b", ""];
        let names = ArticleNames { number: "12", others, versions: &["15".to_owned()], files: &files };
        moved.article(&names, ArticleId(7));
        let locales = BTreeSet::from(["en".to_owned()]);
        let all: HashMap<String, RedirectTarget> =
            moved.redirects(&["/index.php/r".to_owned()], &locales).into_iter().map(|one| (one.from, one.to)).collect();
        let article = Some(&RedirectTarget::Article(ArticleId(7)));
        for path in [
            "view/12",
            "view/weirs",
            "view/12/pdf",
            "view/weirs/31",
            "view/12/31/90",
            "view/12/version/15",
            "viewArticle/12",
        ] {
            assert_eq!(all.get(&format!("/index.php/r/article/{path}")), article, "{path}");
            assert_eq!(all.get(&format!("/index.php/r/en/article/{path}")), article, "{path}");
        }
        for path in ["download/12/pdf", "download/weirs/31", "download/12/31/90", "viewFile/12/31"] {
            assert_eq!(all.get(&format!("/index.php/r/article/{path}")), Some(&to_path("/file")), "{path}");
        }
        assert!(all.keys().all(|from| !from.contains("a/b") && !from.ends_with('/')), "{all:?}");
    }

    #[test]
    fn a_journal_with_a_host_of_its_own_keeps_the_start_page_of_the_site() {
        let mut moved = Moved::default();
        moved.journal("rivers", "");
        moved.page("about", 3);
        let all = moved.redirects(&[String::new()], &BTreeSet::new());
        assert!(all.iter().all(|redirect| redirect.from.len() > 1), "{all:?}");
        let about = all.iter().find(|redirect| redirect.from == "/about").unwrap();
        assert_eq!(about.to, to_path("/info/3"), "the page of the text takes the place of the general one");
        let search = all.iter().find(|redirect| redirect.from == "/search");
        assert_eq!(search, None, "an address that stays the same is not redirected to itself");
    }

    #[test]
    fn harvesters_feed_readers_and_readers_of_news_are_sent_to_what_is_here() {
        let mut moved = Moved::default();
        moved.journal("rivers", "?journal=rivers");
        let locales = BTreeSet::from(["en".to_owned()]);
        let all = |prefix: &str| -> HashMap<String, RedirectTarget> {
            moved.redirects(&[prefix.to_owned()], &locales).into_iter().map(|one| (one.from, one.to)).collect()
        };
        let below = all("/index.php/rivers");
        for (path, to) in [
            ("oai", "/oai"),
            ("en/oai", "/oai"),
            ("gateway/plugin/WebFeedGatewayPlugin/rss", "/feed.rss?journal=rivers"),
            ("gateway/plugin/WebFeedGatewayPlugin/rss2", "/feed.rss?journal=rivers"),
            ("gateway/plugin/WebFeedGatewayPlugin/atom", "/feed.atom?journal=rivers"),
            ("announcement", "/news"),
        ] {
            assert_eq!(below.get(&format!("/index.php/rivers/{path}")), Some(&to_path(to)), "{path}");
        }
        // At a host of its own, the journal has its interface for harvesters where the site has it.
        let at_root = all("");
        for path in ["/oai", "/en/oai", "/search", "/en/search"] {
            assert_eq!(at_root.get(path), None, "{path}");
        }
        assert_eq!(at_root.get("/announcement"), Some(&to_path("/news")));
    }

    #[test]
    fn a_public_id_gives_way_to_the_number_of_another_article() {
        let named = |number, public| ArticleNames { number, others: vec![public], versions: &[], files: &[] };
        let mut moved = Moved::default();
        moved.article(&named("12", "13"), ArticleId(1));
        moved.article(&named("13", "12"), ArticleId(2));
        for (path, id) in [("/article/view/12", 1), ("/article/view/13", 2)] {
            assert_eq!(moved.0.get(path), Some(&RedirectTarget::Article(ArticleId(id))), "{path}");
        }
    }

    #[tokio::test]
    async fn the_current_issue_names_its_journal_beside_one_without_articles() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let site = SiteId(448);
        let importer = Importer::new(&store, site, folder.path(), false);
        let target = TargetJournal { of: JournalRef::default(), key: "rivers".to_owned(), prefixes: Vec::new() };
        for (other, expected) in [(None, "/issue"), (Some("weirs"), "/issue?journal=rivers")] {
            for key in other.into_iter().chain(["rivers"]) {
                store.site(site).save_journal(&Journal { key: key.into(), ..Journal::default() }).await.unwrap();
            }
            let mut moved = Moved::default();
            importer.ojs_journal_addresses(&target, &mut moved).await;
            assert_eq!(moved.0.get("/issue/current"), Some(&to_path(expected)), "{other:?}");
        }
        store.close().await;
    }

    #[tokio::test]
    async fn a_repeated_import_leaves_redirects_as_an_editor_has_made_them() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let site = SiteId(448);
        let importer = Importer::new(&store, site, folder.path(), false);
        let all =
            || ["/old/a", "/old/b", "/old/c"].map(|from| Redirect { from: from.into(), to: to_path("/home") }).to_vec();
        assert_eq!(importer.ojs_redirects("x", all()).await.outcome, Outcome::Created);
        assert_eq!(importer.ojs_redirects("x", all()).await.outcome, Outcome::Unchanged);
        redirects::add(&store, site, "/old/a", to_path("/issues"), "ada", false).await.unwrap();
        redirects::remove(&store, site, "/old/b", "ada", false).await.unwrap();
        let again = importer.ojs_redirects("x", all()).await;
        assert_eq!(again.outcome, Outcome::Unchanged, "{again:?}");
        assert_eq!(again.warnings, ["kept as edited by hand: /old/a, /old/b"]);
        assert_eq!(store.redirect(site, "/old/a").await.unwrap(), Some(to_path("/issues")));
        assert_eq!(store.redirect(site, "/old/b").await.unwrap(), None);
        // The audit trail stays behind where the site is copied.
        let by_hand = store.site(site).edited_subjects(REDIRECTS).await.unwrap();
        assert_eq!(by_hand, ["redirect/old/a", "redirect/old/b"]);
        store.close().await;
    }
}
