//! Texts that are missing in a language that a site offers.

use std::collections::BTreeSet;

use masthead_domain::{Lang, LocalText, site::Site};

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
