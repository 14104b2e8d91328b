//! The people of an article: authors, members of groups, editors and other contributors, their affiliations and notes.

use std::{borrow::Cow, collections::HashMap};

use masthead_documents::html::fold_roles;
use masthead_domain::{
    article::{Affiliation, ArticleMeta, Contributor, LangText, MEMBER},
    content::text::plain,
    lang::{for_reader, same_language},
};
use maud::{Markup, PreEscaped, html};

use crate::page::{
    content::bidi::{self, tag},
    context::Context,
    icons,
};

/// The names among the authors, among the members of groups and among the others that are links to searches. An article may have tens of
/// thousands of people, and each link adds about a hundred bytes to a page that lists them all.
const LINKED: usize = 300;

/// People, affiliations, addresses or notes that a list shows before the rest is folded.
const SHOWN: usize = 12;
/// A list that is longer than this is folded; so nothing is folded for the sake of a few.
const LONGEST: usize = 16;
/// The rest of a list is printed unless it is longer than this.
const PRINTED: usize = 200;

/// What the names of an article's people are shown with.
struct Naming<'a> {
    /// Labels of affiliations by their ids; of an affiliation in several languages that of the first.
    labels: HashMap<&'a str, &'a str>,
    /// BCP 47 tag of the reader's language.
    reader: &'a str,
    /// That of the article's language.
    of_article: &'a str,
}

/// The people in the head of the article.
pub(super) fn head(context: &Context<'_>, meta: &ArticleMeta) -> Markup {
    let reader = context.lang().tag();
    let mut labels = HashMap::new();
    for aff in &meta.affiliations {
        labels.entry(aff.id.as_str()).or_insert(aff.label.as_str());
    }
    let naming = Naming { labels, reader, of_article: &meta.language };
    let shown = in_one_language(&meta.affiliations, reader);
    let authors: Vec<_> = meta.authors().collect();
    let (first, more) = folded(&authors);
    let (first_places, more_places) = folded(&shown);
    html! {
        @if !first.is_empty() {
            ul.authors aria-label=(context.texts.get("authors")) {
                @for (index, person) in first.iter().enumerate() { (listed(context, person, &naming, index < LINKED)) }
            }
        }
        (fold(context, "more_authors", more.len(), || html! {
            ul.authors {
                @for (index, person) in more.iter().enumerate() { (listed(context, person, &naming, SHOWN + index < LINKED)) }
            }
        }))
        @for (group, members) in groups(meta) {
            @let (first, more) = folded(&members);
            div.group-members {
                p.author-note dir="auto" { (context.texts.format("group_members", &[("group", group)])) }
                ul.authors { @for (index, person) in first { (with_roles(context, person, &naming, *index < LINKED)) } }
                (fold(context, "more_members", more.len(), || html! {
                    ul.authors { @for (index, person) in more { (with_roles(context, person, &naming, *index < LINKED)) } }
                }))
            }
        }
        (others(context, meta, &naming))
        @if !first_places.is_empty() {
            ol.affiliations aria-label=(context.texts.get("affiliations")) {
                @for aff in first_places { (affiliation(context, aff)) }
            }
        }
        (fold(context, "more_affiliations", more_places.len(), || html! {
            ol.affiliations start=(SHOWN + 1) { @for aff in more_places { (affiliation(context, aff)) } }
        }))
        (notes(context, meta, &naming))
    }
}

/// Editors and other contributors.
fn others(context: &Context<'_>, meta: &ArticleMeta, naming: &Naming<'_>) -> Markup {
    let is_other = |one: &&Contributor| !matches!(one.role.as_str(), "author" | MEMBER);
    let others: Vec<&Contributor> = meta.contributors.iter().filter(is_other).collect();
    let (first, more) = folded(&others);
    html! {
        @if !first.is_empty() {
            ul.authors.other-contributors aria-label=(context.texts.get("other_contributors")) {
                @for (index, person) in first.iter().enumerate() { (with_roles(context, person, naming, index < LINKED)) }
            }
        }
        (fold(context, "more_contributors", more.len(), || html! {
            ul.authors.other-contributors {
                @for (index, person) in more.iter().enumerate() { (with_roles(context, person, naming, SHOWN + index < LINKED)) }
            }
        }))
    }
}

