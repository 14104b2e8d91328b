//! What the sections of a home page show, read by one statement, and one more where the numbers of documents are shown.

use masthead_domain::{
    card::ArticleCard,
    link::LinkKind,
    resource::ResourceKind,
    site::{HomeKind, HomeMeasure, HomeSection},
};
use masthead_runtime::Call;
use masthead_store::{CardQuery, List, ListQuery, Ranking, StoreError};

use super::View;
use crate::{
    page::context::{Context, PageError},
    usage::{self, dates},
};

/// Greatest number of articles of an issue that are read and counted, where no editor has set an order.
const OF_ISSUE: u64 = 200;
/// News that are read to find those with a picture.
const NEWS_FOR_SLIDES: i64 = 30;

/// The content of a section.
#[derive(Default)]
pub struct SectionContent {
    /// Its articles.
    pub cards: Vec<ArticleCard>,
    /// Their addresses.
    pub hrefs: Vec<String>,
    /// How often each was viewed or downloaded, in a ranking.
    pub counts: Vec<i64>,
    /// Its rows, where it shows no articles.
    pub list: List,
    /// Its albums, where its rows are the special issues beside which it shows them.
    pub albums: List,
    /// How many documents there are of each type, where it shows the numbers of resources.
    pub documents: Vec<(String, i64)>,
}

/// The ranking that the reader has chosen by the parameters of the address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    by: Option<HomeMeasure>,
    months: Option<u32>,
    unknown: bool,
}

impl Choice {
    /// Reads the parameters.
    pub fn read(context: &Context<'_>) -> Self {
        Self::of(context.parameter("by"), context.parameter("months"))
    }

    fn of(by: &str, months: &str) -> Self {
        let measure = HomeMeasure::ALL.into_iter().find(|measure| measure.as_str() == by);
        let window = HomeSection::WINDOWS.into_iter().find(|window| window.to_string() == months);
        let unknown = (measure.is_none() && !by.is_empty()) || (window.is_none() && !months.is_empty());
        Self { by: measure, months: window, unknown }
    }

    /// Whether the address has a choice, known or not.
    pub const fn is_made(&self) -> bool {
        self.by.is_some() || self.months.is_some() || self.unknown
    }

    /// Whether its values are those of rankings. Other pages are not kept, because there is no end of them.
    pub const fn is_known(&self) -> bool {
        !self.unknown
    }

    /// What a ranking shows: the choice if the section offers it, else what it offers first.
    pub fn within(&self, section: &HomeSection) -> (HomeMeasure, u32) {
        let (measures, windows) = (section.ranked_by(), section.windows());
        let by = self.by.filter(|by| measures.contains(by)).or_else(|| measures.first().copied());
        let months = self.months.filter(|months| windows.contains(months)).or_else(|| windows.first().copied());
        (by.unwrap_or(HomeMeasure::Visits), months.unwrap_or(0))
    }
}

/// The content of all sections, in their order.
pub async fn read(
    view: &View<'_>,
    call: &mut Call,
    sections: &[HomeSection],
) -> Result<Vec<SectionContent>, PageError> {
    let queries: Vec<Option<ListQuery>> = sections.iter().map(|section| query(view, section)).collect();
    // A list has one kind: the albums follow the lists of all sections.
    let albums = sections.iter().filter(|section| section.kind == HomeKind::Albums).map(albums_of);
    let asked: Vec<ListQuery> = queries.iter().flatten().cloned().chain(albums).collect();
    let mut found = view.context.store.lists(&asked).await?.into_iter();
    let documents = documents(view, sections).await?;
    let mut parts = Vec::with_capacity(sections.len());
    for (section, query) in sections.iter().zip(&queries) {
        let list = if query.is_some() { found.next().unwrap_or_default() } else { List::default() };
        let mut part = part(section, query.as_ref(), list)?;
        if section.kind == HomeKind::Statistics {
            part.documents.clone_from(&documents);
        }
        parts.push(part);
    }
    for (_, part) in sections.iter().zip(&mut parts).filter(|(section, _)| section.kind == HomeKind::Albums) {
        part.albums = found.next().unwrap_or_default();
    }
    // The addresses of all articles of the page are made in one call of the plugins.
    let cards: Vec<ArticleCard> = parts.iter().flat_map(|part| part.cards.iter().cloned()).collect();
    let mut hrefs = view.context.addresses.cards(call, LinkKind::ListArticle, &cards).await.into_iter();
    for part in &mut parts {
        part.hrefs = hrefs.by_ref().take(part.cards.len()).collect();
    }
    Ok(parts)
}

/// How many documents there are of each type, if a section shows it. The list of numbers knows documents as one kind.
async fn documents(view: &View<'_>, sections: &[HomeSection]) -> Result<Vec<(String, i64)>, StoreError> {
    if sections.iter().all(|section| section.kind != HomeKind::Statistics) {
        return Ok(Vec::new());
    }
    view.context.store.section_counts(ResourceKind::Document).await
}

