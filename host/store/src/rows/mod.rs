//! Rows: the stored form of domain types, as JSON in a text column.
//!
//! A newer version of Masthead may have written a row, or an older one: a field that this version does not know is skipped, a
//! field that is missing has its default, a value of an enumeration that this version does not know is the enumeration's
//! default, and a pointer to a kind that it does not know is omitted. (The types that configuration files are read into are
//! strict, because an unknown key there is a typing error.)
//!
//! [`row!`] writes the conversions; a field that is added to a domain type and not to its row is a compile-time error.

mod articles;
mod content;
mod publications;
mod resources;

use std::collections::BTreeMap;

use masthead_domain::{
    Doi, Lang, LocalText,
    article::ArticleFile,
    resource::{ItemKind, ItemRef, Resource},
};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, IntoDeserializer as _, value::Error},
};

/// A value with a stored form.
pub trait StoredForm: Sized {
    /// The stored form, as JSON.
    ///
    /// # Errors
    /// The serializer's.
    fn encode(&self) -> serde_json::Result<String>;

    /// Reads the stored form; fields and values that this version does not know are skipped.
    ///
    /// # Errors
    /// The parser's, if the text is not JSON of this form.
    fn decode(text: &str) -> serde_json::Result<Self>;
}

/// A resource with a stored form: all of them.
pub trait StoredResource: Resource + StoredForm {}

impl<T: Resource + StoredForm> StoredResource for T {}

/// A column of a row, or a row within a row: how a value is stored and read.
pub(crate) trait StoredColumn<T>: Sized {
    fn store(value: T) -> Self;
    fn read(self) -> T;
}

/// Declares the row of a type: `row! { NewsRow of News { key: String, kind: Lenient<NewsType> as "type" } }`. A column with
/// `where not "test"` is left out where the test holds.
macro_rules! row {
    ($row:ident of $value:ident {
        $($field:ident: $column:ty $(as $name:literal)? $(where not $skip:literal)?,)*
    }) => {
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        pub(crate) struct $row {
            $($(#[serde(rename = $name)])? $(#[serde(skip_serializing_if = $skip)])? $field: $column,)*
        }

        impl $crate::rows::StoredColumn<$value> for $row {
            fn store(value: $value) -> Self {
                let $value { $($field,)* } = value;
                Self { $($field: $crate::rows::StoredColumn::store($field),)* }
            }

            fn read(self) -> $value {
                $value { $($field: $crate::rows::StoredColumn::read(self.$field),)* }
            }
        }

        impl $crate::rows::StoredForm for $value {
            fn encode(&self) -> serde_json::Result<String> {
                serde_json::to_string(&<$row as $crate::rows::StoredColumn<$value>>::store(self.clone()))
            }

            fn decode(text: &str) -> serde_json::Result<Self> {
                serde_json::from_str::<$row>(text).map($crate::rows::StoredColumn::read)
            }
        }
    };
}
use row;

macro_rules! stored_as_it_is {
    ($($type:ty),*) => {
        $(impl StoredColumn<$type> for $type {
            fn store(value: $type) -> Self {
                value
            }

            fn read(self) -> $type {
                self
            }
        })*
    };
}

stored_as_it_is!(String, (String, String), i32, i64, u8, u16, u32, usize, bool, Doi);

impl<T, R: StoredColumn<T>> StoredColumn<Vec<T>> for Vec<R> {
    fn store(value: Vec<T>) -> Self {
        value.into_iter().map(R::store).collect()
    }

    fn read(self) -> Vec<T> {
        self.into_iter().map(R::read).collect()
    }
}

impl<T, R: StoredColumn<T>> StoredColumn<Option<T>> for Option<R> {
    fn store(value: Option<T>) -> Self {
        value.map(R::store)
    }

    fn read(self) -> Option<T> {
        self.map(R::read)
    }
}

/// A text by language; texts in languages that this version does not know are skipped.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct LocalTextRow(LocalText);

impl<'de> Deserialize<'de> for LocalTextRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = BTreeMap::<String, String>::deserialize(deserializer)?;
        let known = texts.into_iter().filter_map(|(lang, text)| Some((known_value::<Lang>(lang)?, text)));
        Ok(Self(LocalText(known.collect())))
    }
}

