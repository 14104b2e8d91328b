//! Notices between articles: retractions, corrections, comments.

use masthead_domain::notice as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::conversion::schema;

schema! {
    /// What a notice says of an article, in the order of its weight for readers.
    #[derive(Clone, Copy, Debug, Serialize, ToSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum NoticeKind of domain::NoticeKind {
        /// The article is retracted.
        Retraction,
        /// The article is withdrawn or removed.
        Withdrawal,
        /// An expression of concern.
        Concern,
        /// A part of the article is retracted.
        PartialRetraction,
        /// A correction: erratum, corrigendum.
        Correction,
        /// The article is corrected and published again.
        Republication,
        /// An addendum.
        Addendum,
        /// A newer version or edition.
        Update,
        /// A comment or commentary.
        Comment,
        /// A reply, of authors to a comment for example.
        Reply,
    }
}

schema! {
    /// The side of a notice on which an article stands.
    #[derive(Clone, Copy, Debug, Serialize, ToSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum NoticeSide of domain::NoticeSide {
        /// The article is the notice.
        Notice,
        /// The notice is about the article.
        Affected,
    }
}

schema! {
    /// How lists mark an article that notices are about.
    #[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum NoticeMark of domain::NoticeMark {
        /// Not at all.
        #[default]
        None,
        /// It is corrected.
        Corrected,
        /// There is an expression of concern about it.
        Concern,
        /// It is retracted or withdrawn.
        Retracted,
    }
}
