//! What an export of a whole journal has besides issues and articles, as the "full journal transfer" plugin of OJS writes it: the
//! journal, its sections, announcements, pages of text and usage counts. The native XML of issues has the sections alone.

use std::collections::HashMap;

use masthead_domain::article::JournalRef;

use super::{FORMAT, Galleys, Imported, articles, either, internal_id, issues, locale, text_in, texts, usage};
use crate::{FormatError, catalogues::issue::issn, date::DateReader, xml::Element};

/// Texts by language: `(BCP 47 tag, text)`, the journal's own language first.
pub type Texts = Vec<(String, String)>;

/// Pages that OJS makes of settings of the journal: name of the setting, path of the page, heading of OJS.
const PAGES: [(&str, &str, &str); 7] = [
    ("about", "about", "About the Journal"),
    ("editorialTeam", "about/editorialTeam", "Editorial Team"),
    ("privacyStatement", "about/privacy", "Privacy Statement"),
    ("openAccessPolicy", "about/openAccessPolicy", "Open Access Policy"),
    ("readerInformation", "information/readers", "For Readers"),
    ("authorInformation", "information/authors", "For Authors"),
    ("librarianInformation", "information/librarians", "For Librarians"),
];

/// Settings of the journal that are read, besides those of [`PAGES`].
const READ: [&str; 6] = ["name", "abbreviation", "printIssn", "onlineIssn", "publisherInstitution", "description"];
const SETTINGS: (&str, &str) = ("other settings of the journal", "the site's file has the settings of a site");
const MENUS: (&str, &str) = ("menu items that lead to other pages", "the menu is configured in the site's file");
const USERS: (&str, &str) = ("users with roles and passwords", "readers and editors sign in anew");
const EDITING: (&str, &str) = ("review rounds, reviews, decisions and discussions", "this is no editing system");
const FORMS: (&str, &str) = ("review forms and kinds of files", "this is no editing system");
const PLUGINS: (&str, &str) = ("settings of plugins of OJS", "they have no meaning here");
const OTHER_COUNTS: (&str, &str) =
    ("counts of the journal, its issues, places and institutions", "views and downloads are counted for articles");
const EXPIRY: (&str, &str) = ("expiry dates of announcements", "news stay until somebody removes them");
const PATHS: (&str, &str) =
    ("pages whose path has other characters than letters, digits and ._-/", "no address can have it");

/// A journal as its export describes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OjsJournal {
    /// Its path in addresses (`rivers` in `/index.php/rivers/...`), or "".
    pub path: String,
    /// Its names and numbers; the title is "" if the file does not name the journal.
    pub names: JournalRef,
    /// What it is about, as HTML.
    pub description: Texts,
}

/// A section that articles are filed under.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OjsSection {
    /// Its key in the file.
    pub key: String,
    /// Its titles.
    pub titles: Texts,
    /// Its abbreviations.
    pub abbreviations: Texts,
    /// What it takes, as HTML.
    pub policies: Texts,
    /// Its place among the sections, from 1.
    pub position: i64,
    /// Whether the file says this place; otherwise it is that in the file.
    pub is_placed: bool,
}

/// An announcement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OjsAnnouncement {
    /// Its number in OJS.
    pub id: String,
    /// ISO date.
    pub date: String,
    /// Headlines.
    pub titles: Texts,
    /// Summaries, as HTML.
    pub summaries: Texts,
    /// Texts, as HTML.
    pub contents: Texts,
    /// Warnings about it.
    pub warnings: Vec<String>,
}

/// A page of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OjsPage {
    /// Its path behind that of the journal, without leading slash.
    pub path: String,
    /// Headings.
    pub titles: Texts,
    /// Texts, as HTML.
    pub contents: Texts,
}

