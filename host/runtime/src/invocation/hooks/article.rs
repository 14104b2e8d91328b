//! `article.decorate`: badges, sections and downloads of an article.

use super::{
    binding::{HookEntry, bind},
    text,
};
use crate::{
    contract::bindings::{
        exports::masthead::plugin::article_decorate as wit,
        masthead::plugin::types::{Article, Badge},
    },
    invocation::site_context::SiteContext,
};

const BADGES: usize = 8;
const LABEL_BYTES: usize = 120;
const HINT_BYTES: usize = 600;
const SECTIONS: usize = 8;
const HTML_BYTES: usize = 64 << 10;
const DOWNLOADS: usize = 16;

bind!(Entry: article_decorate.call_decorate(Article) -> wit::Additions);

impl HookEntry for Entry {
    fn check(_: &SiteContext, _: &Article, output: &wit::Additions) -> Result<(), String> {
        let wit::Additions { badges, sections, downloads } = output;
        check_badges(badges)?;
        if sections.len() > SECTIONS || downloads.len() > DOWNLOADS {
            return Err(format!(
                "{} sections and {} downloads, allowed are {SECTIONS} and {DOWNLOADS}",
                sections.len(),
                downloads.len()
            ));
        }
        for section in sections {
            let plain = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
            if section.id.is_empty() || section.id.len() > 64 || !section.id.bytes().all(plain) {
                return Err(format!("the section id {:?} is not made of a-z, 0-9 and -", text::short(&section.id)));
            }
            text::check_text("a heading", &section.heading, LABEL_BYTES * 2)?;
            if section.html.len() > HTML_BYTES {
                return Err(format!("a section of {} bytes, allowed are {HTML_BYTES}", section.html.len()));
            }
        }
        for download in downloads {
            text::check_text("a download's label", &download.label, LABEL_BYTES)?;
            text::check_text("a media type", &download.media_type, LABEL_BYTES)?;
            text::check_target(&download.href)?;
        }
        Ok(())
    }

    fn trial_input() -> Option<Article> {
        Some(empty_article())
    }

    fn cache_weight(additions: &wit::Additions) -> usize {
        let sections: usize = additions.sections.iter().map(|one| 128 + one.html.len()).sum();
        sections + (additions.badges.len() + additions.downloads.len()) * 256
    }
}

/// Labels, hints and addresses of badges.
pub(crate) fn check_badges(badges: &[Badge]) -> Result<(), String> {
    if badges.len() > BADGES {
        return Err(format!("{} badges, allowed are {BADGES}", badges.len()));
    }
    badges.iter().try_for_each(|badge| {
        if badge.label.trim().is_empty() {
            return Err("a badge has no label".to_owned());
        }
        text::check_text("a badge's label", &badge.label, LABEL_BYTES)?;
        text::check_text("a badge's hint", &badge.hint, HINT_BYTES)?;
        if badge.href.is_empty() { Ok(()) } else { text::check_target(&badge.href) }
    })
}

fn empty_article() -> Article {
    Article {
        id: 0,
        doi: String::new(),
        path: "article/0".to_owned(),
        titles: Vec::new(),
        authors: Vec::new(),
        journal: String::new(),
        issn: Vec::new(),
        publisher: String::new(),
        year: 0,
        volume: String::new(),
        issue: String::new(),
        first_page: String::new(),
        last_page: String::new(),
        published: String::new(),
        kind: String::new(),
        language: String::new(),
        keywords: Vec::new(),
        abstracts: Vec::new(),
        license_url: String::new(),
        open_access: false,
        reference_count: 0,
    }
}
