//! The body of a generated article: sections, tables, figures, formulas.

use masthead_domain::content::{Caption, Cell, Fig, Formula, Graphics, Grid, Node, Row, Table};

use crate::demo_content::generate::{
    chart::{Chart, ChartType},
    facts::Facts,
    plan::{ArticleType, Plan},
    stream::Stream,
    words::{BilingualText, Field, Words},
};

/// Chart colours of each journal, in the order of the journals.
const COLOURS: [(&str, &str); 4] =
    [("#4f8fb3", "#d2644a"), ("#5d7f8f", "#e0764a"), ("#7d9a5b", "#b5532f"), ("#8d8272", "#a8442f")];

/// A figure of a generated article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// File name, relative to the article, as the article refers to it.
    pub name: String,
    /// Content of the file.
    pub svg: String,
}

/// Writes the body of one article.
pub struct Writer<'a> {
    pub words: &'a Words,
    pub field: &'a Field,
    pub plan: &'a Plan,
    pub stem: &'a str,
    pub stream: Stream,
    /// Number of references, and number of those cited so far.
    pub references: usize,
    pub cited: usize,
    pub pictures: Vec<Picture>,
    tables: usize,
}

/// A paragraph node.
pub fn p(nodes: Vec<Node>) -> Node {
    Node::P { id: String::new(), lang: String::new(), nodes }
}

impl<'a> Writer<'a> {
    pub fn new(words: &'a Words, plan: &'a Plan, stem: &'a str, stream: Stream, references: usize) -> Self {
        let field = &words.fields[plan.field];
        Self { words, field, plan, stem, stream, references, cited: 0, pictures: Vec::new(), tables: 0 }
    }

