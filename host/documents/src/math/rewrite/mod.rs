//! Rewrites TeX as people and programs write it to TeX that the parser accepts: one pass to a tree, one back to text.

mod names;
mod parse;
mod write;

/// The formula with constructs that the parser does not support replaced: `{a \over b}` by `\frac`, formulas in text by
/// formulas, `\left` without `\right` by pairs, rows outside environments by environments, double scripts by single ones.
pub(super) fn rewritten(tex: &str) -> String {
    let mut out = String::with_capacity(tex.len() + tex.len() / 4);
    write::list(&parse::parsed(tex), &mut out);
    out
}

/// One item of a formula.
#[derive(Clone, Debug, PartialEq)]
enum Item<'a> {
    /// `\alpha`, without its backslash.
    Command(&'a str),
    /// `\{`, without its backslash.
    Symbol(char),
    Char(char),
    Space,
    /// `&`
    Cell,
    /// `\\`
    Row,
    Group(Vec<Item<'a>>),
    /// `\left( ... \right)`; `open` and `close` in the form in which they are written.
    Pair {
        open: String,
        inner: Vec<Item<'a>>,
        close: String,
    },
    Environment {
        name: &'static str,
        columns: String,
        inner: Vec<Item<'a>>,
    },
    /// Text within a formula, with the command of its font.
    Text {
        font: &'static str,
        text: String,
    },
}

impl Item<'_> {
    fn is_command(&self, command: &str) -> bool {
        matches!(self, Self::Command(name) if *name == command)
    }
}

/// The first item from `from` on that is not a space, with its index.
fn next_non_space<'i, 'a>(items: &'i [Item<'a>], from: usize) -> Option<(usize, &'i Item<'a>)> {
    items.iter().enumerate().skip(from).find(|(_, item)| **item != Item::Space)
}

#[cfg(test)]
mod tests {
    use super::rewritten;

    #[track_caller]
    fn same(tex: &str, expected: &str) {
        assert_eq!(rewritten(tex), expected, "{tex}");
    }

    #[test]
    fn fractions_of_old_tex() {
        same("{a \\over b}", "{\\frac{a }{ b}}");
        same("1 \\over \\alpha x", "\\frac{1 }{ \\alpha x}");
        same("{n \\choose k}+{a\\atop b}", "{\\binom{n }{ k}}+{\\genfrac{}{}{0pt}{}{a}{ b}}");
        same("\\left(a\\over b\\right)^2", "\\left(\\frac{a}{ b}\\right)^2");
        same("\\buildrel\\rm def\\over=", "\\overset{\\rm def}{=}");
        same("\\begin{matrix}a\\over b&c\\end{matrix}", "\\begin{matrix}\\frac{a}{ b}&c\\end{matrix}");
    }

    #[test]
    fn formulas_in_text() {
        same("\\text{if $x>0$ holds}", "{\\text{if }x>0\\text{ holds}}");
        same("\\mbox{5\\% of \\(n\\)}_i", "{\\text{5}\\%\\text{ of }n}_i");
        same("\\textrm{a {b} c}", "\\textrm{a b c}");
        same("\\text{in \\mu m}", "{\\text{in }\\mu\\text{m}}");
        same("\\text x", "\\text{x}");
        same("a \\textrm", "a \\textrm{}");
    }

    #[test]
    fn brackets_that_belong_together() {
        same("\\left(a", "\\left(a\\right.");
        same("a\\right)+b", "a)+b");
        same("a\\right.", "a");
        same("{\\left[x}", "{\\left[x\\right.}");
        same("\\left \\lt a\\right >", "\\left\\langle a\\right\\rangle ");
        same("\\left(a\\leftrightarrow b\\right)", "\\left(a↔ b\\right)");
        same("\\left\\mathrm{x}\\right.", "\\left.\\mathrm{x}\\right.");
        same(
            "\\begin{aligned}\\left(a\\\\b\\right)\\end{aligned}",
            "\\begin{aligned}\\left(a\\right.\\\\b)\\end{aligned}",
        );
        same("\\Bigl|x\\Bigr|\\big_0", "\\Bigl|x\\Bigr|_0");
        same("\\Bigl|x\\Bigr|^2", "\\Bigl|x{\\Bigr|}^2");
        same("{a}}", "{a}");
        same("{a", "{a}");
    }

    #[test]
    fn rows_and_columns() {
        same("a\\\\", "a");
        same("a\\\\b", "\\begin{gathered}a\\\\b\\end{gathered}");
        same("a&=b\\\\&=c", "\\begin{aligned}a&=b\\\\&=c\\end{aligned}");
        same("\\begin{aligned}[b]a\\\\[-10pt]\\end{aligned}", "\\begin{aligned}a\\end{aligned}");
        same("\\begin{eqnarray}a&=&b\\end{eqnarray}", "\\begin{aligned}a&=&b\\end{aligned}");
        same("\\begin{alignat}{2}a&b\\end{alignat}", "\\begin{aligned}a&b\\end{aligned}");
        same("\\begin{array} { *{2} { c } @{ } p{3cm} } a\\end{array}", "\\begin{array}{ccl} a\\end{array}");
        same("\\begin{array}{c}a&b&c\\end{array}", "\\begin{array}{ccc}a&b&c\\end{array}");
        same("\\begin{equation}a\\end{equation}", "a");
        same("\\begin{cases}a&b&c\\end{cases}", "\\left\\{\\begin{array}{lll}a&b&c\\end{array}\\right.");
        same("\\begin{array}{c}a", "\\begin{array}{c}a\\end{array}");
        same("\\sum_{\\substack{a\\\\b}}x", "\\sum_{\\begin{subarray}{c}a\\\\b\\end{subarray}}x");
    }

    #[test]
    fn scripts_that_are_complete() {
        same("x _ { 0 } ^ { 1 } _2", "x_{ 0 }^{ 1 }{}_2");
        same("x^", "x^{}");
        same("^2", "{}^2");
        same("{_2^3}X", "{{}_2^3}X");
        same("a^\\prime_b^c", "a^\\prime_b{}^c");
    }

    #[test]
    fn operators_with_limits() {
        same("\\mathop{\\rm lim}\\limits_{n}", "\\mathop{lim}\\limits_{n}");
        same("\\operatorname*{arg\\,max}_x", "\\mathop{arg max}_x");
        same("\\operatorname{a\\_b}x", "{\\mathrm{a\\_b}}x");
        same("\\mathop{{\\mathscr{A}}}\\limits^{\\sim }_0", "\\underset{0}{\\overset{\\sim }{{\\mathcal{A}}}}");
        same("\\mathop \\sum _i", "\\sum_i");
        same("x\\limits_i", "x_i");
    }

    #[test]
    fn signs_out_of_place() {
        same("$a$ b$", "a b");
        same("a % b\n+c", "a +c");
        same("50%", "50\\%");
        same("a#1", "a\\#1");
        same("a\\hspace*{1em}b\\kern-3pt c\\mkern4mud", "a\\quad b\\! c\\,d");
        same("\\char65\\char 刊", "A 刊");
        same("\\color{red}x\\textcolor[rgb]{1,0,0}{y}", "x{y}");
        same("a\\label{e}\\tag{7}", "a\\qquad(\\text{7})");
        same("\\", "");
        same("\\bigoplus\\rightarrowx\\alpha1", "\\bigoplus\\rightarrowx\\alpha1");
    }
}
