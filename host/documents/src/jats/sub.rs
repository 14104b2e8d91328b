//! Import of parts with front matter of their own: translations, comments, reports, replies.

use masthead_domain::{
    article::{Affiliation, Contributor, LangText},
    content::{ArticleBody, Node, SubArticle},
};

use super::{
    Importer,
    back::lang_text,
    meta::dois,
    xml::{X, attr, child, id, lang, name, own_lang, path, text},
};

/// Words in the type of a part that answers or reviews the article.
const COMMENTS: &[&str] =
    &["reply", "comment", "letter", "report", "discussion", "response", "review", "evaluation", "assessment"];

impl Importer {
    pub(super) fn sub_article(&mut self, x: X, body: &mut ArticleBody) {
        // Of parts nested more deeply than in any article, only the text is kept.
        if self.depth > 16 {
            self.report.warn("sub-articles are nested so deeply that only their text was kept");
            body.body.push(Node::P { id: id(x), lang: String::new(), nodes: vec![Node::text(text(x))] });
            return;
        }
        self.depth += 4;
        self.shallow_sub_article(x, body);
        self.depth -= 4;
    }

    fn shallow_sub_article(&mut self, x: X, body: &mut ArticleBody) {
        let kind = [attr(x, "article-type"), attr(x, "response-type")]
            .into_iter()
            .find(|kind| !kind.is_empty())
            .unwrap_or_default()
            .to_owned();
        let tag = Some(own_lang(x)).filter(|tag| !tag.is_empty()).unwrap_or_else(|| lang(x));
        let outer = std::mem::replace(&mut self.lang, tag.clone());
        let front =
            child(x, "front-stub").or_else(|| path(x, &["front", "article-meta"])).or_else(|| child(x, "front"));
        let mut sub = SubArticle { id: id(x), lang: tag, ..SubArticle::default() };
        if let Some(front) = front {
            self.sub_front(front, &mut sub);
        }
        let level = std::mem::replace(&mut self.level, 0);
        sub.body = self.parts(x);
        self.level = level;
        self.lang = outer;
        let lower = kind.to_ascii_lowercase();
        let comment = name(x) == "response" || COMMENTS.iter().any(|word| lower.contains(word));
        sub.kind = if kind.is_empty() && comment { "comment".to_owned() } else { kind };
        let answers = comment && sub.kind != "translation";
        if answers { body.responses.push(sub) } else { body.sub_articles.push(sub) }
    }

    fn sub_front(&mut self, front: X, sub: &mut SubArticle) {
        let (titles, subtitles) = self.titles(front);
        sub.titles = titles;
        let affiliations = self.affiliations(front);
        let contributors = self.contributors(front);
        sub.authors = contributors.iter().map(Contributor::display_name).filter(|name| !name.is_empty()).collect();
        sub.affiliations = affiliations.into_iter().map(with_contact).collect();
        sub.notes = subtitles;
        sub.notes.extend(contributors.iter().filter_map(about));
        sub.notes.extend(self.author_notes(front));
        let related = self.related(front).into_iter().filter(|one| !one.text.is_empty());
        sub.notes.extend(related.map(|one| plain_text(vec![Node::text(one.text)])));
        sub.keywords = self.keyword_groups(front);
        sub.doi = dois(front).next().map(|(_, doi)| doi.as_str().to_owned()).unwrap_or_default();
    }
}

fn with_contact(one: Affiliation) -> String {
    [one.text, one.contact].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// What is known about a contributor beside the name: roles, address and identifier.
fn about(one: &Contributor) -> Option<LangText> {
    let words: Vec<&str> = one
        .credit
        .iter()
        .chain([&one.email, &one.address])
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    let mut nodes = Vec::new();
    if !words.is_empty() {
        nodes.push(Node::text(format!("{}: {}", one.display_name(), words.join(", "))));
    } else if !one.orcid.is_empty() {
        nodes.push(Node::text(format!("{}:", one.display_name())));
    }
    if !one.orcid.is_empty() {
        let href = format!("https://orcid.org/{}", one.orcid);
        nodes.push(Node::text(" "));
        nodes.push(Node::ExtLink { nodes: vec![Node::text(href.clone())], href, kind: "uri".to_owned() });
    }
    nodes.extend(one.bio.iter().cloned());
    (!nodes.is_empty()).then(|| plain_text(nodes))
}

fn plain_text(nodes: Vec<Node>) -> LangText {
    lang_text(String::new(), nodes)
}
