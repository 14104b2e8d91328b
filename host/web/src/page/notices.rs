//! Notices of an article in the reader's language: for pages and calls.

use masthead_content::notices::LinkedNotice;
use masthead_domain::{
    card::ArticleCard,
    notice::{NoticeKind, NoticeSide},
    route::Route,
};

use crate::{i18n::Messages, page::types::NoticeView, sites::addresses::Addresses};

/// The notices of an article as pages and calls send them, in the language of the addresses.
#[must_use]
pub fn views(messages: &Messages, addresses: &Addresses, notices: &[LinkedNotice]) -> Vec<NoticeView> {
    let lang = addresses.lang;
    let view = |one: &LinkedNotice| {
        let (kind, side) = (one.notice.kind, one.notice.side);
        NoticeView {
            kind,
            side,
            text: messages.get(lang, message(kind, side)).to_owned(),
            article: one.other.as_ref().map(ArticleCard::article_id),
            doi: one.doi().map(|doi| doi.to_string()).unwrap_or_default(),
            href: one
                .other
                .as_ref()
                .map_or_else(|| one.href(), |card| addresses.route(&Route::Article(card.article_id()))),
            title: one.title(lang.tag()),
            language: one.title_language(lang.tag()).to_owned(),
            mark: one.other.as_ref().map(|card| card.notice).unwrap_or_default(),
            published: one.other.as_ref().map(|card| card.published.clone()).unwrap_or_default(),
        }
    };
    notices.iter().map(view).collect()
}

/// The key of the sentence for an article on this side of a notice.
const fn message(kind: NoticeKind, side: NoticeSide) -> &'static str {
    match (side, kind) {
        (NoticeSide::Affected, NoticeKind::Retraction) => "notice_affected_retraction",
        (NoticeSide::Affected, NoticeKind::Withdrawal) => "notice_affected_withdrawal",
        (NoticeSide::Affected, NoticeKind::Concern) => "notice_affected_concern",
        (NoticeSide::Affected, NoticeKind::PartialRetraction) => "notice_affected_partial_retraction",
        (NoticeSide::Affected, NoticeKind::Correction) => "notice_affected_correction",
        (NoticeSide::Affected, NoticeKind::Republication) => "notice_affected_republication",
        (NoticeSide::Affected, NoticeKind::Addendum) => "notice_affected_addendum",
        (NoticeSide::Affected, NoticeKind::Update) => "notice_affected_update",
        (NoticeSide::Affected, NoticeKind::Comment) => "notice_affected_comment",
        (NoticeSide::Affected, NoticeKind::Reply) => "notice_affected_reply",
        (NoticeSide::Notice, NoticeKind::Retraction) => "notice_of_retraction",
        (NoticeSide::Notice, NoticeKind::Withdrawal) => "notice_of_withdrawal",
        (NoticeSide::Notice, NoticeKind::Concern) => "notice_of_concern",
        (NoticeSide::Notice, NoticeKind::PartialRetraction) => "notice_of_partial_retraction",
        (NoticeSide::Notice, NoticeKind::Correction) => "notice_of_correction",
        (NoticeSide::Notice, NoticeKind::Republication) => "notice_of_republication",
        (NoticeSide::Notice, NoticeKind::Addendum) => "notice_of_addendum",
        (NoticeSide::Notice, NoticeKind::Update) => "notice_of_update",
        (NoticeSide::Notice, NoticeKind::Comment) => "notice_of_comment",
        (NoticeSide::Notice, NoticeKind::Reply) => "notice_of_reply",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use masthead_domain::Lang;

    use super::*;

    #[test]
    fn each_notice_has_a_sentence_of_its_own_in_each_language() {
        let messages = Messages::load().unwrap();
        for lang in Lang::ALL {
            let mut sentences = BTreeSet::new();
            for kind in NoticeKind::ALL {
                for side in [NoticeSide::Affected, NoticeSide::Notice] {
                    let key = message(kind, side);
                    let sentence = messages.get(lang, key);
                    assert!(sentences.insert(sentence) && sentence != key, "{lang}: {key}");
                    assert!(lang == Lang::En || sentence != messages.get(Lang::En, key), "{lang}: {key}");
                }
            }
        }
    }
}
