//! The subject and the figures of one article, and sentences that state them consistently in both languages.

use crate::demo_content::generate::{
    stream::Stream,
    words::{BilingualText, Field, Measure},
};

/// The facts of one article.
#[derive(Clone, Debug)]
pub struct Facts {
    pub object: BilingualText,
    pub place: BilingualText,
    pub technique: BilingualText,
    pub measure: Measure,
    pub factor: BilingualText,
    /// Number of cases.
    pub cases: i64,
    /// Number of sites (places, devices or classes).
    pub sites: i64,
    /// Duration of the study, in days.
    pub days: i64,
    /// First mean, in tenths of the unit.
    pub before: i64,
    /// Second mean, in tenths of the unit.
    pub after: i64,
    /// Change, in per cent.
    pub change: i64,
    /// Half the width of the confidence interval of the change, in percentage points.
    pub margin: i64,
    /// Correlation coefficient, in hundredths.
    pub correlation: i64,
    /// First year of the study.
    pub since: i64,
}

impl Facts {
    /// Draws the facts of an article. `place` is its position among the articles of the journal; neighbouring articles get different
    /// subjects.
    pub fn draw(field: &Field, place: usize, stream: &mut Stream) -> Self {
        let (objects, factors) = (field.objects.len(), field.factors.len());
        let measure = stream.pick(&field.measures).clone();
        let change = stream.between(6, 48);
        let before = if measure.tenth {
            stream.between(measure.low * 10, measure.high * 10)
        } else {
            stream.between(measure.low, measure.high) * 10
        };
        let sign = if stream.chance(55) { 1 } else { -1 };
        let step = if measure.tenth { 1 } else { 10 };
        // The change must be visible in the last printed digit.
        let moved = (before * change / 100 / step).max(1) * step;
        Self {
            object: field.objects[place % objects].clone(),
            place: stream.pick(&field.places).clone(),
            technique: stream.pick(&field.techniques).clone(),
            factor: field.factors[(place + place / objects) % factors].clone(),
            cases: stream.between(60, 2400),
            sites: stream.between(3, 14),
            days: stream.between(40, 420),
            before,
            after: before + sign * moved,
            change,
            margin: stream.between(2, change - 2),
            correlation: stream.between(31, 94),
            since: stream.between(1998, 2021),
            measure,
        }
    }

    /// Formats a value of the measure, given in tenths of the unit.
    pub fn value(&self, tenths: i64) -> String {
        if self.measure.tenth { format!("{}.{}", tenths / 10, (tenths % 10).abs()) } else { (tenths / 10).to_string() }
    }

    /// Fills in a template in Chinese or English; English text starts with a capital letter.
    pub fn say(&self, text: &BilingualText, zh: bool) -> String {
        let filled = self.fill(text.get(zh), zh);
        if zh { filled } else { capital(&filled) }
    }

    fn fill(&self, template: &str, zh: bool) -> String {
        let mut out = String::with_capacity(template.len() * 2);
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            out.push_str(before);
            // A word at the start of a later sentence is capitalised as well.
            let word = self.word(name, zh);
            let begins = !zh && (before.ends_with(". ") || before.ends_with("? "));
            out.push_str(&if begins { capital(&word) } else { word });
            rest = after;
        }
        out.push_str(rest);
        out
    }

    fn word(&self, name: &str, zh: bool) -> String {
        match name {
            "object" => self.object.get(zh).to_owned(),
            "place" => self.place.get(zh).to_owned(),
            "method" => self.technique.get(zh).to_owned(),
            "factor" => self.factor.get(zh).to_owned(),
            "measure" => if zh { &self.measure.zh } else { &self.measure.en }.clone(),
            "unit" => self.measure.unit(zh).to_owned(),
            "n" => self.cases.to_string(),
            "k" => self.sites.to_string(),
            "days" => self.days.to_string(),
            "v1" => self.value(self.before),
            "v2" => self.value(self.after),
            "d" => self.change.to_string(),
            "lo" => (self.change - self.margin).to_string(),
            "hi" => (self.change + self.margin).to_string(),
            "r" => format!("0.{:02}", self.correlation),
            "y0" => self.since.to_string(),
            // An unknown placeholder is kept, so that the test of the word lists finds it.
            other => format!("{{{other}}}"),
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
