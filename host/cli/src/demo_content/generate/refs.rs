//! Reference lists: fictional works, and earlier articles of the same journal.

use masthead_domain::{
    article::LangText,
    content::{Citation, Node, RefList, Reference},
};

use crate::demo_content::generate::{
    body::tag,
    facts::Facts,
    people,
    plan::{ArticleType, Plan, Stage, issue_name},
    stream::Stream,
    words::Words,
};

/// The reference list of an article with `many` entries; `None` for 0.
pub fn list(words: &Words, seed: u64, plan: &Plan, stream: &mut Stream, many: usize) -> Option<RefList> {
    if many == 0 {
        return None;
    }
    let heading = if plan.zh { "参考文献" } else { "References" };
    let own: Vec<u64> = earlier(words, plan, stream);
    let refs = (1..=many)
        .map(|number| {
            let citation = match own.get(number - 1) {
                Some(index) => known(words, seed, *index),
                None if stream.chance(14) => book(words, seed, plan, stream),
                None => paper(words, seed, plan, stream, number),
            };
            Reference {
                id: format!("r{number}"),
                label: number.to_string(),
                citations: vec![citation],
                notes: Vec::new(),
            }
        })
        .collect();
    let title = LangText { lang: tag(plan.zh), plain: heading.to_owned(), nodes: vec![Node::text(heading)] };
    Some(RefList { id: "refs".to_owned(), title: Some(title), nodes: Vec::new(), refs })
}

/// Numbers of earlier articles of the journal to cite: the article that this one is about, and up to two others.
fn earlier(words: &Words, plan: &Plan, stream: &mut Stream) -> Vec<u64> {
    let journals = words.fields.len() as u64;
    let mut own: Vec<u64> = plan.about.into_iter().collect();
    for _ in 0..stream.below(3) {
        let back = (1 + stream.below(12)) as u64 * journals;
        own.extend(plan.index.checked_sub(back).filter(|index| !own.contains(index)));
    }
    own
}

/// A citation of an earlier generated article.
fn known(words: &Words, seed: u64, index: u64) -> Citation {
    let other = Plan::of(words, seed, index);
    let field = &words.fields[other.field];
    let people = people::authors(words, seed, &other);
    let author = people.first().map_or_else(String::new, |person| person.cited(other.zh));
    let title = other.title.get(other.zh).to_owned();
    let source = field.title.get(other.zh).to_owned();
    let place = match other.stage {
        Stage::Issue { issue, .. } => {
            let (_, volume, number) = issue_name(field, issue);
            format!("{volume}({number})")
        }
        Stage::Online | Stage::Accepted => "online first".to_owned(),
    };
    let plain = format!("{author}. {title}. {source} {}; {place}. doi:{}", other.year, other.doi);
    Citation {
        kind: "journal".to_owned(),
        nodes: vec![Node::text(plain.clone())],
        plain,
        doi: other.doi,
        title,
        source,
        year: other.year.to_string(),
        first_author: author,
        ..Citation::default()
    }
}

fn paper(words: &Words, seed: u64, plan: &Plan, stream: &mut Stream, number: usize) -> Citation {
    let field = &words.fields[plan.field];
    let source = stream.pick(&words.common.sources).clone();
    let zh = source.starts_with('《');
    let row = stream.below(600);
    let facts = Facts::draw(field, row, stream);
    let title = facts.say(stream.pick(&field.titles), zh);
    let year = stream.between(1996, i64::from(plan.year) - 1);
    let first_page = stream.between(1, 900);
    let pages = format!("{first_page}–{}", first_page + stream.between(5, 28));
    let volume = format!("{}({})", year - 1970 + stream.between(0, 9), stream.between(1, 6));
    let several = 1 + stream.below(4);
    let people = people::draw(&words.common, seed, stream, several);
    let names: Vec<String> = people.iter().map(|person| person.cited(zh)).collect();
    let doi = if stream.chance(60) {
        format!("10.5555/{}.ref.{year}.{:06}.{number}", field.code, stream.between(0, 999_999))
    } else {
        String::new()
    };
    let plain = format!("{}. {title}. {source} {year}; {volume}: {pages}.", names.join(if zh { "，" } else { ", " }));
    Citation {
        kind: "journal".to_owned(),
        nodes: vec![Node::text(plain.clone())],
        plain,
        doi,
        title,
        source,
        year: year.to_string(),
        first_author: names.into_iter().next().unwrap_or_default(),
        ..Citation::default()
    }
}

fn book(words: &Words, seed: u64, plan: &Plan, stream: &mut Stream) -> Citation {
    let field = &words.fields[plan.field];
    let zh = stream.chance(50);
    let object = stream.pick(&field.objects).get(zh);
    let place = stream.pick(&field.places).get(zh);
    let title = if zh { format!("{place}{object}考") } else { format!("A history of {object} in {place}") };
    let year = stream.between(1978, i64::from(plan.year) - 1);
    let people = people::draw(&words.common, seed, stream, 1);
    let author = people.first().map_or_else(String::new, |person| person.cited(zh));
    let press = stream.pick(&words.common.presses);
    let plain = format!("{author}. {title}. {press}, {year}.");
    Citation {
        kind: "book".to_owned(),
        nodes: vec![Node::text(plain.clone())],
        plain,
        title: title.clone(),
        source: title,
        year: year.to_string(),
        first_author: author,
        ..Citation::default()
    }
}

/// The number of references of an article.
pub fn length(article_type: ArticleType, stream: &mut Stream) -> usize {
    let (low, high) = match article_type {
        ArticleType::Research => (12, 26),
        ArticleType::Review => (34, 60),
        ArticleType::Data => (6, 14),
        ArticleType::Commentary => (3, 8),
        ArticleType::Correction | ArticleType::Retraction => (1, 1),
    };
    usize::try_from(stream.between(low, high)).unwrap_or_default()
}
