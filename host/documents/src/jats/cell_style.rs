//! The CSS of a table cell's `style` attribute, read and written.

use masthead_domain::content::{CellStyle, Line};

/// Limit on the steps of indentation.
const DEEPEST: u8 = 8;
/// Names of the colours that occur in tables of articles, with their CSS values.
const NAMES: [(&str, &str); 16] = [
    ("black", "000000"),
    ("silver", "c0c0c0"),
    ("gray", "808080"),
    ("grey", "808080"),
    ("lightgray", "d3d3d3"),
    ("lightgrey", "d3d3d3"),
    ("whitesmoke", "f5f5f5"),
    ("red", "ff0000"),
    ("orange", "ffa500"),
    ("yellow", "ffff00"),
    ("lightyellow", "ffffe0"),
    ("green", "008000"),
    ("lightgreen", "90ee90"),
    ("blue", "0000ff"),
    ("lightblue", "add8e6"),
    ("purple", "800080"),
];

/// The border of one side while its declarations are read.
#[derive(Clone, Copy, Default)]
struct Side {
    style: Option<Line>,
    /// The width, if it is declared.
    width: Option<Width>,
}

#[derive(Clone, Copy, PartialEq)]
enum Width {
    Nothing,
    Thin,
    Thick,
}

impl Side {
    fn line(self) -> Line {
        match (self.style, self.width) {
            (None, _) => Line::Unsaid,
            (Some(_), Some(Width::Nothing)) => Line::None,
            (Some(Line::Single), Some(Width::Thick)) => Line::Thick,
            (Some(style), _) => style,
        }
    }

    /// Reads a value of `border…`: style, width and colour in any order.
    fn take(&mut self, value: &str) {
        for word in value.split_whitespace() {
            match word {
                "none" | "hidden" => self.style = Some(Line::None),
                "double" => self.style = Some(Line::Double),
                "solid" | "dotted" | "dashed" | "groove" | "ridge" | "inset" | "outset" => {
                    self.style = Some(Line::Single)
                }
                "thin" | "medium" => self.width = Some(Width::Thin),
                "thick" => self.width = Some(Width::Thick),
                word => {
                    if let Some(pixels) = pixels(word) {
                        self.width = Some(match pixels {
                            none if none <= 0.0 => Width::Nothing,
                            thin if thin < 1.9 => Width::Thin,
                            _ => Width::Thick,
                        });
                    }
                }
            }
        }
    }
}

/// Parses a `style` attribute. Other properties and malformed declarations are ignored.
pub(super) fn parse(style: &str) -> CellStyle {
    let style = style.to_ascii_lowercase();
    let mut sides = [Side::default(); 4];
    let mut found = CellStyle::default();
    for (key, value) in style.split(';').filter_map(|rule| rule.split_once(':')) {
        let (key, value) = (key.trim(), value.trim());
        match key {
            "border" => sides.iter_mut().for_each(|side| side.take(value)),
            "border-style" | "border-width" => each_side(&mut sides, value),
            "background" | "background-color" => found.background = colour(value),
            "padding-left" | "text-indent" => found.indent = indent(value),
            "font-weight" => {
                found.bold = matches!(value, "bold" | "bolder") || value.parse::<u16>().is_ok_and(|n| n >= 600)
            }
            "font-style" => found.italic = matches!(value, "italic" | "oblique"),
            _ => {
                let names = ["border-top", "border-right", "border-bottom", "border-left"];
                for (side, name) in sides.iter_mut().zip(names) {
                    if key.strip_prefix(name).is_some_and(|rest| matches!(rest, "" | "-style" | "-width")) {
                        side.take(value);
                    }
                }
            }
        }
    }
    let [top, right, bottom, left] = sides.map(Side::line);
    CellStyle { top, right, bottom, left, ..found }
}

/// Assigns one to four values to the sides as CSS does: top, right, bottom, left; a missing value is that of the opposite side.
fn each_side(sides: &mut [Side; 4], value: &str) {
    let words: Vec<&str> = value.split_whitespace().collect();
    let [top, right, bottom, left] = match words[..] {
        [all] => [all; 4],
        [block, inline] => [block, inline, block, inline],
        [top, inline, bottom] => [top, inline, bottom, inline],
        [top, right, bottom, left] => [top, right, bottom, left],
        _ => return,
    };
    sides.iter_mut().zip([top, right, bottom, left]).for_each(|(side, word)| side.take(word));
}

/// The CSS that [`parse`] reads as this style; "" for the default style.
pub(super) fn css(style: &CellStyle) -> String {
    let mut rules = Vec::new();
    for (side, line) in style.lines() {
        let value = match line {
            Line::Unsaid => continue,
            Line::None => "none",
            Line::Single => "thin solid",
            Line::Thick => "thick solid",
            Line::Double => "double",
        };
        rules.push(format!("border-{side}:{value}"));
    }
    if !style.background.is_empty() {
        rules.push(format!("background-color:#{}", style.background));
    }
    if style.indent > 0 {
        rules.push(format!("padding-left:{}%", u16::from(style.indent) * 5));
    }
    if style.bold {
        rules.push("font-weight:bold".to_owned());
    }
    if style.italic {
        rules.push("font-style:italic".to_owned());
    }
    rules.join(";")
}

