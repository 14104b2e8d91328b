//! The form of the advanced search: rows of operator, field, value and match; kind and time span. What is mistaken is said with its place.

use masthead_domain::{
    resource::ResourceKind,
    route::{Route, SEARCH_ROWS},
    site::{advanced_fields, search_type},
};
use masthead_search::{MAX_CLAUSES, MAX_DEPTH, MAX_WORDS, Mistake, MistakeKind};
use maud::{Markup, html};

use super::{
    search_state::{ADVANCED_WINDOWS, AdvancedCondition, SearchState, year},
    tab::Tab,
};
use crate::page::{
    content::{bidi, resources},
    context::Context,
    search_widget::advanced_form,
};

// The form cannot ask for more conditions than a search takes: those of its rows, and the words of a field.
const _: () = assert!(SEARCH_ROWS < MAX_CLAUSES, "the advanced search has more rows than a search takes");

/// A mistake in what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryMistake {
    /// In the words of a search without a form.
    Words(Mistake),
    /// In the value of a row, counted from 1.
    Row(usize, Mistake),
    /// A year that is none, as typed.
    Year(String),
    /// The first year is after the last one.
    Range,
}

impl QueryMistake {
    /// Whether there is no search before it is corrected. The others are only hints: words without a form are searched as they are.
    pub const fn is_error(&self) -> bool {
        match self {
            Self::Words(_) => false,
            Self::Row(_, mistake) => mistake.kind.is_error(),
            Self::Year(_) | Self::Range => true,
        }
    }

    /// Id of the field that it is in, if the page has it.
    fn field(&self) -> Option<String> {
        match self {
            Self::Words(_) => None,
            Self::Row(row, _) => Some(format!("search-v{row}")),
            Self::Year(_) | Self::Range => Some("search-from".to_owned()),
        }
    }

    fn text(&self, context: &Context<'_>) -> Markup {
        let texts = &context.texts;
        let (row, mistake) = match self {
            Self::Words(mistake) => (String::new(), mistake),
            Self::Row(row, mistake) => (row.to_string(), mistake),
            Self::Year(typed) => return bidi::message(texts.get("mistake_year"), &[("text", typed)]),
            Self::Range => return html! { (texts.get("mistake_range")) },
        };
        let keys = match mistake.kind {
            MistakeKind::Quote => ("mistake_quote", "typed_quote"),
            MistakeKind::Bracket => ("mistake_bracket", "typed_bracket"),
            MistakeKind::Operator => ("mistake_operator", "typed_operator"),
            MistakeKind::SmallOperator => ("mistake_small", "typed_small"),
            MistakeKind::Field => ("mistake_field", "typed_field"),
            MistakeKind::Wildcard => ("mistake_wildcard", "typed_wildcard"),
            MistakeKind::Length => ("mistake_length", "typed_length"),
            MistakeKind::Words => ("mistake_words", "typed_words"),
            MistakeKind::Depth => ("mistake_depth", "typed_depth"),
        };
        let limit = if mistake.kind == MistakeKind::Words { MAX_WORDS } else { MAX_DEPTH };
        let (at, count) = (mistake.at.to_string(), limit.to_string());
        let key = if row.is_empty() { keys.1 } else { keys.0 };
        bidi::message(texts.get(key), &[("row", &row), ("at", &at), ("text", &mistake.text), ("count", &count)])
    }

    /// The text without the mistake, and the search with it.
    fn corrected<'a>(&'a self, state: &SearchState) -> Option<(&'a str, SearchState)> {
        let (row, mistake) = match self {
            Self::Words(mistake) => (None, mistake),
            Self::Row(row, mistake) => (Some(row - 1), mistake),
            Self::Year(_) | Self::Range => return None,
        };
        let text = mistake.suggestion.as_str();
        let mut state = state.clone();
        let typed = match row {
            None => &mut state.words,
            Some(row) => &mut state.rows.get_mut(row)?.value,
        };
        text.clone_into(typed);
        (!text.is_empty()).then_some((text, state))
    }
}

