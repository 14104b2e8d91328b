//! Texts that are missing in a language that a site offers.

use std::collections::{BTreeMap, BTreeSet};

use masthead_domain::{Lang, LocalText, site::Site};
use serde_json::Value;

use super::{Installation, Notes, Subject};

const CHECK: &str = "languages";

/// The keys of the message catalogues that a language lacks; readers get the English message.
pub fn of_catalogues(installation: &Installation<'_>, subjects: &[Subject<'_>], notes: &mut Notes<'_>) {
    let offered: BTreeSet<Lang> = subjects.iter().flat_map(|subject| subject.languages.iter().copied()).collect();
    let all = &installation.catalogues;
    for ((lang, name), keys) in all.iter().filter(|((lang, _), _)| offered.contains(lang)) {
        let missing: Vec<&str> = all
            .get(&(Lang::En, *name))
            .into_iter()
            .flat_map(|english| english.difference(keys))
            .map(String::as_str)
            .collect();
        if !missing.is_empty() {
            notes.warning(CHECK, "", format!("the messages have no {}", missing.join(", ")), "translate them");
            if let Some(diagnostic) = notes.found.last_mut() {
                diagnostic.file = format!("locales/{lang}/{name}");
            }
        }
    }
}

/// The texts of a site that readers of some of its languages miss.
pub fn check(subject: &Subject<'_>, notes: &mut Notes<'_>) {
    let (site, languages) = (subject.site, subject.languages.as_slice());
    required(notes, languages, "name", |lang| site.name.exact(lang));
    for (index, channel) in site.channels.iter().enumerate().filter(|(_, channel)| channel.enable == "1") {
        if subject.menu.iter().any(|(listed, _)| *listed == index) || channel.code == "jump" {
            required(notes, languages, &format!("channels[{index}].names"), |lang| channel.own_label(lang));
        }
    }
    for (key, button) in site.buttons().filter(|(_, button)| button.custom_button_status == 1) {
        required(notes, languages, &format!("{key}.customButtonNames"), |lang| button.own_label(lang));
    }
    if Lang::ALL.into_iter().any(|lang| site.footer.own_copyright(lang).is_some()) {
        required(notes, languages, "footer.copyrights", |lang| site.footer.own_copyright(lang));
    }
    for (key, text) in optional(site) {
        // A text that is written in no language is not shown in any.
        if !text.is_empty() {
            required(notes, languages, &key, |lang| text.exact(lang));
        }
    }
}

/// Texts that a site need not have; if it has one, every reader should be able to read it.
fn optional(site: &Site) -> Vec<(String, &LocalText)> {
    let search = &site.search;
    let mut texts = vec![
        ("description".to_owned(), &site.description),
        ("search.title".to_owned(), &search.title),
        ("search.quickEntry.name".to_owned(), &search.quick_entry.name),
        ("ai.name".to_owned(), &site.ai.name),
    ];
    let slogans = search.slogans.iter().enumerate();
    texts.extend(slogans.map(|(index, text)| (format!("search.slogans[{index}]"), text)));
    let words = search.hot_words.iter().enumerate();
    texts.extend(words.map(|(index, text)| (format!("search.hotWords[{index}]"), text)));
    let scopes = search.resource_type.iter().enumerate();
    texts.extend(scopes.map(|(index, scope)| (format!("search.resourceType[{index}].name"), &scope.name)));
    for (kind, conditions) in &search.conditions {
        let labels = conditions.iter().enumerate();
        let key = |index| format!("search.conditions.{kind}[{index}].condition");
        texts.extend(labels.map(|(index, own)| (key(index), &own.condition)));
    }
    for (index, section) in site.home.sections.iter().enumerate() {
        let key = format!("home.sections[{index}]");
        texts.push((format!("{key}.title"), &section.title));
        for (at, slide) in section.slides.iter().enumerate() {
            texts.push((format!("{key}.slides[{at}].title"), &slide.title));
            texts.push((format!("{key}.slides[{at}].text"), &slide.text));
        }
    }
    let functions = site.functional_control.iter().enumerate();
    texts.extend(functions.map(|(index, own)| (format!("functionalControl[{index}].columnName"), &own.column_name)));
    let institutions = site.access.institutions.iter().enumerate();
    texts.extend(institutions.map(|(index, own)| (format!("access.institutions[{index}].name"), &own.name)));
    let providers = site.accounts.providers.iter();
    texts.extend(providers.map(|(name, own)| (format!("accounts.providers.{name}.name"), &own.name)));
    texts
}

/// Reports the languages in which a text is missing, in one diagnostic.
fn required<'a>(notes: &mut Notes<'_>, languages: &[Lang], key: &str, text: impl Fn(Lang) -> Option<&'a str>) {
    let missing: Vec<Lang> = languages.iter().copied().filter(|lang| text(*lang).is_none()).collect();
    let Some(first) = missing.first() else { return };
    let names = missing.iter().map(|lang| lang.code()).collect::<Vec<_>>().join(", ");
    let message = format!("there is no text in {names}, which the site offers to readers");
    // The line of the first missing language, where it would stand.
    notes.warning(CHECK, format!("{key}.{first}"), message, &format!("add the text under {key}"));
}

/// The texts of stored records that lack languages of the site. There may be thousands, so that those of one kind and field are reported
/// together.
pub struct Lacking<'a> {
    languages: &'a [Lang],
    /// By kind and field.
    texts: BTreeMap<(&'static str, &'static str), Texts>,
}

/// The texts in one field of the records of one kind.
#[derive(Default)]
struct Texts {
    all: usize,
    lacking: usize,
    /// The languages that one or another of them lacks.
    languages: BTreeSet<Lang>,
    /// The record of the first one that lacks a language.
    first: String,
}

impl<'a> Lacking<'a> {
    /// Of records that have to be in these languages.
    pub const fn new(languages: &'a [Lang]) -> Self {
        Self { languages, texts: BTreeMap::new() }
    }

    /// Counts the text in a field of a record, which is called `place` in diagnostics.
    pub fn add(&mut self, kind: &'static str, field: &'static str, place: &str, record: &Value) {
        let has = |lang: Lang| record[field][lang.code()].as_str().is_some_and(|text| !text.trim().is_empty());
        // A text that is written in no language is not shown in any.
        if !Lang::ALL.into_iter().any(has) {
            return;
        }
        let texts = self.texts.entry((kind, field)).or_default();
        texts.all += 1;
        let missing: Vec<Lang> = self.languages.iter().copied().filter(|lang| !has(*lang)).collect();
        if missing.is_empty() {
            return;
        }
        if texts.lacking == 0 {
            place.clone_into(&mut texts.first);
        }
        texts.lacking += 1;
        texts.languages.extend(missing);
    }

    /// Reports the kinds and fields of which a record lacks a language, one diagnostic for each.
    pub fn report(self, notes: &mut Notes<'_>) {
        for ((kind, field), Texts { all, lacking, languages, first }) in self.texts {
            let Some(lang) = languages.first() else { continue };
            let names = languages.iter().map(|lang| lang.code()).collect::<Vec<_>>().join(", ");
            let message = format!(
                "{lacking} of {all} have no text in a language that the site offers to readers ({names}); the first is {first}"
            );
            let record = match kind {
                "journal" => "journal set KEY".to_owned(),
                "issue" => "issue set JOURNAL/YEAR/ISSUE".to_owned(),
                _ => format!("resource set {kind} KEY"),
            };
            let fix = format!("add the texts, as with `masthead {record} {field}.{lang}=TEXT`");
            notes.warning(CHECK, format!("{kind} {field}"), message, &fix);
        }
    }
}
