//! What a reader may be about to type, and the entries that have the suggested titles.

use masthead_search::{EntryKind, MAX_TEXT, Page, Search, Sites, Suggest, Suggestion, SuggestionKind, Tree, title_key};

use super::{ResultItem, SearchFailure, load_items, nothing_is_missed};
use crate::{app::App, sites::SiteEntry};

/// Suggestions for what was typed so far, best first, and the entries whose titles are among them, in any order.
///
/// # Errors
/// [`SearchFailure`], when the index or the database fails, or the index is being rebuilt.
pub async fn suggest(
    app: &App,
    entry: &SiteEntry,
    kinds: Vec<EntryKind>,
    typed: &str,
    limit: usize,
) -> Result<(Vec<Suggestion>, Vec<ResultItem>), SearchFailure> {
    let sites = Sites::one(entry.site.id);
    let text: String = typed.chars().take(MAX_TEXT).collect();
    let asked = Suggest { sites: sites.clone(), kinds: kinds.clone(), text, limit };
    let found = app.search.suggest(asked).await?;
    nothing_is_missed(app, found.len())?;
    let titles = found.iter().filter(|one| one.kind == SuggestionKind::Title);
    let titles: Vec<Tree> = titles.map(|one| Tree::Title(title_key(&one.text))).collect();
    if titles.is_empty() {
        return Ok((found, Vec::new()));
    }
    let page = Page::at(0, titles.len());
    let search = Search { kinds, tree: Some(Tree::Best(titles)), ..Search::default() };
    let hits = app.search.search(sites, search, page).await?;
    let items = load_items(app, hits.hits).await?;
    Ok((found, items.into_iter().map(|(_, item)| item).collect()))
}
