//! The rows of a bundle, checked before they are used. A bundle comes from somebody else: the pages in it are cleaned again by the
//! sanitizer that cleaned them when they were made, resources and covers pass the checks of an import, and what the host makes itself of
//! an article is made anew.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use masthead_documents::{
    html::{RenderedArticle, sanitize},
    jats,
};
use masthead_domain::{
    Doi,
    article::{Article, ArticleFile, ArticleMeta, Withdrawal},
    card::ArticleCard,
    content::ArticleBody,
    link, of_kind,
    publication::{Issue, Journal},
    resource::{Resource as _, ResourceKind},
};
use masthead_formats::images::svg;
use masthead_store::{
    StoreError, StoredForm as _,
    backup::Value as Field,
    site_rows::{SiteRow, SiteRows},
};
use serde_json::Value;

use super::{
    permitted::{check_cover, edit, exhibits, institution, notice, permitted, redirect},
    row::{from_line, moment, number, numbers, set, text},
};
use crate::{
    compressed_html, files,
    import::{Item, OnItem, summaries},
};

/// Rows that are written at once.
const BATCH: usize = 50;
const DAY_MS: i64 = 86_400_000;
/// Tables that earlier versions left out of bundles although a site may have rows in them.
const LEFT_OUT_BEFORE: [&str; 1] = ["institutions"];

/// The file of a table in an unpacked bundle.
fn table_file(folder: &Path, table: &str) -> PathBuf {
    folder.join("tables").join(format!("{table}.jsonl"))
}

/// The tables of which an unpacked bundle says nothing, because an earlier version wrote it: the site keeps its rows in them.
pub fn unsaid(folder: &Path) -> Vec<&'static str> {
    LEFT_OUT_BEFORE.into_iter().filter(|table| !table_file(folder, table).is_file()).collect()
}

/// Writes the rows of an unpacked bundle into an empty site. A picture that is refused is an item of the report and left out; anything else
/// that does not pass is an error.
///
/// # Errors
/// A message that names the line.
pub async fn read(folder: &Path, rows: &SiteRows, site: i64, on_item: OnItem<'_>) -> anyhow::Result<()> {
    let tables: BTreeSet<&str> = rows.kept().collect();
    for entry in walkdir::WalkDir::new(folder.join("tables")).into_iter().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let known = name.strip_suffix(".jsonl").is_some_and(|table| tables.contains(table));
        anyhow::ensure!(
            known || !entry.file_type().is_file(),
            "the bundle has a table {name}, which this version does not know; use a newer Masthead"
        );
    }
    // Clocks differ.
    let latest = jiff::Timestamp::now().as_millisecond().saturating_add(DAY_MS);
    for table in rows.kept() {
        let path = table_file(folder, table);
        // An older bundle does not have the tables of later versions.
        if path.is_file() {
            let mut reader = Reader { folder, rows, table, site, latest, on_item: &mut *on_item };
            reader.table(&path).await?;
        }
    }
    rows.record_uses().await?;
    Ok(())
}

struct Reader<'a> {
    folder: &'a Path,
    rows: &'a SiteRows,
    table: &'static str,
    site: i64,
    /// The latest moment at which something may have been changed, in milliseconds since 1970.
    latest: i64,
    on_item: OnItem<'a>,
}

