//! Covers for journals and issues that have no picture: typographic, in the site's colours, and different for every journal, year and
//! number.
//!
//! The journal determines the figure, the year the ground, and the number the proportions of the figure.

use std::f64::consts::TAU;

use masthead_domain::{
    Lang, LocalText,
    link::is_own,
    publication::{Issue, Journal},
    site::ThemeColor,
};
use maud::{Markup, html};

use crate::{page::context::Context, sites::addresses::encoded_path};

/// Changes with the drawing, so that browsers do not keep covers of an earlier version.
const EDITION: u64 = 1;
const WIDTH: f64 = 600.0;
/// Top and bottom of the figure.
const FIGURE: (f64, f64) = (330.0, 620.0);
const MARGIN: f64 = 54.0;
/// Width of the title's lines in quarters of its letters' size.
const LINE: usize = 34;
/// Greatest number of lines of a title.
const LINES: usize = 4;

/// What a cover shows.
pub struct Cover<'a> {
    journal: &'a Journal,
    issue: Option<&'a Issue>,
    theme: &'a ThemeColor,
    lang: Lang,
}

/// The cover of an issue: its picture on this host, or else one that is drawn for it.
#[must_use]
pub fn of_issue(context: &Context<'_>, journal: &Journal, issue: &Issue) -> String {
    if is_own(&issue.cover) { issue.cover.clone() } else { drawn(context, journal, Some(issue)) }
}

/// The cover of a journal: its picture on this host, or else one that is drawn for it.
#[must_use]
pub fn of_journal(context: &Context<'_>, journal: &Journal) -> String {
    if is_own(&journal.cover) { journal.cover.clone() } else { drawn(context, journal, None) }
}

/// The address of a drawn cover; it changes with everything that the cover shows.
fn drawn(context: &Context<'_>, journal: &Journal, issue: Option<&Issue>) -> String {
    let cover = Cover::new(journal, issue, &context.entry.theme, context.entry.site.default_lang());
    let year = issue.map(|issue| issue.year.to_string()).unwrap_or_default();
    let mut segments = vec!["static", "covers", journal.key.as_str()];
    if let Some(issue) = issue {
        segments.extend([year.as_str(), issue.issue.as_str()]);
    }
    format!("{}/{}?v={}", context.addresses.base, encoded_path(segments), cover.version())
}

impl<'a> Cover<'a> {
    /// The cover of a journal, or of one of its issues, for a site with this theme whose readers first read this language.
    #[must_use]
    pub const fn new(journal: &'a Journal, issue: Option<&'a Issue>, theme: &'a ThemeColor, lang: Lang) -> Self {
        Self { journal, issue, theme, lang }
    }

    /// A name for exactly this drawing.
    #[must_use]
    pub fn version(&self) -> String {
        let colours = &self.theme.light;
        let issue = self.issue;
        let number = issue.map(|issue| format!("{} {} {}", issue.year, issue.issue, issue.volume)).unwrap_or_default();
        let texts = [
            colours.theme_color_primary.as_str(),
            &colours.theme_color_hover_primary,
            &colours.other_color,
            &colours.bg_opacity,
            self.title().1,
            self.theme_title().map_or("", |(_, text)| text),
            &self.journal.key,
            &number,
        ];
        format!("{:x}", texts.iter().fold(EDITION, |hash, text| mixed(hash, text)))
    }

    fn title(&self) -> (Lang, &str) {
        chosen(&self.journal.title, self.lang).unwrap_or((self.lang, &self.journal.key))
    }

    fn theme_title(&self) -> Option<(Lang, &str)> {
        chosen(&self.issue?.title, self.lang)
    }

    /// Ground, letters and accent. Each pair has the contrast of text.
    fn colours(&self) -> (&str, &str, &str) {
        let colours = &self.theme.light;
        let (primary, tint) = (colours.theme_color_primary.as_str(), colours.bg_opacity.as_str());
        match self.issue.map_or(0, |issue| issue.year.rem_euclid(4)) {
            0 => (primary, "#ffffff", colours.bottom_line_color.as_str()),
            1 => (tint, primary, colours.other_color.as_str()),
            2 => (colours.theme_color_hover_primary.as_str(), "#ffffff", colours.bottom_line_color.as_str()),
            _ => ("#ffffff", primary, colours.other_color.as_str()),
        }
    }

