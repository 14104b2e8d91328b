//! The citation styles that readers choose beside APA and GB/T 7714: Vancouver, MLA, Chicago and IEEE.

use masthead_domain::{
    Doi,
    article::{ArticleMeta, Contributor, page_range},
};

use super::style::{
    before, in_parentheses, initials, joined, range, sentence, stays_whole, suffix, volume_and_issue, year,
};

/// `Halpern SD, Ubel PA, Caplan AL. Title. N Engl J Med. 2002;347(4):284-7. doi: 10.…` Six authors are named, then "et al".
pub(super) fn vancouver(meta: &ArticleMeta, journal: &str) -> String {
    let mut names: Vec<String> = meta.authors().take(7).map(vancouver_name).filter(|name| !name.is_empty()).collect();
    if names.len() > 6 {
        "et al".clone_into(&mut names[6]);
    }
    let authors = names.join(", ");
    let journal = abbreviated(meta, journal);
    let place = volume_and_issue(meta);
    let range = page_range(&meta.first_page, &shortened(&meta.first_page, &meta.last_page), '-');
    let pages = if range.is_empty() { meta.elocation_id.clone() } else { range };
    let mut number = year(meta);
    for (mark, part) in [(";", place), (":", pages)] {
        if !part.is_empty() {
            number.push_str(if number.is_empty() { "" } else { mark });
            number.push_str(&part);
        }
    }
    let doi = meta.doi.as_ref().map(|doi| format!("doi: {doi}")).unwrap_or_default();
    joined(
        [authors, meta.title(&meta.language).to_owned(), journal.to_owned(), number, doi].map(|part| sentence(&part)),
        " ",
    )
}

/// `Baron, Naomi S. “Title.” PMLA, vol. 128, no. 1, 2013, pp. 193–200, https://doi.org/…` Of three authors and more, the first is named.
pub(super) fn mla(meta: &ArticleMeta, journal: &str) -> String {
    let names: Vec<String> = meta.authors().take(3).enumerate().map(first_inverted).collect();
    let authors = match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one}, and {two}"),
        [one, ..] => format!("{one}, et al."),
    };
    let pages = marked_range(meta).unwrap_or_else(|| meta.elocation_id.clone());
    let doi = meta.doi.as_ref().map(Doi::url).unwrap_or_default();
    let source =
        [journal.to_owned(), before("vol. ", &meta.volume), before("no. ", &meta.issue), year(meta), pages, doi];
    joined([sentence(&authors), quoted(meta, '.'), sentence(&joined(source, ", "))], " ")
}

/// `LaSalle, Peter. “Title.” New England Review 38, no. 1 (2017): 95–109. https://doi.org/….` Of more than ten authors, seven are named.
pub(super) fn chicago(meta: &ArticleMeta, journal: &str) -> String {
    let names: Vec<String> = meta.authors().take(11).enumerate().map(first_inverted).collect();
    let authors = match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        all if all.len() > 10 => {
            let named: Vec<&str> = all.iter().take(7).map(String::as_str).collect();
            format!("{}, et al.", named.join(", "))
        }
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    };
    let volume = joined([journal.to_owned(), meta.volume.clone()], " ");
    let source = joined([volume, before("no. ", &meta.issue)], ", ");
    let source = joined([source, in_parentheses(&year(meta))], " ");
    let source = joined([source, meta.pages_or_number('–')], ": ");
    let doi = meta.doi.as_ref().map(Doi::url).unwrap_or_default();
    joined([sentence(&authors), quoted(meta, '.'), sentence(&source), sentence(&doi)], " ")
}

/// `J. K. Author and A. Writer, “Title,” Journal, vol. 1, no. 2, pp. 3–4, 2020, doi: 10.….` Of more than six authors, the first is named.
pub(super) fn ieee(meta: &ArticleMeta, journal: &str) -> String {
    let names: Vec<String> = meta.authors().take(7).map(ieee_name).filter(|name| !name.is_empty()).collect();
    let authors = match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [one, ..] if names.len() > 6 => format!("{one} et al."),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    };
    let journal = abbreviated(meta, journal);
    let pages = marked_range(meta).unwrap_or_else(|| before("Art. no. ", &meta.elocation_id));
    let doi = meta.doi.as_ref().map(|doi| format!("doi: {doi}")).unwrap_or_default();
    let source =
        [journal.to_owned(), before("vol. ", &meta.volume), before("no. ", &meta.issue), pages, year(meta), doi];
    let source = sentence(&joined(source, ", "));
    let title = quoted(meta, if source.is_empty() { '.' } else { ',' });
    joined([joined([authors, title], ", "), source], " ")
}