impl Reader<'_> {
    async fn table(&mut self, path: &Path) -> anyhow::Result<()> {
        let name = format!("tables/{}.jsonl", self.table);
        let file = File::open(path).with_context(|| format!("reading {name} of the bundle"))?;
        let (mut batch, mut compressed) = (Vec::with_capacity(BATCH), Vec::new());
        for (index, line) in BufReader::new(file).lines().enumerate() {
            let line = line.with_context(|| format!("reading {name} of the bundle"))?;
            let checked = from_line(&line).and_then(|row| self.checked(row, &mut compressed));
            batch.extend(checked.with_context(|| format!("{name}:{} in the bundle", index + 1))?);
            if batch.len() >= BATCH {
                self.write(&mut batch, &mut compressed).await?;
            }
        }
        self.write(&mut batch, &mut compressed).await
    }

    async fn write(&self, batch: &mut Vec<SiteRow>, compressed: &mut Vec<SiteRow>) -> anyhow::Result<()> {
        self.rows.add(self.table, batch).await.map_err(|error| self.misfit(error))?;
        self.rows.add("compressed_html", compressed).await?;
        batch.clear();
        compressed.clear();
        Ok(())
    }

    /// The error of rows that were not stored: that of the bundle if they do not fit the table, and otherwise that of the database.
    fn misfit(&self, error: StoreError) -> anyhow::Error {
        if error.outage().is_none() && matches!(error, StoreError::Unfit { .. } | StoreError::Rows { .. }) {
            return anyhow::anyhow!("tables/{}.jsonl in the bundle: {error}", self.table);
        }
        error.into()
    }

    /// The row as it may be stored; `None` if it is left out. What is made of an article is added to `compressed`.
    fn checked(&mut self, mut row: SiteRow, compressed: &mut Vec<SiteRow>) -> anyhow::Result<Option<SiteRow>> {
        match self.table {
            "journals" => {
                let journal = Journal::decode(text(&row, "data")?)?;
                check_cover(&journal.key, &journal.cover)?;
            }
            "issues" => {
                let issue = Issue::decode(text(&row, "data")?)?;
                check_cover(&issue.journal, &issue.cover)?;
            }
            "articles" => {
                let page = article(&mut row, self.site)?;
                moment(&row, "changed", self.latest)?;
                let blocks = compressed_html::encode(&page);
                if !blocks.is_empty() {
                    compressed.push(SiteRow::from([
                        ("article_id".to_owned(), Field::Int(number(&row, "id")?)),
                        ("digest".to_owned(), Field::Text(text(&row, "digest")?.to_owned())),
                        ("blocks".to_owned(), Field::Bytes(blocks)),
                    ]));
                }
            }
            "withdrawn_articles" => {
                article(&mut row, self.site)?;
                Withdrawal::decode(text(&row, "withdrawal")?)?;
                exhibits(&mut row)?;
            }
            "removed_articles" => {
                number(&row, "id")?;
                moment(&row, "changed", self.latest)?;
            }
            "resources" => {
                resource(&mut row)?;
                // Bundles of before have no such column.
                if row.contains_key("changed") {
                    moment(&row, "changed", self.latest)?;
                }
            }
            "settings" => {
                serde_json::from_str::<Value>(text(&row, "value")?)?;
            }
            "article_notices" => notice(&row)?,
            "edits" => edit(&mut row)?,
            "redirects" => redirect(&row)?,
            "institutions" => institution(&row)?,
            "counts" => numbers(&row, &["entity", "visits", "downloads"])?,
            "external_citations" => numbers(&row, &["article_id", "citations"])?,
            "searches" => numbers(&row, &["times", "readers"])?,
            "plugin_usage" => numbers(&row, &["bytes", "entries"])?,
            "media" => return self.file(row),
            _ => {}
        }
        Ok(Some(row))
    }

    /// A file: the bundle has its bytes, and a picture that browsers read as it is passes the check of an import.
    fn file(&mut self, row: SiteRow) -> anyhow::Result<Option<SiteRow>> {
        let (digest, name) = (text(&row, "digest")?, text(&row, "name")?);
        let path = self.folder.join("media").join(digest);
        anyhow::ensure!(
            files::is_digest(digest) && path.is_file(),
            "the bundle does not have the file {digest} ({name})"
        );
        let length =
            std::fs::metadata(&path).with_context(|| format!("reading the file {digest} of the bundle"))?.len();
        anyhow::ensure!(
            u64::try_from(number(&row, "bytes")?).is_ok_and(|bytes| bytes == length),
            "the file {digest} ({name}) has {length} bytes, and its row says something else"
        );
        let vector = |mime: &str| mime.starts_with("image/svg");
        if vector(text(&row, "mime")?) || vector(files::media_type(name)) {
            let bytes = std::fs::read(&path).with_context(|| format!("reading the file {digest} of the bundle"))?;
            if let Err(error) = svg::check(&bytes) {
                (self.on_item)(Item::failed(format!("media/{digest}"), "picture", &error));
                return Ok(None);
            }
        }
        Ok(Some(row))
    }
}

