//! The permissions of a reader on a site (specification: site permissions).

use masthead_domain::access as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::conversion::schema;

schema! {
    /// The site's permissions for one reader; both are granted by default.
    #[derive(Clone, Copy, Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Permissions of domain::Permissions {
        /// May read full texts.
        pub visit_power: bool,
        /// May download files.
        pub download_power: bool,
    }
}