    fn facts(&self) -> &'a Facts {
        &self.plan.facts
    }

    /// A sentence template filled in, in the article's language.
    pub fn say(&self, text: &BilingualText) -> String {
        self.facts().say(text, self.plan.zh)
    }

    /// Generates the whole body.
    pub fn body(&mut self) -> Vec<Node> {
        let (common, field) = (&self.words.common, self.field);
        if matches!(self.plan.article_type, ArticleType::Correction | ArticleType::Retraction) {
            return vec![p(vec![Node::text(self.say(self.plan.notice(common)))])];
        }
        let headings = &common.headings;
        let mut parts: Vec<(&str, &[BilingualText], Vec<Node>)> = Vec::new();
        parts.push(("intro", &headings.intro, self.prose(&field.intro, &common.intro, 5, 60)));
        if self.plan.article_type != ArticleType::Commentary {
            if self.stream.chance(45) {
                parts.push(("", &headings.context, self.prose(&field.context, &[], 4, 15)));
            }
            let mut methods = self.prose(&field.methods, &common.methods, 4, 25);
            if self.stream.chance(70) {
                methods.extend(self.formula());
            }
            parts.push(("methods", &headings.methods, methods));
            parts.push(("results", &headings.results, self.results()));
        }
        parts.push(("discussion", &headings.discussion, self.prose(&field.discussion, &common.discussion, 4, 50)));
        parts.push(("conclusions", &headings.conclusion, self.prose(&field.conclusion, &common.conclusion, 2, 0)));
        let zh = self.plan.zh;
        let numbered = parts.into_iter().enumerate().map(|(at, (kind, headings, nodes))| {
            let heading = self.stream.pick(headings).get(zh);
            section(at + 1, kind, heading, nodes)
        });
        numbered.collect()
    }

    /// Paragraphs of `many` sentences from the journal's list and one or two from the shared list; `citing` per cent of the sentences
    /// cite a reference.
    fn prose(&mut self, own: &[BilingualText], shared: &[BilingualText], many: usize, citing: u64) -> Vec<Node> {
        let more = 1 + self.stream.below(2);
        let mut chosen = self.stream.some(own, many);
        chosen.extend(self.stream.some(shared, more));
        let each = 3 + self.stream.below(2);
        chosen
            .chunks(each)
            .map(|sentences| {
                let mut nodes = Vec::new();
                for sentence in sentences {
                    let cites = self.stream.chance(citing);
                    self.sentence(sentence, cites, &mut nodes);
                }
                p(nodes)
            })
            .collect()
    }

    fn sentence(&mut self, text: &BilingualText, cites: bool, nodes: &mut Vec<Node>) {
        let zh = self.plan.zh;
        let mut said = self.say(text);
        if !zh && !nodes.is_empty() {
            said.insert(0, ' ');
        }
        let stop = if zh { '。' } else { '.' };
        if !cites || self.references == 0 || !said.ends_with(stop) {
            nodes.push(Node::text(said));
            return;
        }
        said.truncate(said.len() - stop.len_utf8());
        said.push_str(if zh { "[" } else { " [" });
        nodes.push(Node::text(said));
        nodes.push(self.citation());
        nodes.push(Node::text(format!("]{stop}")));
    }

    /// A citation of the next uncited reference, or of a random one if all are cited.
    fn citation(&mut self) -> Node {
        let number = if self.cited < self.references { self.cited + 1 } else { 1 + self.stream.below(self.references) };
        self.cited = self.cited.max(number);
        xref("bibr", &format!("r{number}"), number.to_string())
    }

    fn formula(&mut self) -> Vec<Node> {
        let law = self.stream.pick(&self.field.formulas);
        let formula =
            Formula { id: "eq1".to_owned(), label: "(1)".to_owned(), latex: law.tex.clone(), ..Formula::default() };
        let meaning = if self.plan.zh { &law.zh } else { &law.en };
        vec![
            p(vec![Node::text(self.say(&self.words.common.by_formula))]),
            Node::DispFormula(Box::new(formula)),
            p(vec![Node::text(meaning.clone())]),
        ]
    }

    fn results(&mut self) -> Vec<Node> {
        let (common, field) = (&self.words.common, self.field);
        let mut chart_types = vec![ChartType::Lines, ChartType::Bars, ChartType::Points];
        for _ in 0..self.stream.below(3) {
            chart_types.remove(self.stream.below(chart_types.len()));
        }
        let figures: Vec<Node> = chart_types.into_iter().map(|chart_type| self.figure(chart_type)).collect();
        let table = self.table();
        let mut nodes = self.prose(&field.results, &common.results, 5, 15);
        let mut seen = vec![Node::text(if self.plan.zh { "变化见" } else { "The values are shown in " })];
        for number in 1..=figures.len() {
            if number > 1 {
                seen.push(Node::text(if self.plan.zh { "、" } else { ", " }));
            }
            seen.push(xref("fig", &format!("f{number}"), self.figure_label(number)));
        }
        seen.push(Node::text(if self.plan.zh { "，数值见" } else { " and listed in " }));
        seen.push(xref("table", "t1", self.table_label(1)));
        seen.push(Node::text(if self.plan.zh { "。" } else { "." }));
        nodes.insert(nodes.len().min(1), p(seen));
        nodes.push(table);
        nodes.extend(figures);
        nodes
    }

    fn figure_label(&self, number: usize) -> String {
        if self.plan.zh { format!("图{number}") } else { format!("Figure {number}") }
    }

    fn table_label(&self, number: usize) -> String {
        if self.plan.zh { format!("表{number}") } else { format!("Table {number}") }
    }

    /// Captions in the article's language and in the other language.
    fn captions(&self, title: &BilingualText, note: &BilingualText) -> Vec<Caption> {
        [self.plan.zh, !self.plan.zh]
            .into_iter()
            .map(|zh| Caption {
                lang: if zh == self.plan.zh { String::new() } else { tag(zh) },
                title: vec![Node::text(self.facts().say(title, zh))],
                nodes: vec![p(vec![Node::text(self.facts().say(note, zh))])],
            })
            .collect()
    }

    fn figure(&mut self, chart_type: ChartType) -> Node {
        let (common, facts, zh) = (&self.words.common, self.facts(), self.plan.zh);
        let (title, horizontal) = match chart_type {
            ChartType::Lines => (&common.caption_lines, common.week.get(zh)),
            ChartType::Bars => (&common.caption_bars, common.site.get(zh)),
            ChartType::Points => (&common.caption_points, facts.factor.get(zh)),
        };
        let number = self.pictures.len() + 1;
        let caption = self.say(title);
        let measure = if zh { &facts.measure.zh } else { &facts.measure.en };
        let chart = Chart {
            title: &caption,
            vertical: &format!("{measure} ({})", facts.measure.unit(zh)),
            horizontal,
            colours: COLOURS[self.plan.field % COLOURS.len()],
            middle: facts.before,
            other: facts.after,
        };
        let svg = chart.svg(chart_type, &mut self.stream);
        let name = format!("figures/{}-f{number}.svg", self.stem);
        let figure = Fig {
            id: format!("f{number}"),
            label: self.figure_label(number),
            captions: self.captions(title, &common.caption_note),
            graphics: vec![Graphics { big: name.clone(), alt: caption.clone(), ..Graphics::default() }],
            ..Fig::default()
        };
        self.pictures.push(Picture { name, svg });
        Node::Fig(Box::new(figure))
    }

    fn table(&mut self) -> Node {
        let (common, facts, zh) = (&self.words.common, self.facts(), self.plan.zh);
        self.tables += 1;
        let heads = common.columns.iter().map(|head| cell(head.get(zh).to_owned(), "col")).collect();
        let sites = facts.sites.clamp(3, 8);
        let row = |site: i64, stream: &mut Stream| {
            let mean = facts.before + stream.between(-facts.before / 6, facts.before / 6);
            let spread = (facts.before / 8 + stream.between(0, facts.before / 12)).max(1);
            let change = facts.change + stream.between(-facts.margin, facts.margin);
            let sign = if facts.after < facts.before { "−" } else { "+" };
            let records = facts.cases / sites + stream.between(-8, 8);
            let name = if zh { format!("{}{site}", common.site.zh) } else { format!("{} {site}", common.site.en) };
            let cells = [records.to_string(), facts.value(mean), facts.value(spread), format!("{sign}{change}")];
            let values = cells.into_iter().map(|value| cell(value, ""));
            Row { cells: std::iter::once(cell(name, "row")).chain(values).collect() }
        };
        let rows = (1..=sites).map(|site| row(site, &mut self.stream)).collect();
        let table = Table {
            id: format!("t{}", self.tables),
            label: self.table_label(self.tables),
            captions: self.captions(&common.caption_table, &common.table_note),
            grids: vec![Grid {
                columns: ["left", "right", "right", "right", "right"].map(str::to_owned).to_vec(),
                head: vec![Row { cells: heads }],
                bodies: vec![rows],
                foot: Vec::new(),
            }],
            ..Table::default()
        };
        Node::Table(Box::new(table))
    }
}

/// `zh` or `en`.
pub fn tag(zh: bool) -> String {
    if zh { "zh" } else { "en" }.to_owned()
}

fn section(number: usize, kind: &str, heading: &str, nodes: Vec<Node>) -> Node {
    let title =
        Node::SecTitle { id: String::new(), level: 1, label: number.to_string(), title: vec![Node::text(heading)] };
    Node::Sec {
        id: format!("s{number}"),
        kind: kind.to_owned(),
        lang: String::new(),
        nodes: std::iter::once(title).chain(nodes).collect(),
    }
}

fn xref(kind: &str, id: &str, text: String) -> Node {
    Node::Xref { ref_type: kind.to_owned(), rids: vec![id.to_owned()], nodes: vec![Node::text(text)] }
}

fn cell(text: String, scope: &str) -> Cell {
    let nodes = vec![Node::text(text)];
    Cell { header: !scope.is_empty(), scope: scope.to_owned(), nodes, ..Cell::default() }
}