/// The mistakes of a search.
pub fn mistakes(state: &SearchState) -> Vec<QueryMistake> {
    if !state.advanced {
        // Titles have words such as `and`, which whoever types them without a form means as words.
        let meant = |one: &Mistake| one.kind == MistakeKind::SmallOperator;
        let found = masthead_search::mistakes(&state.words).into_iter().filter(|one| !meant(one));
        return found.map(QueryMistake::Words).collect();
    }
    let of_row = |(index, row): (usize, &AdvancedCondition)| {
        masthead_search::mistakes(&row.value).into_iter().map(move |one| QueryMistake::Row(index + 1, one))
    };
    let mut found: Vec<QueryMistake> = state.rows.iter().enumerate().flat_map(of_row).collect();
    let years = [&state.year_from, &state.year_to];
    found.extend(
        years
            .iter()
            .filter(|typed| !typed.is_empty() && year(typed).is_none())
            .map(|typed| QueryMistake::Year((*typed).clone())),
    );
    if let [Some(from), Some(to)] = years.map(|typed| year(typed))
        && from > to
    {
        found.push(QueryMistake::Range);
    }
    found
}

/// The link from the results of a search without a form to the form. What was typed is its first condition; type and site stay.
pub fn link(context: &Context<'_>, state: &SearchState) -> Markup {
    let condition = AdvancedCondition {
        field: state.field.clone(),
        value: state.words.trim().to_owned(),
        precise: state.precise.map(|precise| u8::from(precise).to_string()).unwrap_or_default(),
        ..AdvancedCondition::default()
    };
    let filled = SearchState {
        advanced: true,
        tab: state.tab,
        kind: state.kind,
        site: state.site.clone(),
        rows: vec![condition],
        ..SearchState::default()
    };
    html! {
        @if !state.advanced && context.entry.site.header.adv_search {
            a.results-advanced href=(filled.href(context)) target="_blank" rel="nofollow noopener" { (context.texts.get("advanced_search")) (in_new_tab(context)) }
        }
    }
}

/// What the name of a link to the form says besides: it opens in a new tab (specification section 2), so that the page with the results stays.
pub fn in_new_tab(context: &Context<'_>) -> Markup {
    html! { span.visually-hidden { " " (context.texts.get("opens_in_new_tab")) } }
}

/// The form. Under results it is folded.
pub fn form(context: &Context<'_>, state: &SearchState, mistakes: &[QueryMistake], folded: bool) -> Markup {
    let texts = &context.texts;
    let form = html! {
        (said(context, state, mistakes))
        form.advanced action=(context.addresses.route(&Route::AdvancedSearch)) method="get" role="search" aria-label=(texts.get("advanced_search")) {
            // Without it, the next search would be of all sites of the group.
            @if !state.site.is_empty() { input type="hidden" name="site" value=(state.site); }
            p.advanced-help id="search-help" { (texts.get("advanced_help")) }
            @for row in 1..=SEARCH_ROWS { (line(context, state, row, mistakes)) }
            div.advanced-more {
                label { (texts.get("filter_kind")) " " (kinds(context, state)) }
                (span(context, state, mistakes))
            }
            div.advanced-end {
                button.button { (texts.get("search")) }
                a href=(advanced_form(context)) { (texts.get("advanced_clear")) }
            }
        }
    };
    html! {
        @if folded { details.advanced-fold { summary { (texts.get("search_change")) } (form) } } @else { (form) }
    }
}

