//! Resources (news, experts, albums, figures and the other kinds): all lists to their end, and the details of each resource.

use std::collections::BTreeSet;

use anyhow::Context as _;

use super::{Comparison, MOST_LISTS, Side, escaped, text};

/// A kind of resources.
struct Kind {
    /// The call that lists them.
    list: &'static str,
    /// The call with the details of one, before its number.
    one: &'static str,
    /// The first segment of its page where no sitemap lists the page, or "".
    page: &'static str,
}

const fn kind(list: &'static str, one: &'static str) -> Kind {
    Kind { list, one, page: "" }
}

const KINDS: [Kind; 21] = [
    kind("/rc-pub/front/front-news/list", "/rc-pub/front/front-news/"),
    kind("/rc-pub/front/front-information/list", "/rc-pub/front/front-information/"),
    kind("/rc-pub/front/front-column/list", "/rc-pub/front/front-column/"),
    kind("/rc-pub/front/front-wechat/list", "/rc-pub/front/front-wechat/"),
    kind("/rc-pub/front/front-link/list", "/rc-pub/front/front-link/"),
    kind("/rc-pub/front/front-composite/list", "/rc-pub/front/front-composite/"),
    kind("/rc-pub/front/front-virtual/list", "/rc-pub/front/front-virtual/"),
    kind("/rc-pub/front/album", "/rc-pub/front/album/"),
    kind("/rc-pub/front/front-topic/list", "/rc-pub/front/front-topic/"),
    kind("/rc-pub/front/vod/video/list", "/rc-pub/front/vod/video/"),
    kind("/rc-pub/front/vod/audio/list", "/rc-pub/front/vod/audio/"),
    kind("/rc-pub/front/rc-book/list", "/rc-pub/front/rc-book/getBookInfo/"),
    kind("/rc-pub/front/front-patent/list", "/rc-pub/front/front-patent/"),
    kind("/rc-pub/front/front-standard/list", "/rc-pub/front/front-standard/"),
    kind("/rc-pub/front/front-conference/list", "/rc-pub/front/front-conference/"),
    kind("/rc-pub/front/science-document/list", "/rc-pub/front/science-document/"),
    kind("/rc-pub/front/tools", "/rc-pub/front/tools/"),
    kind("/rc-pub/front/front-expert/list", "/rc-pub/front/front-expert/"),
    kind("/rc-pub/front/front-expert/boards", "/rc-pub/front/front-expert/boards/"),
    Kind { page: "picture", ..kind("/rc-pub/front/pictures", "/rc-pub/front/pictures/") },
    Kind { page: "table", ..kind("/rc-pub/front/tables", "/rc-pub/front/tables/") },
];
/// The most resources of a kind whose details are compared.
const MOST_OF_KIND: usize = 20_000;

impl Comparison<'_> {
    /// Compares the lists of resources, and each resource that one of the sides lists.
    pub(super) async fn resources(&mut self, languages: &BTreeSet<String>) -> anyhow::Result<()> {
        for Kind { list, one, page } in KINDS {
            for number in self.numbers(list).await? {
                self.report.resources += 1;
                self.answers("resource", &format!("{one}{number}")).await?;
                for lang in languages.iter().filter(|_| !page.is_empty()) {
                    self.answers("resource", &format!("/{lang}/{page}/{number}")).await?;
                }
            }
        }
        Ok(())
    }

    /// Compares a list page by page, up to the first difference, and returns the numbers of the resources on both sides.
    async fn numbers(&mut self, list: &str) -> anyhow::Result<BTreeSet<i64>> {
        let first = Some(format!("{list}?size=100"));
        let (mut a, mut b, mut numbers, mut alike) = (first.clone(), first, BTreeSet::new(), true);
        for _ in 0..MOST_LISTS {
            if a.is_none() && b.is_none() {
                break;
            }
            let left = Page::read(self.a, list, a.as_deref()).await?;
            let right = Page::read(self.b, list, b.as_deref()).await?;
            if let Some((in_a, in_b)) = text::difference(&left.text, &right.text).filter(|_| alike) {
                self.differs("resource", list.to_owned(), in_a, in_b);
                alike = false;
            }
            numbers.extend(left.numbers.into_iter().chain(right.numbers));
            if numbers.len() > MOST_OF_KIND {
                self.report.partial.insert("resources");
                break;
            }
            (a, b) = (left.next, right.next);
        }
        Ok(numbers.into_iter().take(MOST_OF_KIND).collect())
    }
}

/// A page of a list.
#[derive(Default)]
struct Page {
    text: String,
    numbers: Vec<i64>,
    /// Path of the next page.
    next: Option<String>,
}

impl Page {
    /// The page at a path; nothing behind the end of the list.
    async fn read(side: &Side, list: &str, path: Option<&str>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::default()) };
        let answer = side.get(path).await.with_context(|| format!("asking for {path}"))?;
        let (numbers, next) = text::listed(&answer.body);
        let next = next.map(|next| format!("{list}?size=100&after={}", escaped(&next)));
        Ok(Self { text: text::normalized(&answer.body, side.origin()), numbers, next })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_kind_that_has_details_is_compared() {
        let document = masthead_web::api::openapi().to_pretty_json().unwrap();
        let document: serde_json::Value = serde_json::from_str(&document).unwrap();
        let paths = document["paths"].as_object().unwrap();
        let details = paths.iter().filter(|(path, calls)| path.contains('{') && calls["get"]["tags"][0] == "resource");
        let details: Vec<&str> = details.filter_map(|(path, _)| path.split('{').next()).collect();
        assert!(details.len() > 15, "the details are found: {details:?}");
        for one in details {
            assert!(KINDS.iter().any(|kind| kind.one == one), "{one} is not compared");
        }
        for Kind { list, one, .. } in KINDS {
            let has_details = |path: &String| path.strip_prefix(one).is_some_and(|rest| rest.starts_with('{'));
            assert!(paths.contains_key(list) && paths.keys().any(has_details), "{list} {one}");
        }
    }
}