/// The abbreviated title of the journal, if it has one.
fn abbreviated<'a>(meta: &'a ArticleMeta, journal: &'a str) -> &'a str {
    if meta.journal.abbrev.is_empty() { journal } else { &meta.journal.abbrev }
}

/// `pp. 3–4` or `p. 3`; `None` without pages.
fn marked_range(meta: &ArticleMeta) -> Option<String> {
    let range = range(meta)?;
    Some(if range.contains('–') { format!("pp. {range}") } else { format!("p. {range}") })
}

/// `7` for the pages 284 to 287: the digits in which the last page differs from the first.
fn shortened(first: &str, last: &str) -> String {
    let numbers = [first, last].iter().all(|page| page.chars().all(|c| c.is_ascii_digit()));
    if !numbers || first.len() != last.len() || first == last {
        return last.to_owned();
    }
    let same = first.chars().zip(last.chars()).take_while(|(one, other)| one == other).count();
    last.chars().skip(same).collect()
}

/// The title in quotation marks, with a mark at its end unless it has one.
fn quoted(meta: &ArticleMeta, mark: char) -> String {
    let title = meta.title(&meta.language).trim();
    let bare = title.trim_end_matches('.');
    match bare {
        "" => String::new(),
        _ if bare.ends_with(['?', '!', '？', '！', '。']) => format!("“{bare}”"),
        _ => format!("“{bare}{mark}”"),
    }
}

/// `Halpern SD`, `King ML Jr`.
fn vancouver_name(person: &Contributor) -> String {
    if stays_whole(person) {
        return person.display_name();
    }
    let initials: String = initials(&person.given_names).chars().filter(|c| c.is_alphabetic()).collect();
    joined([person.surname.clone(), initials, person.suffix.clone()], " ")
}

/// `J. K. Author Jr.`
fn ieee_name(person: &Contributor) -> String {
    if stays_whole(person) {
        return person.display_name();
    }
    joined([initials(&person.given_names), person.surname.clone(), suffix(person)], " ")
}

