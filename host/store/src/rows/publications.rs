//! Rows of journals and issues.

use masthead_domain::publication::{Issue, Journal};

use super::{LocalTextRow, row};

row! {
    JournalRow of Journal {
        key: String,
        title: LocalTextRow,
        introduction: LocalTextRow,
        issn: String,
        eissn: String,
        cn: String,
        sponsor: LocalTextRow,
        supervisor: LocalTextRow,
        editor_in_chief: LocalTextRow,
        frequency: LocalTextRow,
        start_year: Option<i32>,
        impact_factor: String,
        databases: Vec<String>,
        readership: LocalTextRow,
        cover: String,
        position: i64,
        shown: bool where not "std::ops::Not::not",
    }
}

row! {
    IssueRow of Issue {
        journal: String,
        year: i32,
        volume: String,
        issue: String,
        date: String,
        title: LocalTextRow,
        cover: String,
        sections: Vec<String> where not "Vec::is_empty",
        articles: Vec<String> where not "Vec::is_empty",
        shown: bool where not "std::ops::Not::not",
    }
}
