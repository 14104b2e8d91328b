//! List entries of search hits of any kind.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use masthead_domain::{
    ArticleId, Lang, LocalText, SiteId,
    article::ArticleMeta,
    card::ArticleCard,
    lang::same_language,
    link::LinkKind,
    resource::ResourceKind as Kind,
    site::{search_fields, search_type},
};
use masthead_search::Marker;
use masthead_store::{ResourceRow, Totals};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::{
    articles::LinkedCard,
    envelope::{ApiError, Caller},
    hit_reads::{Reads, SiteHits},
    types::BadgeView,
};
use crate::schema::{FromDomain, Journal, ResourceKind};
use crate::search_service::{Badges, ResultItem, SearchResults, marks, mentions::article_of};
use masthead_domain::text::without_tags;

/// Greatest length of a summary, in characters.
const MAX_SUMMARY: usize = 320;

/// A hit.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum HitView {
    /// An article.
    Article(Box<ArticleHit>),
    /// A journal.
    Publication(Box<JournalHit>),
    /// A resource of any other kind.
    Resource(Box<ResourceHit>),
}

/// An article.
#[derive(Serialize, ToSchema)]
pub struct ArticleHit {
    /// The article.
    #[serde(flatten)]
    linked: LinkedCard,
    /// The fields of the specification's search that the list entry does not have.
    #[serde(flatten)]
    fields: ArticleFields,
    /// What the search matches in it.
    highlights: Highlights,
}

/// Texts of a hit with what the search matches in them.
#[derive(Default, Serialize, ToSchema)]
pub struct Highlights {
    /// The title as HTML, with what the search matches in elements `mark`; "" if it matches nothing there.
    title: String,
    /// The summary in the same form.
    summary: String,
}

impl Highlights {
    fn of(marker: &Marker, title: &str, summary: &str) -> Self {
        let marked = |text: &str| {
            let html = marks::in_markup(&maud::html! { (text) }, marker).0;
            if html.contains("<mark>") { html } else { String::new() }
        };
        Self { title: marked(title), summary: marked(summary) }
    }
}

/// Fields of an article under the names of the specification's search fields and sort keys (section 3), in the reader's
/// language.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArticleFields {
    /// Title in the reader's language, else the original.
    #[serde(rename = "resName_tic")]
    res_name_tic: String,
    /// Keywords in the reader's language, else those of the first group.
    #[serde(rename = "keyword_tic")]
    keyword_tic: Vec<String>,
    /// Names of the authors.
    #[serde(rename = "authors_tic")]
    authors_tic: Vec<String>,
    /// Institutions of the authors.
    #[serde(rename = "authorCompany_tic")]
    author_company_tic: Vec<String>,
    /// Abstract in short, in the reader's language, else the first.
    #[serde(rename = "summary_tic")]
    summary_tic: String,
    /// Issue part as printed, or "".
    part: String,
    /// First page as printed, or "".
    first_page_num: String,
    /// Last page as printed, or "".
    last_page_num: String,
    /// Views.
    visits: i64,
    /// Downloads.
    downloads: i64,
    /// Number of references.
    reference_count: u32,
    /// Number of articles of the installation that cite it, by which the sort key `referenceCount` sorts.
    citation_count: u32,
    /// Number of visible comments.
    comment_count: i64,
    /// Date for sorting and citation, ISO 8601, or "".
    publish_date: String,
    /// Date of print publication, ISO 8601, or "".
    ppub_date: String,
    /// Time of the last update in the time zone of the site, ISO 8601.
    update_time: String,
    /// 0 formal publication, 1 online first.
    publish_type: u8,
    /// 0 open access, 1 otherwise.
    access: u8,
}

/// A journal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JournalHit {
    /// The journal, with `cn` and `issn`.
    #[serde(flatten)]
    journal: Journal,
    /// The journal's name in the reader's language.
    name: String,
    /// The same name, under the name that all hits have in common.
    #[serde(rename = "resName_tic")]
    res_name_tic: String,
    /// The same name, under the name of the specification's search field.
    publication_name: String,
    /// Sponsor in the reader's language, or "".
    organizer_unit: String,
    /// What the search matches in it.
    highlights: Highlights,
}