    /// The drawing as an SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        let (ground, ink, accent) = self.colours();
        let (lang, title) = self.title();
        let lines = lines(title);
        let size = if lines.len() > 2 { 46.0 } else { 58.0 };
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800" width="600" height="800" {
                rect width="600" height="800" fill=(ground) {}
                rect x=(MARGIN) y="62" width="64" height="7" fill=(accent) {}
                @for (index, line) in (0_u32..).zip(&lines) {
                    (text(lang, size, f64::from(index).mul_add(size * 1.18, 132.0), ink, line))
                }
                g fill="none" stroke=(ink) stroke-width="3" { (self.figure(ink, accent)) }
                (self.imprint(ink))
            }
        }
        .into_string()
    }

    /// The theme of the issue, and its year, volume and number.
    fn imprint(&self, ink: &str) -> Markup {
        let Some(issue) = self.issue else { return html! {} };
        let volume = if issue.volume.is_empty() { String::new() } else { format!("{} · ", issue.volume) };
        let size = if issue.issue.chars().count() > 3 { 56 } else { 112 };
        html! {
            @if let Some((lang, theme)) = self.theme_title() { (text(lang, 24.0, 672.0, ink, &shortened(theme, 34))) }
            text x=(MARGIN) y="746" font-family=(FACE) font-size="40" fill=(ink) { (volume) (issue.year) }
            text x=(WIDTH - MARGIN) y="746" text-anchor="end" font-family=(FACE) font-size=(size) font-weight="600" fill=(ink) {
                (shortened(&issue.issue, 12))
            }
        }
    }

    fn figure(&self, ink: &str, accent: &str) -> Markup {
        let mut random = Random(mixed(EDITION, &self.journal.key));
        let figure = random.below(5);
        if let Some(issue) = self.issue {
            random = Random(mixed(mixed(random.0, &issue.year.to_string()), &issue.issue));
        }
        match figure {
            0 => rings(&mut random, accent),
            1 => bars(&mut random, ink, accent),
            2 => dots(&mut random, ink, accent),
            3 => waves(&mut random, accent),
            _ => triangles(&mut random, ink, accent),
        }
    }
}

const FACE: &str = "Georgia, 'Times New Roman', 'Songti SC', 'Noto Serif CJK SC', serif";

fn chosen(text: &LocalText, lang: Lang) -> Option<(Lang, &str)> {
    text.chosen(lang).filter(|(_, text)| !text.trim().is_empty())
}

/// A line from the side where its language begins.
fn text(lang: Lang, size: f64, y: f64, ink: &str, line: &str) -> Markup {
    let x = if lang.dir() == "rtl" { WIDTH - MARGIN } else { MARGIN };
    html! {
        text x=(x) y=(format!("{y:.0}")) direction=(lang.dir()) font-family=(FACE) font-size=(size) font-weight="600" fill=(ink) { (line) }
    }
}

/// The width of a letter in quarters of its size.
fn width(letter: char) -> usize {
    match letter {
        'i' | 'l' | 'j' | 't' | 'f' | 'r' | ' ' | '.' | ',' | '\'' | '|' => 1,
        'm' | 'w' | 'M' | 'W' => 3,
        letter if u32::from(letter) >= 0x2e80 => 4,
        _ => 2,
    }
}

fn width_of(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// A title in lines, broken between words, or between letters in scripts without spaces.
fn lines(title: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in words(title) {
        let line = lines.last().map_or("", String::as_str);
        let full = !line.is_empty() && width_of(line) + width_of(word.trim_end()) > LINE;
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(&word);
        }
    }
    let more = lines.len() > LINES;
    lines.truncate(LINES);
    if let Some(last) = lines.last_mut().filter(|_| more) {
        last.push('…');
    }
    lines.iter().map(|line| fitted(line.trim())).collect()
}

/// A line with an ellipsis in place of what does not fit.
fn fitted(line: &str) -> String {
    if width_of(line) <= LINE {
        return line.to_owned();
    }
    let mut room = LINE.saturating_sub(width('…'));
    let fits = |letter: &char| match room.checked_sub(width(*letter)) {
        Some(rest) => {
            room = rest;
            true
        }
        None => false,
    };
    let mut fitting: String = line.chars().take_while(fits).collect();
    fitting.push('…');
    fitting
}

