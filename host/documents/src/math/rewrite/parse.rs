//! Text to tree. The caller limits the number of groups, which bounds the depth.

use super::{
    Item,
    names::{bracket, bracket_char, environment, has_columns, is_invisible, replaced, text_font},
    next_non_space,
};

pub(super) fn parsed(tex: &str) -> Vec<Item<'_>> {
    Parser { rest: tex }.list(Place::Top)
}

/// The construct that contains the current list.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Top,
    Group,
    /// Between `\left` and `\right`; `cell` is whether within the cell of an environment.
    Pair {
        cell: bool,
    },
    Environment,
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    /// The items up to the end of this construct. The end is consumed only if it is the `}` of a group.
    fn list(&mut self, place: Place) -> Vec<Item<'a>> {
        let mut items = Vec::new();
        while let Some(c) = self.rest.chars().next() {
            let before = self.rest;
            self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
            match c {
                '{' => items.push(Item::Group(self.list(Place::Group))),
                '}' if place == Place::Group => return finished(items, place),
                // An unmatched bracket is dropped.
                '}' if place == Place::Top => {}
                '}' => {
                    self.rest = before;
                    return finished(items, place);
                }
                '&' if place == (Place::Pair { cell: true }) => {
                    self.rest = before;
                    return finished(items, place);
                }
                '&' => items.push(Item::Cell),
                '$' => {}
                '#' => items.push(Item::Symbol('#')),
                '%' => match self.rest.split_once('\n') {
                    Some((_, rest)) => self.rest = rest,
                    None => items.push(Item::Symbol('%')),
                },
                '\\' => {
                    if !self.backslash(place, &mut items) {
                        self.rest = before;
                        return finished(items, place);
                    }
                }
                c if c.is_whitespace() => {
                    if items.last() != Some(&Item::Space) {
                        items.push(Item::Space);
                    }
                }
                c => items.push(Item::Char(c)),
            }
        }
        finished(items, place)
    }

    fn word(&mut self) -> &'a str {
        let length = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        word
    }

    /// Parses a command or symbol. `false` if it ends the construct.
    fn backslash(&mut self, place: Place, items: &mut Vec<Item<'a>>) -> bool {
        let word = self.word();
        match word {
            "" => return self.symbol(place, items),
            "left" => {
                let open = self.delimiter().unwrap_or_else(|| ".".to_owned());
                let cell = matches!(place, Place::Environment | Place::Pair { cell: true });
                let inner = self.list(Place::Pair { cell });
                let closes = self.rest.strip_prefix("\\right").filter(|rest| !starts_with_letter(rest));
                let close = closes.and_then(|rest| {
                    self.rest = rest;
                    self.delimiter()
                });
                items.push(Item::Pair { open, inner, close: close.unwrap_or_else(|| ".".to_owned()) });
            }
            "right" if matches!(place, Place::Pair { .. }) => return false,
            // `\right` without `\left` becomes a bracket that does not grow.
            "right" => items.extend(self.delimiter().and_then(|bracket| self.alone(&bracket))),
            "begin" => self.environment(items),
            "end" if matches!(place, Place::Environment | Place::Pair { .. }) => return false,
            "end" => {
                self.argument();
            }
            "cr" => items.push(Item::Row),
            "substack" | "shortstack" => {
                if let Some(inner) = self.argument() {
                    let inner = Parser { rest: inner }.list(Place::Environment);
                    items.push(Item::Environment { name: "subarray", columns: "c".to_owned(), inner });
                }
            }
            "tag" => {
                self.star();
                items.push(Item::Command("qquad"));
                items.push(Item::Char('('));
                self.text("text", items);
                items.push(Item::Char(')'));
            }
            "hspace" | "hskip" | "kern" | "mkern" | "mskip" => items.extend(self.space()),
            "char" => items.extend(self.numbered()),
            // Colours are those of the page.
            "color" | "textcolor" | "colorbox" => self.skip_arguments(1),
            "fcolorbox" => self.skip_arguments(2),
            _ if is_invisible(word) => {
                self.star();
                self.argument();
            }
            _ if replaced(word) == Some("") => {}
            _ => match text_font(word) {
                Some(font) => self.text(font, items),
                None => items.push(Item::Command(word)),
            },
        }
        true
    }

    fn symbol(&mut self, place: Place, items: &mut Vec<Item<'a>>) -> bool {
        let Some(c) = self.rest.chars().next() else { return true };
        if c == '\\' && place == (Place::Pair { cell: true }) {
            return false;
        }
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '\\' => {
                self.star();
                self.skip_dimension();
                items.push(Item::Row);
            }
            // Delimiters of whole formulas.
            '(' | ')' | '[' | ']' => {}
            c if c.is_whitespace() => items.push(Item::Symbol(' ')),
            c => items.push(Item::Symbol(c)),
        }
        true
    }

    fn star(&mut self) {
        self.rest = self.rest.strip_prefix('*').unwrap_or(self.rest);
    }

    /// Skips the extra space after a row, such as `[3pt]`.
    fn skip_dimension(&mut self) {
        if let Some((inside, after)) = self.rest.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            let inside = inside.trim();
            let unit = inside.trim_start_matches(|c: char| c.is_ascii_digit() || "+-. ".contains(c));
            if matches!(unit, "pt" | "em" | "ex" | "mm" | "cm" | "in" | "pc" | "bp" | "mu" | "\\jot" | "\\baselineskip")
            {
                self.rest = after;
            }
        }
    }

    /// A width, as the nearest of the standard spaces.
    fn space(&mut self) -> Option<Item<'a>> {
        self.star();
        let rest = self.rest.trim_start();
        let braced = group(rest);
        let given = braced.map_or(rest, |(inner, _)| inner).trim_start();
        let number = given.find(|c: char| !(c.is_ascii_digit() || "+-. ".contains(c))).unwrap_or(given.len());
        let (number, unit) = given.split_at(number);
        let length = unit.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(unit.len()).min(2);
        let (unit, after) = unit.split_at(length);
        let em = match unit {
            "em" => 1.0,
            "ex" => 0.45,
            "pt" | "bp" | "dd" => 0.1,
            "mu" => 0.056,
            "mm" => 0.28,
            "cm" => 2.8,
            "in" => 7.2,
            "pc" | "cc" => 1.2,
            _ => 0.0,
        };
        if let Some((_, after)) = braced {
            self.rest = after;
        } else if em > 0.0 {
            self.rest = after;
        }
        match number.replace(' ', "").parse::<f32>().unwrap_or_default() * em {
            width if width < 0.0 => Some(Item::Symbol('!')),
            width if width > 1.5 => Some(Item::Command("qquad")),
            width if width > 0.7 => Some(Item::Command("quad")),
            width if width > 0.0 => Some(Item::Symbol(',')),
            _ => None,
        }
    }

    /// `\char65`: a character by its number.
    fn numbered(&mut self) -> Option<Item<'a>> {
        let rest = self.rest.trim_start();
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(length);
        let c = digits.parse().ok().and_then(char::from_u32).filter(|c| c.is_alphanumeric())?;
        self.rest = after;
        Some(Item::Char(c))
    }

    fn skip_arguments(&mut self, count: u8) {
        if let Some((_, after)) = self.rest.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            self.rest = after;
        }
        for _ in 0..count {
            self.argument();
        }
    }

    /// The text of the next group, or the next character.
    fn argument(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        if let Some((inner, after)) = group(rest) {
            self.rest = after;
            return Some(inner);
        }
        let c = rest.chars().next().filter(|c| !matches!(c, '\\' | '}' | '{' | '&' | '$'))?;
        let (one, after) = rest.split_at(c.len_utf8());
        self.rest = after;
        Some(one)
    }

    /// The bracket after `\left` or `\right`, if there is one.
    fn delimiter(&mut self) -> Option<String> {
        let rest = self.rest.trim_start();
        let c = rest.chars().next()?;
        let after = rest.get(c.len_utf8()..)?;
        let (found, after) = match c {
            '.' => (".".to_owned(), after),
            '\\' => {
                let length = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
                if length == 0 {
                    let sign = after.chars().next().filter(|c| matches!(c, '{' | '}' | '|'))?;
                    (format!("\\{sign}"), after.get(1..)?)
                } else {
                    let (word, after) = after.split_at(length);
                    (bracket(word)?.to_owned(), after)
                }
            }
            c => (bracket_char(c)?, after),
        };
        self.rest = after;
        Some(found)
    }

    /// A bracket that does not grow.
    fn alone(&self, bracket: &str) -> Option<Item<'a>> {
        let mut chars = bracket.chars();
        match (chars.next()?, chars.next()) {
            ('.', _) => None,
            ('\\', Some(c)) if !c.is_ascii_alphabetic() => Some(Item::Symbol(c)),
            ('\\', _) => Some(match bracket.trim() {
                "\\langle" => Item::Char('⟨'),
                "\\rangle" => Item::Char('⟩'),
                "\\rfloor" => Item::Char('⌋'),
                "\\rceil" => Item::Char('⌉'),
                "\\Vert" | "\\rVert" | "\\lVert" => Item::Symbol('|'),
                _ => Item::Char('|'),
            }),
            (c, _) => Some(Item::Char(c)),
        }
    }

    fn environment(&mut self, items: &mut Vec<Item<'a>>) {
        let Some(name) = self.argument().map(str::trim) else { return };
        let rest = self.rest.trim_start();
        for place in ["[b]", "[t]", "[c]"] {
            let keeps = name.ends_with("matrix*");
            self.rest = rest.strip_prefix(place).filter(|_| !keeps).unwrap_or(self.rest);
        }
        let mut columns = String::new();
        if has_columns(name)
            && let Some(given) = self.argument()
        {
            columns = expanded(given, 0);
        }
        let inner = self.list(Place::Environment);
        if let Some(rest) = self.rest.strip_prefix("\\end") {
            self.rest = rest;
            self.argument();
        }
        let Some(known) = environment(name) else {
            // The parser then reports the environment as unknown.
            items.extend([Item::Command("begin"), Item::Group(name.chars().map(Item::Char).collect())]);
            return;
        };
        let inner = without_last_rows(inner);
        let width = inner
            .split(|item| *item == Item::Row)
            .map(|row| row.iter().filter(|item| **item == Item::Cell).count() + 1)
            .max()
            .unwrap_or(1);
        match known {
            "" => items.extend(finished(inner, Place::Group)),
            // The parser's `cases` has two columns.
            "cases" if width > 2 => {
                let inner = vec![Item::Environment { name: "array", columns: "l".repeat(width.min(100)), inner }];
                items.push(Item::Pair { open: "\\{".to_owned(), inner, close: ".".to_owned() });
            }
            "array" | "darray" | "subarray" => {
                let given = columns.chars().filter(char::is_ascii_alphabetic).count();
                let last = columns.chars().rev().find(char::is_ascii_alphabetic).unwrap_or('c');
                columns.extend(std::iter::repeat_n(last, width.saturating_sub(given).min(100)));
                items.push(Item::Environment { name: known, columns, inner });
            }
            known => items.push(Item::Environment { name: known, columns: String::new(), inner }),
        }
    }

    /// Text with the formulas and symbols in it.
    fn text(&mut self, font: &'static str, items: &mut Vec<Item<'a>>) {
        let raw = self.argument().unwrap_or_default();
        let mut pieces: Vec<Item<'a>> = Vec::new();
        let mut words = String::new();
        let mut inner = Parser { rest: raw };
        let close = |words: &mut String, pieces: &mut Vec<Item<'a>>| {
            if !words.is_empty() {
                pieces.push(Item::Text { font, text: std::mem::take(words) });
            }
        };
        while let Some(c) = inner.rest.chars().next() {
            inner.rest = inner.rest.get(c.len_utf8()..).unwrap_or_default();
            match c {
                '{' | '}' => {}
                '~' => words.push('\u{a0}'),
                '%' => {
                    close(&mut words, &mut pieces);
                    pieces.push(Item::Symbol('%'));
                }
                '$' => {
                    close(&mut words, &mut pieces);
                    let (formula, after) = inner.rest.split_once('$').unwrap_or((inner.rest, ""));
                    inner.rest = after;
                    pieces.extend(Parser { rest: formula }.list(Place::Top));
                }
                '\\' => inner.text_command(&mut words, &mut pieces, close),
                c => words.push(c),
            }
        }
        close(&mut words, &mut pieces);
        match pieces.len() {
            0 => items.push(Item::Text { font, text: String::new() }),
            1 => items.append(&mut pieces),
            _ => items.push(Item::Group(pieces)),
        }
    }

    fn text_command(
        &mut self,
        words: &mut String,
        pieces: &mut Vec<Item<'a>>,
        close: impl Fn(&mut String, &mut Vec<Item<'a>>),
    ) {
        let word = self.word();
        if word.is_empty() {
            let Some(c) = self.rest.chars().next() else { return };
            self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
            match c {
                '(' => {
                    close(words, pieces);
                    let (formula, after) = self.rest.split_once("\\)").unwrap_or((self.rest, ""));
                    self.rest = after;
                    pieces.extend(Parser { rest: formula }.list(Place::Top));
                }
                '%' | '{' | '}' => {
                    close(words, pieces);
                    pieces.push(Item::Symbol(c));
                }
                ',' | ':' | ';' => words.push('\u{2009}'),
                '\\' => words.push(' '),
                '!' | ')' | '/' => {}
                c => words.push(c),
            }
            return;
        }
        // A change of font within text is ignored.
        if text_font(word).is_some() || matches!(word, "rm" | "bf" | "it" | "sf" | "tt" | "em" | "emph" | "mathrm") {
            self.rest = self.rest.trim_start();
            return;
        }
        close(words, pieces);
        pieces.push(Item::Command(word));
        self.rest = self.rest.trim_start();
        while let Some((inner, after)) = group(self.rest) {
            self.rest = after;
            if !inner.is_empty() {
                pieces.push(Item::Group(Parser { rest: inner }.list(Place::Top)));
            }
        }
    }
}

