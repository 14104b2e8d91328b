//! Tree to text.

use super::{
    Item,
    names::{bracket, bracket_char, replaced, takes_limits},
    next_non_space,
};

/// The scripts of the item that the next script would attach to.
#[derive(Clone, Copy, Default)]
struct Base {
    any: bool,
    sub: bool,
    sup: bool,
    /// Whether the item may take `\limits`.
    limits: bool,
}

pub(super) fn list(items: &[Item], out: &mut String) {
    let mut at = 0;
    let mut base = Base::default();
    while let Some(item) = items.get(at) {
        match item {
            Item::Char(sign @ ('^' | '_')) => {
                at = script(items, at, *sign, &mut base, out);
                continue;
            }
            Item::Space => {
                // A space would separate a script from its base.
                let next = next_non_space(items, at);
                if !matches!(next, Some((_, Item::Char('^' | '_')))) && !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
                at += 1;
                continue;
            }
            Item::Command(name @ ("mathop" | "operatorname")) => {
                let (after, limits) = operator(items, at, *name == "operatorname", out);
                at = after;
                base = Base { any: true, limits, ..Base::default() };
                continue;
            }
            Item::Command(name @ ("limits" | "nolimits")) => {
                if base.limits {
                    command(name, out);
                }
                at += 1;
                continue;
            }
            Item::Command(name) if is_size(name) || *name == "middle" => sized(name, items, &mut at, out),
            other => one(other, out),
        }
        base = match item {
            Item::Cell | Item::Row => Base::default(),
            Item::Command(name) => Base { any: true, limits: takes_limits(name), ..Base::default() },
            _ => Base { any: true, ..Base::default() },
        };
        at += 1;
    }
}

fn is_size(name: &str) -> bool {
    let stem = name.strip_suffix(['l', 'r', 'm']).unwrap_or(name);
    matches!(stem, "big" | "Big" | "bigg" | "Bigg")
}

/// Writes a size command, which has an effect in front of a bracket only.
fn sized(name: &str, items: &[Item], at: &mut usize, out: &mut String) {
    let next = next_non_space(items, *at + 1);
    let sign = next.and_then(|(_, item)| match item {
        Item::Command(name) => bracket(name).map(str::to_owned),
        Item::Symbol(c @ ('{' | '}' | '|')) => Some(format!("\\{c}")),
        Item::Char(c) => bracket_char(*c),
        _ => None,
    });
    if let (Some(sign), Some((place, _))) = (sign, next) {
        // Browsers keep the size of a bracket with a script only if the bracket is in a row of its own.
        let scripted = matches!(next_non_space(items, place + 1), Some((_, Item::Char('^' | '_'))));
        out.push_str(if scripted { "{\\" } else { "\\" });
        out.push_str(name);
        out.push_str(&sign);
        out.push_str(if scripted { "}" } else { "" });
        *at = place;
    }
}

/// Writes `^` or `_` with its argument; returns the index behind it.
fn script(items: &[Item], at: usize, sign: char, base: &mut Base, out: &mut String) -> usize {
    let present = if sign == '^' { &mut base.sup } else { &mut base.sub };
    if *present || !base.any {
        out.push_str("{}");
        *base = Base { any: true, sub: sign == '_', sup: sign == '^', limits: false };
    } else {
        *present = true;
    }
    out.push(sign);
    match next_non_space(items, at + 1) {
        None | Some((_, Item::Char('^' | '_') | Item::Cell | Item::Row)) => {
            out.push_str("{}");
            at + 1
        }
        // An argument of several items.
        Some((place, Item::Command("mathop" | "operatorname"))) => {
            out.push('{');
            let (after, _) = operator(items, place, true, out);
            out.push('}');
            after
        }
        Some((place, Item::Command(name))) if is_long(name) => {
            out.push('{');
            one(&Item::Command(name), out);
            out.push('}');
            place + 1
        }
        Some((place, item @ (Item::Pair { .. } | Item::Environment { .. } | Item::Text { .. }))) => {
            out.push('{');
            one(item, out);
            out.push('}');
            place + 1
        }
        Some((place, item)) => {
            one(item, out);
            place + 1
        }
    }
}

fn is_long(name: &str) -> bool {
    replaced(name).is_some_and(|known| known.contains('{') || known.contains("\\;"))
}

fn one(item: &Item, out: &mut String) {
    match item {
        Item::Command(name) => command(name, out),
        Item::Symbol(c) => {
            out.push('\\');
            out.push(*c);
        }
        Item::Char(c) => {
            part(*c, out);
            out.push(*c);
        }
        Item::Space => out.push(' '),
        Item::Cell => out.push('&'),
        Item::Row => out.push_str("\\\\"),
        Item::Group(inner) => group(inner, out),
        Item::Pair { open, inner, close } => {
            out.push_str("\\left");
            out.push_str(open);
            list(inner, out);
            out.push_str("\\right");
            out.push_str(close);
        }
        Item::Environment { name, columns, inner } => {
            out.push_str("\\begin{");
            out.push_str(name);
            out.push('}');
            if !columns.is_empty() {
                out.push('{');
                out.push_str(columns);
                out.push('}');
            }
            list(inner, out);
            out.push_str("\\end{");
            out.push_str(name);
            out.push('}');
        }
        Item::Text { font, text } => {
            out.push('\\');
            out.push_str(font);
            out.push('{');
            // Characters that would end the text early are removed.
            out.extend(text.chars().filter(|c| !matches!(c, '{' | '}' | '\\' | '%')));
            out.push('}');
        }
    }
}

