//! A line of text in a citation style: APA, 7th edition, or GB/T 7714 for Chinese readers; and the further styles that readers choose from.
//!
//! Implemented here because the line is plain text for one type of work; a CSL engine would add the styles of thousands of
//! journals and a second bibliography format.

use masthead_domain::{
    Doi, Lang,
    article::{ArticleMeta, Contributor},
    lang::has_han_or_hangul,
    publication::Journal,
};

use super::{further_styles, journal_title};

/// A citation style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CitationStyle {
    /// American Psychological Association, 7th edition.
    Apa,
    /// The Chinese national standard GB/T 7714-2015.
    GbT7714,
    /// The Recommendations of the ICMJE, as the National Library of Medicine prints them.
    Vancouver,
    /// Modern Language Association, 9th edition.
    Mla,
    /// The Chicago Manual of Style, 17th edition: bibliography.
    Chicago,
    /// Institute of Electrical and Electronics Engineers.
    Ieee,
}

impl CitationStyle {
    /// All styles, in the order in which readers are offered them.
    pub const ALL: [Self; 6] = [Self::Apa, Self::GbT7714, Self::Vancouver, Self::Mla, Self::Chicago, Self::Ieee];

    /// The style that readers of a language expect.
    #[must_use]
    pub const fn of_readers(lang: Lang) -> Self {
        if matches!(lang, Lang::Zh) { Self::GbT7714 } else { Self::Apa }
    }

    /// Its name in markup.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Apa => "apa",
            Self::GbT7714 => "gb-t-7714",
            Self::Vancouver => "vancouver",
            Self::Mla => "mla",
            Self::Chicago => "chicago",
            Self::Ieee => "ieee",
        }
    }

    /// Its name for readers of every language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apa => "APA",
            Self::GbT7714 => "GB/T 7714",
            Self::Vancouver => "Vancouver",
            Self::Mla => "MLA",
            Self::Chicago => "Chicago",
            Self::Ieee => "IEEE",
        }
    }
}

/// A citation of the article as one line, in the style that readers of the language expect.
#[must_use]
pub fn text(meta: &ArticleMeta, journal: Option<&Journal>, lang: Lang) -> String {
    styled(meta, journal, CitationStyle::of_readers(lang))
}

/// A citation of the article as one line in a style.
#[must_use]
pub fn styled(meta: &ArticleMeta, journal: Option<&Journal>, style: CitationStyle) -> String {
    let journal = journal_title(meta, journal);
    match style {
        CitationStyle::Apa => apa(meta, &journal),
        CitationStyle::GbT7714 => gb_t_7714(meta, &journal),
        CitationStyle::Vancouver => further_styles::vancouver(meta, &journal),
        CitationStyle::Mla => further_styles::mla(meta, &journal),
        CitationStyle::Chicago => further_styles::chicago(meta, &journal),
        CitationStyle::Ieee => further_styles::ieee(meta, &journal),
    }
}

/// `作者. 题名[J]. 刊名, 年, 卷(期): 页.`, `NG T, CEN W. Title[J]. Journal, …` Of more than three authors, the first three are named.
fn gb_t_7714(meta: &ArticleMeta, journal: &str) -> String {
    let mut names: Vec<String> = meta.authors().take(4).map(gb_t_name).filter(|name| !name.is_empty()).collect();
    if names.len() > 3 {
        let in_chinese = names.iter().any(|name| has_han_or_hangul(name));
        names[3] = if in_chinese { "等" } else { "et al" }.to_owned();
    }
    let authors = names.join(", ");
    let source = joined([journal.to_owned(), year(meta), volume_and_issue(meta)], ", ");
    let source = joined([source, meta.pages_or_number('-')], ": ");
    let title = format!("{}[J]", meta.title(&meta.language));
    let mut parts: Vec<String> = [authors, title, source].into_iter().filter(|part| !part.is_empty()).collect();
    parts.iter_mut().for_each(|part| part.push('.'));
    parts.extend(meta.doi.as_ref().map(Doi::url));
    parts.join(" ")
}

/// `SCHAEFER J R`; groups and names in Chinese characters unchanged.
fn gb_t_name(person: &Contributor) -> String {
    if stays_whole(person) {
        return person.display_name();
    }
    let initials = initials(&person.given_names).replace('.', "").replace('-', " ");
    joined([person.surname.to_uppercase(), initials, person.suffix.clone()], " ")
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
    let pages = range(meta).unwrap_or_else(|| before("Article ", &meta.elocation_id));
    let source = joined([journal.to_owned(), volume_and_issue(meta), pages], ", ");
    parts.push(sentence(&source));
    parts.extend(meta.doi.as_ref().map(Doi::url));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// The parts that are not empty, with a separator between them.
pub(super) fn joined<const N: usize>(parts: [String; N], separator: &str) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(separator)
}

/// The text behind a word, or "".
pub(super) fn before(word: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{word}{text}") }
}

/// The text in parentheses, or "".
pub(super) fn in_parentheses(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("({text})") }
}

/// `3(2)`.
pub(super) fn volume_and_issue(meta: &ArticleMeta) -> String {
    format!("{}{}", meta.volume, in_parentheses(&meta.issue))
}

/// The year of the article, or "".
pub(super) fn year(meta: &ArticleMeta) -> String {
    meta.year.map(|year| year.to_string()).unwrap_or_default()
}

/// The pages with an en dash, or `None`.
pub(super) fn range(meta: &ArticleMeta) -> Option<String> {
    Some(meta.page_range('–')).filter(|pages| !pages.is_empty())
}

/// The text with a full stop at its end, unless it ends with a punctuation mark.
pub(super) fn sentence(text: &str) -> String {
    let bare = text.trim_end().trim_end_matches(['"', '”', '’', '»', ')']);
    let ended = bare.ends_with(['.', '?', '!', '。', '？', '！']);
    // `(n.d.)` and `(Vol. 2.)` end with a parenthesis and need a full stop.
    let closed = ended && !text.trim_end().ends_with(')');
    if text.is_empty() || closed { text.to_owned() } else { format!("{text}.") }
}

/// Whether a name stays as it is in every style: that of a group, one that is not divided, and one in Chinese characters or Hangul.
pub(super) fn stays_whole(person: &Contributor) -> bool {
    !person.collab.is_empty() || person.surname.is_empty() || has_han_or_hangul(&person.surname)
}

/// `Jr.`, `III`.
pub(super) fn suffix(person: &Contributor) -> String {
    match person.suffix.as_str() {
        "Jr" | "Sr" => format!("{}.", person.suffix),
        suffix => suffix.to_owned(),
    }
}

/// `Schaefer, J. R.`, `King, M. L., Jr.`; groups and names in Chinese characters unchanged.
fn apa_name(person: &Contributor) -> String {
    if stays_whole(person) {
        return person.display_name();
    }
    joined([person.surname.clone(), initials(&person.given_names), suffix(person)], ", ")
}

/// `Jean-Paul M.` as `J.-P. M.`
pub(super) fn initials(given: &str) -> String {
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
    use super::*;
    use crate::citation::tests::{article_by, person};

    fn article(authors: &[&str], year: i32, title: &str, journal: &str, doi: &str) -> ArticleMeta {
        ArticleMeta { year: Some(year), doi: Doi::parse(doi).ok(), ..article_by(authors, title, journal) }
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
