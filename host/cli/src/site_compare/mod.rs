//! `masthead site compare`.

mod discovery;
mod earlier_addresses;
mod resources;
mod side;
mod text;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::Args;
use masthead_content::site_bundle;
use masthead_web::{http::UncompressedAnswer, sites::addresses::encoded_path};
use serde::Serialize;

use self::side::{Common, Side, SideLocation, is_address};

/// Calls that answer with something new each time, that belong to administrators or to a session, or whose order depends on the other
/// sites of the installation.
const LEFT_OUT: [&str; 9] =
    ["/admin/", "captcha", "/files/", "/api/", "frontmembers", "personalalbum", "search", "clusters", "ranklist"];
/// Calls about one article, before its number.
const OF_ARTICLE: [&str; 4] = [
    "/rc-pub/front/front-article/",
    "/rc-pub/front/front-article/getReference?id=",
    "/rc-pub/front/front-article/getStatistics?id=",
    "/rc-pub/front/front-article/comments?id=",
];
/// Searches, before the word, and whether the order of the hits is compared. The order by relevance weighs a word by how rare it is in the
/// whole installation; that by date is the same everywhere, except where things of several kinds have the same date and number.
const SEARCHES: [(&str, bool); 2] = [
    ("/rc-pub/front/front-article/quickSearch?sort=date&size=100&q=", true),
    ("/rc-pub/front/search?type=all&sort=date&size=100&q=", false),
];
/// The most words that are searched for.
const MOST_WORDS: usize = 50;
/// Pages of a list of records or resources that are read at most.
const MOST_LISTS: usize = 100_000;
/// The index of the sitemaps.
const INDEX: &str = "/sitemap.xml";

/// Compare a site in two installations: pages, sitemaps, feeds, calls, resources with their details, records for harvesters, what is left of
/// removed and withdrawn articles, searches for words of titles, and files; where a side is on this machine, what its redirects lead to; where
/// both are, all stored rows. Prints the differences, and fails if there is one. Each side is a data folder, a file that `site export` wrote, or
/// the address of the site on a running host (then only what readers see is compared).
#[derive(Args)]
pub struct Compare {
    /// One side.
    a: String,
    /// The other side.
    b: String,
    /// Number or short name of the site; not needed for addresses and exported files.
    #[arg(long, value_name = "ID")]
    site: Option<String>,
    /// Folder with the configuration of the sites, for data folders and exported files.
    #[arg(long, default_value = "sites", env = "MASTHEAD_SITES", value_name = "DIR")]
    sites: PathBuf,
    /// The same for the second side, if it has another one.
    #[arg(long, value_name = "DIR")]
    sites_b: Option<PathBuf>,
    /// URL of the PostgreSQL database of the first data folder.
    #[arg(long, value_name = "URL", hide_env_values = true)]
    database_a: Option<String>,
    /// URL of the PostgreSQL database of the second data folder.
    #[arg(long, value_name = "URL", hide_env_values = true)]
    database_b: Option<String>,
    /// Folder with additional plugins; may be repeated.
    #[arg(long, value_name = "DIR")]
    plugins: Vec<PathBuf>,
    /// Folder with additional federated modules; may be repeated.
    #[arg(long, value_name = "DIR")]
    modules: Vec<PathBuf>,
    /// Permit a host with an address in a private network, or on this machine.
    #[arg(long)]
    allow_private: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Something in which the sides differ.
#[derive(Debug, Serialize)]
struct Difference {
    /// `page`, `sitemap`, `feed`, `call`, `resource`, `record`, `tombstone`, `redirect`, `search`, `file` or `rows`.
    kind: &'static str,
    /// The path, the record, or the table.
    what: String,
    a: String,
    b: String,
}

/// What was compared, and the differences.
#[derive(Debug, Default, Serialize)]
struct Report {
    pages: usize,
    sitemaps: usize,
    feeds: usize,
    calls: usize,
    resources: usize,
    records: usize,
    tombstones: usize,
    redirects: usize,
    searches: usize,
    files: usize,
    /// Whether all stored rows were compared.
    rows: bool,
    /// Of what there is so much that only the first of it was compared.
    partial: BTreeSet<&'static str>,
    differences: Vec<Difference>,
}

impl Compare {
    pub async fn run(self) -> anyhow::Result<()> {
        let sites_b = self.sites_b.as_deref().unwrap_or(&self.sites);
        let (a, b) = (
            SideLocation { place: &self.a, sites: &self.sites, database: self.database_a.as_deref() },
            SideLocation { place: &self.b, sites: sites_b, database: self.database_b.as_deref() },
        );
        let compiled = [&self.a, &self.b].into_iter().find(|place| !is_address(place) && Path::new(place).is_dir());
        let common = Common {
            site: self.site.as_deref(),
            plugins: &self.plugins,
            modules: &self.modules,
            compiled: compiled.map(Path::new),
            allow_private: self.allow_private,
        };
        let a = Side::open(&a, &common).await.with_context(|| self.a.clone())?;
        let b = Side::open(&b, &common).await.with_context(|| self.b.clone())?;
        let (files, words) = (BTreeSet::new(), BTreeSet::new());
        let mut comparison = Comparison { a: &a, b: &b, files, words, report: Report::default() };
        let compared = comparison.all().await;
        let report = comparison.report;
        a.close().await;
        b.close().await;
        compared?;
        self.print(&report)?;
        let count = report.differences.len();
        anyhow::ensure!(count == 0, "{count} differences between {} and {}", self.a, self.b);
        Ok(())
    }