fn query(view: &View<'_>, section: &HomeSection) -> Option<ListQuery> {
    let size = i64::from(section.entries());
    let resources = |kind, section: &str, limit| Some(ListQuery::Resources(kind, section.to_owned(), limit));
    match section.kind {
        HomeKind::Contents => Some(match view.current() {
            Some(current) => ListQuery::OfIssue(current.clone(), 0..OF_ISSUE),
            None => ListQuery::Articles(CardQuery::Latest, size),
        }),
        HomeKind::CurrentIssue => view.issues.first().map(|current| ListQuery::OfIssue(current.clone(), 0..OF_ISSUE)),
        HomeKind::Latest => Some(ListQuery::Articles(CardQuery::Latest, size)),
        HomeKind::OnlineFirst => Some(ListQuery::Articles(CardQuery::OnlineFirst, size)),
        HomeKind::JustAccepted => Some(ListQuery::Articles(CardQuery::JustAccepted, size)),
        HomeKind::Carousel if section.slides.is_empty() => {
            resources(ResourceKind::News, &section.news_type, NEWS_FOR_SLIDES)
        }
        HomeKind::News => resources(ResourceKind::News, &section.news_type, size),
        HomeKind::Albums => resources(ResourceKind::Collection, "", size),
        HomeKind::Links => resources(ResourceKind::Link, "", size),
        HomeKind::Rankings => Some(ranking(view, section)),
        HomeKind::HotWords => Some(words(view, size)),
        HomeKind::Statistics => Some(ListQuery::Numbers(super::statistics::KINDS.to_vec())),
        HomeKind::Carousel | HomeKind::Hero | HomeKind::Journals | HomeKind::Sites | HomeKind::Plugins => None,
    }
}

/// The albums beside the special issues of a section. All of its entries may be albums.
fn albums_of(section: &HomeSection) -> ListQuery {
    ListQuery::Resources(ResourceKind::Album, String::new(), i64::from(section.entries()))
}

fn ranking(view: &View<'_>, section: &HomeSection) -> ListQuery {
    let (by, months) = view.choice.within(section);
    let by = match by {
        HomeMeasure::Visits => Ranking::Visits,
        HomeMeasure::Downloads => Ranking::Downloads,
    };
    let since = (months > 0).then(|| dates::months_before(today(view), months));
    ListQuery::Ranked(by, since, i64::from(section.entries()))
}

fn words(view: &View<'_>, limit: i64) -> ListQuery {
    let readers = view.context.app.sites.load().platform.hot_word_readers;
    ListQuery::Words { since: today(view) - usage::HOT_DAYS, readers, limit }
}

fn today(view: &View<'_>) -> i64 {
    view.context.app.counting.today_of(view.context.entry.site.id)
}

fn part(section: &HomeSection, query: Option<&ListQuery>, list: List) -> Result<SectionContent, PageError> {
    let of_issue = match query {
        Some(ListQuery::OfIssue(issue, _)) => Some(issue),
        Some(ListQuery::Articles(..) | ListQuery::Ranked(..)) => None,
        _ => return Ok(SectionContent { list, ..SectionContent::default() }),
    };
    if let Some(issue) = of_issue {
        let mut cards = list.cards_of(issue)?;
        let size = usize::try_from(section.entries()).unwrap_or(usize::MAX);
        let counts = vec![i64::try_from(cards.len()).unwrap_or(i64::MAX)];
        cards.truncate(size);
        return Ok(SectionContent { cards, counts, ..SectionContent::default() });
    }
    let (counts, cards) = list.cards()?.into_iter().unzip();
    Ok(SectionContent { cards, counts, ..SectionContent::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_one_of_the_offered_rankings() {
        let section = HomeSection {
            months: vec![3, 0],
            measures: vec![HomeMeasure::Downloads],
            ..HomeSection::new(HomeKind::Rankings)
        };
        let first = (HomeMeasure::Downloads, 3);
        assert_eq!(Choice::of("", "").within(&section), first);
        assert_eq!(Choice::of("", "0").within(&section), (HomeMeasure::Downloads, 0));
        assert_eq!(Choice::of("visits", "24").within(&section), first, "the section does not offer it");
        let all = HomeSection::new(HomeKind::Rankings);
        assert_eq!(Choice::of("downloads", "24").within(&all), (HomeMeasure::Downloads, 24));
    }

    #[test]
    fn pages_with_invented_choices_are_not_kept() {
        for (by, months, made, known) in [
            ("", "", false, true),
            ("visits", "", true, true),
            ("", "12", true, true),
            ("citations", "", true, false),
            ("visits", "012", true, false),
            ("", "7", true, false),
        ] {
            let choice = Choice::of(by, months);
            assert_eq!((choice.is_made(), choice.is_known()), (made, known), "{by:?} {months:?}");
        }
    }
}
