//! Languages as libraries write them: ISO 639-2 in both forms, to BCP 47.

const CODES: &[(&str, &str)] = &[
    ("alb", "sq"),
    ("ara", "ar"),
    ("arm", "hy"),
    ("baq", "eu"),
    ("bel", "be"),
    ("ben", "bn"),
    ("bod", "bo"),
    ("tib", "bo"),
    ("bul", "bg"),
    ("bur", "my"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("cze", "cs"),
    ("cym", "cy"),
    ("wel", "cy"),
    ("dan", "da"),
    ("dut", "nl"),
    ("nld", "nl"),
    ("ell", "el"),
    ("gre", "el"),
    ("est", "et"),
    ("fas", "fa"),
    ("per", "fa"),
    ("fin", "fi"),
    ("geo", "ka"),
    ("gle", "ga"),
    ("glg", "gl"),
    ("heb", "he"),
    ("hin", "hi"),
    ("hrv", "hr"),
    ("scr", "hr"),
    ("hun", "hu"),
    ("ice", "is"),
    ("isl", "is"),
    ("ind", "id"),
    ("kat", "ka"),
    ("kaz", "kk"),
    ("khm", "km"),
    ("lao", "lo"),
    ("lat", "la"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("mac", "mk"),
    ("mkd", "mk"),
    ("may", "ms"),
    ("msa", "ms"),
    ("mon", "mn"),
    ("nob", "nb"),
    ("nno", "nn"),
    ("nor", "no"),
    ("pol", "pl"),
    ("ron", "ro"),
    ("rum", "ro"),
    ("san", "sa"),
    ("scc", "sr"),
    ("srp", "sr"),
    ("slk", "sk"),
    ("slo", "sk"),
    ("slv", "sl"),
    ("swe", "sv"),
    ("tam", "ta"),
    ("tel", "te"),
    ("tha", "th"),
    ("tur", "tr"),
    ("uig", "ug"),
    ("ukr", "uk"),
    ("urd", "ur"),
    ("uzb", "uz"),
    ("vie", "vi"),
    ("yid", "yi"),
];

/// The BCP 47 tag of a code or tag; "" for none.
pub(super) fn tag(code: &str) -> String {
    let tag = crate::jats::tag(code);
    CODES.iter().find(|(long, _)| *long == tag).map_or(tag, |(_, short)| (*short).to_owned())
}

#[cfg(test)]
mod tests {
    use super::tag;

    #[test]
    fn codes_of_libraries_become_tags() {
        for (code, wanted) in
            [("swe", "sv"), ("chi", "zh"), ("ENG", "en"), ("zh_CN", "zh-CN"), ("grc", "grc"), ("", "")]
        {
            assert_eq!(tag(code), wanted);
        }
    }
}
