//! Which part of the hits a page shows. Up to [`MAX_WINDOW`] hits, a page is known by its number alone; those behind are reached from the page
//! before, by the key of its last hit, at the cost of one page however deep it is.

use masthead_search::{MAX_WINDOW, PageKey};
use maud::Markup;

use super::{Found, PAGE_SIZE, SearchState};
use crate::page::{
    content::paging::{self, Paging},
    context::Context,
};

/// Number of the last page that is known by its number alone.
const LAST_NUMBERED: u32 = MAX_WINDOW as u32 / PAGE_SIZE;

/// The part of the hits that an address asks for.
pub struct RequestedHits {
    /// The page.
    pub paging: Paging,
    /// The hit behind which it begins.
    pub after: Option<PageKey>,
}

impl RequestedHits {
    /// The part that the parameters `page` and `after` ask for. Without a key, a page behind the last numbered one is that one.
    pub fn asked(context: &Context<'_>) -> Self {
        Self::of(Paging::requested(context, PAGE_SIZE), context.parameter("after").parse().ok())
    }

    fn of(paging: Paging, key: Option<PageKey>) -> Self {
        let after = key.filter(|_| paging.page > LAST_NUMBERED);
        let page = if after.is_some() { paging.page } else { paging.page.min(LAST_NUMBERED) };
        Self { paging: Paging { page, ..paging }, after }
    }

    /// Number of hits that are skipped.
    pub fn offset(&self) -> usize {
        if self.after.is_some() { 0 } else { usize::try_from(self.paging.offset()).unwrap_or(usize::MAX) }
    }
}

/// The links to the pages before and after.
pub fn links(context: &Context<'_>, state: &SearchState, found: &Found) -> Markup {
    let href = state.href(context);
    let key = found.results.next.as_ref().map(PageKey::to_string);
    paging::more_where(context, &found.paging, |page| address(&href, page, found.paging.page, key.as_deref()))
}

/// The address of a page beside the present one; `None` for one that cannot be reached.
fn address(href: &str, page: u32, present: u32, key: Option<&str>) -> Option<String> {
    if page <= LAST_NUMBERED {
        return Some(paging::at(href, page));
    }
    let key = key.filter(|_| page > present)?;
    Some(format!("{}&after={key}", paging::at(href, page)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: PageKey = PageKey { value: Some(7), id: 3, place: 1 };

    fn part(page: u32, key: Option<PageKey>) -> (u32, Option<PageKey>, usize) {
        let part = RequestedHits::of(Paging { page, size: PAGE_SIZE, total: 0 }, key);
        let offset = part.offset();
        (part.paging.page, part.after, offset)
    }

    #[test]
    fn pages_behind_the_window_need_a_key() {
        assert_eq!(part(2, Some(KEY)), (2, None, 20), "one with a number needs none");
        assert_eq!(part(501, Some(KEY)), (501, Some(KEY), 0));
        assert_eq!(part(501, None), (500, None, 9_980));
    }

    #[test]
    fn the_next_page_has_the_key_and_the_one_before_has_none() {
        assert_eq!(address("/en/search?q=a", 500, 499, Some("k")).as_deref(), Some("/en/search?q=a&page=500"));
        assert_eq!(address("/en/search?q=a", 501, 500, Some("k")).as_deref(), Some("/en/search?q=a&page=501&after=k"));
        assert_eq!(address("/en/search?q=a", 501, 502, Some("k")), None, "the key leads forward only");
        assert_eq!(address("/en/search?q=a", 501, 500, None), None);
    }
}
