//! The names of fields in a typed query: those of the specification, and those that readers use.

use super::{
    request::{Field, Target},
    typos,
};
use crate::entry::ExactField;

/// The names with their fields. Capitals and small letters are the same.
const FIELDS: [(&str, Target); 65] = [
    ("resName_tic", Target::Part(Field::Title)),
    ("enResName_tic", Target::Part(Field::Title)),
    ("publicationName", Target::Part(Field::Publication)),
    ("title", Target::Part(Field::Title)),
    ("ti", Target::Part(Field::Title)),
    ("题名", Target::Part(Field::Title)),
    ("标题", Target::Part(Field::Title)),
    ("篇名", Target::Part(Field::Title)),
    ("keyword_tic", Target::Part(Field::Keywords)),
    ("keyWords_tic", Target::Part(Field::Keywords)),
    ("keywordExt_tic", Target::Part(Field::Keywords)),
    ("keyword", Target::Part(Field::Keywords)),
    ("keywords", Target::Part(Field::Keywords)),
    ("kw", Target::Part(Field::Keywords)),
    ("关键词", Target::Part(Field::Keywords)),
    ("关键字", Target::Part(Field::Keywords)),
    ("authors_tic", Target::Part(Field::Authors)),
    ("author", Target::Part(Field::Authors)),
    ("authors", Target::Part(Field::Authors)),
    ("au", Target::Part(Field::Authors)),
    ("作者", Target::Part(Field::Authors)),
    ("authorCompany_tic", Target::Part(Field::Company)),
    ("organizerUnit", Target::Part(Field::Company)),
    ("affiliation", Target::Part(Field::Company)),
    ("institution", Target::Part(Field::Company)),
    ("单位", Target::Part(Field::Company)),
    ("机构", Target::Part(Field::Company)),
    ("作者单位", Target::Part(Field::Company)),
    ("summary_tic", Target::Part(Field::Summary)),
    ("noteChinese_tic", Target::Part(Field::Summary)),
    ("summary", Target::Part(Field::Summary)),
    ("abstract", Target::Part(Field::Summary)),
    ("ab", Target::Part(Field::Summary)),
    ("摘要", Target::Part(Field::Summary)),
    ("thesis_tic", Target::Part(Field::Body)),
    ("en_Thesis_tic", Target::Part(Field::Body)),
    ("fulltext", Target::Part(Field::Body)),
    ("text", Target::Part(Field::Body)),
    ("全文", Target::Part(Field::Body)),
    ("正文", Target::Part(Field::Body)),
    ("fund", Target::Part(Field::Fund)),
    ("funding", Target::Part(Field::Fund)),
    ("funder", Target::Part(Field::Fund)),
    ("基金", Target::Part(Field::Fund)),
    ("资助", Target::Part(Field::Fund)),
    ("journal", Target::Part(Field::Publication)),
    ("刊名", Target::Part(Field::Publication)),
    ("期刊", Target::Part(Field::Publication)),
    ("doi", Target::Doi),
    ("part", Target::Exact(ExactField::Part)),
    ("firstPageNum", Target::Exact(ExactField::FirstPage)),
    ("首页", Target::Exact(ExactField::FirstPage)),
    ("lastPageNum", Target::Exact(ExactField::LastPage)),
    ("末页", Target::Exact(ExactField::LastPage)),
    ("cn", Target::Exact(ExactField::Cn)),
    ("刊号", Target::Exact(ExactField::Cn)),
    ("issn", Target::Exact(ExactField::Issn)),
    ("isbn", Target::Exact(ExactField::Isbn)),
    ("书号", Target::Exact(ExactField::Isbn)),
    ("year", Target::Year),
    ("py", Target::Year),
    ("年", Target::Year),
    ("年份", Target::Year),
    ("all", Target::Everything),
    ("全部", Target::Everything),
];

/// What separates the name of a field from its text.
pub const COLONS: [char; 2] = [':', '：'];

