//! A mixed log of queries, each drawn from one of the articles, so that it finds something.

use masthead_relevance::{judged::Query, seeded::Seeded};

use crate::articles::{Article, Words};

/// Writes a query that looks for an article.
type Typed = fn(&Article, &mut Seeded) -> String;

/// What readers type, and how often of a hundred times.
const SHARES: [(&str, usize, Typed); 8] = [
    ("one English word", 12, |article, seeded| words(&article.summary, seeded, 1)),
    ("English words", 28, |article, seeded| words(&article.summary, seeded, 3)),
    ("Chinese word", 15, |article, seeded| characters(&article.summary_zh, seeded, 4)),
    ("Chinese words", 10, |article, seeded| {
        format!("{} {}", characters(&article.title_zh, seeded, 4), characters(&article.summary_zh, seeded, 2))
    }),
    ("author", 12, |article, seeded| {
        let (zh, latin) = seeded.pick(&article.authors);
        if seeded.below(2) == 0 { zh.clone() } else { latin.clone() }
    }),
    ("DOI", 5, |article, _| article.doi()),
    ("phrase", 8, |article, seeded| format!("\"{}\"", run(&article.summary, seeded, 3))),
    ("title", 10, |article, _| article.title.clone()),
];

fn words(text: &str, seeded: &mut Seeded, many: usize) -> String {
    let all: Vec<&str> = text.split([' ', '.']).filter(|word| word.len() > 3).collect();
    (0..many).map(|_| *seeded.pick(&all)).collect::<Vec<_>>().join(" ")
}

fn run(text: &str, seeded: &mut Seeded, many: usize) -> String {
    let sentences: Vec<&str> = text.split(". ").collect();
    let all: Vec<&str> = seeded.pick(&sentences).split(' ').collect();
    let start = seeded.below(all.len() - many);
    all[start..start + many].join(" ")
}

fn characters(text: &str, seeded: &mut Seeded, many: usize) -> String {
    let sentences: Vec<&str> = text.split('。').collect();
    let all: Vec<char> = seeded.pick(&sentences).chars().collect();
    let start = seeded.below(all.len().saturating_sub(many) + 1);
    all[start..(start + many).min(all.len())].iter().collect()
}

/// A log of `many` queries over the first `articles` articles.
pub fn log(vocabulary: &Words, articles: usize, many: usize) -> Vec<Query> {
    let mut seeded = Seeded::new(29);
    let all: usize = SHARES.iter().map(|(_, share, _)| share).sum();
    let mut query = || {
        let article = vocabulary.article(seeded.below(articles));
        let mut at = seeded.below(all);
        let (class, _, draw) = SHARES
            .iter()
            .find(|(_, share, _)| {
                let here = at < *share;
                at = at.saturating_sub(*share);
                here
            })
            .unwrap();
        let text = draw(&article, &mut seeded);
        Query { class: (*class).to_owned(), text, kind: "article".to_owned(), ..Query::default() }
    };
    (0..many).map(|_| query()).collect()
}