/// The words with the space behind them; a letter of a script without spaces is a word.
fn words(title: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut ended = true;
    for letter in title.chars() {
        let alone = width(letter) == 4;
        match words.last_mut().filter(|_| !ended && !alone) {
            Some(word) => word.push(letter),
            None => words.push(letter.to_string()),
        }
        ended = alone || letter.is_whitespace();
    }
    words
}

/// At most so many letters, with an ellipsis in place of the rest.
fn shortened(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
}

/// FNV-1a, continued.
fn mixed(hash: u64, text: &str) -> u64 {
    let seed = hash ^ 0xcbf2_9ce4_8422_2325;
    text.bytes().chain([0xff]).fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Numbers that are the same for the same cover (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        let mut x = self.0 | 1;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.0 = x;
        x >> 16
    }

    fn below(&mut self, limit: u32) -> u32 {
        u32::try_from(self.next() % u64::from(limit.max(1))).unwrap_or(0)
    }

    /// A number between two others.
    fn between(&mut self, least: f64, most: f64) -> f64 {
        (f64::from(self.below(1000)) / 1000.0).mul_add(most - least, least)
    }
}

fn rings(random: &mut Random, accent: &str) -> Markup {
    let (x, y) = (random.between(190.0, 410.0), random.between(430.0, 520.0));
    let count = 5 + random.below(6);
    let chosen = random.below(count);
    html! {
        @for ring in 0..count {
            @let radius = f64::from(ring + 1) * 140.0 / f64::from(count);
            circle cx=(format!("{x:.0}")) cy=(format!("{y:.0}")) r=(format!("{radius:.1}"))
                stroke=[(ring == chosen).then_some(accent)] stroke-width=[(ring == chosen).then_some("12")] {}
        }
    }
}

fn bars(random: &mut Random, ink: &str, accent: &str) -> Markup {
    let count = 9 + random.below(8);
    let step = 2.0f64.mul_add(-MARGIN, WIDTH) / f64::from(count);
    let chosen = random.below(count);
    html! {
        @for bar in 0..count {
            @let height = random.between(24.0, FIGURE.1 - FIGURE.0);
            rect x=(format!("{:.1}", f64::from(bar).mul_add(step, MARGIN))) y=(format!("{:.1}", FIGURE.1 - height))
                width=(format!("{:.1}", step * 0.62)) height=(format!("{height:.1}"))
                fill=(if bar == chosen { accent } else { ink }) stroke="none" {}
        }
    }
}

fn dots(random: &mut Random, ink: &str, accent: &str) -> Markup {
    let (columns, rows) = (9_u32, 6_u32);
    let chosen = random.below(columns * rows);
    html! {
        @for dot in 0..columns * rows {
            @let x = f64::from(dot % columns).mul_add(56.0, MARGIN + 22.0);
            @let y = f64::from(dot / columns).mul_add(50.0, FIGURE.0 + 20.0);
            circle cx=(format!("{x:.0}")) cy=(format!("{y:.0}")) r=(format!("{:.1}", random.between(3.0, 21.0)))
                fill=(if dot == chosen { accent } else { ink }) stroke="none" {}
        }
    }
}

fn waves(random: &mut Random, accent: &str) -> Markup {
    let count = 6 + random.below(4);
    let chosen = random.below(count);
    let (length, shift) = (random.between(160.0, 420.0), random.between(0.0, TAU));
    html! {
        @for wave in 0..count {
            @let middle = f64::from(wave).mul_add((FIGURE.1 - FIGURE.0) / f64::from(count), FIGURE.0 + 20.0);
            @let height = random.between(8.0, 34.0);
            polyline points=(points(middle, height, length, f64::from(wave).mul_add(0.5, shift)))
                stroke=[(wave == chosen).then_some(accent)] stroke-width=[(wave == chosen).then_some("9")] {}
        }
    }
}

fn points(middle: f64, height: f64, length: f64, shift: f64) -> String {
    let at = |step: u32| {
        let x = f64::from(step) * 20.0;
        format!("{x:.0},{:.1}", (x / length).mul_add(TAU, shift).sin().mul_add(height, middle))
    };
    (0..=30).map(at).collect::<Vec<_>>().join(" ")
}