    fn print(&self, report: &Report) -> anyhow::Result<()> {
        if self.json {
            println!("{}", serde_json::to_string(report)?);
            return Ok(());
        }
        for Difference { kind, what, a, b } in &report.differences {
            println!("{kind} {what}\n  a: {a}\n  b: {b}");
        }
        let rows = if report.rows { "all stored rows" } else { "no stored rows: one side is a running host" };
        let counts = [
            (report.pages, "pages"),
            (report.sitemaps, "sitemaps"),
            (report.feeds, "feeds"),
            (report.calls, "calls"),
            (report.resources, "resources"),
            (report.records, "records"),
            (report.tombstones, "tombstones"),
            (report.redirects, "redirects"),
            (report.searches, "searches"),
            (report.files, "files"),
        ];
        let counts: Vec<String> = counts.into_iter().map(|(count, what)| format!("{count} {what}")).collect();
        println!("compared {} and {rows}; {} differences", counts.join(", "), report.differences.len());
        if !report.partial.is_empty() {
            let partial: Vec<&str> = report.partial.iter().copied().collect();
            println!("there is more of these than was compared: {}", partial.join(", "));
        }
        Ok(())
    }
}

struct Comparison<'a> {
    a: &'a Side,
    b: &'a Side,
    /// Addresses of files in what was compared.
    files: BTreeSet<String>,
    /// Words of the titles of A.
    words: BTreeSet<String>,
    report: Report,
}

