//! Identifiers.

use masthead_domain::ids as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::conversion::FromDomain;

/// The number of a site, as the specification's `siteId` (448, 950, ...). Positive.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(transparent)]
pub struct SiteId(pub i64);

impl FromDomain<domain::SiteId> for SiteId {
    fn from_domain(domain::SiteId(number): domain::SiteId) -> Self {
        Self(number)
    }
}

/// The number of an article, unique on its site, as the specification's `thesisId`. Positive.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(transparent)]
pub struct ArticleId(pub i64);

impl FromDomain<domain::ArticleId> for ArticleId {
    fn from_domain(domain::ArticleId(number): domain::ArticleId) -> Self {
        Self(number)
    }
}

/// A digital object identifier: `10.` + registrant + `/` + suffix, in the case in which it was written.
///
/// DOIs compare without regard to (ASCII) case.
#[derive(Debug, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, example = "10.5555/masthead.2026.001")]
pub struct Doi(String);

impl FromDomain<domain::Doi> for Doi {
    fn from_domain(value: domain::Doi) -> Self {
        Self(value.into())
    }
}