/// The first author with the surname first, the others as they are called.
fn first_inverted((at, person): (usize, &Contributor)) -> String {
    if at > 0 || stays_whole(person) {
        return person.display_name();
    }
    joined([person.surname.clone(), person.given_names.clone(), suffix(person)], ", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citation::tests::article_by;

    fn article(authors: &[&str], title: &str, journal: &str, [year, volume, issue]: [&str; 3]) -> ArticleMeta {
        ArticleMeta {
            year: year.parse().ok(),
            volume: volume.into(),
            issue: issue.into(),
            ..article_by(authors, title, journal)
        }
    }

    fn with_pages(mut meta: ArticleMeta, first: &str, last: &str) -> ArticleMeta {
        (meta.first_page, meta.last_page) = (first.into(), last.into());
        meta
    }

    /// Examples of the National Library of Medicine ("Samples of Formatted References for Authors of Journal Articles").
    #[test]
    fn vancouver_matches_its_published_examples() {
        let transplantation = article(
            &["Halpern, Scott D", "Ubel, Peter A", "Caplan, Arthur L"],
            "Solid-organ transplantation in HIV-infected patients",
            "N Engl J Med",
            ["2002", "347", ""],
        );
        assert_eq!(
            vancouver(&with_pages(transplantation, "284", "287"), "N Engl J Med"),
            "Halpern SD, Ubel PA, Caplan AL. Solid-organ transplantation in HIV-infected patients. N Engl J Med. 2002;347:284-7."
        );
        let cortex = article(
            &[
                "Rose, M.E.",
                "Huerbin, M.B.",
                "Melick, J.",
                "Marion, D.W.",
                "Palmer, A.M.",
                "Schiding, J.K.",
                "Kochanek, P.",
            ],
            "Regulation of interstitial excitatory amino acid concentrations after cortical contusion injury",
            "Brain Res",
            ["2002", "935", "1-2"],
        );
        assert_eq!(
            vancouver(&with_pages(cortex, "40", "46"), "Brain Res"),
            "Rose ME, Huerbin MB, Melick J, Marion DW, Palmer AM, Schiding JK, et al. Regulation of interstitial excitatory amino acid concentrations after cortical contusion injury. Brain Res. 2002;935(1-2):40-6."
        );
    }

    /// Examples of the Chicago Manual of Style ("Notes and Bibliography: Sample Citations").
    #[test]
    fn chicago_matches_its_published_examples() {
        let story =
            article(&["LaSalle, Peter"], "Conundrum: A Story about Reading", "New England Review", ["2017", "38", "1"]);
        assert_eq!(
            chicago(&with_pages(story, "95", "109"), "New England Review"),
            "LaSalle, Peter. “Conundrum: A Story about Reading.” New England Review 38, no. 1 (2017): 95–109."
        );
        let mut college = article(
            &["Keng, Shao-Hsun", "Lin, Chun-Hung", "Orazem, Peter F."],
            "Expanding College Access in Taiwan, 1978–2014: Effects on Graduate Quality and Income Inequality",
            "Journal of Human Capital",
            ["2017", "11", "1"],
        );
        college.doi = Doi::parse("10.1086/690235").ok();
        assert_eq!(
            chicago(&with_pages(college, "1", "34"), "Journal of Human Capital"),
            "Keng, Shao-Hsun, Chun-Hung Lin, and Peter F. Orazem. “Expanding College Access in Taiwan, 1978–2014: Effects on Graduate Quality and Income Inequality.” Journal of Human Capital 11, no. 1 (2017): 1–34. https://doi.org/10.1086/690235."
        );
    }

    #[test]
    fn mla_and_ieee_follow_their_handbooks() {
        let reading = article(
            &["Baron, Naomi S."],
            "Redefining Reading: The Impact of Digital Communication Media",
            "PMLA",
            ["2013", "128", "1"],
        );
        assert_eq!(
            mla(&with_pages(reading, "193", "200"), "PMLA"),
            "Baron, Naomi S. “Redefining Reading: The Impact of Digital Communication Media.” PMLA, vol. 128, no. 1, 2013, pp. 193–200."
        );
        let mut tides =
            article(&["Lovelace, Ada", "Hopper, Grace B."], "Do tides think?", "Ocean Ledger", ["2026", "3", "2"]);
        (tides.elocation_id, tides.doi) = ("e17".into(), Doi::parse("10.5555/x.1").ok());
        assert_eq!(
            mla(&tides, "Ocean Ledger"),
            "Lovelace, Ada, and Grace B. Hopper. “Do tides think?” Ocean Ledger, vol. 3, no. 2, 2026, e17, https://doi.org/10.5555/x.1."
        );
        assert_eq!(
            ieee(&tides, "Ocean Ledger"),
            "A. Lovelace and G. B. Hopper, “Do tides think?” Ocean Ledger, vol. 3, no. 2, Art. no. e17, 2026, doi: 10.5555/x.1."
        );
    }

    #[test]
    fn many_authors_are_named_as_each_style_says() {
        let names: Vec<String> = (0..50_000).map(|number| format!("Author{number}, Given")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let crowd = article(&names, "All of us", "Ocean Ledger", ["2026", "", ""]);
        assert!(
            vancouver(&crowd, "J")
                .starts_with("Author0 G, Author1 G, Author2 G, Author3 G, Author4 G, Author5 G, et al. All")
        );
        assert!(mla(&crowd, "J").starts_with("Author0, Given, et al. “All"));
        assert!(chicago(&crowd, "J").contains("Given Author6, et al. “All"));
        assert!(ieee(&crowd, "J").starts_with("G. Author0 et al., “All"));
    }

    #[test]
    fn a_title_alone_is_cited_without_stray_marks() {
        let bare = article(&[], "Alone", "", ["", "", ""]);
        let all = [vancouver(&bare, ""), mla(&bare, ""), chicago(&bare, ""), ieee(&bare, "")];
        assert_eq!(all, ["Alone.", "“Alone.”", "“Alone.”", "“Alone.”"]);
    }
}