impl StoredColumn<LocalText> for LocalTextRow {
    fn store(value: LocalText) -> Self {
        Self(value)
    }

    fn read(self) -> LocalText {
        self.0
    }
}

impl StoredForm for LocalText {
    fn encode(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    fn decode(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str::<LocalTextRow>(text).map(StoredColumn::read)
    }
}

/// A value of an enumeration; one that this version does not know is read as the default.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lenient<E>(E);

impl<E: Serialize> Serialize for Lenient<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, E: DeserializeOwned + Default> Deserialize<'de> for Lenient<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(known_value(String::deserialize(deserializer)?).unwrap_or_default()))
    }
}

impl<E> StoredColumn<E> for Lenient<E> {
    fn store(value: E) -> Self {
        Self(value)
    }

    fn read(self) -> E {
        self.0
    }
}

/// Pointers to other content; a pointer to a kind that this version does not know is skipped.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ItemsRow(Vec<ItemRef>);

#[derive(Serialize, Deserialize)]
struct ItemRow {
    kind: String,
    #[serde(default)]
    key: String,
}

impl Serialize for ItemsRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ItemsRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rows = Vec::<ItemRow>::deserialize(deserializer)?;
        let known = |row: ItemRow| Some(ItemRef { kind: known_value::<ItemKind>(row.kind)?, key: row.key });
        Ok(Self(rows.into_iter().filter_map(known).collect()))
    }
}

impl StoredColumn<Vec<ItemRef>> for ItemsRow {
    fn store(value: Vec<ItemRef>) -> Self {
        Self(value)
    }

    fn read(self) -> Vec<ItemRef> {
        self.0
    }
}

/// The stored form of an article's files.
pub(crate) fn encode_files(files: &[ArticleFile]) -> serde_json::Result<String> {
    serde_json::to_string(&<Vec<articles::ArticleFileRow>>::store(files.to_vec()))
}

/// Reads the stored form of an article's files.
pub(crate) fn decode_files(text: &str) -> serde_json::Result<Vec<ArticleFile>> {
    serde_json::from_str::<Vec<articles::ArticleFileRow>>(text).map(StoredColumn::read)
}