/// Reads the export of a whole journal.
pub(super) fn read(root: &Element, galleys: Galleys<'_>, made: &mut Imported) {
    let own = super::language_tag(root.attribute("primary_locale"));
    let own = own.split('-').next().unwrap_or_default().to_owned();
    let path = root.attribute("url_path");
    if is_path(path) {
        path.clone_into(&mut made.journal.path);
    }
    let names = setting(root, "name", &own);
    let first = |name: &str| setting(root, name, &own).into_iter().next().map(|(_, text)| text).unwrap_or_default();
    made.journal.names = JournalRef {
        title: names.first().map(|(_, name)| name.clone()).unwrap_or_default(),
        trans_titles: names.into_iter().skip(1).collect(),
        abbrev: first("abbreviation"),
        issn: ["printIssn", "onlineIssn"].iter().filter_map(|name| issn(&first(name))).collect(),
        publisher: first("publisherInstitution"),
    };
    made.journal.description = setting(root, "description", &own);
    for holder in [Some(root), root.child("reference_data")].into_iter().flatten() {
        holder.all("sections").for_each(|list| sections(list, made));
    }
    pages(root, &own, made);
    for one in root.all("announcements").flat_map(|list| list.all("announcement")) {
        let expires = !one.attribute("date_expire").is_empty() || !one.child_text("date_expire").is_empty();
        made.leave_out(EXPIRY, usize::from(expires));
        made.announcements.push(announcement(one, &own));
    }
    for holder in [Some(root), root.child("native_data")].into_iter().flatten() {
        either(holder, "issues", "extended_issues").for_each(|list| issues::list(list, galleys, made));
        either(holder, "articles", "extended_articles").for_each(|list| articles(list, galleys, made));
    }
    counts(root, made);
    left_out(root, made);
}

/// The sections of an issue or of a journal; one that is known by its key is not added again.
pub(super) fn sections(list: &Element, made: &mut Imported) {
    for section in list.all("section") {
        let titles = texts(section, "title", "");
        let Some(key) = section_key(section) else { continue };
        if titles.is_empty() || made.sections.iter().any(|known| known.key == key) {
            continue;
        }
        let place = section.attribute("seq").parse::<u32>().ok().map(i64::from);
        let next = i64::try_from(made.sections.len()).unwrap_or(i64::MAX);
        made.sections.push(OjsSection {
            key,
            titles,
            abbreviations: texts(section, "abbrev", ""),
            policies: html(section, &["policy"], ""),
            position: place.unwrap_or(next) + 1,
            is_placed: place.is_some(),
        });
    }
}

/// The key of a section in a file, by which articles refer to it; `None` if nothing names it.
pub(super) fn section_key(section: &Element) -> Option<String> {
    let names = [
        section.attribute("ref").to_owned(),
        internal_id(section),
        text_in(section, "abbrev", ""),
        text_in(section, "title", ""),
    ];
    names.into_iter().find(|name| !name.is_empty())
}

/// The values of a setting, which is an element of its own or one of `context_settings`.
fn setting(root: &Element, name: &str, own: &str) -> Texts {
    let settings = root.child("context_settings");
    let mut found: Texts = settings
        .into_iter()
        .flat_map(|settings| settings.all("setting"))
        .filter(|setting| setting.attribute("name") == name)
        .map(|setting| (locale(setting), setting.raw_text().trim().to_owned()))
        .collect();
    if found.is_empty() {
        found = html(root, &[&snake_case(name)], own);
    }
    found.retain(|(_, text)| is_set(text));
    found.sort_by_key(|(lang, _)| lang != own);
    found
}

/// Whether somebody has given a setting its value: otherwise, it is empty or names a text of OJS.
fn is_set(value: &str) -> bool {
    !value.is_empty() && !value.starts_with("##")
}

/// `printIssn` as `print_issn`.
fn snake_case(name: &str) -> String {
    name.chars().fold(String::new(), |mut out, c| {
        if c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
        out
    })
}

/// Texts with markup of the child elements with one of these names, by language, the given one first.
fn html(element: &Element, names: &[&str], own: &str) -> Texts {
    let named = element.elements().filter(|child| names.contains(&child.name.as_str()));
    let mut found: Texts = named
        .map(|child| (locale(child), child.raw_text().trim().to_owned()))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    found.sort_by_key(|(lang, _)| lang != own);
    found
}

/// Whether a text can be the path of a page.
pub(super) fn is_path(path: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && !part.chars().all(|c| c == '.')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    path.len() <= 200 && path.split('/').all(plain)
}