fn triangles(random: &mut Random, ink: &str, accent: &str) -> Markup {
    let (columns, rows, side) = (7_u32, 4_u32, 70.0);
    html! {
        @for tile in 0..columns * rows {
            @let (x, y) = (f64::from(tile % columns).mul_add(side, MARGIN), f64::from(tile / columns).mul_add(side, FIGURE.0));
            @let corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)];
            @let left_out = random.below(5) as usize;
            @if left_out < 4 {
                polygon points=(corner_list(&corners, left_out)) fill=(if random.below(6) == 0 { accent } else { ink }) stroke="none" {}
            }
        }
    }
}

/// Three corners of a square.
fn corner_list(corners: &[(f64, f64); 4], left_out: usize) -> String {
    let kept = corners.iter().enumerate().filter(|(index, _)| *index != left_out);
    kept.map(|(_, (x, y))| format!("{x:.0},{y:.0}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use masthead_domain::site::ThemeTokens;

    use super::*;

    fn theme() -> ThemeColor {
        let tokens = ThemeTokens {
            theme_color_primary: "#225991".into(),
            theme_color_hover_primary: "#1a446d".into(),
            other_color: "#be3737".into(),
            bg_opacity: "#f0f5fa".into(),
            bottom_line_color: "#bfd1e3".into(),
        };
        ThemeColor { color_id: 1, name: "Harbour".into(), light: tokens.clone(), dark: tokens }
    }

    fn journal(key: &str, title: &str) -> Journal {
        Journal { key: key.into(), title: LocalText::of(Lang::En, title), ..Journal::default() }
    }

    #[test]
    fn every_journal_year_and_number_has_a_cover_of_its_own() {
        let theme = theme();
        let mut drawings = BTreeSet::new();
        let mut versions = BTreeSet::new();
        for key in ["tides", "stones", "circuits", "letters", "notes", "shores"] {
            let journal = journal(key, "The Journal");
            for year in 2020..2026 {
                for number in ["1", "2", "3", "4", "S1"] {
                    let issue = Issue { year, issue: number.into(), ..Issue::default() };
                    let cover = Cover::new(&journal, Some(&issue), &theme, Lang::En);
                    // Without the numbers that are printed on it, too.
                    let figure = cover.figure("#000", "#fff").into_string();
                    drawings.insert(format!("{:?} {figure}", cover.colours()));
                    versions.insert(cover.version());
                }
            }
        }
        assert_eq!((drawings.len(), versions.len()), (180, 180));
    }

    #[test]
    fn a_cover_is_well_formed_and_shows_title_theme_year_and_number() {
        let theme = theme();
        let journal = journal("tides", "Tides & <Shores>");
        let title = LocalText::of(Lang::En, "Salt \"and\" silt");
        let issue = Issue { year: 2026, issue: "3–4".into(), volume: "12".into(), title, ..Issue::default() };
        let svg = Cover::new(&journal, Some(&issue), &theme, Lang::Zh).svg();
        let parsed = masthead_xml::Document::parse(&svg);
        assert!(parsed.is_ok(), "{svg}");
        for text in ["Tides &amp; &lt;Shores&gt;", "Salt &quot;and&quot; silt", "12 · 2026", "3–4"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        assert!(!svg.contains("style="), "a strict policy for styles applies to the drawing, too");
        assert!(svg.len() < 8000, "{}", svg.len());
    }

    #[test]
    fn titles_are_broken_between_words_and_between_letters_of_scripts_without_spaces() {
        assert_eq!(lines("Ocean Ledger"), ["Ocean Ledger"]);
        assert_eq!(lines("Annals of Coastal Oceanography")[0], "Annals of Coastal");
        assert_eq!(lines("海洋与海岸带科学研究进展学报")[0].chars().count(), 8);
        let endless = lines(&"extraordinary ".repeat(30));
        assert_eq!(endless.len(), LINES);
        assert!(endless[LINES - 1].ends_with('…'), "{endless:?}");
        assert!(width_of(&lines(&"x".repeat(500))[0]) <= LINE);
        assert_eq!(lines(""), [""]);
    }

    #[test]
    fn a_changed_title_or_colour_changes_the_address() {
        let (before, mut after) = (theme(), theme());
        let (old, new) = (journal("tides", "Tides"), journal("tides", "The Tides"));
        let version = |journal: &Journal, theme: &ThemeColor| Cover::new(journal, None, theme, Lang::En).version();
        assert_ne!(version(&old, &before), version(&new, &before));
        after.light.other_color = "#123456".into();
        assert_ne!(version(&old, &before), version(&old, &after));
    }
}
