//! Rows of content nodes.
//!
//! A node of a kind that this version does not know is read as a node that holds the same nodes: a [`Node::Group`] where a block is among them,
//! else a [`Node::Styled`]; one that holds a text alone is that text, and one that holds neither is left out.

use std::fmt;

use masthead_domain::content::{DefItem, Formula, ListItem, Media, Node};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error as _, MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::{Map, Value};

use super::{
    FootnoteRow, RefListRow,
    figures_and_tables::{CaptionRow, FigGroupRow, FigRow, GraphicsRow, TableRow},
};
use crate::rows::{StoredColumn, row};

/// Declares the rows of the kinds of nodes, each with the name of its kind: `P as "p" { nodes: NodesRow }`.
macro_rules! node_rows {
    ($($kind:ident as $name:literal
        $({ $($field:ident: $column:ty $(where not $skip:literal)?,)* })?
        $(($value:ident: $row:ty))?,)*
    ) => {
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(tag = "type", rename_all_fields = "camelCase")]
        pub(crate) enum NodeRow {
            $(#[serde(rename = $name)] $kind
                $({ $($(#[serde(skip_serializing_if = $skip)])? $field: $column,)* })?
                $((Box<$row>))?,)*
        }

        impl NodeRow {
            #[cfg(test)]
            pub(crate) const KINDS: &[&str] = &[$($name),*];

            /// Reads the fields of a node of this kind.
            fn of_kind<'de, D: Deserializer<'de>>(name: &str, fields: D) -> Result<Option<Self>, D::Error> {
                Ok(Some(match name {
                    $($name => {
                        $(
                            #[derive(Default, Deserialize)]
                            #[serde(rename_all = "camelCase", default)]
                            struct Fields {
                                $($field: $column,)*
                            }
                            let Fields { $($field,)* } = Fields::deserialize(fields)?;
                            Self::$kind { $($field,)* }
                        )?
                        $(
                            let $value = Box::<$row>::deserialize(fields)?;
                            Self::$kind($value)
                        )?
                    })*
                    _ => return of_newer_kind(name, fields),
                }))
            }
        }

        impl StoredColumn<Node> for NodeRow {
            fn store(value: Node) -> Self {
                match value {
                    $(Node::$kind $({ $($field,)* })? $(($value))? => Self::$kind
                        $({ $($field: StoredColumn::store($field),)* })?
                        $((Box::<$row>::new(StoredColumn::store(*$value))))?,)*
                }
            }

            fn read(self) -> Node {
                match self {
                    $(Self::$kind $({ $($field,)* })? $(($value))? => Node::$kind
                        $({ $($field: StoredColumn::read($field),)* })?
                        $((Box::new(StoredColumn::read(*$value))))?,)*
                }
            }
        }
    };
}

node_rows! {
    Sec as "sec" {
        id: String,
        kind: String,
        lang: String,
        nodes: NodesRow,
    },
    SecTitle as "sectitle" {
        id: String,
        level: u8,
        label: String,
        title: NodesRow,
    },
    P as "p" {
        id: String,
        lang: String,
        nodes: NodesRow,
    },
    Text as "text" {
        text: String,
    },
    Sub as "sub" {
        nodes: NodesRow,
    },
    Sup as "sup" {
        nodes: NodesRow,
    },
    Bold as "bold" {
        nodes: NodesRow,
    },
    Italic as "italic" {
        nodes: NodesRow,
    },
    Strike as "strike" {
        nodes: NodesRow,
    },
    Overline as "overline" {
        nodes: NodesRow,
    },
    Underline as "underline" {
        nodes: NodesRow,
    },
    Monospace as "monospace" {
        nodes: NodesRow,
    },
    SmallCaps as "small-caps" {
        nodes: NodesRow,
    },
    Styled as "styled-text" {
        style: String,
        lang: String,
        nodes: NodesRow,
    },
    Abbrev as "abbrev" {
        title: String,
        nodes: NodesRow,
    },
    Ruby as "ruby" {
        nodes: NodesRow,
        reading: String,
    },
    ExtLink as "extlink" {
        href: String,
        kind: String,
        nodes: NodesRow,
    },
    Xref as "xref" {
        ref_type: String,
        rids: Vec<String>,
        nodes: NodesRow,
    },
    InlineNote as "inlinenote" {
        id: String,
        label: String,
        nodes: NodesRow,
    },
    Anchor as "anchor" {
        id: String,
    },
    Break as "break" {},
    Rule as "rule" {},
    Fig as "fig" (value: FigRow),
    FigGroup as "figgroup" (value: FigGroupRow),
    Table as "table" (value: TableRow),
    DispFormula as "disp-formula" (value: FormulaRow),
    DispFormulaGroup as "disp-formula-group" {
        id: String,
        label: String,
        nodes: NodesRow,
    },
    InlineFormula as "inline-formula" (value: FormulaRow),
    InlineGraphic as "inline-graphic" (value: GraphicsRow),
    Graphic as "graphic" (value: GraphicsRow),
    Media as "media" (value: MediaRow),
    Supplementary as "supplementary" (value: MediaRow),
    List as "list" {
        id: String,
        style: String,
        start: Option<u32> where not "Option::is_none",
        title: NodesRow,
        items: Vec<ListItemRow>,
    },
    DefList as "deflist" {
        id: String,
        title: NodesRow,
        items: Vec<DefItemRow>,
    },
    Quote as "quote" {
        id: String,
        nodes: NodesRow,
        attrib: NodesRow,
    },
    Boxed as "boxed" {
        id: String,
        kind: String,
        label: String,
        title: NodesRow,
        nodes: NodesRow,
    },
    Code as "code" {
        id: String,
        language: String,
        inline: bool,
        nodes: NodesRow,
    },
    Verse as "verse" {
        id: String,
        title: NodesRow,
        lines: Vec<NodesRow>,
        attrib: NodesRow,
    },
    Speech as "speech" {
        id: String,
        speaker: NodesRow,
        nodes: NodesRow,
    },
    Statement as "statement" {
        id: String,
        label: String,
        title: NodesRow,
        nodes: NodesRow,
    },
    Footnotes as "footnotes" {
        title: NodesRow,
        items: Vec<FootnoteRow>,
    },
    RefList as "reflist" (value: RefListRow),
    Group as "group" {
        id: String,
        kind: String,
        nodes: NodesRow,
    },
}

/// What can be kept of a node of a kind that this version does not know.
fn of_newer_kind<'de, D: Deserializer<'de>>(name: &str, fields: D) -> Result<Option<NodeRow>, D::Error> {
    let mut fields = Map::<String, Value>::deserialize(fields)?;
    let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (id, lang, text) = (text("id"), text("lang"), text("text"));
    // A heading stands before what it heads.
    let values = fields.remove("title").into_iter().chain(fields.into_iter().map(|(_, value)| value));
    let lists = values.filter_map(|value| serde_json::from_value::<NodesRow>(value).ok());
    let nodes = NodesRow(lists.flat_map(|list| list.0).collect());
    if nodes.0.is_empty() {
        return Ok((!text.is_empty()).then_some(NodeRow::Text { text }));
    }
    let has_block = nodes.0.iter().any(|node| node.clone().read().is_block());
    Ok(Some(if has_block {
        NodeRow::Group { id, kind: name.to_owned(), nodes }
    } else {
        NodeRow::Styled { style: name.to_owned(), lang, nodes }
    }))
}

/// Content nodes in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct NodesRow(Vec<NodeRow>);

impl<'de> Deserialize<'de> for NodesRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let nodes = Vec::<ReadNode>::deserialize(deserializer)?;
        Ok(Self(nodes.into_iter().filter_map(|node| node.0).collect()))
    }
}

impl StoredColumn<Vec<Node>> for NodesRow {
    fn store(value: Vec<Node>) -> Self {
        Self(StoredColumn::store(value))
    }

    fn read(self) -> Vec<Node> {
        self.0.read()
    }
}

/// A node as it is read; `None` where nothing of it can be kept.
struct ReadNode(Option<NodeRow>);

impl<'de> Deserialize<'de> for ReadNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = ReadNode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a content node")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ReadNode, A::Error> {
        let mut before = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if key != "type" {
                before.insert(key, map.next_value()?);
                continue;
            }
            let kind: String = map.next_value()?;
            // The kind is written in the first place: the fields behind it are then read as they come, without a copy.
            if before.is_empty() {
                return NodeRow::of_kind(&kind, MapAccessDeserializer::new(map)).map(ReadNode);
            }
            while let Some((key, value)) = map.next_entry()? {
                before.insert(key, value);
            }
            return NodeRow::of_kind(&kind, Value::Object(before)).map(ReadNode).map_err(A::Error::custom);
        }
        Err(A::Error::missing_field("type"))
    }
}

row! {
    FormulaRow of Formula {
        id: String,
        label: String,
        mathml: String,
        latex: String,
        alt: String,
        graphics: Vec<GraphicsRow>,
        nodes: NodesRow,
    }
}

row! {
    DefItemRow of DefItem {
        id: String,
        terms: Vec<NodesRow>,
        defs: Vec<NodesRow>,
    }
}

row! {
    ListItemRow of ListItem {
        id: String,
        label: String,
        nodes: NodesRow,
    }
}

row! {
    MediaRow of Media {
        id: String,
        href: String,
        mime: String,
        label: String,
        alt: String,
        inline: bool,
        captions: Vec<CaptionRow>,
        nodes: NodesRow,
    }
}