fn pages(root: &Element, own: &str, made: &mut Imported) {
    for (name, path, heading) in PAGES {
        let contents = setting(root, name, own);
        if !contents.is_empty() {
            let titles = vec![("en".to_owned(), heading.to_owned())];
            made.pages.push(OjsPage { path: path.to_owned(), titles, contents });
        }
    }
    for item in root.all("navigation_menu_items").flat_map(|list| list.all("navigation_menu_item")) {
        let contents = html(item, &["content"], own);
        let path = item.attribute("path");
        if contents.is_empty() || path.is_empty() {
            made.leave_out(MENUS, 1);
        } else if is_path(path) {
            let mut titles = texts(item, "title", own);
            if titles.is_empty() {
                titles.push((own.to_owned(), path.to_owned()));
            }
            made.pages.push(OjsPage { path: path.to_owned(), titles, contents });
        } else {
            made.leave_out(PATHS, 1);
        }
    }
}

fn announcement(element: &Element, own: &str) -> OjsAnnouncement {
    let posted = [element.attribute("date_posted").to_owned(), element.child_text("date_posted")];
    let mut read = DateReader::new(FormatError::new(FORMAT, "").line(element.line));
    let date = posted.iter().map(|text| read.iso("date_posted", text)).find(|day| !day.is_empty());
    OjsAnnouncement {
        id: internal_id(element),
        date: date.unwrap_or_default(),
        titles: texts(element, "title", own),
        summaries: html(element, &["descriptionShort", "description_short"], own),
        contents: html(element, &["description"], own),
        warnings: read.warnings(),
    }
}

/// Counts name an article, or one of its files.
fn counts(root: &Element, made: &mut Imported) {
    let mut article_of_file: HashMap<String, String> = HashMap::new();
    for article in &made.articles.records {
        for file in article.files.iter().filter(|file| !file.id.is_empty()) {
            article_of_file.insert(file.id.clone(), article.id.clone());
        }
    }
    let (mut found, mut others) = (usage::Counts::default(), 0);
    for metrics in root.all("metrics") {
        others += found.add_metrics(metrics, &article_of_file);
    }
    made.leave_out(OTHER_COUNTS, others);
    made.counts.extend(found.into_counts());
}

fn left_out(root: &Element, made: &mut Imported) {
    let number = |path: &[&str]| {
        let (last, before) = path.split_last()?;
        root.path(before).map(|holder| holder.all(last).count())
    };
    let count = |paths: &[&[&str]]| paths.iter().filter_map(|path| number(path)).sum::<usize>();
    let users = count(&[&["PKPUsers", "users", "user"], &["users", "user"]]);
    let editing = count(&[
        &["review_rounds", "review_round"],
        &["review_assignments", "review_assignment"],
        &["workflow_history", "review_round"],
        &["workflow_history", "review_assignment"],
    ]);
    let forms = count(&[
        &["review_forms", "review_form"],
        &["genres", "genre"],
        &["reference_data", "review_forms", "review_form"],
        &["reference_data", "genres", "genre"],
    ]);
    let plugins = count(&[&["plugins", "plugin"]]);
    let is_read = |name: &str| READ.contains(&name) || PAGES.iter().any(|(known, ..)| *known == name);
    let settings = root.child("context_settings").into_iter().flat_map(|list| list.all("setting"));
    let settings = settings.filter(|one| !is_read(one.attribute("name")) && is_set(one.raw_text().trim()));
    made.leave_out(SETTINGS, settings.count());
    made.leave_out(USERS, users);
    made.leave_out(EDITING, editing);
    made.leave_out(FORMS, forms);
    made.leave_out(PLUGINS, plugins);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_paths_are_paths() {
        for path in ["about", "for-authors/fees_2.1"] {
            assert!(is_path(path), "{path}");
        }
        for path in ["", "..", "a/../b", "/a", "a//b", "a b", "a?b", &"a".repeat(201)] {
            assert!(!is_path(path), "{path}");
        }
        assert_eq!(snake_case("printIssn"), "print_issn");
    }
}
