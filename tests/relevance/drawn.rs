//! Queries drawn from articles by seeded chance, with what has to be found: every document from which the same query could have been drawn.
//!
//! No sentence of the articles is written anywhere: queries exist while a test runs.

use std::collections::{BTreeMap, BTreeSet};

use masthead_domain::{
    article::Contributor,
    text::{letters, title_key},
};

use crate::{
    content::{Article, Content, Exhibit},
    judged::Query,
    seeded::Seeded,
};

/// Queries of each class, at most.
const EACH: usize = 60;
/// A cell that stands in more tables than this identifies none of them.
const COMMON: usize = 3;
/// Letters that a typing error adds.
const ALPHABET: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

/// Draws the queries of all classes. The same seed draws the same queries of the same articles.
#[must_use]
pub fn queries(content: &Content, seed: u64) -> Vec<Query> {
    let titles = Titles::of(&content.articles);
    let draw = [titles_as_they_are, titles_with_a_typo, titles_with_a_wrong_character, phrases_of_titles];
    let mut all: Vec<Query> =
        draw.iter().zip(seed..).flat_map(|(draw, seed)| draw(&titles, &mut Seeded::new(seed))).collect();
    let draw = [authors, dois, phrases_of_texts, keywords, figures, tables];
    all.extend(draw.iter().zip(seed..).flat_map(|(draw, seed)| draw(content, &mut Seeded::new(seed))));
    all
}

fn query(class: &str, text: String, kind: &str, best: BTreeSet<String>) -> Query {
    Query { class: class.to_owned(), text, kind: kind.to_owned(), best, also: BTreeSet::new() }
}

const fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

/// The titles of all articles in all languages.
struct Titles {
    all: Vec<String>,
    /// Articles by the form in which titles are compared.
    articles: BTreeMap<String, BTreeSet<String>>,
}

impl Titles {
    fn of(articles: &[Article]) -> Self {
        let (mut all, mut by_key) = (Vec::new(), BTreeMap::<String, BTreeSet<String>>::new());
        for article in articles {
            for title in &article.meta.titles {
                let key = title_key(&title.plain);
                // Shorter ones ("Errata") are words, not titles.
                if key.chars().count() < 12 && key.chars().filter(|c| is_han(*c)).count() < 5 {
                    continue;
                }
                let same = by_key.entry(key).or_default();
                if same.is_empty() {
                    all.push(title.plain.clone());
                }
                same.insert(article.key.clone());
            }
        }
        Self { all, articles: by_key }
    }

    /// The articles with this title.
    fn with(&self, title: &str) -> BTreeSet<String> {
        self.articles[&title_key(title)].clone()
    }

    /// The articles with this text in a title.
    fn containing(&self, text: &str) -> BTreeSet<String> {
        let key = title_key(text);
        self.articles.iter().filter(|(title, _)| title.contains(&key)).flat_map(|(_, keys)| keys.clone()).collect()
    }
}

fn titles_as_they_are(titles: &Titles, seeded: &mut Seeded) -> Vec<Query> {
    let drawn = seeded.some(&titles.all, EACH * 2);
    drawn.into_iter().map(|title| query("exact title", title.clone(), "article", titles.with(title))).collect()
}

fn titles_with_a_typo(titles: &Titles, seeded: &mut Seeded) -> Vec<Query> {
    let is_word = |word: &str| word.chars().count() >= 5 && word.chars().all(|c| c.is_alphabetic() && !is_han(c));
    let mut drawn = Vec::new();
    for title in seeded.some(&titles.all, titles.all.len()) {
        let words: Vec<&str> = title.split_whitespace().collect();
        let long: Vec<usize> = (0..words.len()).filter(|at| is_word(words[*at])).collect();
        if words.len() < 3 || long.is_empty() || drawn.len() == EACH * 2 {
            continue;
        }
        let at = *seeded.pick(&long);
        let wrong = misspelt(words[at], seeded);
        let text = words.iter().enumerate().map(|(number, word)| if number == at { wrong.as_str() } else { word });
        let text = text.collect::<Vec<_>>().join(" ");
        drawn.push(query("title with a typo", text, "article", titles.with(title)));
    }
    drawn
}