impl Comparison<'_> {
    async fn all(&mut self) -> anyhow::Result<()> {
        let Listed { sitemaps, pages } = self.listed().await?;
        for sitemap in &sitemaps {
            self.report.sitemaps += 1;
            self.answers("sitemap", sitemap).await?;
        }
        for page in &pages {
            self.report.pages += 1;
            self.answers("page", page).await?;
        }
        let languages = text::languages(&pages);
        self.feeds(&pages, &languages).await?;
        let articles: BTreeSet<i64> = pages.iter().filter_map(|page| text::article(page)).collect();
        let of_articles =
            articles.iter().flat_map(|article| OF_ARTICLE.iter().map(move |call| format!("{call}{article}")));
        for call in calls()?.into_iter().chain(of_articles) {
            self.report.calls += 1;
            self.answers("call", &call).await?;
        }
        self.resources(&languages).await?;
        for format in ["oai_dc", "jats"] {
            self.harvest(format).await?;
        }
        let removed = self.records().await?;
        self.tombstones(removed, &languages).await?;
        self.redirects(&languages).await?;
        self.searches().await?;
        for file in std::mem::take(&mut self.files) {
            self.report.files += 1;
            self.file(&file).await?;
        }
        self.rows().await
    }

    /// Compares all stored rows, where this process can read those of both sides.
    async fn rows(&mut self) -> anyhow::Result<()> {
        let (Some(a), Some(b)) = (self.a.rows(), self.b.rows()) else { return Ok(()) };
        self.report.rows = true;
        for table in site_bundle::summary(&a.diff(b).await?) {
            for (changes, in_a, in_b) in [
                (&table.new, "not there", "there"),
                (&table.replaced, "differs", "differs"),
                (&table.removed, "there", "not there"),
            ] {
                if changes.count > 0 {
                    let what = format!("{}: {} ({})", table.table, changes.line(), changes.count);
                    self.differs("rows", what, in_a.to_owned(), in_b.to_owned());
                }
            }
        }
        Ok(())
    }

    fn differs(&mut self, kind: &'static str, what: String, a: String, b: String) {
        self.report.differences.push(Difference { kind, what, a, b });
    }

    async fn get(&self, path: &str) -> anyhow::Result<(UncompressedAnswer, UncompressedAnswer)> {
        let a = self.a.get(path).await.with_context(|| format!("asking a for {path}"))?;
        let b = self.b.get(path).await.with_context(|| format!("asking b for {path}"))?;
        Ok((a, b))
    }

    /// The sitemaps of both sides, and the pages in them; pages that one side does not list are differences, and compared too.
    async fn listed(&mut self) -> anyhow::Result<Listed> {
        let (a, b) = (Listed::of(self.a).await?, Listed::of(self.b).await?);
        for (page, in_a, in_b) in a
            .pages
            .difference(&b.pages)
            .map(|page| (page, "listed", "not listed"))
            .chain(b.pages.difference(&a.pages).map(|page| (page, "not listed", "listed")))
        {
            self.differs("page", format!("{page} in the sitemap"), in_a.to_owned(), in_b.to_owned());
        }
        Ok(Listed { sitemaps: &a.sitemaps | &b.sitemaps, pages: &a.pages | &b.pages })
    }

    async fn answers(&mut self, kind: &'static str, path: &str) -> anyhow::Result<()> {
        self.answers_about(kind, path, path).await
    }

    /// Compares the answers to a request about something that has another name in the report than its path.
    async fn answers_about(&mut self, kind: &'static str, what: &str, path: &str) -> anyhow::Result<()> {
        let (a, b) = self.get(path).await?;
        if a.status != b.status {
            self.differs(kind, what.to_owned(), format!("status {}", a.status), format!("status {}", b.status));
            return Ok(());
        }
        let (a, b) = (text::normalized(&a.body, self.a.origin()), text::normalized(&b.body, self.b.origin()));
        self.files.extend(text::files(&a));
        self.files.extend(text::files(&b));
        if let Some((a, b)) = text::difference(&a, &b) {
            self.differs(kind, what.to_owned(), a, b);
        }
        Ok(())
    }

    /// Compares the lists of OAI-PMH page by page. Tokens are signed by the installation, so that each side follows its own.
    async fn harvest(&mut self, format: &str) -> anyhow::Result<()> {
        let first = format!("/oai?verb=ListRecords&metadataPrefix={format}");
        let (mut a, mut b) = (Some(first.clone()), Some(first));
        for _ in 0..MOST_LISTS {
            let (Some(path_a), Some(path_b)) = (&a, &b) else { break };
            self.report.calls += 1;
            let (left, right) = (self.a.get(path_a).await?, self.b.get(path_b).await?);
            let (next_a, next_b) = (token("ListRecords", &left.body), token("ListRecords", &right.body));
            self.words.extend(text::title_words(&String::from_utf8_lossy(&left.body)));
            let (left, right) =
                (text::normalized(&left.body, self.a.origin()), text::normalized(&right.body, self.b.origin()));
            if let Some((left, right)) = text::difference(&left, &right) {
                self.differs("call", format!("/oai, records as {format}"), left, right);
                return Ok(());
            }
            (a, b) = (next_a, next_b);
        }
        if a.is_some() != b.is_some() {
            let more = |side: &Option<String>| if side.is_some() { "has more records" } else { "ends" }.to_owned();
            self.differs("call", format!("/oai, records as {format}"), more(&a), more(&b));
        }
        Ok(())
    }

    /// Searches for words from all parts of the list of articles.
    async fn searches(&mut self) -> anyhow::Result<()> {
        let words = std::mem::take(&mut self.words);
        for word in words.iter().step_by(words.len().div_ceil(MOST_WORDS).max(1)) {
            for (search, ordered) in SEARCHES {
                self.report.searches += 1;
                let path = format!("{search}{}", escaped(word));
                let (a, b) = self.get(&path).await?;
                let (a, b) = (text::hits(&a.body, ordered), text::hits(&b.body, ordered));
                if let Some((a, b)) = text::difference(&a, &b) {
                    self.differs("search", path, a, b);
                }
            }
        }
        Ok(())
    }

    async fn file(&mut self, path: &str) -> anyhow::Result<()> {
        let (a, b) = self.get(path).await?;
        let shown = |answer: &UncompressedAnswer| format!("status {}, {} bytes", answer.status, answer.body.len());
        if a != b {
            self.differs("file", path.to_owned(), shown(&a), shown(&b));
        }
        Ok(())
    }
}

