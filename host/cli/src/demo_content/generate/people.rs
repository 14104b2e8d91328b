//! Authors. A person has the same name, ORCID iD and institution in every article of a seed.

use masthead_domain::article::{Affiliation, Contributor};

use crate::demo_content::generate::{
    plan::{ArticleType, Plan},
    stream::Stream,
    words::{Common, Words},
};

/// Number of authors, over all journals.
const PEOPLE: usize = 260;

/// An author.
#[derive(Clone, Debug)]
pub struct Person {
    number: usize,
    zh: (String, String),
    en: (String, String),
    foreign: bool,
    institution: usize,
}

impl Person {
    fn of(common: &Common, seed: u64, number: usize) -> Self {
        let mut stream = Stream::new(seed, number as u64, 7);
        let foreign = stream.chance(22);
        let (surnames, given) =
            if foreign { (&common.foreign_surnames, &common.foreign_given) } else { (&common.surnames, &common.given) };
        let (surname, given) = (stream.pick(surnames).clone(), stream.pick(given).clone());
        Self {
            number,
            zh: (surname.0, given.0),
            en: (surname.1, given.1),
            foreign,
            institution: stream.below(common.institutions.len()),
        }
    }

    /// The full name.
    pub fn name(&self, zh: bool) -> String {
        match (zh, self.foreign) {
            (true, false) => format!("{}{}", self.zh.0, self.zh.1),
            (true, true) => format!("{}·{}", self.zh.1, self.zh.0),
            (false, _) => format!("{} {}", self.en.1, self.en.0),
        }
    }

    /// The name in the form used in references.
    pub fn cited(&self, zh: bool) -> String {
        if zh && !self.foreign {
            return self.name(true);
        }
        format!("{} {}", self.en.0, self.en.1.chars().next().unwrap_or_default())
    }

    /// An ORCID iD derived from the number of the person: its check digit is valid, and it lies outside the ranges that ORCID assigns.
    fn orcid(&self) -> String {
        let digits = format!("00000009{:07}", 5_000_000 + self.number * 1009);
        let total = digits.bytes().fold(0, |total, digit| (total + u32::from(digit - b'0')) * 2);
        let check = match (12 - total % 11) % 11 {
            10 => "X".to_owned(),
            number => number.to_string(),
        };
        format!("{}-{}-{}-{}{check}", &digits[..4], &digits[4..8], &digits[8..12], &digits[12..])
    }

    fn email(&self) -> String {
        let plain = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_lowercase();
        format!("{}.{}@people.example.org", plain(&self.en.1), plain(&self.en.0))
    }
}

/// The authors of an article; those of the original article for a correction or a retraction.
pub fn authors(words: &Words, seed: u64, plan: &Plan) -> Vec<Person> {
    let same = matches!(plan.article_type, ArticleType::Correction | ArticleType::Retraction);
    let index = plan.about.filter(|_| same).unwrap_or(plan.index);
    let mut stream = Stream::new(seed, index, 4);
    let many = 1 + stream.below(7);
    draw(&words.common, seed, &mut stream, many)
}

/// Draws this number of different people.
pub fn draw(common: &Common, seed: u64, stream: &mut Stream, many: usize) -> Vec<Person> {
    let mut people: Vec<Person> = Vec::new();
    while people.len() < many {
        let person = Person::of(common, seed, stream.below(PEOPLE));
        // Two authors with the same name would look like an error.
        if people.iter().all(|known| known.en != person.en) {
            people.push(person);
        }
    }
    people
}

/// Converts people to contributors of an article, with their affiliations in both languages.
pub fn credit(
    common: &Common,
    people: &[Person],
    zh: bool,
    stream: &mut Stream,
) -> (Vec<Contributor>, Vec<Affiliation>) {
    let mut places: Vec<usize> = Vec::new();
    for person in people {
        if !places.contains(&person.institution) {
            places.push(person.institution);
        }
    }
    let place_of = |person: &Person| places.iter().position(|place| *place == person.institution).unwrap_or_default();
    let authors = people
        .iter()
        .enumerate()
        .map(|(at, person)| {
            // The name in the script of the article is split into surname and given names; both forms are listed as alternatives.
            let han = zh && !person.foreign;
            let (surname, given_names) = if han { person.zh.clone() } else { person.en.clone() };
            let tag = |zh: bool| if zh { "zh" } else { "en" }.to_owned();
            let names = [(tag(han), person.name(han)), (tag(!han), person.name(!han))];
            Contributor {
                role: "author".to_owned(),
                surname,
                given_names,
                alternatives: names.to_vec(),
                orcid: if stream.chance(70) { person.orcid() } else { String::new() },
                email: if at == 0 { person.email() } else { String::new() },
                affiliations: vec![format!("aff{}", place_of(person) + 1)],
                corresponding: at == 0,
                equal: people.len() > 3 && at < 2,
                credit: if people.len() > 1 {
                    let many = 1 + stream.below(3);
                    stream.some(&common.credits, many).into_iter().cloned().collect()
                } else {
                    Vec::new()
                },
                ..Contributor::default()
            }
        })
        .collect();
    let affiliations = places
        .iter()
        .enumerate()
        .flat_map(|(at, place)| {
            [zh, !zh].map(|zh| Affiliation {
                id: format!("aff{}", at + 1),
                label: (at + 1).to_string(),
                lang: if zh { "zh" } else { "en" }.to_owned(),
                text: common.institutions[*place].get(zh).to_owned(),
                ..Affiliation::default()
            })
        })
        .collect();
    (authors, affiliations)
}