/// A hit that is a figure, a book, an expert or another resource, in the reader's language.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceHit {
    /// Kind of the resource.
    #[serde(rename = "type")]
    kind: ResourceKind,
    /// Id of the resource.
    id: i64,
    /// Key of the resource, unique among the resources of its kind on the site.
    key: String,
    /// Label as printed ("Figure 1"), or "".
    label: String,
    /// Title or name.
    title: String,
    /// A short description, as plain text.
    summary: String,
    /// ISO date, or "".
    date: String,
    /// Time of the last update in the time zone of the site, ISO 8601, or "" if it is not known.
    update_time: String,
    /// Address of a small picture, or "".
    picture: String,
    /// Id of the article to which the resource belongs, or 0.
    article: i64,
    /// Title of that article, or "".
    thesis: String,
    /// Address of that article's page, or "".
    article_href: String,
    /// Title or name, under the name that all hits have in common.
    #[serde(rename = "resName_tic")]
    res_name_tic: String,
    /// The sentence of the article that mentions the figure or table first, for readers who may read it; else "".
    mention: String,
    /// What the search matches in it.
    highlights: Highlights,
    /// The fields by which this kind of resource is searched.
    #[serde(flatten)]
    fields: ResourceFields,
}

impl ResourceHit {
    /// Removes what only readers of the full text may see of a figure or table, as `FigureOrTable::close` does.
    fn close(&mut self) {
        self.summary.clear();
        self.picture.clear();
        self.highlights.summary.clear();
        self.fields.note_chinese_tic = self.fields.note_chinese_tic.as_ref().map(|_| String::new());
    }
}

/// Fields of a resource under the names of the specification's search fields (section 3), in the reader's language. Each
/// is present if the search conditions of the resource's kind offer it; "" if the resource has no such text.
#[derive(Default, Serialize, ToSchema)]
pub struct ResourceFields {
    /// Books, patents, standards: keywords or classes.
    #[serde(rename = "keyword_tic", skip_serializing_if = "Option::is_none")]
    keyword_tic: Option<String>,
    /// Books, patents: names of persons and applicants.
    #[serde(rename = "authors_tic", skip_serializing_if = "Option::is_none")]
    authors_tic: Option<String>,
    /// Standards: the institution that issued it.
    #[serde(rename = "authorCompany_tic", skip_serializing_if = "Option::is_none")]
    author_company_tic: Option<String>,
    /// Books, patents, standards: a short description.
    #[serde(rename = "summary_tic", skip_serializing_if = "Option::is_none")]
    summary_tic: Option<String>,
    /// Books: the ISBN as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    isbn: Option<String>,
    /// Figures and tables: the note.
    #[serde(rename = "noteChinese_tic", skip_serializing_if = "Option::is_none")]
    note_chinese_tic: Option<String>,
    /// Figures and tables: the keywords.
    #[serde(rename = "keyWords_tic", skip_serializing_if = "Option::is_none")]
    key_words_tic: Option<String>,
    /// Figures and tables: title of the article.
    #[serde(rename = "thesis_tic", skip_serializing_if = "Option::is_none")]
    thesis_tic: Option<String>,
    /// Recordings: English title, else the title.
    #[serde(rename = "enResName_tic", skip_serializing_if = "Option::is_none")]
    en_res_name_tic: Option<String>,
    /// Recordings: the keywords.
    #[serde(rename = "keywordExt_tic", skip_serializing_if = "Option::is_none")]
    keyword_ext_tic: Option<String>,
    /// Recordings: English title of the article, else its title.
    #[serde(rename = "en_Thesis_tic", skip_serializing_if = "Option::is_none")]
    en_thesis_tic: Option<String>,
}

/// Converts the hits of a page to list entries, with their addresses. Those of another site have what that site shows to everyone.
///
/// # Errors
/// [`ApiError`], when the database fails.
pub async fn views(caller: &Caller, found: SearchResults) -> Result<Vec<HitView>, ApiError> {
    let SearchResults { items, sites, tree, mut badges, .. } = found;
    let mut by_site: BTreeMap<SiteId, Vec<ResultItem>> = BTreeMap::new();
    for (site, item) in sites.iter().zip(items) {
        by_site.entry(*site).or_default().push(item);
    }
    let others = others(caller, by_site.keys().copied());
    let mut parts = Vec::with_capacity(by_site.len());
    for (site, items) in by_site {
        let there = if site == caller.entry().site.id { Some(caller) } else { others.get(&site) };
        // A site that was closed or removed a moment ago has no entries.
        if let Some(there) = there {
            parts.push(SiteHits::of(there, items).await);
        }
    }
    let mut read = Reads::of(caller, &parts).await?;
    let marker = Marker::new(tree.as_ref());
    let mut views: BTreeMap<SiteId, std::vec::IntoIter<HitView>> = BTreeMap::new();
    for part in parts {
        let site = part.site();
        let badges = badges.remove(&site).unwrap_or_default();
        views.insert(site, of_site(part, badges, &marker, &mut read).await.into_iter());
    }
    Ok(sites.iter().filter_map(|site| views.get_mut(site)?.next()).collect())
}