/// The word with one letter missing, added, wrong, or in the place of its neighbour.
fn misspelt(word: &str, seeded: &mut Seeded) -> String {
    loop {
        let mut letters: Vec<char> = word.chars().collect();
        let at = seeded.below(letters.len() - 1);
        let other = char::from(*seeded.pick(ALPHABET));
        match seeded.below(4) {
            0 => _ = letters.remove(at),
            1 => letters.insert(at + 1, other),
            2 => letters[at] = other,
            _ => letters.swap(at, at + 1),
        }
        let wrong: String = letters.into_iter().collect();
        if wrong.to_lowercase() != word.to_lowercase() {
            return wrong;
        }
    }
}

fn titles_with_a_wrong_character(titles: &Titles, seeded: &mut Seeded) -> Vec<Query> {
    let mut drawn = Vec::new();
    for title in seeded.some(&titles.all, titles.all.len()) {
        let mut characters: Vec<char> = title.chars().collect();
        let places: Vec<usize> = (0..characters.len()).filter(|at| is_han(characters[*at])).collect();
        if places.len() < 8 || drawn.len() == EACH {
            continue;
        }
        let (wrong, right) = (*seeded.pick(&places), *seeded.pick(&places));
        if characters[wrong] == characters[right] {
            continue;
        }
        characters[wrong] = characters[right];
        let text = characters.into_iter().collect();
        drawn.push(query("Chinese title, one character wrong", text, "article", titles.with(title)));
    }
    drawn
}

fn phrases_of_titles(titles: &Titles, seeded: &mut Seeded) -> Vec<Query> {
    let mut runs: Vec<Vec<char>> = Vec::new();
    for title in &titles.all {
        let pieces = title.split(|c| !is_han(c)).map(|piece| piece.chars().collect::<Vec<_>>());
        runs.extend(pieces.filter(|piece| piece.len() >= 5));
    }
    let mut drawn = BTreeMap::new();
    // Few titles are Chinese: several phrases of each are drawn.
    for _ in 0..EACH * 4 {
        if runs.is_empty() || drawn.len() == EACH * 2 {
            break;
        }
        let run = seeded.pick(&runs);
        let length = 4 + seeded.below(run.len().min(9) - 4);
        let start = seeded.below(run.len() - length + 1);
        let text: String = run[start..start + length].iter().collect();
        let best = titles.containing(&text);
        drawn.insert(text.clone(), query("Chinese phrase", text, "article", best));
    }
    drawn.into_values().collect()
}

fn authors(content: &Content, seeded: &mut Seeded) -> Vec<Query> {
    let latin = |person: &&Contributor| {
        let name = |text: &str, least: usize| {
            let word = text.split([' ', '.', '-']).next().unwrap_or_default();
            word.chars().count() >= least && text.chars().all(|c| !is_han(c))
        };
        name(&person.surname, 2) && name(&person.given_names, 3)
    };
    let people: Vec<&Contributor> =
        content.articles.iter().flat_map(|article| article.meta.authors()).filter(latin).collect();
    let initial = |person: &Contributor| letters(&person.given_names).chars().next();
    let best = |same: &dyn Fn(&Contributor) -> bool| {
        let by = content.articles.iter().filter(|article| article.meta.authors().any(same));
        by.map(|article| article.key.clone()).collect::<BTreeSet<_>>()
    };
    let mut drawn = Vec::new();
    for person in seeded.some(&people, EACH) {
        let (family, given) = (person.surname.as_str(), person.given_names.as_str());
        let same_family = |other: &Contributor| letters(&other.surname) == letters(family);
        let same = best(&|other| same_family(other) && letters(&other.given_names) == letters(given));
        let first: String = given.chars().take(1).collect();
        let with_initial = best(&|other| same_family(other) && initial(other) == initial(person));
        drawn.push(query("author", format!("{given} {family}"), "article", same.clone()));
        drawn.push(query("author, family name first or last", format!("{family}, {given}"), "article", same));
        drawn.push(query("author with initials", format!("{family} {first}"), "article", with_initial));
    }
    drawn
}

fn dois(content: &Content, seeded: &mut Seeded) -> Vec<Query> {
    let with: Vec<&Article> = content.articles.iter().filter(|article| article.meta.doi.is_some()).collect();
    let forms = ["", "https://doi.org/", "doi:", "http://dx.doi.org/"];
    let drawn = seeded.some(&with, EACH).into_iter().zip(forms.iter().cycle());
    drawn
        .map(|(article, form)| query("DOI", format!("{form}{}", article.key), "article", [article.key.clone()].into()))
        .collect()
}

