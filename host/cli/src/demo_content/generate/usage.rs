//! Made-up views and downloads of demo articles in the months before a day, so that the rankings of a fresh demo have something to rank.
//!
//! Each article has a reach of its own. It is read most in the months after its publication and less from then on, except in one month, in
//! which it is noticed once more: the rankings of short and long windows differ.

use jiff::civil::Date;
use masthead_domain::{Doi, SiteId, card::ArticleCard};
use masthead_store::ImportedCount;
use masthead_web::usage::dates;

use crate::demo_content::generate::stream::Stream;

/// Months before the day that are counted: the longest window of rankings (specification section 9).
const MONTHS: u32 = 36;
/// Days of a month: how old an article is need not be exact.
const MONTH_DAYS: i64 = 30;
/// Months after which an article is read half as much as at first.
const HALF: i64 = 5;

/// Counts of an article of a site, one day for each month from its publication until `today` (in days since 1970), the latest first. A
/// manuscript that is not published yet has been read on its first day.
///
/// The counts follow from the seed, the site, the article's DOI, and the days.
#[must_use]
pub fn counts(seed: u64, site: SiteId, card: &ArticleCard, today: i64) -> Vec<ImportedCount> {
    let name = card.doi.as_ref().map_or_else(|| card.id.to_string(), Doi::key);
    let mut stream = Stream::new(seed, number(&format!("{site}/{name}")), 9);
    // The product of two numbers: most articles are read little, and a few much.
    let reach = 6 + stream.between(1, 12) * stream.between(1, 12);
    let taken = stream.between(12, 45);
    let noticed_again = stream.between(0, i64::from(MONTHS) - 1);
    let published = day_of(&card.published).map_or(today, |day| day.min(today));
    let mut counts = Vec::new();
    for month in 0..MONTHS {
        let last = dates::months_before(today, month);
        if last < published {
            break;
        }
        let day = (last - stream.between(0, 20)).max(published);
        let age = (last - published) / MONTH_DAYS;
        let interest = if i64::from(month) == noticed_again { 3 } else { 1 };
        let visits = (reach * interest * HALF * stream.between(70, 130) / (100 * (HALF + age))).max(1);
        let downloads = visits * (taken + stream.between(-8, 8)) / 100;
        counts.push(ImportedCount { article: card.article_id(), day: Some(day), visits, downloads });
    }
    counts
}

/// A number for a name (FNV-1a).
fn number(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The days since 1970 of an ISO date; `None` for a date without a day.
fn day_of(date: &str) -> Option<i64> {
    date.parse::<Date>().ok().map(dates::day)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use super::*;

    const SITE: SiteId = SiteId(9);
    const TODAY: i64 = 20_785;

    fn article(number: i64, published: &str) -> ArticleCard {
        let doi = Some(Doi::parse(&format!("10.5555/read.{number}")).unwrap());
        ArticleCard { id: number, doi, published: published.to_owned(), ..ArticleCard::default() }
    }

    /// How often an article was viewed and downloaded since a day.
    fn since(counts: &[ImportedCount], day: i64) -> (i64, i64) {
        let those = counts.iter().filter(|count| count.day >= Some(day));
        those.fold((0, 0), |sum, count| (sum.0 + count.visits, sum.1 + count.downloads))
    }

    #[test]
    fn counts_follow_from_seed_site_article_and_day() {
        let card = article(1, "2025-02-03");
        let first = counts(1, SITE, &card, TODAY);
        assert_eq!(counts(1, SITE, &card, TODAY), first);
        let others = [
            counts(2, SITE, &card, TODAY),
            counts(1, SiteId(8), &card, TODAY),
            counts(1, SITE, &article(2, "2025-02-03"), TODAY),
        ];
        assert!(others.iter().all(|other| *other != first));
        // The number of an article differs from database to database.
        let elsewhere = ArticleCard { id: 77, ..card };
        let visits = |counts: &[ImportedCount]| counts.iter().map(|count| count.visits).collect::<Vec<_>>();
        assert_eq!(visits(&counts(1, SITE, &elsewhere, TODAY)), visits(&first));
    }

    #[test]
    fn every_day_is_from_publication_to_today_and_every_window_has_some() {
        for (published, months) in
            [("2026-11-27", 1), ("2026-08-01", 4), ("2024-11-28", 25), ("1999-01-01", 36), ("2031-01-01", 1), ("", 1)]
        {
            let counts = counts(1, SITE, &article(1, published), TODAY);
            let days: BTreeSet<i64> = counts.iter().filter_map(|count| count.day).collect();
            assert_eq!((counts.len(), days.len()), (months, months), "{published}: {counts:?}");
            let earliest = day_of(published).unwrap_or(TODAY).min(TODAY);
            assert!(days.iter().all(|day| (earliest..=TODAY).contains(day)), "{published}: {days:?}");
            assert!(counts.iter().all(|count| count.visits > 0 && (0..=count.visits).contains(&count.downloads)));
            assert!(since(&counts, dates::months_before(TODAY, 3)).0 > 0, "{published}");
        }
    }

    #[test]
    fn windows_have_rankings_of_their_own() {
        let many: Vec<Vec<ImportedCount>> = (0..40)
            .map(|number| {
                counts(1, SITE, &article(number, &format!("202{}-0{}-11", 4 + number % 3, 1 + number % 9)), TODAY)
            })
            .collect();
        let ranked = |day: i64, by: fn((i64, i64)) -> i64| {
            let mut places: Vec<usize> = (0..many.len()).collect();
            places.sort_by_key(|place| std::cmp::Reverse(by(since(&many[*place], day))));
            places.truncate(10);
            places
        };
        let quarter = dates::months_before(TODAY, 3);
        assert_ne!(ranked(quarter, |(visits, _)| visits), ranked(0, |(visits, _)| visits));
        assert_ne!(ranked(0, |(visits, _)| visits), ranked(0, |(_, downloads)| downloads));
        let most = since(&many[ranked(0, |(visits, _)| visits)[0]], 0).0;
        let least = many.iter().map(|counts| since(counts, 0).0).min().unwrap();
        assert!(most > 10 * least, "{least} to {most}");
    }
}
