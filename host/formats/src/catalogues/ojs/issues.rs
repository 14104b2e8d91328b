//! Issues in OJS's native XML: what identifies them, the numbers that they have here, and the order of their sections and articles.

use super::{
    FORMAT, Galleys, Imported, OjsArticle, OjsIssue, OjsSection, UNPUBLISHED, article, either, files, internal_id,
    journal, locale, section_title, texts,
};
use crate::{
    FormatError,
    catalogues::issue::Period,
    date::{self, DateReader},
    xml::Element,
};

const UNPUBLISHED_ISSUES: (&str, &str) = ("issues that are not published", "readers of OJS did not see them");
const DESCRIPTIONS: (&str, &str) = ("descriptions of issues", "an issue has no description here");
const COVERS: (&str, &str) = ("covers of issues in further languages", "an issue has one cover here");
const IDS: (&str, &str) = ("DOIs and public ids of issues", "an issue has no such field here");
const ISSUE_FILES: (&str, &str) =
    ("files of whole issues", "the files of its articles are imported; the old addresses lead to the issue");

/// Reads a list of issues.
pub(super) fn list(list: &Element, galleys: Galleys<'_>, made: &mut Imported) {
    either(list, "issue", "extended_issue").for_each(|issue| read(issue, galleys, made));
}

/// Reads an issue with its articles.
pub(super) fn read(element: &Element, galleys: Galleys<'_>, made: &mut Imported) {
    if matches!(element.attribute("published"), "0" | "false") {
        let lists = either(element, "articles", "extended_articles");
        let articles = lists.map(|list| either(list, "article", "extended_article").count()).sum();
        made.leave_out(UNPUBLISHED_ISSUES, 1);
        made.leave_out(UNPUBLISHED, articles);
        return;
    }
    let mut found = OjsIssue {
        period: period(element, element.child("issue_identification").unwrap_or(element)),
        id: internal_id(element),
        url_path: element.attribute("url_path").to_owned(),
        ..OjsIssue::default()
    };
    let (covers, faults) = files::covers(element);
    faults.into_iter().for_each(|fault| made.articles.fault(fault));
    made.leave_out(COVERS, covers.len().saturating_sub(1));
    found.cover = covers.into_iter().next();
    if let Some(cover) = &found.cover {
        found.period.cover.clone_from(if cover.href.is_empty() { &cover.name } else { &cover.href });
    }
    let whole = || element.all("issue_galleys").flat_map(|list| list.all("issue_galley"));
    made.leave_out(ISSUE_FILES, whole().count());
    found.galleys = whole().map(internal_id).filter(|id| !id.is_empty()).collect();
    made.leave_out(DESCRIPTIONS, usize::from(!found.period.descriptions.is_empty()));
    made.leave_out(IDS, found.period.ids.len());
    let (at, first) = (made.issues.len(), made.articles.records.len());
    made.issues.push(found);
    // OJS 3 lists sections beside the articles, OJS 2 nests articles in them.
    element.all("sections").for_each(|sections| journal::sections(sections, made));
    journal::sections(element, made);
    for one in
        either(element, "articles", "extended_articles").flat_map(|list| either(list, "article", "extended_article"))
    {
        let section = section_title(one, made);
        article(one, &section, Some(at), galleys, made);
    }
    for section in element.all("section") {
        let title = section.child_text("title");
        section.all("article").for_each(|one| article(one, &title, Some(at), galleys, made));
    }
    let (sections, order) = contents(element, first, made);
    if let Some(issue) = made.issues.get_mut(at) {
        (issue.sections, issue.order) = (sections, order);
    }
}

fn period(issue: &Element, identification: &Element) -> Period {
    let mut read = DateReader::new(FormatError::new(FORMAT, "").line(issue.line));
    let day = read.iso("date_published", &issue.child_text("date_published"));
    let year = identification.child_text("year");
    let mut ids: Vec<(String, String)> = issue
        .all("id")
        .filter(|id| id.attribute("advice") != "ignore" && id.attribute("type") != "internal")
        .map(|id| (id.attribute("type").to_owned(), id.text()))
        .filter(|(_, id)| !id.is_empty())
        .collect();
    if !issue.attribute("public_id").is_empty() {
        ids.push(("publisher-id".to_owned(), issue.attribute("public_id").to_owned()));
    }
    Period {
        year: date::year(&date::of(&year, "", "")).or_else(|| date::year(&day)),
        volume: identification.child_text("volume"),
        issue: number_of(identification),
        titles: texts(identification, "title", ""),
        descriptions: issue
            .all("description")
            .map(|one| (locale(one), one.prose()))
            .filter(|(_, text)| !text.is_empty())
            .collect(),
        date: if day.is_empty() { date::of(&year, "", "") } else { day },
        ids,
        warnings: read.warnings(),
        ..Period::default()
    }
}

/// The number of an issue. Journals with one issue a volume have no numbers: there the volume stands for it.
fn number_of(identification: &Element) -> String {
    let number = identification.child_text("number");
    if number.is_empty() { identification.child_text("volume") } else { number }
}

