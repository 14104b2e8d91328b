//! The kinds of resources. The domain lists them; their names are taken from there.

use masthead_domain::resource as domain;
use serde::Serialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use crate::schema::conversion::FromDomain;

/// The kinds of resources. The name of each stands in addresses, in the store and in the index.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct ResourceKind(domain::ResourceKind);

impl FromDomain<domain::ResourceKind> for ResourceKind {
    fn from_domain(value: domain::ResourceKind) -> Self {
        Self(value)
    }
}

impl PartialSchema for ResourceKind {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(
                "The kinds of resources. The name of each stands in addresses, in the store and in the index.",
            ))
            .enum_values(Some(domain::ResourceKind::ALL.map(domain::ResourceKind::as_str)))
            .into()
    }
}

impl ToSchema for ResourceKind {}
