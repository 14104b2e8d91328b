//! The sections (columns) of a site, and their names in several languages.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    lang::{Lang, LocalText},
    text::section_key,
};

/// What is known of the names of a site's sections in several languages. Most sections have one name only and are not here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectionNames(BTreeMap<String, LocalText>);

impl SectionNames {
    /// No names.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Adds the names of one section; a single one says nothing about the others. What is known of a language already stays.
    pub fn add(&mut self, names: &LocalText) {
        let names: Vec<_> = names.0.iter().filter(|(_, name)| !name.trim().is_empty()).collect();
        if names.len() < 2 {
            return;
        }
        for (_, name) in &names {
            let known = self.0.entry(section_key(name)).or_default();
            for (lang, name) in &names {
                known.0.entry(**lang).or_insert_with(|| (*name).clone());
            }
        }
    }

    /// By how many names sections are found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no section has names in several languages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names of the section that has this name in one language; `None` if it has no others.
    #[must_use]
    pub fn of(&self, name: &str) -> Option<&LocalText> {
        self.0.get(&section_key(name))
    }

    /// The name for readers of a language.
    #[must_use]
    pub fn name<'a>(&'a self, name: &'a str, lang: Lang) -> &'a str {
        self.of(name).and_then(|names| names.chosen(lang)).map_or(name, |(_, name)| name)
    }

    /// Tells sections apart, in whatever language and spelling they are named.
    #[must_use]
    pub fn key(&self, name: &str) -> String {
        section_key(self.name(name, Lang::En))
    }

    /// The first name of each section among these.
    #[must_use]
    pub fn distinct<'a>(&self, names: impl IntoIterator<Item = &'a String>) -> Vec<&'a str> {
        let mut seen = BTreeSet::new();
        names.into_iter().map(String::as_str).filter(|name| seen.insert(self.key(name))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[(Lang, &str)]) -> LocalText {
        LocalText(all.iter().map(|(lang, name)| (*lang, (*name).to_owned())).collect())
    }

    #[test]
    fn a_section_is_found_by_each_of_its_names() {
        let mut sections = SectionNames::new();
        sections.add(&names(&[(Lang::Zh, "海洋观测"), (Lang::En, "Ocean Observation")]));
        sections.add(&names(&[(Lang::En, "OCEAN observation"), (Lang::Fra, "Observation des océans")]));
        assert_eq!(sections.name("海洋观测", Lang::En), "Ocean Observation");
        assert_eq!(sections.name("ocean  observation", Lang::Zh), "海洋观测");
        assert_eq!(sections.name("ocean observation", Lang::Fra), "Observation des océans");
        assert_eq!(sections.name("海洋观测", Lang::De), "Ocean Observation", "English stands for other languages");
        assert_eq!(sections.name("Letters", Lang::Zh), "Letters");
        sections.add(&names(&[(Lang::En, "Letters"), (Lang::Zh, " ")]));
        assert_eq!(sections.of("Letters"), None, "it has one name only");
        let keys = ["海洋观测", "Ocean Observation", "OBSERVATION DES OCÉANS"].map(|name| sections.key(name));
        assert_eq!(keys, ["oceanobservation"; 3]);
    }

    #[test]
    fn each_section_is_listed_once() {
        let mut sections = SectionNames::new();
        sections.add(&names(&[(Lang::Zh, "评论"), (Lang::En, "Commentary")]));
        let all = ["Commentary", "Letters", "评论", "LETTERS"].map(str::to_owned);
        assert_eq!(sections.distinct(&all), ["Commentary", "Letters"]);
    }
}
