//! The word lists (`host/cli/src/demo_content/words`): what may be said, apart from the code that says it.

use anyhow::Context as _;
use serde::Deserialize;

/// A text in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    pub zh: String,
    pub en: String,
}

impl Pair {
    /// The text in Chinese or English.
    pub fn get(&self, zh: bool) -> &str {
        if zh { &self.zh } else { &self.en }
    }
}

/// A quantity that a study measures.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Measure {
    pub zh: String,
    pub en: String,
    pub unit: String,
    /// The unit in Chinese, where it is another.
    #[serde(default)]
    pub unit_zh: String,
    pub low: i64,
    pub high: i64,
    /// Whether values have one decimal.
    pub tenth: bool,
}

impl Measure {
    /// The unit in Chinese or English.
    pub fn unit(&self, zh: bool) -> &str {
        if zh && !self.unit_zh.is_empty() { &self.unit_zh } else { &self.unit }
    }
}

/// A funder; `code` begins the numbers of its awards.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Funder {
    pub zh: String,
    pub en: String,
    pub code: String,
}

/// A formula and what its letters mean.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Law {
    pub tex: String,
    pub zh: String,
    pub en: String,
}

/// What all journals share.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Common {
    pub surnames: Vec<(String, String)>,
    pub given: Vec<(String, String)>,
    pub foreign_surnames: Vec<(String, String)>,
    pub foreign_given: Vec<(String, String)>,
    pub institutions: Vec<Pair>,
    pub funders: Vec<Funder>,
    pub credits: Vec<String>,
    pub sources: Vec<String>,
    pub presses: Vec<String>,
    pub intro: Vec<Pair>,
    pub methods: Vec<Pair>,
    pub results: Vec<Pair>,
    pub discussion: Vec<Pair>,
    pub conclusion: Vec<Pair>,
    pub acknowledgements: Vec<Pair>,
    pub conflict: Vec<Pair>,
    pub data: Vec<Pair>,
    pub caption_lines: Pair,
    pub caption_bars: Pair,
    pub caption_points: Pair,
    pub caption_note: Pair,
    pub caption_table: Pair,
    pub week: Pair,
    pub site: Pair,
    pub columns: [Pair; 5],
    pub table_note: Pair,
    pub by_formula: Pair,
    pub correction_title: Pair,
    pub retraction_title: Pair,
    pub commentary_title: Pair,
    pub correction: Vec<Pair>,
    pub retraction: Vec<Pair>,
    pub headings: Headings,
}

/// Headings that each kind of section chooses from.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Headings {
    pub intro: Vec<Pair>,
    pub context: Vec<Pair>,
    pub methods: Vec<Pair>,
    pub results: Vec<Pair>,
    pub discussion: Vec<Pair>,
    pub conclusion: Vec<Pair>,
}

/// One journal and its discipline.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Field {
    pub key: String,
    pub title: Pair,
    pub abbrev: String,
    pub issn: Vec<String>,
    pub publisher: Pair,
    pub code: String,
    /// `MM-DD` of each issue of a year.
    pub issues: Vec<String>,
    pub volume_from: i32,
    /// Whether articles have pages; else they have article numbers.
    pub paged: bool,
    pub columns: Vec<Pair>,
    pub objects: Vec<Pair>,
    pub places: Vec<Pair>,
    pub techniques: Vec<Pair>,
    pub measures: Vec<Measure>,
    pub factors: Vec<Pair>,
    pub titles: Vec<Pair>,
    pub keywords: Vec<Pair>,
    pub background: Vec<Pair>,
    pub approach: Vec<Pair>,
    pub finding: Vec<Pair>,
    pub meaning: Vec<Pair>,
    pub intro: Vec<Pair>,
    pub context: Vec<Pair>,
    pub methods: Vec<Pair>,
    pub results: Vec<Pair>,
    pub discussion: Vec<Pair>,
    pub conclusion: Vec<Pair>,
    pub formulas: Vec<Law>,
}

/// All word lists.
#[derive(Clone, Debug)]
pub struct Words {
    pub common: Common,
    pub fields: Vec<Field>,
}

const COMMON: &str = include_str!("../words/common.toml");
/// An article's journal follows from its number and this order: a new one goes to the end.
const FIELDS: [(&str, &str); 4] = [
    ("ocean-ledger", include_str!("../words/ocean-ledger.toml")),
    ("quiet-circuits", include_str!("../words/quiet-circuits.toml")),
    ("field-notes-pedagogy", include_str!("../words/field-notes-pedagogy.toml")),
    ("script-and-stone", include_str!("../words/script-and-stone.toml")),
];

impl Words {
    /// Reads the lists that the program was built with.
    ///
    /// # Errors
    /// A message that names the file and what is wrong in it.
    pub fn read() -> anyhow::Result<Self> {
        let common = toml::from_str(COMMON).context("words/common.toml")?;
        no_empty_list(COMMON).context("words/common.toml")?;
        let mut fields = Vec::new();
        for (name, text) in FIELDS {
            let field: Field = toml::from_str(text).with_context(|| format!("words/{name}.toml"))?;
            no_empty_list(text).with_context(|| format!("words/{name}.toml"))?;
            fields.push(field);
        }
        Ok(Self { common, fields })
    }
}

/// Lists are picked from, so that none may be empty.
fn no_empty_list(text: &str) -> anyhow::Result<()> {
    let mut table: toml::Table = toml::from_str(text)?;
    if let Some(toml::Value::Table(headings)) = table.remove("headings") {
        table.extend(headings);
    }
    let empty = table.iter().find(|(_, value)| value.as_array().is_some_and(Vec::is_empty));
    anyhow::ensure!(empty.is_none(), "the list {} is empty", empty.map_or("", |(name, _)| name));
    Ok(())
}
