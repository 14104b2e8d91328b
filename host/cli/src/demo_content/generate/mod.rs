//! Generates fictional articles for the demo from word lists, in Chinese and English. The same seed gives the same articles on every
//! machine, and article `i` of a seed does not depend on the number of generated articles.

mod body;
mod chart;
mod facts;
mod people;
mod plan;
mod refs;
mod stream;
pub mod usage;
mod words;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use masthead_documents::jats::{self, ExportOptions};
use masthead_domain::{
    Lang, LocalText,
    article::{Article, ArticleMeta, Funding, JournalRef, KeywordGroup, LangText, RelatedArticle},
    content::{Abstract, ArticleBody, Node, Part},
    ids::Doi,
    publication::Issue,
};

pub use body::Picture;
use body::{Writer, p, tag};
use plan::{ArticleType, Plan, Stage, issue_date, issue_name};
use stream::Stream;
use words::{BilingualText, Field, Words};

/// A generated article.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    /// Key of its journal.
    pub journal: String,
    /// Name of its file without the extension.
    pub stem: String,
    /// Metadata and body.
    pub article: Article,
    /// Its figures.
    pub pictures: Vec<Picture>,
    /// Its issue, without title and cover; `None` if it is not in an issue yet.
    pub issue: Option<Issue>,
}

/// Generates the articles of one seed.
pub struct Generator {
    words: Words,
    seed: u64,
}

impl Generator {
    /// Creates a generator for a seed.
    ///
    /// # Errors
    /// A message that names the invalid word list.
    pub fn new(seed: u64) -> anyhow::Result<Self> {
        let words = Words::read()?;
        for field in &words.fields {
            for issue in 0..field.issues.len() {
                let day = &field.issues[issue];
                anyhow::ensure!(
                    issue_date(field, issue).strftime("%m-%d").to_string() == *day,
                    "words/{}.toml: {day:?} is not a month and day",
                    field.key
                );
            }
        }
        Ok(Self { words, seed })
    }

    /// Generates the article with this number, from 0. Consecutive numbers belong to different journals in turn.
    ///
    /// # Errors
    /// A message, if a word list leads to an invalid DOI.
    pub fn article(&self, index: u64) -> anyhow::Result<Generated> {
        let plan = Plan::of(&self.words, self.seed, index);
        let field = &self.words.fields[plan.field];
        let stem = format!("{}-{index:06}", field.code);
        let mut stream = Stream::new(self.seed, index, 5);
        let many = refs::length(plan.article_type, &mut stream);
        let list = refs::list(&self.words, self.seed, &plan, &mut stream, many);
        let mut writer = Writer::new(&self.words, &plan, &stem, Stream::new(self.seed, index, 6), many);
        let body = ArticleBody {
            body: writer.body(),
            abstracts: abstracts(&mut writer),
            acknowledgements: statement(&mut writer, &self.words.common.acknowledgements, &HEADS[0], 75),
            conflict: statement(&mut writer, &self.words.common.conflict, &HEADS[1], 90),
            supporting_data: statement(&mut writer, &self.words.common.data, &HEADS[2], 70),
            reference_lists: list.into_iter().collect(),
            ..ArticleBody::default()
        };
        let mut meta = self.meta(&plan, field, &mut stream)?;
        meta.reference_count = u32::try_from(many).unwrap_or(u32::MAX);
        let issue = match plan.stage {
            Stage::Issue { issue, .. } => Some(issue_of(field, issue)),
            Stage::Online | Stage::Accepted => None,
        };
        let pictures = writer.pictures;
        Ok(Generated { journal: field.key.clone(), stem, article: Article { meta, body }, pictures, issue })
    }

