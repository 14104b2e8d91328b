//! Rows of an article's body.

mod figures_and_tables;
mod node;

use masthead_domain::content::{
    Abstract, ArticleBody, Citation, Contribution, Footnote, KeywordGroup, LangText, Part, RefList, Reference,
    SubArticle,
};

use super::row;

#[cfg(test)]
pub(super) use node::NodeRow;
pub(super) use node::NodesRow;

row! {
    ArticleBodyRow of ArticleBody {
        abstracts: Vec<AbstractRow>,
        abstract_graphic: Vec<AbstractRow>,
        highlights: Vec<PartRow>,
        body: NodesRow,
        floats: NodesRow,
        responses: Vec<SubArticleRow>,
        contributions: Vec<ContributionRow>,
        acknowledgements: Vec<PartRow>,
        supplementary: Vec<PartRow>,
        conflict: Vec<PartRow>,
        ethics: Vec<PartRow>,
        funding: Vec<PartRow>,
        supporting_data: Vec<PartRow>,
        glossary: Vec<PartRow>,
        appendix: Vec<PartRow>,
        notes: Vec<PartRow>,
        footnotes: Vec<FootnoteRow>,
        reference_lists: Vec<RefListRow>,
        sub_articles: Vec<SubArticleRow>,
        offline: bool,
    }
}

row! {
    LangTextRow of LangText {
        lang: String,
        plain: String,
        nodes: NodesRow,
    }
}

row! {
    KeywordGroupRow of KeywordGroup {
        lang: String,
        kind: String,
        title: String,
        items: Vec<NodesRow>,
        plain: Vec<String>,
    }
}

row! {
    AbstractRow of Abstract {
        lang: String,
        kind: String,
        title: Option<LangTextRow>,
        nodes: NodesRow,
    }
}

row! {
    PartRow of Part {
        id: String,
        lang: String,
        label: String,
        title: Option<LangTextRow>,
        nodes: NodesRow,
    }
}

row! {
    ContributionRow of Contribution {
        kind: String as "type",
        part: PartRow,
    }
}

row! {
    FootnoteRow of Footnote {
        id: String,
        label: String,
        kind: String,
        nodes: NodesRow,
    }
}

row! {
    RefListRow of RefList {
        id: String,
        title: Option<LangTextRow>,
        nodes: NodesRow,
        refs: Vec<ReferenceRow>,
    }
}

row! {
    ReferenceRow of Reference {
        id: String,
        label: String,
        citations: Vec<CitationRow>,
        notes: NodesRow,
    }
}

row! {
    CitationRow of Citation {
        id: String,
        lang: String,
        kind: String,
        nodes: NodesRow,
        plain: String,
        doi: String,
        url: String,
        title: String,
        source: String,
        year: String,
        first_author: String,
        ids: Vec<(String, String)>,
    }
}

row! {
    SubArticleRow of SubArticle {
        id: String,
        kind: String as "type",
        lang: String,
        doi: String,
        titles: Vec<LangTextRow>,
        authors: Vec<String>,
        affiliations: Vec<String>,
        notes: Vec<LangTextRow>,
        keywords: Vec<KeywordGroupRow>,
        body: ArticleBodyRow,
    }
}