/// The issue that an article outside of an issue names: it has the metadata of it.
pub(super) fn of_single(element: &Element, current: &Element, made: &mut Imported) -> Option<usize> {
    let identification = element.child("issue_identification").or_else(|| current.child("issue_identification"))?;
    // The dates are those of the article, which reports them itself.
    let period = Period { warnings: Vec::new(), ..period(element, identification) };
    if period == Period::default() {
        return None;
    }
    let same = |known: &OjsIssue| known.period.same(&period) && known.period.titles == period.titles;
    if let Some(known) = made.issues.iter().position(same) {
        return Some(known);
    }
    let period = Period { date: String::new(), ids: Vec::new(), descriptions: Vec::new(), ..period };
    made.issues.push(OjsIssue { period, ..OjsIssue::default() });
    Some(made.issues.len() - 1)
}

/// The titles of the sections of an issue, and the places of its articles among all, both as OJS lists them; empty where the file does not
/// say it. `first` is the place of the first article of the issue.
fn contents(element: &Element, first: usize, made: &Imported) -> (Vec<String>, Vec<usize>) {
    let articles = made.articles.records.get(first..).unwrap_or_default();
    let mut titles: Vec<String> = Vec::new();
    for section in sections_in_order(element, made) {
        if let Some((_, title)) = section.titles.first()
            && !titles.contains(title)
            && articles.iter().any(|article| article.section == *title)
        {
            titles.push(title.clone());
        }
    }
    let listed = titles.len();
    for article in articles {
        if !titles.contains(&article.section) {
            titles.push(article.section.clone());
        }
    }
    let mut places: Vec<(usize, &OjsArticle)> = (first..).zip(articles).collect();
    // In an issue that nobody has put into order, all articles have the place 0.
    if !articles.iter().any(|article| article.position.is_some_and(|position| position > 0)) {
        places.clear();
    }
    places.sort_by_key(|(_, article)| {
        let section = titles.iter().position(|title| *title == article.section);
        (section, article.position.unwrap_or(u32::MAX))
    });
    titles.truncate(listed);
    (titles, places.into_iter().map(|(place, _)| place).collect())
}

/// The sections in the order of an issue: those that it lists itself, else those of the journal by their places; none if the file does not
/// say these. The places of the sections that an issue lists are those in the journal, but OJS lists them in the order that an editor has
/// given to the issue.
fn sections_in_order<'a>(element: &Element, made: &'a Imported) -> Vec<&'a OjsSection> {
    let own: Vec<&Element> = element.all("sections").flat_map(|list| list.all("section")).collect();
    if own.iter().any(|section| !section.attribute("seq").is_empty()) {
        let keys = own.into_iter().filter_map(journal::section_key);
        return keys.filter_map(|key| made.sections.iter().find(|section| section.key == key)).collect();
    }
    let mut all: Vec<&OjsSection> = made.sections.iter().filter(|section| section.is_placed).collect();
    all.sort_by_key(|section| section.position);
    all
}

/// Gives each issue the number that it has here, and its articles with it: an issue needs a number, and each number is there once in a year.
pub(super) fn number(made: &mut Imported) {
    for issue in &mut made.issues {
        if issue.period.issue.is_empty() {
            let number = stand_in(issue);
            if !number.is_empty() {
                let warning = format!("OJS shows this issue without a number: it is imported as {number:?}");
                issue.period.warnings.push(warning);
            }
            issue.period.issue = number;
        }
    }
    let all: Vec<Period> = made.issues.iter().map(|issue| issue.period.clone()).collect();
    for issue in &mut made.issues {
        distinguish(&mut issue.period, &all);
    }
    let issues = &made.issues;
    for record in &mut made.articles.records {
        if let Some(issue) = record.issue.and_then(|at| issues.get(at)) {
            record.article.meta.issue.clone_from(&issue.period.issue);
        }
    }
}

/// What stands for the number of an issue that has neither number nor volume, and stays the same over repeated imports: its name in addresses,
/// else its number in OJS, in a form that readers do not take for the number of an issue. "" if the file has neither.
fn stand_in(issue: &OjsIssue) -> String {
    let is_plain = |name: &str| !name.contains('/') && journal::is_path(name);
    if is_plain(&issue.url_path) {
        issue.url_path.clone()
    } else if is_plain(&issue.id) {
        format!("ojs-{}", issue.id)
    } else {
        String::new()
    }
}

/// Gives an issue a number of its own if an earlier volume has an issue of the same year and number. The volumes decide and not the order of
/// the file, so that every export of the whole journal gives the same numbers.
fn distinguish(period: &mut Period, all: &[Period]) {
    let (Some(year), false) = (period.year, period.issue.is_empty()) else { return };
    let own = volume_order(&period.volume);
    let earlier = all
        .iter()
        .filter(|other| other.year == Some(year) && other.issue == period.issue && volume_order(&other.volume) < own);
    let Some(first) = earlier.min_by(|left, right| volume_order(&left.volume).cmp(&volume_order(&right.volume))) else {
        return;
    };
    let number = format!("{} (vol. {})", period.issue, period.volume);
    let warning = format!(
        "OJS has an issue {:?} of {year} in volume {:?} and in volume {:?}: the latter is imported as {number:?}",
        period.issue, first.volume, period.volume
    );
    period.warnings.push(warning);
    period.issue = number;
}

/// Sorts volumes as numbers, and those that are none behind them.
fn volume_order(volume: &str) -> (u32, &str) {
    let number = if volume.is_empty() { 0 } else { volume.parse().unwrap_or(u32::MAX) };
    (number, volume)
}
