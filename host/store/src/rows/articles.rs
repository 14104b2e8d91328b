//! Rows of articles: metadata, files, and the cards of lists.

use masthead_domain::{
    Doi,
    article::{
        Affiliation, ArticleFile, ArticleMeta, Contributor, Dates, Funding, JournalRef, RelatedArticle, Withdrawal,
    },
    card::{ArticleCard, CardNames, CardText},
    notice::NoticeMark,
};

use super::{
    Lenient, LocalTextRow,
    content::{KeywordGroupRow, LangTextRow, NodesRow},
    row,
};

row! {
    ArticleFileRow of ArticleFile {
        name: String,
        address: String,
        offered: bool where not "std::ops::Not::not",
    }
}

row! {
    ArticleMetaRow of ArticleMeta {
        source_key: String,
        doi: Option<Doi>,
        ids: Vec<(String, String)>,
        article_type: String,
        language: String,
        titles: Vec<LangTextRow>,
        subtitles: Vec<LangTextRow>,
        subjects: Vec<String>,
        subject_names: Vec<LocalTextRow> where not "Vec::is_empty",
        journal: JournalRefRow,
        year: Option<i32>,
        volume: String,
        issue: String,
        part: String,
        first_page: String,
        last_page: String,
        elocation_id: String,
        contributors: Vec<ContributorRow>,
        affiliations: Vec<AffiliationRow>,
        author_notes: Vec<LangTextRow>,
        keywords: Vec<KeywordGroupRow>,
        dates: DatesRow,
        funding: Vec<FundingRow>,
        copyright: String,
        license: NodesRow,
        license_url: String,
        related: Vec<RelatedArticleRow>,
        reference_count: u32,
        first_status: i32,
        open_access: bool,
        pdf: String,
    }
}

row! {
    JournalRefRow of JournalRef {
        title: String,
        trans_titles: Vec<(String, String)>,
        abbrev: String,
        issn: Vec<String>,
        publisher: String,
    }
}

row! {
    ContributorRow of Contributor {
        role: String,
        surname: String,
        given_names: String,
        suffix: String,
        collab: String,
        alternatives: Vec<(String, String)>,
        orcid: String,
        email: String,
        affiliations: Vec<String>,
        corresponding: bool,
        equal: bool,
        credit: Vec<String>,
        bio: NodesRow,
        marks: Vec<String>,
        address: String,
        group: String,
    }
}

row! {
    AffiliationRow of Affiliation {
        id: String,
        label: String,
        lang: String,
        text: String,
        country: String,
        institution_id: String,
        contact: String,
    }
}

row! {
    DatesRow of Dates {
        received: String,
        revised: String,
        accepted: String,
        print: String,
        online: String,
    }
}

row! {
    FundingRow of Funding {
        source: String,
        source_id: String,
        awards: Vec<String>,
        recipients: Vec<String>,
    }
}

row! {
    RelatedArticleRow of RelatedArticle {
        kind: String,
        href: String,
        text: String,
    }
}

row! {
    WithdrawalRow of Withdrawal {
        date: String,
        reason: LocalTextRow,
    }
}

row! {
    ArticleCardRow of ArticleCard {
        id: i64,
        doi: Option<Doi>,
        article_type: String,
        language: String,
        titles: Vec<CardTextRow>,
        authors: Vec<String>,
        author_names: Vec<CardNamesRow> where not "Vec::is_empty",
        author_count: usize,
        journal: String,
        year: i32,
        volume: String,
        issue: String,
        pages: String,
        published: String,
        subject: String,
        summaries: Vec<CardTextRow>,
        first_status: i32,
        open_access: bool,
        notice: Lenient<NoticeMark>,
    }
}

row! {
    CardNamesRow of CardNames {
        lang: String,
        names: Vec<String>,
    }
}

row! {
    CardTextRow of CardText {
        lang: String,
        plain: String,
        html: String,
    }
}