/// Six words of a text, or ten characters of a Chinese one, in quotation marks.
fn phrases_of_texts(content: &Content, seeded: &mut Seeded) -> Vec<Query> {
    let texts: Vec<(String, &Article)> =
        content.articles.iter().map(|article| (letters(&article.text), article)).collect();
    let plain = |word: &&str| word.chars().all(|c| c.is_alphabetic() && !is_han(c));
    let mut drawn = Vec::new();
    for (_, article) in seeded.some(&texts, EACH) {
        let words: Vec<&str> = article.text.split_whitespace().collect();
        let runs: Vec<Vec<char>> = article
            .text
            .split(|c| !is_han(c))
            .map(|run| run.chars().collect::<Vec<_>>())
            .filter(|run| run.len() >= 10)
            .collect();
        let windows: Vec<&[&str]> = words.windows(6).filter(|window| window.iter().all(plain)).collect();
        let phrase = if !runs.is_empty() && runs.len() > windows.len() / 20 {
            seeded.pick(&runs)[..10].iter().collect()
        } else if windows.is_empty() {
            continue;
        } else {
            seeded.pick(&windows).join(" ")
        };
        let sought = letters(&phrase);
        let with = texts.iter().filter(|(text, _)| text.contains(&sought));
        let best = with.map(|(_, article)| article.key.clone()).collect();
        drawn.push(query("phrase of the text", format!("\"{phrase}\""), "article", best));
    }
    drawn
}

/// Two keywords of an article.
fn keywords(content: &Content, seeded: &mut Seeded) -> Vec<Query> {
    let of = |article: &Article| -> BTreeSet<String> {
        article.meta.keywords.iter().flat_map(|group| &group.plain).map(|word| letters(word)).collect()
    };
    let words: Vec<(BTreeSet<String>, &Article)> =
        content.articles.iter().map(|article| (of(article), article)).filter(|(words, _)| words.len() >= 2).collect();
    let mut drawn = Vec::new();
    for (_, article) in seeded.some(&words, EACH) {
        let Some(group) = article.meta.keywords.iter().find(|group| group.plain.len() >= 2) else { continue };
        let two = seeded.some(&group.plain, 2);
        let sought: Vec<String> = two.iter().map(|word| letters(word)).collect();
        let with = words.iter().filter(|(words, _)| sought.iter().all(|word| words.contains(word)));
        let best = with.map(|(_, article)| article.key.clone()).collect();
        drawn.push(query("keywords", format!("{} {}", two[0], two[1]), "article", best));
    }
    drawn
}

/// The beginning of a text: eight words, or fourteen Chinese characters.
fn opening(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(8).collect();
    let text = words.join(" ");
    if text.chars().filter(|c| is_han(*c)).count() > 14 { text.chars().take(14).collect() } else { text }
}

fn figures(content: &Content, seeded: &mut Seeded) -> Vec<Query> {
    let of = |figure: &Exhibit| letters(&figure.caption);
    let long: Vec<&Exhibit> = content.figures.iter().filter(|figure| of(figure).chars().count() >= 20).collect();
    let mut drawn = Vec::new();
    for figure in seeded.some(&long, EACH) {
        let text = opening(&figure.caption);
        let sought = letters(&text);
        let with = content.figures.iter().filter(|figure| of(figure).contains(&sought));
        let best = with.map(|figure| figure.key.clone()).collect();
        drawn.push(query("figure caption", text, "picture", best));
    }
    drawn
}

fn tables(content: &Content, seeded: &mut Seeded) -> Vec<Query> {
    let long = |cell: &&String| {
        let letters = cell.chars().filter(|c| c.is_alphabetic());
        letters.clone().count() >= 12 || letters.filter(|c| is_han(*c)).count() >= 4
    };
    let all: Vec<(String, &Exhibit)> = content
        .tables
        .iter()
        .map(|table| (format!("{} {}", letters(&table.caption), letters(&table.cells.join(" "))), table))
        .collect();
    let mut drawn = Vec::new();
    for (_, table) in seeded.some(&all, all.len()) {
        let cells: Vec<&String> = table.cells.iter().filter(long).collect();
        if cells.is_empty() || drawn.len() == EACH {
            continue;
        }
        let text = opening(cells[seeded.below(cells.len())]);
        let sought = letters(&text);
        let best: BTreeSet<String> =
            all.iter().filter(|(text, _)| text.contains(&sought)).map(|(_, table)| table.key.clone()).collect();
        if best.len() <= COMMON {
            drawn.push(query("table cell", text, "table", best));
        }
    }
    drawn
}
