//! Pages of a list: which part of it a page shows, and the links to the parts before and after it.
//!
//! A list page has its items in one element with the attribute `data-list`, and below it what [`more`] draws. Without scripts
//! the links lead from page to page. The shell (`ui-shell/src/lists`) puts the items of the next page under those that are shown.

use maud::{Markup, html};

use crate::page::context::Context;

/// Last page that can be asked for. An offset costs the database as much as all pages before it.
const LAST_PAGE: u32 = 100_000;
/// Cards on a page of a list that has them side by side: whole rows of two to six.
pub const CARDS: u32 = 60;

/// A page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paging {
    /// Number of the page, from 1.
    pub page: u32,
    /// Items on a page.
    pub size: u32,
    /// Items on all pages.
    pub total: u64,
}

impl Paging {
    /// The page that the parameter `page` asks for, before the number of items is known; the first one without the parameter, or
    /// if it is no number.
    #[must_use]
    pub fn requested(context: &Context<'_>, size: u32) -> Self {
        Self { page: number(context.parameter("page")), size, total: 0 }
    }

    /// The same page of a list with `total` items.
    #[must_use]
    pub const fn of(self, total: u64) -> Self {
        Self { total, ..self }
    }

    /// Number of items before this page.
    #[must_use]
    pub fn offset(&self) -> u64 {
        u64::from(self.page.saturating_sub(1)) * u64::from(self.size)
    }

    /// Number of pages.
    #[must_use]
    pub fn pages(&self) -> u32 {
        u32::try_from(self.total.div_ceil(u64::from(self.size.max(1)))).unwrap_or(LAST_PAGE).min(LAST_PAGE)
    }

    /// Whether the list has this page. Pages behind the last are unlimited in number and must not be cached.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.progress().exists()
    }

    /// The items of this page among all.
    #[must_use]
    pub fn part<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        let start = usize::try_from(self.offset()).unwrap_or(usize::MAX).min(all.len());
        &all[start..start.saturating_add(self.size as usize).min(all.len())]
    }

    /// Number of items up to the end of this page.
    fn reached(&self) -> u64 {
        (self.offset() + u64::from(self.size)).min(self.total)
    }

    /// How far the list is shown.
    fn progress(&self) -> Progress {
        Progress { page: self.page, pages: self.pages(), reached: self.reached(), total: self.total }
    }
}

/// How far a page shows its list, whose pages may differ in length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of the page, from 1.
    pub page: u32,
    /// Number of pages.
    pub pages: u32,
    /// Number of items up to the end of this page.
    pub reached: u64,
    /// Items on all pages.
    pub total: u64,
}

impl Progress {
    /// Whether the list has this page, as in [`Paging::exists`].
    #[must_use]
    pub fn exists(&self) -> bool {
        self.page <= self.pages.max(1)
    }
}

/// Reads the number of a page.
fn number(text: &str) -> u32 {
    text.parse().unwrap_or(1).clamp(1, LAST_PAGE)
}

/// How far the list has been shown ("40 of 123"), and the links to the pages before and after this one; nothing for a list of one page. `href` is
/// the address of a page.
pub fn more(context: &Context<'_>, paging: &Paging, href: impl Fn(u32) -> String) -> Markup {
    more_where(context, paging, |page| Some(href(page)))
}

/// The same of a list some of whose pages have no address: there are no links to them.
pub fn more_where(context: &Context<'_>, paging: &Paging, href: impl Fn(u32) -> Option<String>) -> Markup {
    more_of(context, &paging.progress(), href)
}

/// The same of a list whose pages differ in length.
pub fn more_of(context: &Context<'_>, progress: &Progress, href: impl Fn(u32) -> Option<String>) -> Markup {
    let Progress { page, pages, reached, total } = *progress;
    let before = (page > 1 && pages > 0).then(|| (page - 1).min(pages)).and_then(&href);
    let after = (page < pages).then(|| page + 1).and_then(&href);
    let texts = &context.texts;
    let (reached, total) = (reached.to_string(), total.to_string());
    html! {
        @if pages > 1 || before.is_some() {
            nav.more data-more data-page=(page) aria-label=(texts.get("list_pages")) {
                @if let Some(href) = before { a.more-link rel="prev" href=(href) { (texts.get("previous")) } }
                p.more-count { (texts.format("list_reached", &[("count", &reached), ("total", &total)])) }
                @if let Some(href) = after { a.more-link rel="next" href=(href) { (texts.get("list_more")) } }
            }
        }
    }
}

/// An address with the number of a page; the first page has none. `address` may have a query.
#[must_use]
pub fn at(address: &str, page: u32) -> String {
    if page <= 1 {
        return address.to_owned();
    }
    format!("{address}{}page={page}", if address.contains('?') { '&' } else { '?' })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn paging(page: u32, total: u64) -> Paging {
        Paging { page, size: 20, total }
    }

    #[test]
    fn a_page_has_its_own_part_of_the_list() {
        let all: Vec<u64> = (0..45).collect();
        let last = paging(3, 45);
        assert_eq!((last.offset(), last.pages(), last.reached(), last.exists()), (40, 3, 45, true));
        assert_eq!(last.part(&all), &all[40..]);
        assert_eq!(paging(1, 45).part(&all), &all[..20]);
        assert_eq!(paging(9, 45).part(&all), &[0_u64; 0]);
    }

    #[test]
    fn absurd_numbers_lead_to_a_page_that_is_not_there() {
        assert_eq!(["", "x", "0", "-3", "1e9", "7"].map(number), [1, 1, 1, 1, 1, 7]);
        assert_eq!(number("4294967295"), LAST_PAGE);
        assert_eq!(number("99999999999999999999"), 1);
        assert!(!paging(LAST_PAGE, 45).exists() && paging(1, 0).exists());
        assert_eq!(paging(2, 0).pages(), 0);
    }

    #[test]
    fn the_first_page_has_the_address_of_the_list() {
        assert_eq!(at("/en/onlineFirst", 1), "/en/onlineFirst");
        assert_eq!(at("/en/onlineFirst", 2), "/en/onlineFirst?page=2");
        assert_eq!(at("/en/search?q=a", 3), "/en/search?q=a&page=3");
    }
}