    fn meta(&self, plan: &Plan, field: &Field, stream: &mut Stream) -> anyhow::Result<ArticleMeta> {
        let common = &self.words.common;
        let people = people::authors(&self.words, self.seed, plan);
        let (contributors, affiliations) = people::credit(common, &people, plan.zh, stream);
        let doi = Doi::parse(&plan.doi).with_context(|| format!("words/{}.toml: code", field.key))?;
        let section = section(plan, field, stream);
        let names = LocalText([(Lang::Zh, section.zh.clone()), (Lang::En, section.en.clone())].into());
        let mut meta = ArticleMeta {
            source_key: format!("doi:{}", doi.key()),
            doi: Some(doi),
            ids: vec![("publisher-id".to_owned(), format!("{}-G{:06}", field.code.to_uppercase(), plan.index))],
            article_type: plan.article_type.jats().to_owned(),
            language: tag(plan.zh),
            titles: both(plan.zh, |zh| plan.title.get(zh).to_owned()),
            // In the article's language and in the other language.
            subjects: [plan.zh, !plan.zh].map(|zh| section.get(zh).to_owned()).to_vec(),
            subject_names: vec![names],
            journal: journal(plan, field),
            year: Some(plan.year),
            contributors,
            affiliations,
            keywords: keywords(plan, field, stream),
            dates: plan.dates.clone(),
            funding: funding(&self.words, plan, stream),
            copyright: format!("© {} {}", plan.year, if plan.zh { "作者" } else { "The Authors" }),
            license: vec![p(vec![Node::text(if plan.zh {
                "本文依据知识共享署名 4.0 国际许可协议发布。"
            } else {
                "Published under the Creative Commons Attribution 4.0 International licence."
            })])],
            license_url: "https://creativecommons.org/licenses/by/4.0/".to_owned(),
            open_access: stream.chance(90),
            ..ArticleMeta::default()
        };
        if !meta.open_access {
            meta.license.clear();
            meta.license_url.clear();
        }
        place(&mut meta, plan, field, stream);
        if let Some(other) = plan.about {
            let other = Plan::of(&self.words, self.seed, other);
            let text = other.title.get(plan.zh).to_owned();
            meta.related.push(RelatedArticle { kind: plan.article_type.relation().to_owned(), href: other.doi, text });
        }
        Ok(meta)
    }
}

/// Writes an article as JATS, and its figures, to the folder of its journal in `folder`. Returns the path of the JATS file.
///
/// # Errors
/// A message that names the file.
pub fn write(folder: &Path, made: &Generated) -> anyhow::Result<PathBuf> {
    let folder = folder.join(&made.journal);
    let figures = folder.join("figures");
    std::fs::create_dir_all(&figures).with_context(|| format!("creating the folder {}", figures.display()))?;
    let put = |path: PathBuf, text: &str| {
        std::fs::write(&path, text).with_context(|| format!("writing {}", path.display())).map(|()| path)
    };
    for picture in &made.pictures {
        put(folder.join(&picture.name), &picture.svg)?;
    }
    put(folder.join(format!("{}.xml", made.stem)), &jats::export(&made.article, &ExportOptions::default()))
}

/// A text in the article's language and in the other language.
fn both(zh: bool, text: impl Fn(bool) -> String) -> Vec<LangText> {
    [zh, !zh].map(|zh| line(zh, &text(zh))).to_vec()
}

fn line(zh: bool, text: &str) -> LangText {
    LangText { lang: tag(zh), plain: text.to_owned(), nodes: vec![Node::text(text)] }
}

/// Headings of the statements at the end of an article, in Chinese and English.
const HEADS: [(&str, &str); 3] =
    [("致谢", "Acknowledgements"), ("利益冲突", "Competing interests"), ("数据可用性", "Data availability")];

fn statement(writer: &mut Writer, texts: &[BilingualText], head: &(&str, &str), percent: u64) -> Vec<Part> {
    if matches!(writer.plan.article_type, ArticleType::Correction | ArticleType::Retraction)
        || !writer.stream.chance(percent)
    {
        return Vec::new();
    }
    let zh = writer.plan.zh;
    let text = writer.stream.pick(texts);
    vec![Part {
        title: Some(line(zh, if zh { head.0 } else { head.1 })),
        nodes: vec![p(vec![Node::text(writer.say(text))])],
        ..Part::default()
    }]
}

/// The same abstract in both languages.
fn abstracts(writer: &mut Writer) -> Vec<Abstract> {
    let (plan, field, common) = (writer.plan, writer.field, &writer.words.common);
    let lists: Vec<&[BilingualText]> = match plan.article_type {
        ArticleType::Correction | ArticleType::Retraction => vec![std::slice::from_ref(plan.notice(common))],
        ArticleType::Commentary => vec![&field.background, &field.meaning],
        _ => vec![&field.background, &field.approach, &field.finding, &field.meaning],
    };
    let sentences: Vec<&BilingualText> = lists.into_iter().map(|list| writer.stream.pick(list)).collect();
    [plan.zh, !plan.zh]
        .map(|zh| {
            let said: Vec<String> = sentences.iter().map(|sentence| plan.facts.say(sentence, zh)).collect();
            Abstract {
                lang: tag(zh),
                kind: String::new(),
                title: Some(line(zh, if zh { "摘要" } else { "Abstract" })),
                nodes: vec![p(vec![Node::text(said.join(if zh { "" } else { " " }))])],
            }
        })
        .to_vec()
}

