//! Pages: the data of a route, and its content as semantic HTML. The browser adopts this HTML; there is no other renderer.

mod about;
pub mod additions;
mod article;
mod home;
mod issue;
mod list;
mod message;
mod search;

use std::sync::Arc;

use masthead_domain::{Lang, access::Permissions, route::Route};
use masthead_runtime::Call;
use masthead_store::{SiteStore, StoreError};
use maud::Markup;

pub use self::article::readable;
pub use self::message::{directory, lookup_failure, message};
use crate::{api::types::PageView, head::Head, i18n::Texts, links::Addresses, sites::SiteEntry, state::App};

/// What a page is made from.
pub struct Context<'a> {
    /// The application.
    pub app: &'a App,
    /// The site.
    pub entry: &'a Arc<SiteEntry>,
    /// Its content.
    pub store: SiteStore,
    /// Addresses in the page's language.
    pub addresses: Addresses,
    /// Messages in the page's language.
    pub texts: Texts<'a>,
    /// What the reader may do.
    pub permissions: Permissions,
    /// Who is signed in.
    pub user: Option<crate::session::User>,
    /// Scheme and host for absolute addresses, without trailing slash.
    pub origin: String,
    /// The query string's parameters.
    pub query: Vec<(String, String)>,
}

impl Context<'_> {
    /// The page's language.
    #[must_use]
    pub const fn lang(&self) -> Lang {
        self.addresses.lang
    }

    /// A query parameter, trimmed, or "".
    #[must_use]
    pub fn parameter(&self, name: &str) -> &str {
        self.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim())
    }
}

/// A page before the frame is put around it.
pub struct Page {
    /// HTTP status.
    pub status: u16,
    /// Document title without the site's name.
    pub title: String,
    /// What the head holds besides.
    pub head: Head,
    /// Content of `<main>`.
    pub main: Markup,
    /// What the shell is told.
    pub view: PageView,
    /// Whether it may be kept in the page cache.
    pub cacheable: bool,
    /// The article that it shows, for plugins.
    pub article: Option<masthead_runtime::wit::types::Article>,
}

/// Why a page cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The search index failed.
    #[error(transparent)]
    Search(#[from] masthead_search::SearchError),
    /// A search panicked.
    #[error("searching: {0}; please report the query")]
    SearchPanic(tokio::task::JoinError),
    /// What was rendered at import cannot be read.
    #[error("reading the rendered article {id}: {source}; import it again")]
    Rendered {
        /// The article.
        id: i64,
        /// The parser's error.
        source: serde_json::Error,
    },
    /// A file of the article cannot be read.
    #[error("reading a file of article {id} in the data folder: {source}; import the article again")]
    File {
        /// The article.
        id: i64,
        /// The file system's error.
        source: std::io::Error,
    },
}

/// Makes the page of a route.
///
/// # Errors
/// [`PageError`]; what a reader may be told is a page, not an error.
pub async fn page(context: &Context<'_>, call: &mut Call, route: &Route) -> Result<Page, PageError> {
    match route {
        Route::Home => home::page(context, call).await,
        Route::Issues => issue::all(context).await,
        Route::Issue { which, .. } => issue::one(context, call, which.as_ref()).await,
        Route::JustAccepted => list::page(context, call, list::Kind::JustAccepted).await,
        Route::OnlineFirst => list::page(context, call, list::Kind::OnlineFirst).await,
        Route::Article(id) => article::by_id(context, call, *id).await,
        Route::ArticleByDoi(doi) => article::by_doi(context, call, doi).await,
        Route::ArticleMissing => Ok(article::missing(context)),
        Route::About => about::page(context).await,
        Route::Search => search::page(context, call).await,
    }
}