/// Postal addresses, and notes about the authors.
fn notes(context: &Context<'_>, meta: &ArticleMeta, naming: &Naming<'_>) -> Markup {
    let addresses: Vec<&Contributor> = meta.contributors.iter().filter(|one| !one.address.is_empty()).collect();
    let (first, more) = folded(&addresses);
    let (first_notes, more_notes) = folded(&meta.author_notes);
    html! {
        @for person in first { (address(person, naming)) }
        (fold(context, "more_addresses", more.len(), || html! { @for person in more { (address(person, naming)) } }))
        @for note in first_notes { (author_note(note)) }
        (fold(context, "more_notes", more_notes.len(), || html! { @for note in more_notes { (author_note(note)) } }))
    }
}

fn address(person: &Contributor, naming: &Naming<'_>) -> Markup {
    let name = person.name_for(naming.reader, naming.of_article);
    html! { p.author-note { (bidi::isolated(&name)) ": " (bidi::isolated(&person.address)) } }
}

fn author_note(note: &LangText) -> Markup {
    html! { p.author-note lang=[tag(&note.lang)] dir=(bidi::dir(&note.lang)) { (note.plain) } }
}

/// Each affiliation once: of those in several languages, which have the same id, the version for the reader.
fn in_one_language<'a>(all: &'a [Affiliation], reader: &str) -> Vec<&'a Affiliation> {
    let mut places = HashMap::new();
    let mut versions: Vec<Vec<&Affiliation>> = Vec::new();
    for aff in all {
        let place = *places.entry(aff.id.as_str()).or_insert(versions.len());
        match versions.get_mut(place) {
            Some(known) => known.push(aff),
            None => versions.push(vec![aff]),
        }
    }
    if versions.len() < all.len() {
        return versions.iter().filter_map(|same| for_reader(same, reader, |aff| &aff.lang).copied()).collect();
    }
    // Some sources repeat the whole list in another language, with other ids: the lists are equally long.
    let of = |lang: &str| all.iter().filter(|aff| same_language(&aff.lang, lang)).count();
    let Some(chosen) = for_reader(all, reader, |aff| &aff.lang).map(|aff| aff.lang.as_str()) else { return Vec::new() };
    let others = |aff: &&Affiliation| !aff.lang.is_empty() && !same_language(&aff.lang, chosen);
    let repeated = same_language(chosen, reader) || all.iter().filter(others).all(|aff| of(&aff.lang) == of(chosen));
    all.iter().filter(|aff| !(repeated && others(aff))).collect()
}

/// What a list shows, and what it folds.
fn folded<T>(all: &[T]) -> (&[T], &[T]) {
    all.split_at(if all.len() > LONGEST { SHOWN } else { all.len() })
}

/// The rest of a list, which readers open without scripts too; nothing if there is no rest. Printers print it unless it is very long.
fn fold(context: &Context<'_>, key: &str, count: usize, rest: impl FnOnce() -> Markup) -> Markup {
    html! {
        @if count > 0 {
            details.more-people data-printed[count <= PRINTED] { summary { (context.texts.count(key, count)) } (rest()) }
        }
    }
}

/// The HTML of a section of contributions, with its list of roles folded if it is long. The section is in the language of the article.
pub(super) fn contributions<'a>(context: &Context<'_>, section: &'a str) -> Cow<'a, str> {
    let lang = context.lang();
    fold_roles(section, SHOWN, LONGEST, |count, rest| {
        let details = html! {
            details.more-people data-printed[count <= PRINTED] {
                summary lang=(lang.tag()) dir=(lang.dir()) { (context.texts.count("more_authors", count)) }
                (PreEscaped(rest))
            }
        };
        details.into_string()
    })
}

/// The lives of contributors, as text.
pub(super) fn lives(meta: &ArticleMeta) -> Vec<String> {
    meta.contributors.iter().map(|person| plain(&person.bio)).filter(|life| !life.is_empty()).collect()
}

/// The groups with their members, as they follow each other in the source; each member with its place among those of all groups.
fn groups(meta: &ArticleMeta) -> Vec<(&str, Vec<(usize, &Contributor)>)> {
    let mut groups: Vec<(&str, Vec<(usize, &Contributor)>)> = Vec::new();
    for member in meta.contributors.iter().filter(|one| one.role == MEMBER).enumerate() {
        let name = member.1.group.as_str();
        match groups.last_mut().filter(|(group, _)| *group == name) {
            Some((_, members)) => members.push(member),
            None => groups.push((name, vec![member])),
        }
    }
    groups
}

fn affiliation(context: &Context<'_>, aff: &Affiliation) -> Markup {
    html! {
        li lang=[tag(&aff.lang)] dir=(bidi::dir(&aff.lang)) {
            @if !aff.label.is_empty() { sup { (aff.label) } " " }
            a.affiliation href=(context.addresses.phrase(&aff.text)) rel="nofollow" { (aff.text) }
            @if !aff.contact.is_empty() { " " span.affiliation-contact { (aff.contact) } }
        }
    }
}

