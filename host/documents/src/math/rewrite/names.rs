//! Tables of commands and environments by name.

/// The replacement of a command that the parser does not support.
pub(super) fn replaced(word: &str) -> Option<&'static str> {
    Some(match word {
        "upalpha" => "\\alpha",
        "upbeta" => "\\beta",
        "upgamma" => "\\gamma",
        "updelta" => "\\delta",
        "upepsilon" | "upvarepsilon" => "\\varepsilon",
        "uplambda" => "\\lambda",
        "upmu" | "micro" => "\\mu",
        "upnu" => "\\nu",
        "uppi" => "\\pi",
        "uprho" => "\\rho",
        "upsigma" => "\\sigma",
        "uptau" => "\\tau",
        "upvarphi" => "\\varphi",
        "upphi" => "\\phi",
        "upchi" => "\\chi",
        "upomega" => "\\omega",
        "uptheta" => "\\theta",
        "upeta" => "\\eta",
        "frak" => "\\mathfrak",
        "Bbb" => "\\mathbb",
        "mathscr" | "EuScript" | "mathpzc" => "\\mathcal",
        "scr" => "\\cal",
        "boldmath" | "nonumber" | "notag" | "hfill" | "displaylimits" | "unboldmath" | "textcircled" | "protect"
        | "scriptsize" | "footnotesize" | "small" | "large" | "Large" | "normalsize" | "tiny" | "huge" | "Huge"
        | "LARGE" | "allowbreak" | "noindent" | "centering" | "relax" | "upshape" | "nobreak" | "null" | "hfil"
        | "smash" | "ensuremath" | "mathstrut" | "strut" | "boxed" | "mathclap" | "mathllap" | "mathrlap"
        | "vcenter" | "mathlarger" | "sout" | "bcancel" | "xcancel" | "llap" | "rlap" => "",
        "lt" => "<",
        "gt" => ">",
        "cdotp" => "\\cdot",
        "em" | "sl" | "itshape" | "emph" => "\\it",
        "bfseries" => "\\bf",
        "circledS" => "Ⓢ",
        "Game" => "⅁",
        "degree" | "textdegree" => "{}^{\\circ}",
        "permil" | "textperthousand" | "perthousand" => "‰",
        "AA" | "angstrom" => "Å",
        "pmb" | "bm" | "boldsymbol" => "\\boldsymbol",
        "dddot" => "\\overset{...}",
        "nicefrac" | "sfrac" => "\\tfrac",
        "varliminf" => "\\underline{\\lim}",
        "varlimsup" => "\\overline{\\lim}",
        "mathds" | "mathbbm" => "\\mathbb",
        "celsius" | "textcelsius" => "{}^{\\circ}\\mathrm{C}",
        "ohm" => "\\Omega",
        "textmu" => "\\mu",
        "mod" => "\\;\\mathrm{mod}\\;",
        "llbracket" => "⟦",
        "rrbracket" => "⟧",
        "slash" => "/",
        "textbackslash" => "\\backslash",
        "textless" => "<",
        "textgreater" => ">",
        "textasciitilde" => "∼",
        "textsuperscript" => "{}^",
        "textsubscript" => "{}_",
        "hdotsfor" => "\\ldots",
        "upGamma" | "Upgamma" => "Γ",
        "upDelta" | "Updelta" => "Δ",
        "upTheta" | "Uptheta" => "Θ",
        "upLambda" | "Uplambda" => "Λ",
        "upPi" | "Uppi" => "Π",
        "upSigma" | "Upsigma" => "Σ",
        "upPhi" | "Upphi" => "Φ",
        "upPsi" | "Uppsi" => "Ψ",
        "upOmega" | "Upomega" => "Ω",
        "coloneqq" | "coloneq" => "≔",
        "eqqcolon" => "≕",
        "defeq" => "≝",
        "triangleq" => "≜",
        "aa" => "å",
        "ss" => "ß",
        "leftarrow" => "←",
        "leftrightarrow" => "↔",
        "rightarrow" => "→",
        "leftharpoonup" => "↼",
        "leftharpoondown" => "↽",
        "rightharpoonup" => "⇀",
        "rightharpoondown" => "⇁",
        "rightleftharpoons" => "⇌",
        "leftrightharpoons" => "⇋",
        "leftarrowtail" => "↢",
        "rightarrowtail" => "↣",
        "leftleftarrows" => "⇇",
        "rightrightarrows" => "⇉",
        "leftrightarrows" => "⇆",
        "rightleftarrows" => "⇄",
        "leftrightsquigarrow" => "↭",
        "rightsquigarrow" => "⇝",
        "leftthreetimes" => "⋋",
        "rightthreetimes" => "⋌",
        "leftmodels" => "⊨",
        _ => return None,
    })
}

/// The font command that the parser supports for a text command.
pub(super) fn text_font(word: &str) -> Option<&'static str> {
    Some(match word {
        "text" | "mbox" | "hbox" | "textnormal" | "fbox" | "textup" | "textsc" | "textmd" | "intertext"
        | "mathtext" | "textsl" => "text",
        "textrm" => "textrm",
        "textbf" => "textbf",
        "textit" | "textem" => "textit",
        "textsf" => "textsf",
        "texttt" => "texttt",
        _ => return None,
    })
}

