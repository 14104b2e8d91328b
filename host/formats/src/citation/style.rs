//! A line of text in a citation style: APA, 7th edition, or GB/T 7714 for Chinese readers.
//!
//! Implemented here because the line is plain text for one type of work; a CSL engine would add the styles of thousands of
//! journals and a second bibliography format.

use masthead_citation_formats::pages;
use masthead_domain::{
    Doi, Lang,
    article::{ArticleMeta, Contributor},
    lang::has_han_or_hangul,
    publication::Journal,
};

use super::journal_title;

/// A citation of the article as one line: GB/T 7714 for Chinese readers, else APA.
#[must_use]
pub fn text(meta: &ArticleMeta, journal: Option<&Journal>, lang: Lang) -> String {
    let journal = journal_title(meta, journal);
    if lang == Lang::Zh { gb_t_7714(meta, &journal) } else { apa(meta, &journal) }
}

/// `作者. 题名[J]. 刊名, 年, 卷(期): 页.`
fn gb_t_7714(meta: &ArticleMeta, journal: &str) -> String {
    let names: Vec<String> = meta.authors().map(Contributor::display_name).collect();
    let mut authors = names.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > 3 {
        authors.push_str(", 等");
    }
    let issue = if meta.issue.is_empty() { String::new() } else { format!("({})", meta.issue) };
    let year = meta.year.map(|year| year.to_string()).unwrap_or_default();
    let place = [year, format!("{}{issue}", meta.volume)].into_iter().filter(|part| !part.is_empty());
    let place = place.collect::<Vec<_>>().join(", ");
    let pages = pages(&meta.first_page, &meta.last_page, &meta.elocation_id);
    let pages = if pages.is_empty() { String::new() } else { format!(": {pages}") };
    let title = meta.title(&meta.language);
    let doi = meta.doi.as_ref().map(Doi::url).unwrap_or_default();
    format!("{authors}. {title}[J]. {journal}, {place}{pages}. {doi}").trim().to_owned()
}

/// Limit on the authors that APA names in full; if there are more, the first 19 and the last are named.
const APA_AUTHORS: usize = 20;

/// `Surname, I., & Surname, I. (2019). Title. Journal, 8(3), 207–217. https://doi.org/...`
fn apa(meta: &ArticleMeta, journal: &str) -> String {
    let names: Vec<String> = meta.authors().map(apa_name).filter(|name| !name.is_empty()).collect();
    let authors = match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= APA_AUTHORS => format!("{}, & {last}", first.join(", ")),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().take(APA_AUTHORS - 1).map(String::as_str).collect();
            format!("{}, . . . {last}", first.join(", "))
        }
    };
    let year = meta.year.map_or_else(|| "n.d.".to_owned(), |year| year.to_string());
    let title = sentence(meta.title(&meta.language));
    // Without authors, the title takes their place.
    let mut parts = if authors.is_empty() {
        vec![title, format!("({year}).")]
    } else {
        vec![sentence(&authors), format!("({year})."), title]
    };
    let issue = if meta.issue.is_empty() { String::new() } else { format!("({})", meta.issue) };
    let pages = match pages(&meta.first_page, &meta.last_page, "") {
        pages if pages.is_empty() && meta.elocation_id.is_empty() => pages,
        pages if pages.is_empty() => format!("Article {}", meta.elocation_id),
        pages => pages.replace('-', "–"),
    };
    let source = [journal.to_owned(), format!("{}{issue}", meta.volume), pages];
    let source = source.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    parts.push(sentence(&source));
    parts.extend(meta.doi.as_ref().map(Doi::url));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// The text with a full stop at its end, unless it ends with a punctuation mark.
fn sentence(text: &str) -> String {
    let bare = text.trim_end().trim_end_matches(['"', '”', '’', '»', ')']);
    let ended = bare.ends_with(['.', '?', '!', '。', '？', '！']);
    // `(n.d.)` and `(Vol. 2.)` end with a parenthesis and need a full stop.
    let closed = ended && !text.trim_end().ends_with(')');
    if text.is_empty() || closed { text.to_owned() } else { format!("{text}.") }
}

