//! The page of a figure or table: what the article shows, and its place there.

use masthead_content::readable_article;
use masthead_documents::html::ids::element_id;
use masthead_domain::{
    LocalText,
    access::ReadPermit,
    link::{LinkKind, is_own},
    resource::{FigureOrTable, Picture, Renditions, ResourceKind, Stored, TableSheet},
    route::Route,
};
use masthead_runtime::Call;
use masthead_store::{StoredArticle, StoredResource};
use maud::{Markup, PreEscaped, html};

use super::facts;
use crate::failure::{download_denied, read_denied};
use crate::page::{
    content::{account, article_notices, bidi, message::absent},
    context::{Context, Page, PageError},
    head::Head,
};

/// What figures and tables have in common.
pub struct FigureOrTableParts {
    /// Its id within the article.
    element: String,
    /// Label as printed.
    pub label: String,
    /// Heading of the caption.
    pub title: LocalText,
    /// Text of the caption and notes.
    pub note: LocalText,
    /// The article's key words.
    keywords: LocalText,
    /// The article's title.
    pub thesis: LocalText,
    /// Date of the article.
    date: String,
    /// Its pictures.
    pictures: Vec<Renditions>,
    /// Whether it has cells.
    cells: bool,
}

impl From<Picture> for FigureOrTableParts {
    fn from(picture: Picture) -> Self {
        let Picture { element, label, title, note, keywords, thesis, date, pictures, .. } = picture;
        Self { element, label, title, note, keywords, thesis, date, pictures, cells: false }
    }
}

impl From<TableSheet> for FigureOrTableParts {
    fn from(table: TableSheet) -> Self {
        let TableSheet { element, label, title, note, keywords, thesis, date, pictures, rows, .. } = table;
        Self { element, label, title, note, keywords, thesis, date, pictures, cells: rows > 0 }
    }
}

impl FigureOrTableParts {
    /// Removes what only readers of the full text may see, as [`FigureOrTable::close`] does.
    pub fn close(&mut self) {
        self.note = LocalText::default();
        self.pictures.clear();
    }

    /// The address of the picture for lists, or "".
    pub fn preview(&self) -> &str {
        let first = self.pictures.first();
        first.map_or("", |files| if files.small.is_empty() { &files.big } else { &files.small })
    }
}