/// Whether a command has one argument and no visible effect (labels, page styles, phantoms).
pub(super) fn is_invisible(word: &str) -> bool {
    matches!(word, "label" | "vspace" | "thispagestyle" | "pagestyle" | "phantom" | "hphantom" | "vphantom")
}

/// The supported environment for the name of one; "" for those that differ from a plain formula in numbering only.
pub(super) fn environment(name: &str) -> Option<&'static str> {
    Some(match name {
        "equation" | "equation*" | "displaymath" | "math" | "subequations" => "",
        "eqnarray" | "eqnarray*" | "align" | "align*" | "alignat" | "alignat*" | "alignedat" | "flalign"
        | "flalign*" | "aligned" | "split" | "subeqnarray" | "IEEEeqnarray" | "IEEEeqnarray*" | "eqnalign"
        | "xalignat" => "aligned",
        "gather" | "gather*" | "multline" | "multline*" | "gathered" | "multlined" => "gathered",
        "array" | "tabular" => "array",
        "subarray" => "subarray",
        "darray" => "darray",
        "matrix" => "matrix",
        "matrix*" => "matrix*",
        "pmatrix" => "pmatrix",
        "pmatrix*" => "pmatrix*",
        "bmatrix" => "bmatrix",
        "bmatrix*" => "bmatrix*",
        "Bmatrix" => "Bmatrix",
        "Bmatrix*" => "Bmatrix*",
        "vmatrix" => "vmatrix",
        "vmatrix*" => "vmatrix*",
        "Vmatrix" => "Vmatrix",
        "Vmatrix*" => "Vmatrix*",
        "smallmatrix" => "smallmatrix",
        "cases" | "numcases" => "cases",
        "dcases" => "dcases",
        "rcases" => "rcases",
        "drcases" => "drcases",
        _ => return None,
    })
}

/// Whether an environment has an argument with its columns or their number.
pub(super) fn has_columns(name: &str) -> bool {
    matches!(
        name,
        "array"
            | "tabular"
            | "darray"
            | "subarray"
            | "alignat"
            | "alignat*"
            | "alignedat"
            | "xalignat"
            | "IEEEeqnarray"
            | "IEEEeqnarray*"
            | "numcases"
    )
}

/// Whether an operator takes `\limits`.
pub(super) fn takes_limits(word: &str) -> bool {
    let large = word.starts_with("big") && !matches!(word, "big" | "bigl" | "bigr" | "bigm" | "bigstar");
    large
        || matches!(
            word,
            "sum"
                | "prod"
                | "coprod"
                | "int"
                | "iint"
                | "iiint"
                | "iiiint"
                | "oint"
                | "oiint"
                | "intop"
                | "lim"
                | "max"
                | "min"
                | "sup"
                | "inf"
                | "limsup"
                | "liminf"
                | "Pr"
                | "gcd"
                | "mathop"
                | "operatorname"
        )
}

/// A growing bracket in the form that the parser takes after `\left`.
pub(super) fn bracket(command: &str) -> Option<&'static str> {
    Some(match command {
        "lt" | "langle" | "left<" => "\\langle ",
        "gt" | "rangle" => "\\rangle ",
        "lbrace" => "\\{",
        "rbrace" => "\\}",
        "lbrack" => "[",
        "rbrack" => "]",
        "lparen" => "(",
        "rparen" => ")",
        "lfloor" => "\\lfloor ",
        "rfloor" => "\\rfloor ",
        "lceil" => "\\lceil ",
        "rceil" => "\\rceil ",
        "vert" => "\\vert ",
        "lvert" => "\\lvert ",
        "rvert" => "\\rvert ",
        "mid" => "|",
        "Vert" | "parallel" => "\\Vert ",
        "lVert" => "\\lVert ",
        "rVert" => "\\rVert ",
        "backslash" => "\\backslash ",
        "lgroup" => "\\lgroup ",
        "rgroup" => "\\rgroup ",
        "lmoustache" => "\\lmoustache ",
        "rmoustache" => "\\rmoustache ",
        "ulcorner" => "\\ulcorner ",
        "urcorner" => "\\urcorner ",
        "llcorner" => "\\llcorner ",
        "lrcorner" => "\\lrcorner ",
        "uparrow" => "\\uparrow ",
        "Uparrow" => "\\Uparrow ",
        "downarrow" => "\\downarrow ",
        "Downarrow" => "\\Downarrow ",
        "updownarrow" => "\\updownarrow ",
        "Updownarrow" => "\\Updownarrow ",
        "llbracket" => "⟦",
        "rrbracket" => "⟧",
        _ => return None,
    })
}

/// As [`bracket`], for a character.
pub(super) fn bracket_char(c: char) -> Option<String> {
    match c {
        '<' | '\u{2329}' | '\u{3008}' => Some("\\langle ".to_owned()),
        '>' | '\u{232a}' | '\u{3009}' => Some("\\rangle ".to_owned()),
        '∣' => Some("|".to_owned()),
        '∥' => Some("‖".to_owned()),
        '(' | ')' | '[' | ']' | '|' | '/' | '⟨' | '⟩' | '⟦' | '⟧' | '⌊' | '⌋' | '⌈' | '⌉' | '‖' | '↑' | '↓' | '↕' => {
            Some(c.to_string())
        }
        _ => None,
    }
}
