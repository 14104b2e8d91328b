//! Random node trees, including those that no importer makes, render without panic to allowed tags only.

use masthead_documents::{
    html::{self, sanitize::TAGS},
    math,
};
use masthead_domain::{
    article::Article,
    content::{Caption, Cell, Fig, Formula, Grid, ListItem, Media, Node, Row, Table},
};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ a-z<>&\"'刊]{0,12}",
        Just("</p><script>alert(1)</script>".to_owned()),
        Just("\" onerror=\"alert(1)".to_owned()),
        Just("javascript:alert(1)".to_owned()),
        Just("x1".to_owned())
    ]
}

fn leaf() -> impl Strategy<Value = Node> {
    prop_oneof![
        text().prop_map(Node::text),
        text().prop_map(|id| Node::Anchor { id }),
        Just(Node::Break),
        Just(Node::Rule),
        (text(), text(), text()).prop_map(|(mathml, latex, id)| Node::InlineFormula(Box::new(Formula {
            id,
            mathml,
            latex,
            ..Formula::default()
        }))),
        (text(), text()).prop_map(|(href, mime)| Node::Media(Box::new(Media { href, mime, ..Media::default() }))),
    ]
}

fn node() -> impl Strategy<Value = Node> {
    leaf().prop_recursive(5, 60, 5, |inner| {
        let nodes = prop::collection::vec(inner, 0..5);
        prop_oneof![
            (text(), nodes.clone()).prop_map(|(id, nodes)| Node::P { id, lang: String::new(), nodes }),
            (text(), text(), nodes.clone()).prop_map(|(id, lang, nodes)| Node::Sec {
                id,
                kind: String::new(),
                lang,
                nodes
            }),
            (any::<u8>(), text(), nodes.clone()).prop_map(|(level, label, title)| Node::SecTitle {
                id: String::new(),
                level,
                label,
                title
            }),
            nodes.clone().prop_map(|nodes| Node::Bold { nodes }),
            (text(), nodes.clone()).prop_map(|(style, nodes)| Node::Styled { style, lang: String::new(), nodes }),
            (text(), nodes.clone()).prop_map(|(href, nodes)| Node::ExtLink { href, kind: "uri".to_owned(), nodes }),
            (text(), nodes.clone()).prop_map(|(rid, nodes)| Node::Xref {
                ref_type: rid.clone(),
                rids: vec![rid],
                nodes
            }),
            (text(), nodes.clone()).prop_map(|(id, nodes)| Node::InlineNote { id: id.clone(), label: id, nodes }),
            (text(), nodes.clone()).prop_map(|(style, nodes)| Node::List {
                id: String::new(),
                style,
                start: None,
                title: nodes.clone(),
                items: vec![ListItem { nodes, ..ListItem::default() }]
            }),
            (text(), nodes.clone()).prop_map(|(id, nodes)| Node::Fig(Box::new(Fig {
                id,
                captions: vec![Caption { title: nodes.clone(), nodes, ..Caption::default() }],
                ..Fig::default()
            }))),
            (text(), nodes.clone()).prop_map(|(id, nodes)| {
                let row = Row {
                    cells: vec![Cell { align: id.clone(), rowspan: 3, colspan: u16::MAX, nodes, ..Cell::default() }],
                };
                Node::Table(Box::new(Table {
                    id,
                    grids: vec![Grid { bodies: vec![vec![row]], ..Grid::default() }],
                    ..Table::default()
                }))
            }),
            (text(), nodes).prop_map(|(kind, nodes)| Node::Group { id: kind.clone(), kind, nodes }),
        ]
    })
}

/// Names of the tags and of all attributes; text between quotes is a value.
fn names(html: &str) -> (Vec<String>, Vec<String>) {
    let (mut tags, mut attributes) = (Vec::new(), Vec::new());
    let mut rest = html;
    while let Some((_, tail)) = rest.split_once('<') {
        let tail = tail.trim_start_matches('/');
        let name: String = tail.chars().take_while(char::is_ascii_alphanumeric).collect();
        let mut inside = &tail[name.len()..];
        tags.push(name);
        loop {
            inside = inside.trim_start();
            let end = inside.find(['=', '>', ' ']).unwrap_or(inside.len());
            if inside.is_empty() || inside.starts_with('>') {
                break;
            }
            attributes.push(inside[..end].to_owned());
            inside = &inside[end..];
            if let Some(value) = inside.strip_prefix("=\"") {
                inside = value.split_once('"').map_or("", |(_, after)| after);
            }
        }
        rest = inside;
    }
    (tags, attributes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn only_listed_tags_come_out(nodes in prop::collection::vec(node(), 0..6)) {
        let mut article = Article::default();
        article.body.body = nodes;
        let rendered = html::render(&article, &|href| href.starts_with('x').then(|| href.to_owned().into()));
        for section in &rendered.sections {
            let (tags, attributes) = names(&section.html);
            for tag in tags {
                prop_assert!(TAGS.contains(&tag.as_str()) || math::ELEMENTS.contains(&tag.as_str()), "{tag:?} in {}", section.html);
            }
            for attribute in attributes {
                prop_assert!(!attribute.starts_with("on") && attribute != "style", "{attribute} in {}", section.html);
            }
            prop_assert!(!section.html.contains("href=\"javascript:"));
        }
    }

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), body in "[<>/a-z&;=\" ]{0,80}") {
        let _ = masthead_documents::jats::import(&bytes, &masthead_documents::jats::Limits::default());
        let _ = masthead_documents::jats::import(format!("<article><body>{body}</body></article>").as_bytes(), &masthead_documents::jats::Limits::default());
        let _ = math::tex_to_mathml(&body.replace('/', "\\"), false);
    }
}

/// Pieces of TeX in random order.
fn tex() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "1",
        " ",
        "{",
        "}",
        "[",
        "]",
        "^",
        "_",
        "&",
        "\\\\",
        "$",
        "%",
        "#",
        "'",
        "~",
        "|",
        "<",
        "刊",
        "\n",
        "*",
        ".",
        "\\left",
        "\\right",
        "\\left(",
        "\\right)",
        "\\middle|",
        "\\big",
        "\\Bigl|",
        "\\over",
        "\\atop",
        "\\choose",
        "\\buildrel",
        "\\text",
        "\\text{",
        "\\textbf{a",
        "\\mathop",
        "\\operatorname*",
        "\\limits",
        "\\sum",
        "\\mathrm",
        "\\frac",
        "\\sqrt",
        "\\sqrt[",
        "\\hat",
        "\\not",
        "\\begin{array}{c|c}",
        "\\begin{array}{||",
        "\\end{array}",
        "\\begin{aligned}",
        "\\end{aligned}",
        "\\begin{cases}",
        "\\end{cases}",
        "\\begin{pmatrix}",
        "\\end{pmatrix}",
        "\\begin",
        "\\end",
        "\\hline",
        "\\substack{",
        "\\rm",
        "\\color{red}",
        "\\genfrac",
        "\\kern",
        "\\hspace{",
        "\\char",
        "\\(",
        "\\)",
        "\\",
        "\\{",
        "\\}",
        "\\,",
        "\\xrightarrow",
        "\\underbrace",
        "\\tag{",
        "\\label{x}",
        "\\displaystyle",
    ]);
    prop::collection::vec(piece, 0..25).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn tex_never_panics_and_is_well_formed(tex in tex()) {
        if let Ok(made) = math::tex_to_mathml(&tex, true) {
            prop_assert!(roxmltree::Document::parse(&made).is_ok(), "{}", made);
        }
    }
}