/// The mistakes as a list: what is wrong, with a link to the field, and a link to the search without it.
pub fn said(context: &Context<'_>, state: &SearchState, mistakes: &[QueryMistake]) -> Markup {
    let texts = &context.texts;
    let wrong = mistakes.iter().any(QueryMistake::is_error);
    html! {
        @if !mistakes.is_empty() {
            div.alert role=(if state.advanced { "alert" } else { "note" }) {
                p { (texts.get(if wrong { "mistakes" } else { "mistakes_hint" })) }
                ul {
                    @for one in mistakes {
                        li {
                            @if let Some(field) = one.field() { a href={ "#" (field) } { (one.text(context)) } } @else { (one.text(context)) }
                            @if let Some((text, state)) = one.corrected(state) {
                                " " a.corrected href=(state.href(context)) rel="nofollow" { (texts.get("mistake_instead")) " " q { (bidi::isolated(text)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn line(context: &Context<'_>, state: &SearchState, number: usize, mistakes: &[QueryMistake]) -> Markup {
    let texts = &context.texts;
    let empty = AdvancedCondition::default();
    let row = state.rows.get(number - 1).unwrap_or(&empty);
    let wrong = mistakes.iter().any(|one| one.is_error() && matches!(one, QueryMistake::Row(row, _) if *row == number));
    let label = texts.format("condition", &[("n", &number.to_string())]);
    html! {
        fieldset.condition {
            legend.visually-hidden { (label) }
            @if number > 1 {
                select name={ "o" (number) } aria-label=(texts.get("condition_operator")) {
                    @for join in ["AND", "OR", "NOT"] { option value=(join) selected[row.join == join] { (join) } }
                }
            }
            select name={ "f" (number) } aria-label=(texts.get("condition_field")) {
                @for (field, name) in fields(context, state, row) {
                    option value=(field) selected[row.field == field] { (name) }
                }
            }
            input type="text" id={ "search-v" (number) } name={ "v" (number) } value=(row.value) dir="auto" maxlength="600" autocomplete="off"
                aria-label={ (label) ": " (texts.get("condition_value")) } aria-describedby="search-help" aria-invalid=[wrong.then_some("true")];
            select name={ "m" (number) } aria-label=(texts.get("filter_match")) {
                option value="" { (texts.get("match_usual")) }
                option value="1" selected[row.precise == "1"] { (texts.get("match_precise")) }
                option value="0" selected[row.precise == "0"] { (texts.get("match_fuzzy")) }
            }
        }
    }
}

/// The fields of a condition, with their names: those that the site's configuration offers for the type, else those of the type. A field
/// that was chosen for another type stays, because the search uses it.
fn fields<'a>(context: &'a Context<'_>, state: &SearchState, row: &'a AdvancedCondition) -> Vec<(&'a str, &'a str)> {
    let kind = state.kind.map_or_else(|| state.tab.name(), ResourceKind::as_str);
    let texts = &context.texts;
    let of_type = |kind: &'static str| advanced_fields(kind).map(|offered| (offered.field, texts.get(offered.label)));
    let mut fields: Vec<(&str, &str)> =
        match context.entry.site.search.conditions.get(search_type(kind).unwrap_or("article")) {
            Some(own) => own.iter().map(|own| (own.field.as_str(), own.condition.get(context.lang()))).collect(),
            None => of_type(kind).collect(),
        };
    let (chosen, unused) = (row.field.as_str(), row.field.is_empty() && row.value.is_empty());
    if !unused && !fields.iter().any(|(field, _)| *field == chosen) {
        let kinds = ResourceKind::ALL.into_iter().filter_map(|kind| search_type(kind.as_str()));
        let mut others = Tab::ALL.into_iter().map(Tab::name).chain(kinds).flat_map(of_type);
        let name = others.find_map(|(field, name)| (field == chosen).then_some(name));
        fields.push((chosen, name.unwrap_or(chosen)));
    }
    fields
}

/// The choice of a type: the tabs, each followed by its kinds that are a choice of their own.
fn kinds(context: &Context<'_>, state: &SearchState) -> Markup {
    let texts = &context.texts;
    html! {
        select name="type" {
            @for tab in Tab::ALL {
                option value=(tab.other_name()) selected[tab == state.tab && state.kind.is_none()] { (texts.get(tab.label())) }
                @for kind in kinds_of(tab, state.kind) {
                    option value=(kind.as_str()) selected[state.kind == Some(kind)] { (texts.get(resources::label_of(kind))) }
                }
            }
        }
    }
}

/// The kinds of a tab with several that have fields of their own, and the chosen one, which the next search would lose otherwise.
fn kinds_of(tab: Tab, chosen: Option<ResourceKind>) -> impl Iterator<Item = ResourceKind> {
    let kinds = if tab.resources().len() > 1 { tab.resources() } else { &[] };
    kinds.iter().copied().filter(move |kind| chosen == Some(*kind) || search_type(kind.as_str()).is_some())
}

/// The time span: all years, the last 10 or 5, or a range.
fn span(context: &Context<'_>, state: &SearchState, mistakes: &[QueryMistake]) -> Markup {
    let texts = &context.texts;
    let wrong = mistakes.iter().any(|one| matches!(one, QueryMistake::Year(_) | QueryMistake::Range));
    let years = |typed: &str, name: &'static str, label: &'static str, id: Option<&'static str>| {
        html! {
            label { (texts.get(label)) " "
                input type="text" id=[id] name=(name) value=(typed) inputmode="numeric" maxlength="4" size="4" aria-invalid=[wrong.then_some("true")]; }
        }
    };
    html! {
        label { (texts.get("time_span")) " "
            select name="lastYears" {
                option value="" { (texts.get("all")) }
                @for window in ADVANCED_WINDOWS {
                    option value=(window) selected[state.last_years == Some(window)] { (texts.count("last_years", usize::try_from(window).unwrap_or(0))) }
                }
            }
        }
        (years(&state.year_from, "yearFrom", "year_from", Some("search-from")))
        (years(&state.year_to, "yearTo", "year_to", None))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn asked(values: &[&str]) -> SearchState {
        let row = |value: &&str| AdvancedCondition { value: (*value).to_owned(), ..AdvancedCondition::default() };
        SearchState { advanced: true, rows: values.iter().map(row).collect(), ..SearchState::default() }
    }

    #[test]
    fn mistakes_name_their_row_and_place() {
        let found = mistakes(&asked(&["sea", "", "(land"]));
        assert!(
            matches!(&found[..], [QueryMistake::Row(3, Mistake { at: 1, kind: MistakeKind::Bracket, .. })]),
            "{found:?}"
        );
        assert!(found[0].is_error());
        assert_eq!(found[0].field().as_deref(), Some("search-v3"));
        assert!(!mistakes(&asked(&["sea and land"]))[0].is_error(), "a small operator may be meant as a word");
    }

    #[test]
    fn a_mistake_leads_to_the_search_without_it() {
        let rows = asked(&["sea", "(land"]);
        let found = mistakes(&rows);
        let (text, state) = found[0].corrected(&rows).unwrap();
        assert_eq!((text, state.rows[1].value.as_str(), state.rows[0].value.as_str()), ("land", "land", "sea"));
        let words = SearchState { words: "sea OR".into(), ..SearchState::default() };
        let found = mistakes(&words);
        assert!(matches!(found[..], [QueryMistake::Words(_)]) && !found[0].is_error(), "{found:?}");
        assert_eq!(found[0].corrected(&words).unwrap().1.words, "sea");
        assert_eq!(QueryMistake::Range.corrected(&words), None);
        assert_eq!(mistakes(&SearchState { words: "Rock and water".into(), ..SearchState::default() }), []);
    }

    #[test]
    fn what_exceeds_a_limit_is_told_and_the_rest_is_searched() {
        let all = vec!["sea"; MAX_WORDS].join(" ");
        let words = format!("{all} level");
        let brackets = format!("{}sea{}", "(".repeat(MAX_DEPTH + 1), ")".repeat(MAX_DEPTH + 1));
        let rows = asked(&[&words, &brackets]);
        let found = mistakes(&rows);
        assert!(
            matches!(
                &found[..],
                [
                    QueryMistake::Row(1, Mistake { kind: MistakeKind::Words, .. }),
                    QueryMistake::Row(2, Mistake { kind: MistakeKind::Depth, .. }),
                ]
            ),
            "{found:?}"
        );
        assert!(!found.iter().any(QueryMistake::is_error));
        assert_eq!(found[0].corrected(&rows).unwrap().1.rows[0].value, all);
        assert_eq!(mistakes(&found[1].corrected(&rows).unwrap().1).len(), 1, "the brackets are right now");
    }

    #[test]
    fn years_are_checked() {
        let with = |from: &str, to: &str| SearchState { year_from: from.into(), year_to: to.into(), ..asked(&["a"]) };
        assert_eq!(mistakes(&with("2020", "2019")), [QueryMistake::Range]);
        assert_eq!(mistakes(&with("20x0", "2019")), [QueryMistake::Year("20x0".into())]);
        assert_eq!(mistakes(&with("", "2019")), []);
    }
}