/// Checks an article; its page and its card are cleaned or made anew. Returns the page.
fn article(row: &mut SiteRow, site: i64) -> anyhow::Result<RenderedArticle> {
    let id = number(row, "id")?;
    let of_article = || format!("the article {id}");
    let value = |row: &SiteRow, column: &str| -> anyhow::Result<Value> {
        let mut value = serde_json::from_str(text(row, column)?).with_context(of_article)?;
        jats::sanitize_mathml(&mut value);
        Ok(value)
    };
    let mut meta = ArticleMeta::decode(&value(row, "meta")?.to_string()).with_context(of_article)?;
    let body = ArticleBody::decode(&value(row, "body")?.to_string()).with_context(of_article)?;
    if !link::is_web(&meta.license_url) {
        meta.license_url.clear();
    }
    let doi = match row.get("doi_key") {
        Some(Field::Text(doi)) => Some(doi.clone()),
        _ => None,
    };
    anyhow::ensure!(
        meta.source_key == text(row, "source_key")? && meta.doi.as_ref().map(Doi::key) == doi,
        "the identifiers of the article {id} are not those of its metadata"
    );
    let named: Vec<ArticleFile> = serde_json::from_str(text(row, "files")?).with_context(of_article)?;
    for file in &named {
        let own = file.address.starts_with(&super::media(site)) && files::digest(&file.address).is_some();
        anyhow::ensure!(own, "the file {:?} of the article {id} is not one of the site", file.address);
    }
    let mut page: RenderedArticle = serde_json::from_str(text(row, "rendered")?).with_context(of_article)?;
    for html in
        page.title_html.iter_mut().map(|(_, html)| html).chain(page.sections.iter_mut().map(|one| &mut one.html))
    {
        *html = sanitize::clean(html);
    }
    let article = Article { meta, body };
    let mut card = ArticleCard::of(&article, &page.title_html, &summaries(&article.body));
    card.id = id;
    // How lists mark an article follows from notices, which may be those of other articles.
    card.notice = ArticleCard::decode(text(row, "card")?).with_context(of_article)?.notice;
    text(row, "journal")?.clone_into(&mut card.journal);
    set(row, "meta", article.meta.encode()?);
    set(row, "body", article.body.encode()?);
    set(row, "card", card.encode()?);
    set(row, "rendered", serde_json::to_string(&page)?);
    Ok(page)
}