/// The same reader at those of these sites that are open and not the caller's own.
fn others(caller: &Caller, sites: impl Iterator<Item = SiteId>) -> BTreeMap<SiteId, Caller> {
    let (own, table) = (caller.entry().site.id, caller.app.sites.load_full());
    let open = sites.filter(|site| *site != own).filter_map(|site| table.open_by_id(site));
    open.map(|entry| (entry.site.id, caller.at(entry))).collect()
}

/// The list entries of the hits of one site.
async fn of_site(part: SiteHits<'_>, mut badges: Badges, marker: &Marker, read: &mut Reads) -> Vec<HitView> {
    let mut fields = article_fields(&part, read);
    let mut mentions = part.mentions(read).into_iter();
    let cards: Vec<ArticleCard> = part.cards().cloned().collect();
    let SiteHits { caller, items, rights } = part;
    let articles = articles_of_resources(caller, &items).await;
    let mut linked = LinkedCard::all(caller, LinkKind::ResultArticle, cards).await.into_iter();
    let is_closed = |row: &ResourceRow| {
        let permit = rights.and_then(|rights| rights.read(row.article_access()));
        article_of(row).is_some() && permit.is_none()
    };
    let mut views = Vec::with_capacity(items.len());
    for item in items {
        views.extend(match item {
            ResultItem::Article(_) => linked.next().map(|mut linked| {
                let id = linked.card.id;
                let badges = badges.remove(&id).unwrap_or_default();
                linked.badges = badges.iter().map(BadgeView::of).collect();
                let fields = fields.remove(&id).unwrap_or_default();
                let highlights = Highlights::of(marker, &fields.res_name_tic, &fields.summary_tic);
                HitView::Article(Box::new(ArticleHit { linked, fields, highlights }))
            }),
            ResultItem::Publication(journal) => {
                let name = journal.title.get(caller.lang).to_owned();
                let introduction = short(journal.introduction.get(caller.lang));
                Some(HitView::Publication(Box::new(JournalHit {
                    res_name_tic: name.clone(),
                    publication_name: name.clone(),
                    organizer_unit: journal.sponsor.get(caller.lang).to_owned(),
                    highlights: Highlights::of(marker, &name, &introduction),
                    journal: Journal::from_domain(*journal),
                    name,
                })))
            }
            ResultItem::Resource(row) => {
                let mut hit = resource(caller, &row);
                hit.article_href = articles.get(&row.article).cloned().unwrap_or_default();
                hit.highlights = Highlights::of(marker, &hit.title, &hit.summary);
                hit.mention = mentions.next().flatten().map(|mention| mention.text).unwrap_or_default();
                if is_closed(&row) {
                    hit.close();
                }
                Some(HitView::Resource(Box::new(hit)))
            }
        });
    }
    views
}

/// The addresses of the articles to which resources among the hits of a site belong, by id; in one call of the `links` hook.
async fn articles_of_resources(caller: &Caller, items: &[ResultItem]) -> HashMap<i64, String> {
    let article = |item: &ResultItem| match item {
        ResultItem::Resource(row) if row.article != 0 => Some(row.article),
        _ => None,
    };
    let ids: BTreeSet<i64> = items.iter().filter_map(article).collect();
    let articles: Vec<ArticleId> = ids.iter().copied().map(ArticleId).collect();
    let mut call = caller.plugin_call("api");
    let hrefs = caller.addresses().articles(&mut call, LinkKind::ResultArticle, &articles).await;
    ids.into_iter().zip(hrefs).collect()
}

/// The fields of the articles among the hits of a site, by id.
fn article_fields(part: &SiteHits<'_>, read: &mut Reads) -> HashMap<i64, ArticleFields> {
    let (site, caller) = (part.site(), part.caller);
    let fields = part.cards().filter_map(|card| {
        let (meta, changed, numbers) = read.take((site, card.article_id()))?;
        Some((card.id, fields_of(card, meta, caller.instant(changed), numbers, caller.lang)))
    });
    fields.collect()
}