/// The value with this name; `None` for a name that this version does not know.
fn known_value<E: DeserializeOwned>(name: String) -> Option<E> {
    let name: serde::de::value::StringDeserializer<Error> = name.into_deserializer();
    E::deserialize(name).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::{
        article::{ArticleMeta, Withdrawal},
        card::ArticleCard,
        content::{ArticleBody, Cell, CellStyle, Node, SubArticle},
        of_kind,
        publication::{Issue, Journal},
        resource::{Collection, Comment, CommentState, News, NewsType, ResourceKind},
    };

    use super::*;

    /// Rows have the bytes that earlier versions wrote, so that an import that changes nothing is recognised.
    #[test]
    fn a_row_is_written_as_the_domain_type_was() {
        fn same<T: StoredForm + Serialize + Default + PartialEq + std::fmt::Debug>() {
            let value = T::default();
            assert_eq!(value.encode().unwrap(), serde_json::to_string(&value).unwrap());
            assert_eq!(T::decode(&value.encode().unwrap()).unwrap(), value);
            assert_eq!(T::decode("{}").unwrap(), value, "a missing field has its default");
        }
        fn of_resource<T: StoredResource>() {
            let value = T::decode("{}").unwrap();
            assert_eq!(value.encode().unwrap(), serde_json::to_string(&value).unwrap());
        }
        for kind in ResourceKind::ALL {
            of_kind!(kind, T => of_resource::<T>());
        }
        same::<ArticleMeta>();
        same::<ArticleBody>();
        same::<SubArticle>();
        same::<Cell>();
        same::<ArticleCard>();
        same::<Journal>();
        same::<Issue>();
        same::<Withdrawal>();
    }

    fn nodes(text: &str) -> serde_json::Result<Vec<Node>> {
        serde_json::from_str::<content::NodesRow>(text).map(StoredColumn::read)
    }

    #[test]
    fn a_content_node_of_each_kind_is_written_as_the_domain_writes_it() {
        for kind in content::NodeRow::KINDS {
            let read = nodes(&format!(r#"[{{"type":"{kind}","start":2}}]"#)).unwrap();
            let written = serde_json::to_string(&content::NodesRow::store(read.clone())).unwrap();
            assert_eq!(written, serde_json::to_string(&read).unwrap());
            assert!(written.starts_with(&format!(r#"[{{"type":"{kind}""#)), "{written}");
            assert_eq!(nodes(&written).unwrap(), read);
            assert_eq!(serde_json::from_str::<Vec<Node>>(&written).unwrap(), read);
        }
        let styled = Cell { style: CellStyle { bold: true, ..CellStyle::default() }, ..Cell::default() };
        for cell in [Cell::default(), styled] {
            assert_eq!(cell.encode().unwrap(), serde_json::to_string(&cell).unwrap());
            assert_eq!(Cell::decode(&cell.encode().unwrap()).unwrap(), cell);
        }
    }

    #[test]
    fn what_a_content_node_of_a_newer_kind_holds_is_kept() {
        let text = |text: &str| Node::text(text);
        let read = nodes(
            r#"[{"type":"hologram","angle":3,"rids":["a"],"nodes":[{"type":"text","text":"Tide"}]},
                {"type":"accordion","id":"x","title":[{"type":"text","text":"More"}],"nodes":[{"type":"p","nodes":[]}]},
                {"type":"emoji","text":"~"},{"type":"shimmer"},{"id":"y","type":"p","mood":1,"lang":"en","nodes":[]}]"#,
        )
        .unwrap();
        let paragraph = |id: &str, lang: &str| Node::P { id: id.into(), lang: lang.into(), nodes: Vec::new() };
        let expected = [
            Node::Styled { style: "hologram".into(), lang: String::new(), nodes: vec![text("Tide")] },
            Node::Group { id: "x".into(), kind: "accordion".into(), nodes: vec![text("More"), paragraph("", "")] },
            text("~"),
            paragraph("y", "en"),
        ];
        assert_eq!(read.len(), expected.len());
        for node in &expected {
            assert!(read.contains(node), "{node:?} is not in {read:?}");
        }
        for damaged in
            [r#"[{"nodes":[]}]"#, r#"[{"type":"p","nodes":3}]"#, r#"[{"type":"p","nodes":["x"]}]"#, r#"["x"]"#]
        {
            assert!(nodes(damaged).is_err(), "{damaged}: damage is not skipped");
        }
    }

    #[test]
    fn what_a_newer_version_added_is_skipped() {
        let news = News::decode(
            r#"{"key":"a","type":"podcast","title":{"en":"Tide","xx":"?"},"position":3,"mood":{"deep":[1,2]}}"#,
        )
        .unwrap();
        assert_eq!((news.key.as_str(), news.kind, news.position), ("a", NewsType::default(), 3));
        assert_eq!(news.title, LocalText::of(Lang::En, "Tide"));
        let collection = Collection::decode(
            r#"{"key":"c","items":[{"kind":"hologram","key":"h"},{"kind":"book","key":"b","weight":2}]}"#,
        )
        .unwrap();
        assert_eq!(collection.items, [ItemRef { kind: ItemKind::Book, key: "b".into() }]);
        let comment = Comment::decode(r#"{"key":"k","state":"escalated"}"#).unwrap();
        assert_eq!(comment.state, CommentState::Waiting, "a state that is not known is not shown");
        let meta =
            ArticleMeta::decode(r#"{"sourceKey":"doi:1","dates":{"withdrawn":"2030"},"carbonFootprint":1}"#).unwrap();
        assert_eq!(meta.source_key, "doi:1");
        assert!(News::decode("[1]").is_err() && News::decode(r#"{"position":"x"}"#).is_err(), "damage is not skipped");
    }
}