fn listed(context: &Context<'_>, person: &Contributor, naming: &Naming<'_>, linked: bool) -> Markup {
    html! { li.author { (name_and_marks(context, person, naming, linked)) } }
}

/// A person of whom the roles are shown with the name; those of authors are listed among the contributions.
fn with_roles(context: &Context<'_>, person: &Contributor, naming: &Naming<'_>, linked: bool) -> Markup {
    let roles = match (person.credit.is_empty(), person.role.as_str()) {
        (false, _) => person.credit.join(", "),
        (true, MEMBER) => String::new(),
        (true, role) => role.to_owned(),
    };
    html! {
        li.author {
            (name_and_marks(context, person, naming, linked))
            @if !roles.is_empty() { " " span.contributor-roles { "(" (bidi::isolated(&roles)) ")" } }
        }
    }
}

fn name_and_marks(context: &Context<'_>, person: &Contributor, naming: &Naming<'_>, linked: bool) -> Markup {
    let name = person.name_for(naming.reader, naming.of_article);
    let mut labels: Vec<&str> = Vec::new();
    for id in &person.affiliations {
        if let Some(label) = naming.labels.get(id.as_str())
            && !label.is_empty()
            && !labels.contains(label)
        {
            labels.push(label);
        }
    }
    labels.extend(person.marks.iter().map(String::as_str));
    html! {
        @if linked {
            a.author-name href=(context.addresses.phrase(&name)) rel="nofollow" { (bidi::isolated(&name)) }
        } @else {
            bdi.author-name { (name) }
        }
        @if !labels.is_empty() { sup dir="ltr" { (labels.join(",")) } }
        @if !person.email.is_empty() {
            a.author-mail href={ "mailto:" (person.email) } aria-label=(person.email) { (icons::mail()) }
        }
        @if !person.orcid.is_empty() {
            a.orcid href={ "https://orcid.org/" (person.orcid) } rel="noopener" aria-label={ "ORCID iD " (person.orcid) } { (icons::orcid()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Affiliations with these ids and languages; the texts of those that a reader is shown.
    fn shown(all: &[(&str, &str)], reader: &str) -> Vec<String> {
        let affiliation = |(id, lang): &(&str, &str)| Affiliation {
            id: (*id).to_owned(),
            lang: (*lang).to_owned(),
            text: format!("{id} {lang}"),
            ..Affiliation::default()
        };
        let all: Vec<Affiliation> = all.iter().map(affiliation).collect();
        in_one_language(&all, reader).into_iter().map(|aff| aff.text.clone()).collect()
    }

    #[test]
    fn each_affiliation_stands_once_in_every_language_of_the_reader() {
        let both = [("aff1", "zh"), ("aff1", "en"), ("aff2", "en"), ("aff2", "zh"), ("aff3", "zh")];
        assert_eq!(shown(&both, "zh"), ["aff1 zh", "aff2 zh", "aff3 zh"]);
        assert_eq!(shown(&both, "en"), ["aff1 en", "aff2 en", "aff3 zh"], "one without a translation is not lost");
        assert_eq!(shown(&both, "ar"), ["aff1 en", "aff2 en", "aff3 zh"]);
        assert_eq!(shown(&[("aff1", "zh"), ("aff1", "ru")], "ar"), ["aff1 zh"], "the first is the article's own");
    }

    #[test]
    fn a_list_that_is_repeated_in_another_language_stands_once() {
        let lists = [("a1", "zh"), ("a2", "zh"), ("a1-en", "en"), ("a2-en", "en")];
        assert_eq!(shown(&lists, "ar"), ["a1-en en", "a2-en en"]);
        assert_eq!(shown(&lists, "zh"), ["a1 zh", "a2 zh"]);
        let different = [("a1", "zh"), ("a2", "zh"), ("a3", "en"), ("a4", "")];
        assert_eq!(shown(&different, "ar"), ["a1 zh", "a2 zh", "a3 en", "a4 "], "these are three affiliations");
        assert!(shown(&[], "en").is_empty());
    }

    #[test]
    fn a_list_is_folded_when_it_is_long() {
        let people: Vec<usize> = (0..50_000).collect();
        assert_eq!(folded(&people[..0]), (&[][..], &[][..]));
        assert_eq!(folded(&people[..LONGEST]).1, &[][..] as &[usize], "nothing is folded for the sake of a few");
        let (first, more) = folded(&people);
        assert_eq!((first.len(), more.first(), more.len()), (SHOWN, Some(&SHOWN), 50_000 - SHOWN));
    }
}