fn fields_of(
    card: &ArticleCard,
    meta: ArticleMeta,
    update_time: String,
    (totals, comment_count, citation_count): (Totals, i64, u32),
    lang: Lang,
) -> ArticleFields {
    let keywords = meta.keywords.iter().filter(|group| same_language(&group.lang, lang.tag()));
    let mut keyword_tic: Vec<String> = keywords.flat_map(|group| group.plain.iter().cloned()).collect();
    if keyword_tic.is_empty() {
        keyword_tic = meta.keywords.first().map(|group| group.plain.clone()).unwrap_or_default();
    }
    let summary = card.summary(lang.tag());
    ArticleFields {
        res_name_tic: meta.title(lang.tag()).to_owned(),
        keyword_tic,
        authors_tic: meta.authors().map(masthead_domain::article::Contributor::display_name).collect(),
        author_company_tic: meta.affiliations.iter().map(|place| place.text.clone()).collect(),
        summary_tic: summary.map(|summary| summary.plain.clone()).unwrap_or_default(),
        visits: totals.visits,
        downloads: totals.downloads,
        reference_count: meta.reference_count,
        citation_count,
        comment_count,
        publish_date: meta.dates.published().to_owned(),
        update_time,
        publish_type: u8::from(meta.is_online_first()),
        access: u8::from(!meta.open_access),
        part: meta.part,
        first_page_num: meta.first_page,
        last_page_num: meta.last_page,
        ppub_date: meta.dates.print,
    }
}

/// The fields by which a kind of resource is searched, from the data of a resource.
fn resource_fields(kind: Kind, data: &serde_json::Value, lang: Lang, summary: &str) -> ResourceFields {
    let mut fields = ResourceFields::default();
    let Some(kind) = search_type(kind.as_str()) else { return fields };
    let local = |name: &str, lang: Lang| {
        let text = serde_json::from_value::<LocalText>(data[name].clone()).unwrap_or_default();
        text.get(lang).to_owned()
    };
    let list = |names: &[&str]| {
        let values = names.iter().filter_map(|name| data[*name].as_array()).flatten();
        // Contributors are objects with a name, other values are texts.
        let texts = values.filter_map(|value| value.as_str().or_else(|| value["name"].as_str()));
        texts.collect::<Vec<_>>().join("; ")
    };
    for field in search_fields(kind) {
        match field.field {
            "keyword_tic" => fields.keyword_tic = Some(list(&["subjects", "ipc", "ics"])),
            "authors_tic" => fields.authors_tic = Some(list(&["contributors", "inventors", "applicants"])),
            "authorCompany_tic" => fields.author_company_tic = Some(local("organization", lang)),
            "summary_tic" => fields.summary_tic = Some(summary.to_owned()),
            "isbn" => fields.isbn = Some(data["isbn"].as_str().unwrap_or_default().to_owned()),
            "noteChinese_tic" => fields.note_chinese_tic = Some(summary.to_owned()),
            "keyWords_tic" => fields.key_words_tic = Some(local("keywords", lang)),
            "thesis_tic" => fields.thesis_tic = Some(local("thesis", lang)),
            "enResName_tic" => fields.en_res_name_tic = Some(local("title", Lang::En)),
            "keywordExt_tic" => fields.keyword_ext_tic = Some(local("keywords", lang)),
            "en_Thesis_tic" => fields.en_thesis_tic = Some(local("thesis", Lang::En)),
            _ => {}
        }
    }
    fields
}

/// A short description from HTML.
fn short(html: &str) -> String {
    without_tags(html).chars().take(MAX_SUMMARY).collect()
}

fn resource(caller: &Caller, row: &ResourceRow) -> ResourceHit {
    let data: serde_json::Value = serde_json::from_str(&row.data).unwrap_or_default();
    let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
    // The kinds use the specification's field names, which differ; these fields have the same role in a list.
    let local = |names: &[&str]| {
        let found = names.iter().filter_map(|name| serde_json::from_value::<LocalText>(data[*name].clone()).ok());
        found.map(|text| text.get(caller.lang).to_owned()).find(|text| !text.is_empty()).unwrap_or_default()
    };
    let first = |names: &[&str]| names.iter().map(|name| text(name)).find(|text| !text.is_empty()).unwrap_or_default();
    let rendition = ["small", "big"].iter().filter_map(|size| data["pictures"][0][*size].as_str());
    let rendition = rendition.map(str::to_owned).find(|address| !address.is_empty());
    let title = local(&["title", "name"]);
    let summary = short(&local(&["note", "introduction", "bio", "summary", "content"]));
    ResourceHit {
        fields: resource_fields(row.kind, &data, caller.lang, &summary),
        res_name_tic: title.clone(),
        kind: ResourceKind::from_domain(row.kind),
        id: row.id,
        key: text("key"),
        label: text("label"),
        title,
        summary,
        date: first(&["date", "firstPublished"]),
        update_time: match row.changed_ms {
            0 => String::new(),
            changed => caller.instant(changed),
        },
        picture: caller.addresses().file(rendition.unwrap_or_else(|| first(&["cover", "photo", "icon"]))),
        article: row.article,
        thesis: local(&["thesis"]),
        article_href: String::new(),
        mention: String::new(),
        highlights: Highlights::default(),
    }
}