fn group(inner: &[Item], out: &mut String) {
    out.push('{');
    list(inner, out);
    out.push('}');
}

/// Writes a space if it is needed to separate a command from a letter behind it.
fn part(next: char, out: &mut String) {
    if next.is_ascii_alphabetic() {
        let name = out.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        if name.len() < out.len() && name.ends_with('\\') && !name.ends_with("\\\\") {
            out.push(' ');
        }
    }
}

fn command(name: &str, out: &mut String) {
    match replaced(name) {
        Some("") => {}
        Some(known) => {
            part(known.chars().next().unwrap_or(' '), out);
            out.push_str(known);
        }
        None => {
            out.push('\\');
            out.push_str(name);
        }
    }
}

/// Writes `\mathop` or `\operatorname` with its argument and, unless it is a plain name, its limits; returns the index behind it
/// and whether it takes `\limits`.
fn operator(items: &[Item], at: usize, named: bool, out: &mut String) -> (usize, bool) {
    let mut next = next_non_space(items, at + 1);
    let mut limits = !named;
    if let Some((place, Item::Char('*'))) = next {
        limits = true;
        next = next_non_space(items, place + 1);
    }
    let Some((place, argument)) = next else { return (at + 1, false) };
    let inner = match argument {
        Item::Group(inner) => inner.as_slice(),
        // The argument is an operator already.
        Item::Command(name) => {
            command(name, out);
            return (place + 1, takes_limits(name));
        }
        Item::Char('^' | '_') | Item::Cell | Item::Row => return (place, false),
        _ => std::slice::from_ref(argument),
    };
    let mut name = String::new();
    let plain = plain_name(inner, &mut name);
    let name = name.trim();
    if plain && name.len() > 1 {
        out.push_str(if limits { "\\mathop{" } else { "\\operatorname{" });
        out.push_str(name);
        out.push('}');
        return (place + 1, true);
    }
    if let [Item::Command(name)] = inner
        && takes_limits(name)
    {
        command(name, out);
        return (place + 1, true);
    }
    if !limits {
        out.push_str("{\\mathrm");
        group(inner, out);
        out.push('}');
        return (place + 1, false);
    }
    (with_limits(items, place + 1, inner, out), false)
}

/// Writes the scripts that follow above and below the operator.
fn with_limits(items: &[Item], from: usize, inner: &[Item], out: &mut String) -> usize {
    let (mut sub, mut sup) = (None, None);
    let mut after = from;
    while let Some((place, item)) = next_non_space(items, after) {
        let slot = match item {
            Item::Command("limits" | "nolimits") => {
                after = place + 1;
                continue;
            }
            Item::Char('_') if sub.is_none() => &mut sub,
            Item::Char('^') if sup.is_none() => &mut sup,
            _ => break,
        };
        let Some((place, argument)) = next_non_space(items, place + 1) else { break };
        *slot = Some(argument);
        after = place + 1;
    }
    for (name, script) in [("\\underset", sub), ("\\overset", sup)] {
        match script {
            Some(Item::Group(script)) => {
                out.push_str(name);
                group(script, out);
                out.push('{');
            }
            Some(script) => {
                out.push_str(name);
                group(std::slice::from_ref(script), out);
                out.push('{');
            }
            None => {}
        }
    }
    match inner {
        [only @ Item::Group(_)] if sub.is_some() || sup.is_some() => one(only, out),
        _ => group(inner, out),
    }
    out.extend([sub, sup].iter().flatten().map(|_| '}'));
    after
}

/// Whether these items are a name of letters, which is then appended to `name`.
fn plain_name(items: &[Item], name: &mut String) -> bool {
    items.iter().all(|item| match item {
        Item::Char(c) if c.is_alphanumeric() || *c == '-' => {
            name.push(*c);
            true
        }
        Item::Char('~') | Item::Symbol(',' | ' ' | ';' | ':') => {
            name.push(' ');
            true
        }
        Item::Text { text, .. } => {
            name.push_str(text);
            text.chars().all(|c| c.is_alphanumeric() || c == ' ')
        }
        Item::Group(inner) => plain_name(inner, name),
        Item::Space | Item::Command("rm" | "mathrm" | "mathit" | "sf" | "mathsf" | "roman" | "limits") => true,
        Item::Command("thinspace") | Item::Symbol('!') => true,
        _ => false,
    })
}
