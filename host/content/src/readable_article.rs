//! The parts of an article that a reader may read: its body, and its files. Without a permit, these are the parts that are open to
//! everyone. The rules that decide about permits are in [`masthead_domain::access`].

use std::{borrow::Cow, collections::HashMap};

use arc_swap::ArcSwap;
use masthead_documents::html::{RenderedArticle, SectionKind};
use masthead_domain::{
    SiteId,
    access::{DownloadPermit, FullText, ReadPermit, ReadingRules, Rights},
    content::ArticleBody,
    resource::Picture,
    text::without_tags,
};
use masthead_store::{SiteStore, StoredArticle, UsedMedia};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::files::{self, FilePermit};

/// The reading rules of all sites, for work that has no request and therefore no site table at hand. Articles of a site that is not known
/// here cannot be read.
#[derive(Debug, Default)]
pub struct SiteRules(ArcSwap<HashMap<SiteId, ReadingRules>>);

impl SiteRules {
    /// Replaces the rules of all sites.
    pub fn set(&self, rules: HashMap<SiteId, ReadingRules>) {
        self.0.store(rules.into());
    }

    /// The rules of a site.
    #[must_use]
    pub fn of(&self, site: SiteId) -> ReadingRules {
        self.0.load().get(&site).copied().unwrap_or_default()
    }
}

/// Sections that everyone may read, also of an article whose full text they may not read.
#[must_use]
pub const fn is_open(kind: SectionKind) -> bool {
    matches!(
        kind,
        SectionKind::Abstract
            | SectionKind::GraphicAbstract
            | SectionKind::Keywords
            | SectionKind::Ocis
            | SectionKind::Highlights
            | SectionKind::Funding
            | SectionKind::References
    )
}

/// The rendered article: all of it with a permit for this article, otherwise the titles and the open sections.
///
/// # Errors
/// The parser's, if another version has rendered the article in a form that this one cannot read.
pub fn rendered(article: &StoredArticle, permit: Option<&ReadPermit>) -> serde_json::Result<RenderedArticle> {
    let mut rendered: RenderedArticle = serde_json::from_str(article.rendered.unsealed())?;
    if permit.is_none_or(|permit| permit.article() != article.id) {
        rendered.sections.retain(|section| is_open(section.kind));
        rendered.outline.clear();
        rendered.text.clear();
    }
    Ok(rendered)
}

/// The body of an article: all of it with a permit for this article, otherwise the abstracts and the references.
#[must_use]
pub fn body(body: FullText<ArticleBody>, permit: Option<&ReadPermit>) -> ArticleBody {
    let permitted = permit.is_some_and(|permit| body.opens_with(permit));
    let whole = body.unseal();
    if permitted {
        return whole;
    }
    ArticleBody { abstracts: whole.abstracts, reference_lists: whole.reference_lists, ..ArticleBody::default() }
}

/// An abstract of an article.
pub struct Abstract {
    /// BCP 47 tag, or "".
    pub lang: String,
    /// Plain text.
    pub text: String,
}

/// The abstracts of a rendered article. Everything else in the JSON, by far the greater part, is skipped without being decoded: decoding
/// it took most of the time of a page of OAI-PMH records. A rendering by another version that this one cannot parse has no abstracts.
#[must_use]
pub fn abstracts(rendered: &FullText<String>) -> Vec<Abstract> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Sections<'a> {
        #[serde(borrow)]
        sections: Vec<Section<'a>>,
    }
    #[derive(Deserialize)]
    struct Section<'a> {
        #[serde(borrow)]
        kind: Cow<'a, str>,
        lang: String,
        #[serde(borrow)]
        html: &'a RawValue,
    }
    let sections: Sections<'_> = serde_json::from_str(rendered.unsealed()).unwrap_or_default();
    let abstracts = sections.sections.into_iter().filter(|section| section.kind == "abstract");
    let read = |section: Section<'_>| {
        let html: String = serde_json::from_str(section.html.get()).ok()?;
        Some(Abstract { lang: section.lang, text: without_tags(&html) })
    };
    abstracts.filter_map(read).collect()
}

/// The same of an article that was rendered and parsed already.
pub fn abstracts_of(rendered: &RenderedArticle) -> impl Iterator<Item = Abstract> {
    let sections = rendered.sections.iter().filter(|section| section.kind == SectionKind::Abstract);
    sections.map(|section| Abstract { lang: section.lang.clone(), text: without_tags(&section.html) })
}

/// The permit for a file that came with an article; `None` if it is not the article's, or the permit is for another article.
#[must_use]
pub fn file_of_article(article: &StoredArticle, digest: &str, permit: &DownloadPermit) -> Option<FilePermit> {
    let own = article.files.iter().any(|file| files::digest(&file.address) == Some(digest));
    (own && permit.read().article() == article.id).then(|| FilePermit::new(digest, permit.read().is_public()))
}

/// The permit for one of the files of a figure; `None` if it is not the figure's, or the permit is for another article.
#[must_use]
pub fn file_of_figure(figure: &Picture, digest: &str, permit: &DownloadPermit) -> Option<FilePermit> {
    let mut addresses = figure.pictures.iter().flat_map(|files| [&files.small, &files.big, &files.original]);
    let own = addresses.any(|address| files::digest(address) == Some(digest));
    (own && permit.read().article().0 == figure.article).then(|| FilePermit::new(digest, permit.read().is_public()))
}