/// Queries that are typed to take as much time as possible, each with its name. Those over a limit are cut or refused, as in a search.
pub fn hostile(vocabulary: &Words, articles: usize) -> Vec<Query> {
    let mut seeded = Seeded::new(41);
    let one = vocabulary.article(seeded.below(articles));
    let other = vocabulary.article(seeded.below(articles));
    let all: Vec<&str> = one.summary.split([' ', '.']).filter(|word| word.len() > 3).collect();
    let letters: Vec<String> = ('a'..='z').map(|letter| format!("{letter}*")).collect();
    let short: Vec<&str> = all.iter().map(|word| word.get(..2).unwrap_or(word)).collect();
    let wild: Vec<String> = short.iter().take(24).map(|word| format!("{word}*")).collect();
    let queries = [
        ("each letter with a wildcard", letters.join(" OR ")),
        ("a wildcard in every word", wild.join(" ")),
        ("a wildcard in every word, any", wild.join(" OR ")),
        (
            "wildcards in all fields",
            wild.iter()
                .map(|word| format!("title:{word} OR abstract:{word} OR text:{word}"))
                .collect::<Vec<_>>()
                .join(" OR "),
        ),
        ("as many words as are read, any", all.iter().cycle().take(64).copied().collect::<Vec<_>>().join(" OR ")),
        ("the whole abstract", one.summary.clone()),
        ("the whole Chinese abstract", one.summary_zh.clone()),
        ("the whole abstract as a phrase", format!("\"{}\"", one.summary.replace('"', " "))),
        ("two letters, fuzzy, many times", short.join(" ")),
        (
            "one Chinese character, any of many",
            one.summary_zh
                .chars()
                .filter(|c| !c.is_ascii_punctuation())
                .take(64)
                .map(String::from)
                .collect::<Vec<_>>()
                .join(" OR "),
        ),
        ("brackets as deep as are read", format!("{}{}{}", "(".repeat(16), one.title, ")".repeat(16))),
        ("nothing but exclusions", all.iter().take(32).map(|word| format!("NOT {word}")).collect::<Vec<_>>().join(" ")),
        (
            "words that no entry has, any",
            (0..32).map(|number| format!("zq{number}xv{number}")).collect::<Vec<_>>().join(" OR "),
        ),
        ("misspelled words, all", with_mistakes(&other.summary)),
        ("a hundred thousand bytes", one.summary.chars().cycle().take(100_000).collect()),
        ("thousands of operators", "AND OR NOT ".repeat(3_000)),
        ("thousands of wildcards", wildcards(10_000)),
        ("every year", "year:2026 OR year:2025 OR year:2024 OR year:2023 OR year:2022".to_owned()),
    ];
    let query = |(class, text): (&str, String)| Query {
        class: class.to_owned(),
        text,
        kind: "article".to_owned(),
        ..Query::default()
    };
    queries.into_iter().map(query).collect()
}

/// Beginnings of two letters, any of which may match. Those that are read, which are as many as words may be, differ from each other.
fn wildcards(many: usize) -> String {
    let all = ('a'..='z').flat_map(|first| "aeiou".chars().map(move |second| format!("{first}{second}*")));
    all.cycle().take(many).collect::<Vec<_>>().join(" OR ")
}

/// Words of a text, each with two letters exchanged.
fn with_mistakes(text: &str) -> String {
    let mistyped = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        let middle = letters.len() / 2;
        letters.swap(middle - 1, middle);
        letters.into_iter().collect::<String>()
    };
    text.split([' ', '.']).filter(|word| word.len() > 4).take(24).map(mistyped).collect::<Vec<_>>().join(" ")
}

/// What is typed so far, when suggestions are asked for: the beginnings of titles and names.
pub fn beginnings(vocabulary: &Words, articles: usize, many: usize) -> Vec<String> {
    let mut seeded = Seeded::new(31);
    let mut one = || {
        let article = vocabulary.article(seeded.below(articles));
        let whole = match seeded.below(4) {
            0 => article.title_zh,
            1 => article.authors[0].0.clone(),
            2 => article.authors[0].1.clone(),
            _ => article.title,
        };
        let length = 1 + seeded.below(10);
        whole.chars().take(length).collect()
    };
    (0..many).map(|_| one()).collect()
}

/// Titles with a letter that is wrong.
pub fn mistyped(vocabulary: &Words, articles: usize, many: usize) -> Vec<String> {
    let mut seeded = Seeded::new(37);
    let mut one = || {
        let article = vocabulary.article(seeded.below(articles));
        let words: Vec<&str> = article.title.split(' ').collect();
        let at = seeded.below(words.len());
        let mut letters: Vec<char> = words[at].chars().collect();
        let place = seeded.below(letters.len());
        letters[place] = char::from(b'a' + u8::try_from(seeded.below(26)).unwrap());
        let wrong: String = letters.into_iter().collect();
        let words = words.iter().enumerate().map(|(number, word)| if number == at { wrong.as_str() } else { *word });
        words.collect::<Vec<_>>().join(" ")
    };
    (0..many).map(|_| one()).collect()
}