/// A field with the name by which it was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name, as in the table of names.
    pub name: &'static str,
    /// What it names.
    pub target: Target,
}

/// The field of a name. `None` for an unknown name.
pub fn named(name: &str) -> Option<Named> {
    let found = FIELDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(name, target)| Named { name, target: *target })
}

/// The field of a condition, by a name of the specification or another one; "" and 0 are all fields. `None` for an unknown name.
#[must_use]
pub fn target(name: &str) -> Option<Target> {
    match name.trim() {
        "" | "0" => Some(Target::Everything),
        name => named(name).map(|named| named.target),
    }
}

/// A name of a field, one that readers use if it has such a name; `None` for all fields.
pub fn name_of(target: Target) -> Option<Named> {
    if target == Target::Everything {
        return None;
    }
    let names = FIELDS.iter().filter(|(_, known)| *known == target).map(|(name, _)| *name);
    // Those of the specification have capitals or low lines.
    let name = names.min_by_key(|name| !name.bytes().all(|byte| byte.is_ascii_lowercase()))?;
    Some(Named { name, target })
}

/// The name that was probably meant by an unknown one.
pub fn nearest(name: &str) -> Option<&'static str> {
    let typed: Vec<char> = name.chars().take(24).flat_map(char::to_lowercase).collect();
    let most = match typed.len() {
        0..=3 => return None,
        4..=6 => 1,
        _ => 2,
    };
    let near = FIELDS.iter().filter_map(|(known, _)| {
        let letters: Vec<char> = known.chars().flat_map(char::to_lowercase).collect();
        let distance = typos::distance(&typed, &letters, most)?;
        (distance > 0).then_some((distance, *known))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_the_specification_has_its_name() {
        for name in [
            "resName_tic",
            "keyword_tic",
            "authors_tic",
            "authorCompany_tic",
            "summary_tic",
            "doi",
            "part",
            "firstPageNum",
            "lastPageNum",
            "noteChinese_tic",
            "keyWords_tic",
            "thesis_tic",
            "enResName_tic",
            "keywordExt_tic",
            "en_Thesis_tic",
            "publicationName",
            "organizerUnit",
            "cn",
            "issn",
            "isbn",
            "",
            "0",
            "all",
        ] {
            assert!(target(name).is_some(), "{name}");
        }
        assert_eq!(target(" Title "), Some(Target::Part(Field::Title)));
        assert_eq!(target("作者"), Some(Target::Part(Field::Authors)));
        assert_eq!(target("price"), None);
    }

    #[test]
    fn every_field_has_a_name() {
        for (name, target) in FIELDS {
            assert_eq!(name_of(target).map_or(Target::Everything, |named| named.target), target, "{name}");
        }
        assert_eq!(name_of(Target::Part(Field::Title)).map(|named| named.name), Some("title"));
        assert_eq!(name_of(Target::Exact(ExactField::FirstPage)).map(|named| named.name), Some("firstPageNum"));
    }

    #[test]
    fn a_name_belongs_to_one_field() {
        for (index, (name, _)) in FIELDS.iter().enumerate() {
            let twice = FIELDS[index + 1..].iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
            // The specification writes one field in two ways.
            assert!(!twice || name.eq_ignore_ascii_case("keyword_tic"), "{name}");
            assert!(name.chars().all(|c| c.is_alphanumeric() || c == '_'), "{name} can be typed as one word");
        }
    }

    #[test]
    fn mistyped_names_have_a_suggestion_and_others_have_none() {
        assert_eq!(nearest("titel"), Some("title"));
        assert_eq!(nearest("auhtor"), Some("author"));
        assert_eq!(nearest("resname_tc"), Some("resName_tic"));
        for other in ["title", "RNA", "site", "http", "", &"x".repeat(90_000)] {
            assert_eq!(nearest(other), None, "{}", other.len());
        }
    }
}