/// The journal section.
fn section(plan: &Plan, field: &Field, stream: &mut Stream) -> BilingualText {
    let fixed = |zh: &str, en: &str| BilingualText { zh: zh.to_owned(), en: en.to_owned() };
    match plan.article_type {
        ArticleType::Research => stream.pick(&field.columns).clone(),
        ArticleType::Review => fixed("综述", "Reviews"),
        ArticleType::Data => fixed("数据论文", "Data Papers"),
        ArticleType::Commentary => fixed("评论", "Commentary"),
        ArticleType::Correction => fixed("更正", "Correction"),
        ArticleType::Retraction => fixed("撤稿", "Retraction"),
    }
}

fn journal(plan: &Plan, field: &Field) -> JournalRef {
    JournalRef {
        title: field.title.get(plan.zh).to_owned(),
        trans_titles: vec![(tag(!plan.zh), field.title.get(!plan.zh).to_owned())],
        abbrev: field.abbrev.clone(),
        issn: field.issn.clone(),
        publisher: field.publisher.get(plan.zh).to_owned(),
    }
}

fn keywords(plan: &Plan, field: &Field, stream: &mut Stream) -> Vec<KeywordGroup> {
    let facts = &plan.facts;
    let measure = BilingualText { zh: facts.measure.zh.clone(), en: facts.measure.en.clone() };
    let more = stream.some(&field.keywords, 2);
    // Keywords have no leading article.
    let bare = |text: &str| {
        let short = ["a ", "an ", "the "].iter().find_map(|article| text.strip_prefix(article));
        short.unwrap_or(text).to_owned()
    };
    let words: Vec<&BilingualText> =
        [&facts.object, &measure, &facts.factor, &facts.technique].into_iter().chain(more).collect();
    [plan.zh, !plan.zh]
        .map(|zh| {
            let plain: Vec<String> = words.iter().map(|word| bare(word.get(zh))).collect();
            KeywordGroup {
                lang: tag(zh),
                kind: "author".to_owned(),
                title: if zh { "关键词" } else { "Keywords" }.to_owned(),
                items: plain.iter().map(|word| vec![Node::text(word.clone())]).collect(),
                plain,
            }
        })
        .to_vec()
}

fn funding(words: &Words, plan: &Plan, stream: &mut Stream) -> Vec<Funding> {
    let many = if matches!(plan.article_type, ArticleType::Research | ArticleType::Data) { stream.below(4) } else { 0 };
    let chosen = stream.some(&words.common.funders, many);
    let award = |code: &str, stream: &mut Stream| {
        format!("{code}-{}-{:03}", i64::from(plan.year) - stream.between(1, 4), stream.between(1, 240))
    };
    chosen
        .into_iter()
        .map(|funder| Funding {
            source: if plan.zh { &funder.zh } else { &funder.en }.clone(),
            awards: vec![award(&funder.code, stream)],
            ..Funding::default()
        })
        .collect()
}

/// Sets volume, issue and pages, or the status of an article that is not in an issue yet.
fn place(meta: &mut ArticleMeta, plan: &Plan, field: &Field, stream: &mut Stream) {
    let (issue, order) = match plan.stage {
        Stage::Issue { issue, order } => (issue, order),
        Stage::Online => {
            meta.first_status = i32::try_from(stream.between(1, 3)).unwrap_or(1);
            return;
        }
        Stage::Accepted => {
            meta.first_status = -1;
            return;
        }
    };
    (_, meta.volume, meta.issue) = issue_name(field, issue);
    if field.paged {
        // Pages are numbered through a year; the first pages of each issue belong to the handwritten articles.
        let within = issue % field.issues.len();
        let first = within * 600 + 261 + order * 16;
        meta.first_page = first.to_string();
        meta.last_page = (first + 7 + stream.below(8)).to_string();
    } else {
        meta.elocation_id = format!("e{:02}{:05}", plan.year % 100, plan.index);
    }
}

fn issue_of(field: &Field, issue: usize) -> Issue {
    let (year, volume, number) = issue_name(field, issue);
    Issue {
        journal: field.key.clone(),
        year,
        volume,
        issue: number,
        date: issue_date(field, issue).to_string(),
        ..Issue::default()
    }
}

#[cfg(test)]
mod tests;
