//! The word lists in `host/cli/src/demo_content/words`: words, sentence templates and names, separate from the code.

use anyhow::Context as _;
use serde::Deserialize;

/// A text in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BilingualText {
    pub zh: String,
    pub en: String,
}

impl BilingualText {
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
    /// The unit in Chinese, if it differs.
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

/// A funder; its award numbers start with `code`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Funder {
    pub zh: String,
    pub en: String,
    pub code: String,
}

/// A formula with an explanation of its symbols.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplainedFormula {
    pub tex: String,
    pub zh: String,
    pub en: String,
}

/// The word list shared by all journals.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Common {
    pub surnames: Vec<(String, String)>,
    pub given: Vec<(String, String)>,
    pub foreign_surnames: Vec<(String, String)>,
    pub foreign_given: Vec<(String, String)>,
    pub institutions: Vec<BilingualText>,
    pub funders: Vec<Funder>,
    pub credits: Vec<String>,
    pub sources: Vec<String>,
    pub presses: Vec<String>,
    pub intro: Vec<BilingualText>,
    pub methods: Vec<BilingualText>,
    pub results: Vec<BilingualText>,
    pub discussion: Vec<BilingualText>,
    pub conclusion: Vec<BilingualText>,
    pub acknowledgements: Vec<BilingualText>,
    pub conflict: Vec<BilingualText>,
    pub data: Vec<BilingualText>,
    pub caption_lines: BilingualText,
    pub caption_bars: BilingualText,
    pub caption_points: BilingualText,
    pub caption_note: BilingualText,
    pub caption_table: BilingualText,
    pub week: BilingualText,
    pub site: BilingualText,
    pub columns: [BilingualText; 5],
    pub table_note: BilingualText,
    pub by_formula: BilingualText,
    pub correction_title: BilingualText,
    pub retraction_title: BilingualText,
    pub commentary_title: BilingualText,
    pub correction: Vec<BilingualText>,
    pub retraction: Vec<BilingualText>,
    pub headings: Headings,
}

/// Alternative headings of each section.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Headings {
    pub intro: Vec<BilingualText>,
    pub context: Vec<BilingualText>,
    pub methods: Vec<BilingualText>,
    pub results: Vec<BilingualText>,
    pub discussion: Vec<BilingualText>,
    pub conclusion: Vec<BilingualText>,
}

/// The word list of one journal and its discipline.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Field {
    pub key: String,
    pub title: BilingualText,
    pub abbrev: String,
    pub issn: Vec<String>,
    pub publisher: BilingualText,
    pub code: String,
    /// Dates of the issues of a year, as `MM-DD`.
    pub issues: Vec<String>,
    pub volume_from: i32,
    /// Whether articles have page numbers; otherwise they have article numbers.
    pub paged: bool,
    pub columns: Vec<BilingualText>,
    pub objects: Vec<BilingualText>,
    pub places: Vec<BilingualText>,
    pub techniques: Vec<BilingualText>,
    pub measures: Vec<Measure>,
    pub factors: Vec<BilingualText>,
    pub titles: Vec<BilingualText>,
    pub keywords: Vec<BilingualText>,
    pub background: Vec<BilingualText>,
    pub approach: Vec<BilingualText>,
    pub finding: Vec<BilingualText>,
    pub meaning: Vec<BilingualText>,
    pub intro: Vec<BilingualText>,
    pub context: Vec<BilingualText>,
    pub methods: Vec<BilingualText>,
    pub results: Vec<BilingualText>,
    pub discussion: Vec<BilingualText>,
    pub conclusion: Vec<BilingualText>,
    pub formulas: Vec<ExplainedFormula>,
}

/// All word lists.
#[derive(Clone, Debug)]
pub struct Words {
    pub common: Common,
    pub fields: Vec<Field>,
}

const COMMON: &str = include_str!("../words/common.toml");
/// The word lists of the journals. The journal of an article follows from its number and this order, so a new journal must be added
/// at the end.
const FIELDS: [(&str, &str); 4] = [
    ("ocean-ledger", include_str!("../words/ocean-ledger.toml")),
    ("quiet-circuits", include_str!("../words/quiet-circuits.toml")),
    ("field-notes-pedagogy", include_str!("../words/field-notes-pedagogy.toml")),
    ("script-and-stone", include_str!("../words/script-and-stone.toml")),
];

impl Words {
    /// Parses the embedded word lists.
    ///
    /// # Errors
    /// A message that names the file and the problem.
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

/// Checks that no list is empty, because elements are picked from each.
fn no_empty_list(text: &str) -> anyhow::Result<()> {
    let mut table: toml::Table = toml::from_str(text)?;
    if let Some(toml::Value::Table(headings)) = table.remove("headings") {
        table.extend(headings);
    }
    let empty = table.iter().find(|(_, value)| value.as_array().is_some_and(Vec::is_empty));
    anyhow::ensure!(empty.is_none(), "the list {} is empty", empty.map_or("", |(name, _)| name));
    Ok(())
}