/// What the sitemaps of a site list.
struct Listed {
    /// The sitemaps, with the index of them.
    sitemaps: BTreeSet<String>,
    pages: BTreeSet<String>,
}

impl Listed {
    async fn of(side: &Side) -> anyhow::Result<Self> {
        let read = async |path: &str| -> anyhow::Result<Vec<String>> {
            let answer = side.get(path).await?;
            anyhow::ensure!(
                answer.status == 200,
                "{path} of {} has the status {}; the pages are those of the sitemap, which the site must have",
                side.origin().0,
                answer.status
            );
            Ok(text::locations(&text::normalized(&answer.body, side.origin())))
        };
        let (mut sitemaps, mut pages) = (BTreeSet::from([INDEX.to_owned()]), BTreeSet::new());
        for sitemap in read(INDEX).await? {
            pages.extend(read(&sitemap).await?);
            sitemaps.insert(sitemap);
        }
        Ok(Self { sitemaps, pages })
    }
}

/// The calls that need no parameter.
fn calls() -> anyhow::Result<Vec<String>> {
    let document: serde_json::Value = serde_json::from_str(&masthead_web::api::openapi().to_pretty_json()?)?;
    let paths = document["paths"].as_object().context("the OpenAPI document has no paths")?;
    let needs_none = |operation: &serde_json::Value| {
        let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        operation.is_object() && !parameters.iter().any(|one| one["required"] == true)
    };
    let plain = |path: &&String| {
        let folded = path.to_lowercase();
        !path.contains('{') && !LEFT_OUT.iter().any(|part| folded.contains(part))
    };
    Ok(paths
        .iter()
        .filter(|(_, methods)| needs_none(&methods["get"]))
        .map(|(path, _)| path)
        .filter(plain)
        .cloned()
        .collect())
}

/// The path of the next page of a list of OAI-PMH.
fn token(verb: &str, body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    let element = text.split_once("<resumptionToken")?.1;
    let token = element.split_once('>')?.1.split_once("</resumptionToken>")?.0.trim();
    (!token.is_empty()).then(|| format!("/oai?verb={verb}&resumptionToken={}", escaped(&token.replace("&amp;", "&"))))
}

/// The call that answers with the page at an address of the site, or with the address to which it redirects. Unlike the page itself, it
/// answers alike whether redirects are followed or not.
fn page_call(address: &str) -> String {
    format!("/rc-pub/front/page?path={}", escaped(address))
}

/// A text as the value of a parameter, or as a segment of a path.
fn escaped(text: &str) -> String {
    encoded_path([text])
}
