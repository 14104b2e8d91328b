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
