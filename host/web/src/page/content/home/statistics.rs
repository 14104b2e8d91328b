//! The numbers of the site's resources: a table whose numbers are drawn as bars, too.

use std::collections::HashMap;

use masthead_domain::{
    resource::{DocumentType, ResourceKind},
    site::{HomeSection, HomeUnit},
};
use maud::{Markup, html};

use super::{View, block, nothing, parts::SectionContent};
use crate::page::content::bidi;

/// The kinds of resources that are counted.
pub const KINDS: [ResourceKind; 7] = [
    ResourceKind::Book,
    ResourceKind::Picture,
    ResourceKind::Table,
    ResourceKind::Collection,
    ResourceKind::Album,
    ResourceKind::Audio,
    ResourceKind::Video,
];

/// The least number that is shown in ten thousands where the site does not say.
const TEN_THOUSAND: i64 = 10_000;

/// The chart.
pub fn chart(view: &View<'_>, section: &HomeSection, part: &SectionContent, id: &str) -> Markup {
    let mut counted = part.list.by_name();
    counted.extend(part.documents.iter().map(|(kind, count)| (kind.as_str(), *count)));
    let rows = rows(view.journals.len(), &counted);
    let texts = &view.context.texts;
    let greatest = rows.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let thousands = match section.unit {
        HomeUnit::Auto => greatest >= TEN_THOUSAND,
        HomeUnit::Pieces => false,
        HomeUnit::TenThousand => true,
    };
    let unit = texts.get(if thousands { "home_unit_10k" } else { "home_unit_pieces" });
    let content = html! {
        @if rows.is_empty() { (nothing(view)) } @else {
            table.home-chart {
                caption { (texts.format("home_statistics_unit", &[("unit", unit)])) }
                thead.visually-hidden { tr { th scope="col" { (texts.get("home_resource")) } th scope="col" { (unit) } } }
                tbody {
                    @for (key, count) in rows {
                        tr {
                            th scope="row" { (texts.get(key)) }
                            td {
                                div.chart-cell {
                                    (bar(count, greatest))
                                    span.chart-number { (bidi::ltr(&shown(count, thousands))) }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    block(view, section, id, "home_statistics", &html! {}, &content)
}

/// Keys of the names, and the numbers, as far as there is something: the categories of specification section 9, then other resources.
fn rows(journals: usize, counted: &HashMap<&str, i64>) -> Vec<(&'static str, i64)> {
    let of = |names: &[&str]| names.iter().filter_map(|name| counted.get(name)).sum::<i64>();
    let kind = |kind: ResourceKind| kind.as_str();
    let rows = [
        ("books", of(&[kind(ResourceKind::Book)])),
        ("journals", i64::try_from(journals).unwrap_or(i64::MAX)),
        ("articles", of(&["article"])),
        ("home_issues", of(&["issue"])),
        ("home_figures_and_tables", of(&[kind(ResourceKind::Picture), kind(ResourceKind::Table)])),
        ("sheet_music", of(&[DocumentType::Music.as_str()])),
        ("local_history", of(&[DocumentType::Chronicle.as_str()])),
        ("home_albums", of(&[kind(ResourceKind::Collection), kind(ResourceKind::Album)])),
        ("tab_audio", of(&[kind(ResourceKind::Audio)])),
        ("home_videos", of(&[kind(ResourceKind::Video)])),
    ];
    rows.into_iter().filter(|(_, count)| *count > 0).collect()
}

/// The length of a bar in hundredths of the longest one; every number is visible.
const fn length(count: i64, greatest: i64) -> i64 {
    let length = count.saturating_mul(100) / if greatest > 0 { greatest } else { 1 };
    if length < 1 { 1 } else { length }
}

fn bar(count: i64, greatest: i64) -> Markup {
    html! {
        svg.chart-bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false" {
            rect width=(length(count, greatest)) height="8" {}
        }
    }
}

/// A number in pieces, or in ten thousands with one decimal.
fn shown(count: i64, thousands: bool) -> String {
    if !thousands {
        return count.to_string();
    }
    match count.saturating_add(500) / 1000 {
        0 if count > 0 => "<0.1".to_owned(),
        tenths => format!("{}.{}", tenths / 10, tenths % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_in_pieces_or_in_ten_thousands() {
        assert_eq!([shown(7, false), shown(123_456, false)], ["7", "123456"]);
        assert_eq!([shown(123_456, true), shown(10_000, true), shown(1_499, true)], ["12.3", "1.0", "0.1"]);
        assert_eq!([shown(3, true), shown(0, true), shown(99_950, true)], ["<0.1", "0.0", "10.0"]);
    }

    #[test]
    fn bars_are_in_proportion_and_none_is_invisible() {
        assert_eq!([length(50, 100), length(100, 100), length(1, 1_000_000), length(0, 0)], [50, 100, 1, 1]);
    }

    #[test]
    fn categories_without_resources_are_left_out() {
        let counted = HashMap::from([("article", 12), ("picture", 3), ("table", 4), ("book", 0)]);
        assert_eq!(rows(2, &counted), [("journals", 2), ("articles", 12), ("home_figures_and_tables", 7)]);
        assert!(rows(0, &HashMap::new()).is_empty());
    }

    #[test]
    fn sheet_music_and_local_history_are_categories_of_their_own() {
        let counted = HashMap::from([("music", 2), ("chronicle", 3), ("science", 4), ("issue", 1), ("album", 5)]);
        let expected = [("home_issues", 1), ("sheet_music", 2), ("local_history", 3), ("home_albums", 5)];
        assert_eq!(rows(0, &counted), expected);
        // The names of types and of kinds are counted in one table.
        for kind in [DocumentType::Science, DocumentType::Music, DocumentType::Chronicle] {
            assert!(ResourceKind::parse(kind.as_str()).is_none(), "{}", kind.as_str());
        }
    }
}
