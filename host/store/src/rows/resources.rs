//! Rows of resources: a row for each kind, in the order of the fields of its type.

use masthead_domain::{
    Doi,
    resource::{
        Album, Attachment, Audio, Board, BoardSeat, Book, BookContributor, Collection, Column, Comment, CommentState,
        Composite, CompositeBlock, Conference, Document, DocumentType, Expert, FriendLink, Information, News, NewsType,
        Patent, Picture, RankList, RankMeasure, Renditions, Role, Standard, TableSheet, Tool, Topic, Video, Wechat,
    },
};

use super::{ItemsRow, Lenient, LocalTextRow, row};

row! {
    VideoRow of Video {
        key: String,
        title: LocalTextRow,
        introduction: LocalTextRow,
        keywords: LocalTextRow,
        thesis: LocalTextRow,
        article_key: String,
        kind: String as "type",
        speakers: Vec<String>,
        date: String,
        seconds: u32,
        file: String,
        cover: String,
        captions: LocalTextRow,
        transcript: LocalTextRow,
    }
}

row! {
    AudioRow of Audio {
        key: String,
        title: LocalTextRow,
        introduction: LocalTextRow,
        keywords: LocalTextRow,
        thesis: LocalTextRow,
        article_key: String,
        speakers: Vec<String>,
        date: String,
        seconds: u32,
        file: String,
        cover: String,
        transcript: LocalTextRow,
    }
}

row! {
    BookRow of Book {
        key: String,
        isbn: String,
        title: LocalTextRow,
        subtitle: LocalTextRow,
        edition: String,
        publisher: String,
        chief_editor: String,
        contributors: Vec<BookContributorRow>,
        first_published: String,
        language: String,
        introduction: LocalTextRow,
        catalogue: Vec<String>,
        subjects: Vec<String>,
        pages: u32,
        cover: String,
    }
}

row! {
    BookContributorRow of BookContributor {
        name: String,
        role: String,
        bio: String,
    }
}

row! {
    PatentRow of Patent {
        key: String,
        title: LocalTextRow,
        introduction: LocalTextRow,
        application_number: String,
        publication_number: String,
        applicants: Vec<String>,
        inventors: Vec<String>,
        ipc: Vec<String>,
        applied: String,
        date: String,
        legal_state: String,
    }
}

row! {
    StandardRow of Standard {
        key: String,
        number: String,
        title: LocalTextRow,
        introduction: LocalTextRow,
        organization: LocalTextRow,
        ics: Vec<String>,
        date: String,
        effective: String,
        replaces: Vec<String>,
        standing: String,
    }
}

row! {
    DocumentRow of Document {
        key: String,
        kind: Lenient<DocumentType> as "type",
        title: LocalTextRow,
        introduction: LocalTextRow,
        authors: Vec<String>,
        keywords: Vec<String>,
        date: String,
        file: String,
        cover: String,
    }
}

row! {
    ToolRow of Tool {
        key: String,
        title: LocalTextRow,
        introduction: LocalTextRow,
        link_value: String,
        icon: String,
        position: i64,
    }
}

row! {
    CollectionRow of Collection {
        key: String,
        index_id: String,
        title: LocalTextRow,
        introduction: LocalTextRow,
        cover: String,
        date: String,
        position: i64,
        items: ItemsRow,
    }
}

row! {
    AlbumRow of Album {
        key: String,
        title: LocalTextRow,
        introduction: LocalTextRow,
        cover: String,
        date: String,
        position: i64,
        items: ItemsRow,
    }
}

row! {
    CompositeRow of Composite {
        key: String,
        title: LocalTextRow,
        date: String,
        blocks: Vec<CompositeBlockRow>,
    }
}

row! {
    CompositeBlockRow of CompositeBlock {
        title: LocalTextRow,
        content: LocalTextRow,
        items: ItemsRow,
    }
}

row! {
    TopicRow of Topic {
        key: String,
        title: LocalTextRow,
        introduction: LocalTextRow,
        position: i64,
        items: ItemsRow,
    }
}

row! {
    RankListRow of RankList {
        key: String,
        title: LocalTextRow,
        measure: Lenient<RankMeasure>,
        months: u32,
        journal: String,
        size: u32,
        position: i64,
    }
}

row! {
    CommentRow of Comment {
        key: String,
        article: i64,
        author: String,
        text: String,
        date: String,
        state: Lenient<CommentState>,
    }
}

row! {
    ConferenceRow of Conference {
        key: String,
        title: LocalTextRow,
        content: LocalTextRow,
        place: LocalTextRow,
        organizer: LocalTextRow,
        start: String,
        end: String,
        deadline: String,
        link_value: String,
        cover: String,
    }
}

row! {
    ExpertRow of Expert {
        key: String,
        name: LocalTextRow,
        position_title: LocalTextRow,
        organization: LocalTextRow,
        fields: LocalTextRow,
        bio: LocalTextRow,
        photo: String,
        orcid: String,
        homepage: String,
        topic: String,
        position: i64,
    }
}

row! {
    SeatRow of BoardSeat {
        role: Lenient<Role>,
        expert: String,
    }
}

row! {
    BoardRow of Board {
        key: String,
        journal: String,
        title: LocalTextRow,
        date: String,
        position: i64,
        seats: Vec<SeatRow>,
    }
}

row! {
    RenditionsRow of Renditions {
        small: String,
        big: String,
        original: String,
        width: u32,
        height: u32,
    }
}

/// Declares the row of a figure or table: the columns that both have, with the ones of one kind before `pictures`.
macro_rules! figure_or_table_row {
    ($row:ident of $value:ident { $($own:tt)* }) => {
        row! {
            $row of $value {
                key: String,
                article: i64,
                doi: Option<Doi>,
                element: String,
                label: String,
                title: LocalTextRow,
                note: LocalTextRow,
                keywords: LocalTextRow,
                thesis: LocalTextRow,
                journal: String,
                date: String,
                position: i64,
                $($own)*
                pictures: Vec<RenditionsRow>,
            }
        }
    };
}

figure_or_table_row!(PictureRow of Picture {});
figure_or_table_row!(TableSheetRow of TableSheet { rows: u32, });

row! {
    NewsRow of News {
        key: String,
        kind: Lenient<NewsType> as "type",
        title: LocalTextRow,
        summary: LocalTextRow,
        content: LocalTextRow,
        date: String,
        author: String,
        source: String,
        cover: String,
        link_value: String,
        position: i64,
        attachments: Vec<AttachmentRow>,
    }
}

row! {
    AttachmentRow of Attachment {
        name: String,
        file: String,
    }
}

row! {
    InformationRow of Information {
        key: String,
        code: String,
        title: LocalTextRow,
        content: LocalTextRow,
        date: String,
        position: i64,
        attachments: Vec<AttachmentRow>,
    }
}

row! {
    ColumnRow of Column {
        key: String,
        journal: String,
        title: LocalTextRow,
        abbreviation: LocalTextRow,
        introduction: LocalTextRow,
        parent: String,
        position: i64,
    }
}

row! {
    WechatRow of Wechat {
        key: String,
        title: LocalTextRow,
        summary: LocalTextRow,
        account: String,
        date: String,
        link_value: String,
        cover: String,
    }
}

row! {
    FriendLinkRow of FriendLink {
        key: String,
        title: LocalTextRow,
        link_value: String,
        logo: String,
        position: i64,
    }
}