/// `Schaefer, J. R.`, `King, M. L., Jr.`; groups and names in Chinese characters unchanged.
fn apa_name(person: &Contributor) -> String {
    if !person.collab.is_empty() || person.surname.is_empty() || has_han_or_hangul(&person.surname) {
        return person.display_name();
    }
    let suffix = match person.suffix.as_str() {
        "Jr" | "Sr" => format!("{}.", person.suffix),
        suffix => suffix.to_owned(),
    };
    let parts = [person.surname.clone(), initials(&person.given_names), suffix];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// `Jean-Paul M.` as `J.-P. M.`
fn initials(given: &str) -> String {
    let initial = |name: &str| name.chars().find(|c| c.is_alphabetic()).map(|c| format!("{}.", c.to_uppercase()));
    let names = given.split(|c: char| c.is_whitespace() || c == '.').filter(|name| !name.is_empty());
    names
        .map(|name| {
            let hyphen = if name.starts_with(['-', '‐']) { "-" } else { "" };
            let parts = name.split(['-', '‐']).filter_map(initial).collect::<Vec<_>>().join("-");
            format!("{hyphen}{parts}")
        })
        .filter(|name| name.len() > 1)
        .collect::<Vec<_>>()
        .join(" ")
        // `J.-P.` is one name; initials that a full stop separates become `J.` and `-P.`, which are joined.
        .replace(" -", "-")
}

#[cfg(test)]
mod tests {
    use masthead_domain::article::{JournalRef, LangText};

    use super::*;

    fn person(name: &str) -> Contributor {
        let (surname, given) = name.split_once(", ").unwrap_or((name, ""));
        Contributor {
            role: "author".into(),
            surname: surname.into(),
            given_names: given.into(),
            ..Contributor::default()
        }
    }

    fn article(authors: &[&str], year: i32, title: &str, journal: &str, doi: &str) -> ArticleMeta {
        ArticleMeta {
            language: "en".into(),
            titles: vec![LangText { lang: "en".into(), plain: title.into(), nodes: vec![] }],
            contributors: authors.iter().map(|name| person(name)).collect(),
            journal: JournalRef { title: journal.into(), ..JournalRef::default() },
            year: Some(year),
            doi: Doi::parse(doi).ok(),
            ..ArticleMeta::default()
        }
    }

    /// Examples of the American Psychological Association (apastyle.apa.org, "Journal article references").
    #[test]
    fn apa_matches_its_published_examples() {
        let mut grady = article(
            &["Grady, Jessica S.", "Her, May", "Moreno, Geena", "Perez, Claudia", "Yelinek, Jillian"],
            2019,
            "Emotions in storybooks: A comparison of storybooks that represent ethnic and racial groups in the United States",
            "Psychology of Popular Media Culture",
            "10.1037/ppm0000185",
        );
        (grady.volume, grady.issue) = ("8".into(), "3".into());
        (grady.first_page, grady.last_page) = ("207".into(), "217".into());
        assert_eq!(
            text(&grady, None, Lang::En),
            "Grady, J. S., Her, M., Moreno, G., Perez, C., & Yelinek, J. (2019). Emotions in storybooks: A comparison of storybooks that represent ethnic and racial groups in the United States. Psychology of Popular Media Culture, 8(3), 207–217. https://doi.org/10.1037/ppm0000185"
        );
        let mut jerrentrup = article(
            &[
                "Jerrentrup, A.",
                "Mueller, T.",
                "Glowalla, U.",
                "Herder, M.",
                "Henrichs, N.",
                "Neubauer, A.",
                "Schaefer, J.R.",
            ],
            2018,
            "Teaching medicine with the help of “Dr. House.”",
            "PLoS ONE",
            "10.1371/journal.pone.0193972",
        );
        (jerrentrup.volume, jerrentrup.issue, jerrentrup.elocation_id) = ("13".into(), "3".into(), "e0193972".into());
        assert_eq!(
            text(&jerrentrup, None, Lang::En),
            "Jerrentrup, A., Mueller, T., Glowalla, U., Herder, M., Henrichs, N., Neubauer, A., & Schaefer, J. R. (2018). Teaching medicine with the help of “Dr. House.” PLoS ONE, 13(3), Article e0193972. https://doi.org/10.1371/journal.pone.0193972"
        );
        let mut stegmeir = article(
            &["Stegmeir, M."],
            2016,
            "Climate change: New discipline practices promote college access",
            "The Journal of College Admission",
            "",
        );
        (stegmeir.issue, stegmeir.first_page, stegmeir.last_page) = ("231".into(), "44".into(), "47".into());
        assert_eq!(
            text(&stegmeir, None, Lang::En),
            "Stegmeir, M. (2016). Climate change: New discipline practices promote college access. The Journal of College Admission, (231), 44–47."
        );
    }

    #[test]
    fn apa_names_nineteen_authors_and_the_last() {
        let names = "Kalnay, E.; Kanamitsu, M.; Kistler, R.; Collins, W.; Deaven, D.; Gandin, L.; Iredell, M.; Saha, S.; White, G.; \
                     Woollen, J.; Zhu, Y.; Chelliah, M.; Ebisuzaki, W.; Higgins, W.; Janowiak, J.; Mo, K. C.; Ropelewski, C.; Wang, J.; \
                     Leetmaa, A.; Reynolds, R.; Jenne, R.; Joseph, D.";
        let names: Vec<&str> = names.split("; ").collect();
        let mut kalnay = article(
            &names,
            1996,
            "The NCEP/NCAR 40-year reanalysis project",
            "Bulletin of the American Meteorological Society",
            "",
        );
        (kalnay.volume, kalnay.issue) = ("77".into(), "3".into());
        (kalnay.first_page, kalnay.last_page) = ("437".into(), "471".into());
        assert_eq!(
            text(&kalnay, None, Lang::En),
            "Kalnay, E., Kanamitsu, M., Kistler, R., Collins, W., Deaven, D., Gandin, L., Iredell, M., Saha, S., White, G., Woollen, J., Zhu, Y., Chelliah, M., Ebisuzaki, W., Higgins, W., Janowiak, J., Mo, K. C., Ropelewski, C., Wang, J., Leetmaa, A., . . . Joseph, D. (1996). The NCEP/NCAR 40-year reanalysis project. Bulletin of the American Meteorological Society, 77(3), 437–471."
        );
    }

    #[test]
    fn apa_without_author_or_year_and_with_other_forms_of_names() {
        let mut meta = article(&[], 2020, "Who wrote this?", "Ocean Ledger", "");
        assert_eq!(text(&meta, None, Lang::En), "Who wrote this? (2020). Ocean Ledger.");
        meta.year = None;
        let jean = Contributor { suffix: "Jr".into(), ..person("de la Mer, Jean-Paul M.") };
        let group = Contributor { role: "author".into(), collab: "Tides Group".into(), ..Contributor::default() };
        meta.contributors = vec![jean, person("王, 小明"), group];
        assert_eq!(
            text(&meta, None, Lang::En),
            "de la Mer, J.-P. M., Jr., 王小明, & Tides Group. (n.d.). Who wrote this? Ocean Ledger."
        );
    }
}