/// The page of a figure or table.
pub async fn page<T>(context: &Context<'_>, call: &mut Call, id: i64) -> Result<Page, PageError>
where
    T: StoredResource + FigureOrTable + Into<FigureOrTableParts>,
{
    let beside = context.store.exhibits_beside::<T>(id).await?;
    let Some(at) = beside.iter().position(|one| one.id == id) else { return Ok(absent(context)) };
    let article_id = beside[at].value.article_id();
    let Some(article) = context.store.article(article_id).await? else { return Ok(absent(context)) };
    let card = context.store.cards_by_id(&[article_id]).await?.pop();
    let permit = context.rights.read(article.access());
    let neighbours = [at.checked_sub(1), at.checked_add(1)];
    let neighbours = neighbours.map(|at| at.and_then(|at| beside.get(at)).map(|one| neighbour(context, one)));
    let mut part: FigureOrTableParts = beside[at].value.clone().into();
    if permit.is_none() {
        part.close();
    }
    let mut href = context.addresses.articles(call, LinkKind::ListArticle, &[article_id]).await;
    let href = href.pop().unwrap_or_default();
    let shown = as_in_article(&href, &article, &part, permit.as_ref())?;
    let place = if part.element.contains(':') { href.clone() } else { format!("{href}#{}", element_id(&part.element)) };
    let main = html! {
        article.resource data-resource=(T::KIND.as_str()) {
            (article_notices::of_exhibit(context, card.as_ref(), &href))
            (facts::head(context, (T::KIND, id), &part.label, &heading(&part), html! {}))
            @match &shown {
                Some(shown) => { div.exhibit lang=[Some(&article.meta.language).filter(|lang| !lang.is_empty())] dir=(bidi::dir(&article.meta.language)) { (shown) } }
                None => { (from_files(context, &part)) }
            }
            @if permit.is_none() {
                p.alert role="note" {
                    (context.texts.get(read_denied(&context.rights)))
                    (account::sign_in(context, &context.addresses.route(&Route::Resource(T::KIND, id))))
                }
            }
            p.actions {
                a.action href=(place) { (context.texts.get("show_in_article")) }
                (downloads(context, &article, T::KIND, id, &part))
            }
            (facts::list(context, &[
                ("field_thesis", from_article(context, &part, &href)),
                ("keywords", bidi::local(&part.keywords, context.lang())),
                ("published", super::entry::day(&part.date)),
            ]))
            (neighbour_links(context, &neighbours))
        }
    };
    let title = [part.label.as_str(), part.title.get(context.lang())].join(" ");
    let title = if title.trim().is_empty() { context.texts.get("untitled") } else { title.trim() };
    let about = part.note.get(context.lang());
    let head = Head::page(if about.is_empty() { title } else { about });
    Ok(Page { head, refused: permit.is_none(), ..Page::list(T::KIND.as_str(), title.to_owned(), main) })
}

/// The heading of the page: that of the caption, else the beginning of the caption's text, else the title of the article.
fn heading(part: &FigureOrTableParts) -> LocalText {
    let titled = [&part.title, &part.thesis].into_iter().find(|text| !text.is_empty());
    titled.cloned().unwrap_or_default()
}

fn from_article(context: &Context<'_>, part: &FigureOrTableParts, href: &str) -> Markup {
    if part.thesis.is_empty() {
        return html! {};
    }
    html! { a href=(href) { (bidi::local(&part.thesis, context.lang())) } }
}

/// The figure or table as the article shows it; `None` if the article was rendered without an element of this name.
fn as_in_article(
    href: &str,
    article: &StoredArticle,
    part: &FigureOrTableParts,
    permit: Option<&ReadPermit>,
) -> Result<Option<Markup>, PageError> {
    if permit.is_none() {
        return Ok(None);
    }
    let rendered = readable_article::rendered(article, permit)
        .map_err(|source| PageError::Rendered { id: article.id.0, source })?;
    let id = element_id(&part.element);
    let found = rendered.sections.iter().find_map(|section| figure(&section.html, &id));
    // Links to other elements of the article lead to its page.
    let place = html! { (href) }.into_string();
    Ok(found.map(|html| PreEscaped(html.replace("href=\"#", &format!("href=\"{place}#")))))
}

/// The `<figure>` with this id and all that it contains. The renderer writes tags in one form only and escapes `<` in texts and values.
fn figure<'a>(html: &'a str, id: &str) -> Option<&'a str> {
    let named = html.find(&format!(" id=\"{id}\""))?;
    let start = html[..named].rfind('<').filter(|start| html[*start..].starts_with("<figure"))?;
    let (mut at, mut depth) = (start, 0_usize);
    loop {
        let rest = &html[at..];
        let close = rest.find("</figure>")?;
        match rest.find("<figure").filter(|open| *open < close) {
            Some(open) => {
                depth += 1;
                at += open + "<figure".len();
            }
            None => {
                depth = depth.checked_sub(1)?;
                at += close + "</figure>".len();
                if depth == 0 {
                    return Some(&html[start..at]);
                }
            }
        }
    }
}

/// The pictures and the caption from the resource itself.
fn from_files(context: &Context<'_>, part: &FigureOrTableParts) -> Markup {
    let alt = [part.label.as_str(), part.title.get(context.lang())].join(" ");
    let address = |files: &Renditions| [&files.big, &files.small].into_iter().find(|address| is_own(address)).cloned();
    html! {
        @if !part.pictures.is_empty() || !part.note.is_empty() {
            figure.fig {
                @for files in &part.pictures {
                    @if let Some(address) = address(files) {
                        img src=(address) alt=(alt.trim()) width=[(files.width > 0).then_some(files.width)]
                            height=[(files.height > 0).then_some(files.height)];
                    }
                }
                figcaption { (bidi::local(&part.note, context.lang())) }
            }
        }
    }
}

