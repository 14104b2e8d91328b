//! Import and export of subject headings: `article-categories`.

use std::collections::BTreeMap;

use masthead_domain::{Lang, LocalText};

use super::xml::{X, attr, child, elements, lang, name, text};

const HEADINGS: [&str; 4] = ["subject", "compound-subject", "series-title", "series-text"];

/// The subject headings, each once, and the names of those that the source has in several languages: where the groups of one type have as many
/// headings in one language as in another, those at the same place are one heading. `language` is that of the article.
pub(super) fn subjects(front: X, language: &str) -> (Vec<String>, Vec<LocalText>) {
    let Some(categories) = child(front, "article-categories") else { return (Vec::new(), Vec::new()) };
    let mut all: Vec<String> = Vec::new();
    let mut groups: BTreeMap<&str, BTreeMap<Lang, Vec<String>>> = BTreeMap::new();
    for heading in categories.descendants().filter(|node| HEADINGS.contains(&name(*node))) {
        let text = if name(heading) == "compound-subject" {
            elements(heading).map(text).collect::<Vec<_>>().join(": ")
        } else {
            text(heading)
        };
        if text.is_empty() {
            continue;
        }
        let declared = lang(heading);
        if let Some(lang) = Lang::from_tag(if declared.is_empty() { language } else { &declared }) {
            let group = heading.ancestors().find(|up| name(*up) == "subj-group");
            let kind = group.map_or("", |group| attr(group, "subj-group-type"));
            groups.entry(kind).or_default().entry(lang).or_default().push(text.clone());
        }
        if !all.contains(&text) {
            all.push(text);
        }
    }
    let mut names: Vec<LocalText> = Vec::new();
    for heading in groups.into_values().flat_map(parallel) {
        let is_known = |one: &LocalText| heading.0.iter().any(|(lang, name)| one.0.get(lang) == Some(name));
        if !names.iter().any(is_known) {
            names.push(heading);
        }
    }
    names.sort_by_cached_key(|names| all.iter().position(|heading| names.0.values().any(|name| name == heading)));
    (all, names)
}

/// The headings of one type that have as many names in each of several languages.
fn parallel(by_language: BTreeMap<Lang, Vec<String>>) -> Vec<LocalText> {
    let most = by_language.values().next().map_or(0, Vec::len);
    if by_language.len() < 2 || by_language.values().any(|names| names.len() != most) {
        return Vec::new();
    }
    let names =
        |place: usize| by_language.iter().filter_map(move |(lang, names)| Some((*lang, names.get(place)?.clone())));
    (0..most).map(|place| LocalText(names(place).collect())).collect()
}

/// The headings in the order of the export, with the BCP 47 tag of each, or "" where its language is not known. A heading with the same name in
/// several languages is in each of them.
pub(super) fn tagged<'a>(subjects: &'a [String], names: &'a [LocalText]) -> Vec<(&'a str, &'static str)> {
    let mut all = Vec::with_capacity(subjects.len());
    for subject in subjects {
        let languages = names.iter().flat_map(|names| &names.0).filter(|(_, name)| *name == subject);
        let mut languages: Vec<&'static str> = languages.map(|(lang, _)| lang.tag()).collect();
        languages.dedup();
        if languages.is_empty() {
            languages.push("");
        }
        all.extend(languages.into_iter().map(|lang| (subject.as_str(), lang)));
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use masthead_domain::{Lang, LocalText};

    use crate::jats::{ExportOptions, Limits, export, import};

    fn read(categories: &str) -> (Vec<String>, Vec<Vec<(Lang, String)>>) {
        let source = format!(
            "<article xml:lang=\"en\"><front><article-meta><article-categories>{categories}</article-categories>\
             <title-group><article-title>Tides</article-title></title-group></article-meta></front></article>"
        );
        let article = import(source.as_bytes(), &Limits::default()).unwrap().article;
        let again = import(export(&article, &ExportOptions::default()).as_bytes(), &Limits::default()).unwrap().article;
        assert_eq!(again.meta.subjects, article.meta.subjects, "{categories}");
        assert_eq!(again.meta.subject_names, article.meta.subject_names, "{categories}");
        let names = |LocalText(names): LocalText| names.into_iter().collect();
        (article.meta.subjects, article.meta.subject_names.into_iter().map(names).collect())
    }

    fn group(attributes: &str, subjects: &[&str]) -> String {
        let subjects: String = subjects.iter().map(|subject| format!("<subject>{subject}</subject>")).collect();
        format!("<subj-group subj-group-type=\"heading\"{attributes}>{subjects}</subj-group>")
    }

    #[test]
    fn headings_in_several_languages_are_names_of_one_heading() {
        let (zh, en) = ((Lang::Zh, "评论".to_owned()), (Lang::En, "Commentary".to_owned()));
        // The first group has the article's language.
        let (subjects, names) = read(&(group("", &["Commentary"]) + &group(" xml:lang=\"zh-Hans\"", &["评论"])));
        assert_eq!((subjects, names), (vec!["Commentary".into(), "评论".into()], vec![vec![zh.clone(), en.clone()]]));
        let (subjects, names) = read(
            &(group(" xml:lang=\"zh\"", &["评论", "潮汐"]) + &group(" xml:lang=\"en\"", &["Commentary", "Tides"])),
        );
        assert_eq!(subjects, ["评论", "潮汐", "Commentary", "Tides"]);
        assert_eq!(names, [vec![zh, en], vec![(Lang::Zh, "潮汐".into()), (Lang::En, "Tides".into())]]);
    }

    #[test]
    fn headings_of_one_language_or_of_another_number_are_alone() {
        let (subjects, names) = read(&(group("", &["Letters", "Tides"]) + &group(" xml:lang=\"zh\"", &["快报"])));
        assert_eq!((subjects.len(), names.len()), (3, 0));
        let (subjects, names) = read(&group("", &["Letters"]));
        assert_eq!((subjects, names.len()), (vec!["Letters".to_owned()], 0));
        assert_eq!(read(&group(" xml:lang=\"pt\"", &["Cartas"])).1.len(), 0);
    }

    #[test]
    fn one_word_of_two_languages_is_one_heading() {
        let (subjects, names) = read(&(group("", &["Perspective"]) + &group(" xml:lang=\"fr\"", &["Perspective"])));
        assert_eq!(subjects, ["Perspective"]);
        assert_eq!(names, [vec![(Lang::En, "Perspective".to_owned()), (Lang::Fra, "Perspective".to_owned())]]);
    }
}
