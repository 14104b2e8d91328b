//! The content of pages: loads the data of a route and renders it as semantic HTML. The browser adopts this HTML; there
//! is no other renderer.

mod account;
mod article;
mod article_aside;
mod article_comments;
mod article_headings;
mod article_languages;
mod article_notices;
mod article_origin;
mod article_people;
mod bidi;
mod home;
mod issue;
mod journals;
mod list;
mod member_actions;
mod message;
mod navigation;
mod news_destination;
mod number;
mod paging;
pub mod plugin_contributions;
mod resources;
mod search;
mod texts;
mod unsubscribe;

use masthead_domain::route::Route;
use masthead_runtime::Call;

pub use self::{
    message::{directory, lookup_failure, message, refused},
    resources::label_of,
    search::saved_search,
    texts::elsewhere,
    unsubscribe::{Unsubscribing, unsubscribe},
};
use crate::page::context::{Context, Page, PageError};

/// Builds the page of a route.
///
/// # Errors
/// [`PageError`]. A failure that readers are to see (such as an unknown article) is a page, not an error.
pub async fn page(context: &Context<'_>, call: &mut Call, route: &Route) -> Result<Page, PageError> {
    match route {
        Route::Home => home::page(context, call, None).await,
        Route::HomeOf(channel) => home::page(context, call, Some(*channel)).await,
        Route::Issues => issue::all(context, None).await,
        Route::IssuesOf(year) => issue::all(context, Some(*year)).await,
        Route::Issue { which, .. } => issue::one(context, call, which.as_ref()).await,
        Route::JustAccepted => list::page(context, call, list::ArticleList::JustAccepted).await,
        Route::OnlineFirst => list::page(context, call, list::ArticleList::OnlineFirst).await,
        Route::Article(id) => article::by_id(context, call, *id).await,
        Route::ArticleByDoi(doi) => article::by_doi(context, call, doi).await,
        Route::ArticleMissing => Ok(article::missing(context)),
        Route::Navigation => navigation::page(context, call, &route.path()).await,
        Route::Text(page) => texts::page(context, call, page).await,
        Route::NewsDetails(id) => texts::news_item(context, *id).await,
        Route::Information(id) => texts::information(context, call, *id).await,
        Route::Search
        | Route::ArticleResults
        | Route::PublicationResults
        | Route::ResourceResults(_)
        | Route::AdvancedSearch => search::page(context, call, route).await,
        Route::Account(page) => Ok(account::page(context, *page)),
        Route::Resources(list) => resources::list(context, call, *list).await,
        Route::Resource(kind, id) => resources::one(context, call, *kind, *id).await,
        Route::Collections(channel) => resources::collections(context, call, *channel).await,
        Route::Collection(name) => resources::collection(context, call, name).await,
    }
}
