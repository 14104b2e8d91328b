//! The people of an article: authors, members of groups, editors and other contributors, their affiliations and notes.

use masthead_domain::{
    article::{Affiliation, ArticleMeta, Contributor, MEMBER},
    content::text::plain,
    lang::same_language,
};
use maud::{Markup, html};

use crate::page::{content::tag, context::Context};

/// The people in the head of the article.
pub(super) fn head(context: &Context<'_>, meta: &ArticleMeta) -> Markup {
    let reader = context.lang().tag();
    let own = |lang: &str| lang.is_empty() || same_language(lang, reader);
    // Affiliations that exist in several languages are shown in the reader's, where it is among them.
    let has_own = meta.affiliations.iter().any(|aff| !aff.lang.is_empty() && same_language(&aff.lang, reader));
    let shown: Vec<_> = meta.affiliations.iter().filter(|aff| !has_own || own(&aff.lang)).collect();
    let others: Vec<_> =
        meta.contributors.iter().filter(|one| !matches!(one.role.as_str(), "author" | MEMBER)).collect();
    let addresses: Vec<_> = meta.contributors.iter().filter(|one| !one.address.is_empty()).collect();
    html! {
        @if meta.authors().next().is_some() {
            ul.authors aria-label=(context.texts.get("authors")) {
                @for person in meta.authors() { (listed(person, meta, reader)) }
            }
        }
        @for (group, members) in groups(meta) {
            div.group-members {
                p.author-note { (context.texts.format("group_members", &[("group", group)])) }
                ul.authors { @for person in members { (with_roles(person, meta, reader)) } }
            }
        }
        @if !others.is_empty() {
            ul.authors.other-contributors aria-label=(context.texts.get("other_contributors")) {
                @for person in others { (with_roles(person, meta, reader)) }
            }
        }
        @if !shown.is_empty() {
            ol.affiliations aria-label=(context.texts.get("affiliations")) {
                @for aff in shown { (affiliation(aff)) }
            }
        }
        @for person in addresses { p.author-note { (name(person, reader)) ": " (person.address) } }
        @for note in &meta.author_notes { p.author-note lang=[tag(&note.lang)] { (note.plain) } }
    }
}

/// The lives of contributors, as text.
pub(super) fn lives(meta: &ArticleMeta) -> Vec<String> {
    meta.contributors.iter().map(|person| plain(&person.bio)).filter(|life| !life.is_empty()).collect()
}

/// The groups with their members, as they follow each other in the source.
fn groups(meta: &ArticleMeta) -> Vec<(&str, Vec<&Contributor>)> {
    let mut groups: Vec<(&str, Vec<&Contributor>)> = Vec::new();
    for person in meta.contributors.iter().filter(|one| one.role == MEMBER) {
        match groups.last_mut().filter(|(group, _)| *group == person.group) {
            Some((_, members)) => members.push(person),
            None => groups.push((person.group.as_str(), vec![person])),
        }
    }
    groups
}

fn affiliation(aff: &Affiliation) -> Markup {
    html! {
        li lang=[tag(&aff.lang)] {
            @if !aff.label.is_empty() { sup { (aff.label) } " " }
            (aff.text)
            @if !aff.contact.is_empty() { " " span.affiliation-contact { (aff.contact) } }
        }
    }
}

/// The name in the reader's language, where it is among the alternatives.
fn name(person: &Contributor, reader: &str) -> String {
    let alternative = person.alternatives.iter().find(|(lang, _)| same_language(lang, reader));
    alternative.map_or_else(|| person.display_name(), |(_, name)| name.clone())
}

fn listed(person: &Contributor, meta: &ArticleMeta, reader: &str) -> Markup {
    html! { li.author { (name_and_marks(person, meta, reader)) } }
}

/// A person of whom the roles are shown with the name; those of authors are listed among the contributions.
fn with_roles(person: &Contributor, meta: &ArticleMeta, reader: &str) -> Markup {
    let roles = match (person.credit.is_empty(), person.role.as_str()) {
        (false, _) => person.credit.join(", "),
        (true, MEMBER) => String::new(),
        (true, role) => role.to_owned(),
    };
    html! {
        li.author {
            (name_and_marks(person, meta, reader))
            @if !roles.is_empty() { " " span.contributor-roles { "(" (roles) ")" } }
        }
    }
}

fn name_and_marks(person: &Contributor, meta: &ArticleMeta, reader: &str) -> Markup {
    let mut labels: Vec<&str> = Vec::new();
    for id in &person.affiliations {
        if let Some(aff) = meta.affiliations.iter().find(|aff| aff.id == *id)
            && !aff.label.is_empty()
            && !labels.contains(&aff.label.as_str())
        {
            labels.push(&aff.label);
        }
    }
    labels.extend(person.marks.iter().map(String::as_str));
    html! {
        span.author-name { (name(person, reader)) }
        @if !labels.is_empty() { sup { (labels.join(",")) } }
        @if !person.email.is_empty() {
            a.author-mail href={ "mailto:" (person.email) } aria-label=(person.email) { "✉" }
        }
        @if !person.orcid.is_empty() {
            a.orcid href={ "https://orcid.org/" (person.orcid) } rel="noopener" aria-label={ "ORCID " (person.orcid) } { "iD" }
        }
    }
}