/// A colour as six hexadecimal digits; "" for white, no colour and unsupported notations.
fn colour(value: &str) -> String {
    let first = value.split_whitespace().next().unwrap_or_default();
    let digits = match (first.strip_prefix('#'), value.strip_prefix("rgb(")) {
        (Some(hex), _) if hex.bytes().all(|byte| byte.is_ascii_hexdigit()) => match hex.len() {
            3 => hex.chars().flat_map(|digit| [digit, digit]).collect(),
            6 => hex.to_owned(),
            _ => String::new(),
        },
        (_, Some(rest)) => {
            let parts: Option<Vec<u8>> =
                rest.split(')').next().unwrap_or_default().split(',').map(|part| part.trim().parse().ok()).collect();
            match parts.as_deref() {
                Some([red, green, blue]) => format!("{red:02x}{green:02x}{blue:02x}"),
                _ => String::new(),
            }
        }
        _ => NAMES.iter().find(|(name, _)| *name == first).map(|(_, hex)| (*hex).to_owned()).unwrap_or_default(),
    };
    if digits == "ffffff" { String::new() } else { digits }
}

/// Steps of indentation from a CSS length: 5 % of the cell's width or about one em each.
fn indent(value: &str) -> u8 {
    let steps = match value.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f32>().ok().map(|percent| percent / 5.0),
        None => pixels(value).map(|pixels| pixels / 16.0),
    };
    // A fraction of a step is the usual padding. The value is clamped before the cast.
    steps.map_or(0, |steps| steps.round().clamp(0.0, f32::from(DEEPEST)) as u8)
}

/// A CSS length in pixels of 1/96 inch.
fn pixels(value: &str) -> Option<f32> {
    let end = value.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-' | '+')).unwrap_or(value.len());
    let (number, unit) = value.split_at(end);
    let factor = match unit {
        "px" | "" => 1.0,
        "pt" => 96.0 / 72.0,
        "em" | "rem" | "pc" => 16.0,
        "ex" => 8.0,
        "mm" => 96.0 / 25.4,
        "cm" => 96.0 / 2.54,
        "in" => 96.0,
        _ => return None,
    };
    number.parse::<f32>().ok().filter(|number| number.is_finite()).map(|number| number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(style: &str) -> [Line; 4] {
        let CellStyle { top, right, bottom, left, .. } = parse(style);
        [top, right, bottom, left]
    }

    #[test]
    fn borders_are_read_in_every_notation() {
        use Line::{Double, None, Single, Thick, Unsaid};
        assert_eq!(
            lines("border-top: solid 0.50pt; border-bottom:thin solid #000000"),
            [Single, Unsaid, Single, Unsaid]
        );
        assert_eq!(lines("BORDER-LEFT-WIDTH:thin; border-left-style:SOLID"), [Unsaid, Unsaid, Unsaid, Single]);
        assert_eq!(lines("border:2px solid red;border-top:double"), [Double, Thick, Thick, Thick]);
        assert_eq!(lines("border-bottom:hidden;border-top:0 solid;border-left:thick"), [None, Unsaid, None, Unsaid]);
        assert_eq!(lines("border-bottom:1.5pt solid"), [Unsaid, Unsaid, Thick, Unsaid]);
        assert_eq!(lines("border-style:none none solid;border-width:thick"), [None, None, Thick, None]);
        assert_eq!(lines("border-style:solid double"), [Single, Double, Single, Double]);
        assert_eq!(lines("border-style:solid solid solid solid solid"), [Unsaid; 4]);
        assert_eq!(lines("border-collapse:collapse;border-top-color:red;nonsense"), [Unsaid; 4]);
    }

    #[test]
    fn colours_indentation_and_fonts_are_read() {
        let style = parse("background: #C0C0C0 url(x); padding-left:10%; font-weight:700; font-style:italic");
        assert_eq!((style.background.as_str(), style.indent, style.bold, style.italic), ("c0c0c0", 2, true, true));
        assert_eq!(parse("background-color:rgb(1, 20, 255)").background, "0114ff");
        assert_eq!(parse("background-color:#abc").background, "aabbcc");
        assert_eq!(parse("background:Yellow").background, "ffff00");
        for nothing in
            ["#fff", "white", "url(javascript:x)", "#12345", "rgb(1,2)", "rgb(300,1,1)", "#ggg", "expression(x)"]
        {
            assert_eq!(parse(&format!("background:{nothing}")), CellStyle::default(), "{nothing}");
        }
        for (value, steps) in
            [("2em", 2), ("-3em", 0), ("9999%", 8), ("24pt", 2), ("nan", 0), ("1e9px", 0), ("auto", 0)]
        {
            assert_eq!(parse(&format!("padding-left:{value}")).indent, steps, "{value}");
        }
    }

    #[test]
    fn written_styles_are_read_back() {
        for style in [
            "",
            "border-top:none;border-right:thin solid;border-bottom:thick solid;border-left:double",
            "background-color:#c5e0b3;padding-left:15%;font-weight:bold;font-style:italic",
        ] {
            assert_eq!(css(&parse(style)), style);
        }
    }
}
