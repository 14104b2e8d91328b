//! What a reader may be about to type, and the entries that have the suggested titles.

use masthead_domain::SiteId;
use masthead_search::{
    EntryKind, MAX_TEXT, PageOfHits, Search, Sites, Suggest, Suggestion, SuggestionKind, Tree, title_key,
};

use super::{ResultItem, SearchFailure, SearchScope, load_items, nothing_is_missed};
use crate::{app::App, sites::SiteEntry};

/// Greatest number of entries that are read for the suggested titles.
const MOST_TITLED: usize = 200;

/// Suggestions for what was typed so far, best first, and the entries whose titles are among them, in any order, each with its site. At a group
/// site they are of the sites whose hits the page of results lists.
///
/// # Errors
/// [`SearchFailure`], when the index or the database fails, or the index is being rebuilt.
pub async fn suggest(
    app: &App,
    entry: &SiteEntry,
    kinds: Vec<EntryKind>,
    typed: &str,
    limit: usize,
) -> Result<(Vec<Suggestion>, Vec<(SiteId, ResultItem)>), SearchFailure> {
    let scope = SearchScope::Group;
    let searched = scope.searched(scope.sites(app, entry));
    let sites = Sites::several(searched.iter().copied());
    let text: String = typed.chars().take(MAX_TEXT).collect();
    let asked = Suggest { sites: sites.clone(), kinds: kinds.clone(), text, limit };
    let found = app.search.suggest(asked).await?;
    nothing_is_missed(app, found.len())?;
    let titles = found.iter().filter(|one| one.kind == SuggestionKind::Title);
    let titles: Vec<Tree> = titles.map(|one| Tree::Title(title_key(&one.text))).collect();
    if titles.is_empty() {
        return Ok((found, Vec::new()));
    }
    // Several sites of a group may have an entry of the same title.
    let most = titles.len().saturating_mul(sites.as_slice().len()).min(MOST_TITLED);
    let page = PageOfHits::at(0, most);
    let search = Search { kinds, tree: Some(Tree::Best(titles)), ..Search::default() };
    let hits = app.search.search(sites, search, page).await?;
    Ok((found, load_items(&app.store.sites(searched), hits.hits).await?))
}
