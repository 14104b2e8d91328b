//! Plural forms of messages: the categories of CLDR for whole numbers. The browser asks `Intl.PluralRules` for the same.

use super::Lang;

impl Lang {
    /// The plural forms that a message in this language has, as suffixes of its keys in i18next JSON v4 (`results_count_few`).
    #[must_use]
    pub const fn plural_forms(self) -> &'static [&'static str] {
        match self {
            Self::Zh | Self::Jp | Self::Kor => &["other"],
            Self::En | Self::De => &["one", "other"],
            Self::Spa | Self::Fra => &["one", "many", "other"],
            Self::Ru => &["one", "few", "many", "other"],
            Self::Ara => &["zero", "one", "two", "few", "many", "other"],
        }
    }

    /// The plural form for a number.
    #[must_use]
    pub const fn plural_form(self, count: usize) -> &'static str {
        match self {
            Self::Zh | Self::Jp | Self::Kor => "other",
            Self::En | Self::De => {
                if count == 1 {
                    "one"
                } else {
                    "other"
                }
            }
            Self::Spa | Self::Fra => {
                if count == 1 || (count == 0 && matches!(self, Self::Fra)) {
                    "one"
                } else if count > 0 && count.is_multiple_of(1_000_000) {
                    "many"
                } else {
                    "other"
                }
            }
            Self::Ru => match (count % 10, count / 10 % 10 == 1) {
                (1, false) => "one",
                (2..=4, false) => "few",
                _ => "many",
            },
            Self::Ara => match (count, count % 100) {
                (0, _) => "zero",
                (1, _) => "one",
                (2, _) => "two",
                (_, 3..=10) => "few",
                (_, 11..) => "many",
                _ => "other",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_plural_forms_of_cldr() {
        // As `new Intl.PluralRules(tag).select(count)` has them.
        let expected: [(Lang, &[(usize, &str)]); 9] = [
            (Lang::Zh, &[(0, "other"), (1, "other"), (2, "other")]),
            (Lang::Jp, &[(0, "other"), (1, "other"), (2, "other")]),
            (Lang::Kor, &[(0, "other"), (1, "other"), (2, "other")]),
            (Lang::En, &[(0, "other"), (1, "one"), (2, "other"), (21, "other"), (1_000_000, "other")]),
            (Lang::De, &[(0, "other"), (1, "one"), (2, "other"), (21, "other"), (1_000_000, "other")]),
            (Lang::Spa, &[(0, "other"), (1, "one"), (2, "other"), (999_999, "other"), (1_000_000, "many")]),
            (Lang::Fra, &[(0, "one"), (1, "one"), (2, "other"), (1_000_001, "other"), (2_000_000, "many")]),
            (
                Lang::Ru,
                &[
                    (0, "many"),
                    (1, "one"),
                    (2, "few"),
                    (4, "few"),
                    (5, "many"),
                    (11, "many"),
                    (12, "many"),
                    (14, "many"),
                    (21, "one"),
                    (22, "few"),
                    (111, "many"),
                    (121, "one"),
                ],
            ),
            (
                Lang::Ara,
                &[
                    (0, "zero"),
                    (1, "one"),
                    (2, "two"),
                    (3, "few"),
                    (10, "few"),
                    (11, "many"),
                    (99, "many"),
                    (100, "other"),
                    (102, "other"),
                    (103, "few"),
                    (111, "many"),
                ],
            ),
        ];
        for (lang, numbers) in expected {
            for (count, form) in numbers {
                assert_eq!(lang.plural_form(*count), *form, "{lang} {count}");
                assert!(lang.plural_forms().contains(form), "{lang} {form}");
            }
        }
    }
}