/// Checks a resource, and writes the columns that lists are made by from its value.
fn resource(row: &mut SiteRow) -> anyhow::Result<()> {
    number(row, "id")?;
    let kind = text(row, "kind")?;
    let kind = ResourceKind::parse(kind)
        .ok_or_else(|| anyhow::anyhow!("the kind {kind:?} is not known to this version; use a newer Masthead"))?;
    let data = text(row, "data")?.to_owned();
    of_kind!(kind, T => {
        let value = permitted(T::decode(&data)?)?;
        set(row, "data", value.encode()?);
        let keys = value.list_keys();
        for (column, text) in [("entry", keys.key), ("section", keys.section), ("dated", keys.date)] {
            set(row, column, text.to_owned());
        }
        for (column, number) in [("article_id", keys.article), ("position", keys.position)] {
            row.insert(column.to_owned(), Field::Int(number));
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_documents::html::{RenderedSection, SectionKind};
    use masthead_domain::{content::Node, notice::NoticeMark};

    use super::*;

    fn row(rendered: &str, files: &str) -> SiteRow {
        let doi = Doi::parse("10.5555/A.1").unwrap();
        let meta = ArticleMeta {
            source_key: "doi:10.5555/a.1".into(),
            doi: Some(doi.clone()),
            license_url: "javascript:alert(1)".into(),
            ..ArticleMeta::default()
        };
        let body = ArticleBody { body: vec![Node::text("Tide")], ..ArticleBody::default() };
        let texts = [
            ("source_key", "doi:10.5555/a.1".to_owned()),
            ("doi_key", doi.key()),
            ("journal", "small".to_owned()),
            ("meta", meta.encode().unwrap()),
            ("body", body.encode().unwrap()),
            ("card", "{\"titles\":[{\"html\":\"<script>\"}]}".to_owned()),
            ("rendered", rendered.to_owned()),
            ("files", files.to_owned()),
        ];
        let mut row: SiteRow = texts.into_iter().map(|(name, text)| (name.to_owned(), Field::Text(text))).collect();
        row.insert("id".to_owned(), Field::Int(7));
        row
    }

    fn page(html: &str) -> String {
        let section = RenderedSection {
            kind: SectionKind::Body,
            lang: String::new(),
            title: String::new(),
            id: "body".into(),
            html: html.into(),
        };
        let title_html = vec![("en".to_owned(), html.to_owned())];
        serde_json::to_string(&RenderedArticle { title_html, sections: vec![section], ..RenderedArticle::default() })
            .unwrap()
    }

    #[test]
    fn the_page_of_an_article_is_cleaned_and_its_card_is_made_anew() {
        let html = "<p>Tide<script>alert(1)</script><img src=\"x\" onerror=\"alert(2)\"></p>";
        let mut evil = row(&page(html), "[]");
        let cleaned = article(&mut evil, 1).unwrap();
        let stored =
            [text(&evil, "rendered").unwrap(), text(&evil, "card").unwrap(), text(&evil, "meta").unwrap()].concat();
        for bad in ["script", "onerror", "alert"] {
            assert!(!stored.contains(bad) && !cleaned.sections[0].html.contains(bad), "{bad}: {stored}");
        }
        assert!(
            stored.contains("Tide") && stored.contains("\"id\":7") && stored.contains("\"journal\":\"small\""),
            "{stored}"
        );
        // What the sanitizer has cleaned before stays as it is.
        let rendered = text(&evil, "rendered").unwrap().to_owned();
        article(&mut evil, 1).unwrap();
        assert_eq!(text(&evil, "rendered").unwrap(), rendered);
    }

    #[test]
    fn lists_mark_an_article_as_they_did() {
        let mut retracted = row(&page("<p>Tide</p>"), "[]");
        let card = ArticleCard { notice: NoticeMark::Retracted, ..ArticleCard::default() };
        set(&mut retracted, "card", card.encode().unwrap());
        article(&mut retracted, 1).unwrap();
        let card = ArticleCard::decode(text(&retracted, "card").unwrap()).unwrap();
        assert_eq!((card.notice, card.id), (NoticeMark::Retracted, 7));
    }

    #[test]
    fn an_article_with_the_identifiers_or_files_of_another_is_refused() {
        let digest = "ab".repeat(32);
        let file = |address: &str| format!("[{{\"name\":\"a\",\"address\":\"{address}\"}}]");
        assert!(article(&mut row(&page(""), &file(&format!("/media/1/{digest}.png"))), 1).is_ok());
        for address in [format!("/media/2/{digest}.png"), "https://a.example/x.png".to_owned(), "/media/1/x".to_owned()]
        {
            assert!(article(&mut row(&page(""), &file(&address)), 1).is_err(), "{address}");
        }
        for (column, value) in [
            ("source_key", Field::Text("doi:10.5555/other".into())),
            ("doi_key", Field::Null),
            ("id", Field::Int(i64::MAX)),
            ("rendered", Field::Text("{".into())),
        ] {
            let mut odd = row(&page(""), "[]");
            odd.insert(column.to_owned(), value);
            assert!(article(&mut odd, 1).is_err(), "{column}");
        }
    }

    #[test]
    fn resources_pass_the_checks_of_an_import() {
        let resource_row = |kind: &str, data: &str| {
            SiteRow::from([
                ("id".to_owned(), Field::Int(3)),
                ("kind".to_owned(), Field::Text(kind.into())),
                ("data".to_owned(), Field::Text(data.into())),
            ])
        };
        let mut news = resource_row("news", r#"{"key":"n","content":{"en":"<p>a<script>b</script></p>"}}"#);
        resource(&mut news).unwrap();
        assert!(text(&news, "data").unwrap().contains("<p>a</p>") && text(&news, "entry").unwrap() == "n");
        for (kind, data) in [
            ("news", r#"{"key":"n","cover":"javascript:alert(1)"}"#),
            ("picture", r#"{"key":"1/f","pictures":[{"small":"https://a.example/x.png"}]}"#),
            ("hologram", r#"{"key":"h"}"#),
        ] {
            assert!(resource(&mut resource_row(kind, data)).is_err(), "{data}");
        }
    }
}