/// Links to the files, for readers who may download them.
fn downloads(
    context: &Context<'_>,
    article: &StoredArticle,
    kind: ResourceKind,
    id: i64,
    part: &FigureOrTableParts,
) -> Markup {
    let (rights, access) = (&context.rights, article.access());
    if rights.download(access).is_none() {
        // Where the reader may not even read it, the page has said so.
        let here = context.addresses.route(&Route::Resource(kind, id));
        return html! {
            @if rights.read(access).is_some() {
                span role="note" { (context.texts.get(download_denied(rights, access))) (account::sign_in(context, &here)) }
            }
        };
    }
    let call = |rest: String| format!("{}/rc-pub/front/front-article/{rest}", context.addresses.base);
    let picture = !part.pictures.is_empty();
    html! {
        @if kind == ResourceKind::Picture && picture {
            a.action href=(call(format!("downloadImage?pictureId={id}"))) download { (context.texts.get("download_picture")) }
        }
        @if part.cells {
            @for format in ["xls", "csv"] {
                a.action href=(call(format!("downloadTable?tableId={id}&type={format}"))) download {
                    (context.texts.format("download_as", &[("format", &format.to_uppercase())]))
                }
            }
        }
    }
}

/// Address and label of a figure or table beside this one.
fn neighbour<T>(context: &Context<'_>, one: &Stored<T>) -> (String, String)
where
    T: StoredResource + FigureOrTable + Into<FigureOrTableParts>,
{
    let part: FigureOrTableParts = one.value.clone().into();
    let label = if part.label.is_empty() { part.title.get(context.lang()).to_owned() } else { part.label };
    (context.addresses.route(&Route::Resource(T::KIND, one.id)), label)
}

fn neighbour_links(context: &Context<'_>, neighbours: &[Option<(String, String)>; 2]) -> Markup {
    let [before, after] = neighbours;
    html! {
        @if before.is_some() || after.is_some() {
            nav.issue-nav aria-label=(context.texts.get("in_the_same_article")) {
                @for (rel, key, one) in [("prev", "previous", before), ("next", "next", after)] {
                    @if let Some((href, label)) = one {
                        a rel=(rel) href=(href) { (context.texts.get(key)) @if !label.is_empty() { ": " (bidi::isolated(label)) } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_cut_out_with_all_that_it_contains() {
        let html = "<p id=\"a-p\">x</p><figure class=\"fig\" id=\"a-F1\"><figure id=\"a-F2\">y</figure><figcaption>z</figcaption></figure><figure id=\"a-F3\"></figure>";
        let whole =
            "<figure class=\"fig\" id=\"a-F1\"><figure id=\"a-F2\">y</figure><figcaption>z</figcaption></figure>";
        assert_eq!(figure(html, "a-F1"), Some(whole));
        assert_eq!(figure(html, "a-F2"), Some("<figure id=\"a-F2\">y</figure>"));
        assert_eq!(figure(html, "a-F3"), Some("<figure id=\"a-F3\"></figure>"));
        assert_eq!(figure(html, "a-p"), None, "no figure");
        assert_eq!(figure(html, "a-F"), None);
        assert_eq!(figure("<figure id=\"a-F\">", "a-F"), None, "not closed");
    }

    #[test]
    fn what_is_closed_keeps_its_label_and_title() {
        let files = Renditions { big: "/media/1/a.png".into(), ..Renditions::default() };
        let picture = Picture {
            label: "Figure 1".into(),
            note: LocalText::of(masthead_domain::Lang::En, "Secret"),
            pictures: vec![files],
            ..Picture::default()
        };
        let mut part = FigureOrTableParts::from(picture);
        assert_eq!(part.preview(), "/media/1/a.png");
        part.close();
        assert_eq!((part.label.as_str(), part.preview(), part.note.is_empty()), ("Figure 1", "", true));
    }
}