fn starts_with_letter(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The content of the group at the start of the text, and the text behind it.
fn group(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut escaped) = (0_usize, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if depth > 0 => escaped = true,
            '{' => depth += 1,
            '}' if depth == 1 => return Some((text.get(1..at)?, text.get(at + 1..)?)),
            '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Column specification of an array with repetitions expanded, reduced to the alignments.
fn expanded(columns: &str, depth: u8) -> String {
    let mut out = String::new();
    let mut rest = columns.trim_start();
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default().trim_start();
        match c {
            'c' | 'l' | 'r' | '|' | ':' => out.push(c),
            'C' | 'L' | 'R' => out.push(c.to_ascii_lowercase()),
            'X' | 's' => out.push('l'),
            'p' | 'm' | 'b' | '@' | '!' | '>' | '<' => {
                rest = group(rest).map_or(rest, |(_, after)| after.trim_start());
                out.push_str(if matches!(c, 'p' | 'm' | 'b') { "l" } else { "" });
            }
            '*' if depth < 3 => {
                let Some((times, after)) = group(rest) else { continue };
                let Some((column, after)) = group(after.trim_start()) else { continue };
                rest = after.trim_start();
                out.push_str(&expanded(column, depth + 1).repeat(times.trim().parse::<usize>().unwrap_or(1).min(30)));
            }
            _ => {}
        }
    }
    out
}

fn without_last_rows(mut items: Vec<Item>) -> Vec<Item> {
    while let Some(Item::Row | Item::Space) = items.last() {
        items.pop();
    }
    items
}

/// Converts `\over` and the like to fractions, and puts rows outside of environments into one.
fn finished(items: Vec<Item>, place: Place) -> Vec<Item> {
    let mut items = divided(items);
    if place == Place::Environment {
        return items;
    }
    if items.contains(&Item::Row) {
        items = without_last_rows(items);
    }
    let name = match (items.contains(&Item::Row), items.contains(&Item::Cell)) {
        (_, true) => "aligned",
        (true, false) => "gathered",
        (false, false) => return items,
    };
    vec![Item::Environment { name, columns: String::new(), inner: items }]
}

/// Converts `a \over b` in each cell to a fraction.
fn divided(items: Vec<Item>) -> Vec<Item> {
    let fraction = |item: &Item| matches!(item, Item::Command("over" | "atop" | "choose" | "brack" | "brace"));
    if !items.iter().any(fraction) {
        return items;
    }
    let mut out = Vec::with_capacity(items.len());
    let mut cell = Vec::new();
    for item in items {
        if matches!(item, Item::Cell | Item::Row) {
            out.extend(fractions(std::mem::take(&mut cell)));
            out.push(item);
        } else {
            cell.push(item);
        }
    }
    out.extend(fractions(cell));
    out
}

fn fractions(mut items: Vec<Item>) -> Vec<Item> {
    let is_over = |item: &Item| item.is_command("over");
    while let Some(start) = items.iter().position(|item| item.is_command("buildrel")) {
        let over = items.iter().skip(start).position(is_over).map(|at| at + start);
        let base = over.and_then(|over| next_non_space(&items, over + 1)).map(|(at, item)| (at, item.clone()));
        let (Some(over), Some((at, base))) = (over, base) else {
            items.remove(start);
            continue;
        };
        let top = items.get(start + 1..over).unwrap_or_default().to_vec();
        let base = if let Item::Group(inner) = base { inner } else { vec![base] };
        items.splice(start..=at, [Item::Command("overset"), Item::Group(top), Item::Group(base)]);
    }
    let fraction = |item: &Item| matches!(item, Item::Command("over" | "atop" | "choose" | "brack" | "brace"));
    let Some(at) = items.iter().position(fraction) else { return items };
    let below: Vec<Item> = items.split_off(at + 1).into_iter().filter(|item| !fraction(item)).collect();
    let kind = items.pop();
    let mut out = match kind {
        Some(Item::Command("over")) => vec![Item::Command("frac")],
        Some(Item::Command("choose")) => vec![Item::Command("binom")],
        _ => vec![
            Item::Command("genfrac"),
            Item::Group(Vec::new()),
            Item::Group(Vec::new()),
            Item::Group("0pt".chars().map(Item::Char).collect()),
            Item::Group(Vec::new()),
        ],
    };
    out.extend([Item::Group(items), Item::Group(below)]);
    out
}