/// Whether a reader may have the file at an address `/media/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileDecision {
    /// The reader may.
    Granted(FilePermit),
    /// The reader may not: it is a file of articles whose full text this reader may not read or not download.
    Denied,
    /// It was a file of articles that were removed.
    Removed,
}

/// Whether browsers show files of this media type inside a page: showing one is reading; any other file is a download.
#[must_use]
pub fn is_shown(media_type: &str) -> bool {
    ["image/", "audio/", "video/"].iter().any(|kind| media_type.starts_with(kind))
}

/// Decides whether a reader may have a file that pages show, or link to. Files of the editors (covers, portraits) and files in the open
/// sections of an article are for everyone. Any other file of an article needs the permit to read it, and unless browsers show it inside
/// the page, the permit to download it. One article that grants it is enough.
///
/// # Errors
/// A message, if the articles that use the file cannot be read.
pub async fn file(store: &SiteStore, used: &UsedMedia, rights: &Rights) -> anyhow::Result<FileDecision> {
    let granted = |public| FileDecision::Granted(FilePermit::new(&used.media.digest, public));
    if !rights.is_active() {
        return Ok(FileDecision::Denied);
    }
    if used.elsewhere {
        return Ok(granted(true));
    }
    let cards = store.cards_by_id(&used.articles).await?;
    if cards.is_empty() {
        return Ok(FileDecision::Removed);
    }
    let shown = is_shown(&used.media.mime);
    let permits: Vec<ReadPermit> = cards
        .iter()
        .filter_map(|card| {
            let access = card.access();
            if shown { rights.read(access) } else { rights.download(access).map(|permit| *permit.read()) }
        })
        .collect();
    if permits.iter().any(ReadPermit::is_public) {
        return Ok(granted(true));
    }
    if shown && permits.is_empty() {
        for card in &cards {
            let Some(article) = store.article(card.article_id()).await? else { continue };
            if rendered(&article, None)?.sections.iter().any(|section| section.html.contains(&used.media.digest)) {
                return Ok(granted(true));
            }
        }
    }
    Ok(if permits.is_empty() { FileDecision::Denied } else { granted(false) })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_documents::html::RenderedSection;
    use masthead_domain::{
        ArticleId,
        access::{ArticleAccess, Permissions},
        article::{ArticleFile, ArticleMeta},
        content::Node,
    };

    use super::*;

    fn article(id: i64) -> StoredArticle {
        let section = |kind, html: &str| RenderedSection {
            kind,
            lang: "en".into(),
            title: String::new(),
            id: "s".into(),
            html: html.into(),
        };
        let rendered = RenderedArticle {
            sections: vec![
                section(SectionKind::Abstract, "<p>Salt \"and\" <i>silt</i></p>"),
                section(SectionKind::Body, "<p>Secret.</p>"),
            ],
            text: "Secret.".into(),
            ..RenderedArticle::default()
        };
        StoredArticle {
            id: ArticleId(id),
            journal: String::new(),
            meta: ArticleMeta::default(),
            rendered: FullText::new(ArticleId(id), serde_json::to_string(&rendered).unwrap()),
            files: vec![ArticleFile {
                name: "a.pdf".into(),
                address: format!("/media/7/{}.pdf", "a".repeat(64)),
                ..ArticleFile::default()
            }],
            changed_ms: 0,
            change_seq: 0,
        }
    }

    fn rights() -> Rights {
        ReadingRules { active: true, ..ReadingRules::default() }.of(Permissions::default())
    }

    #[test]
    fn without_a_permit_for_the_article_only_open_sections_are_left() {
        let read =
            |permit: Option<&ReadPermit>| serde_json::to_string(&rendered(&article(1), permit).unwrap()).unwrap();
        let permit = |id| rights().read(ArticleAccess { article: ArticleId(id), open_access: false }).unwrap();
        assert!(read(Some(&permit(1))).contains("Secret"));
        for text in [read(None), read(Some(&permit(2)))] {
            assert!(text.contains("Salt") && !text.contains("Secret"), "{text}");
        }
        let whole = || {
            let text = vec![Node::text("Secret")];
            FullText::new(ArticleId(1), ArticleBody { body: text, ..ArticleBody::default() })
        };
        assert!(!body(whole(), Some(&permit(1))).body.is_empty());
        assert!(body(whole(), None).body.is_empty() && body(whole(), Some(&permit(2))).body.is_empty());
    }

    #[test]
    fn abstracts_are_read_without_the_rest() {
        let found = abstracts(&article(1).rendered);
        assert_eq!(found.len(), 1, "the body is not an abstract");
        assert_eq!((found[0].lang.as_str(), found[0].text.as_str()), ("en", "Salt \"and\" silt"));
    }

    #[test]
    fn a_permit_gives_the_files_of_its_article() {
        let digest = "a".repeat(64);
        let permit = |id| rights().download(ArticleAccess { article: ArticleId(id), open_access: false }).unwrap();
        assert!(file_of_article(&article(1), &digest, &permit(1)).is_some());
        assert_eq!(file_of_article(&article(1), &digest, &permit(2)), None);
        assert_eq!(file_of_article(&article(1), &"b".repeat(64), &permit(1)), None);
    }
}
