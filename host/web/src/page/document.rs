//! The HTML document around a page: head, theme, bootstrap, frame. It reads before any script runs, and without scripts.

use std::ops::Range;

use masthead_content::compressed_html::CompressedHtml;
use masthead_domain::site::{ThemeColor, ThemeTokens};
use maud::{Markup, PreEscaped, html};

use crate::{
    cache::{Document, NONCE, SCHEME},
    i18n::Texts,
    page::frame::Frame,
    page::head::{Head, script_json},
    page::link_row::link_row,
    page::types::{Bootstrap, LanguageLink, MenuLink, PageView},
    ui::{Ui, is_late},
};

/// What the element with all that the shell takes over begins with.
const APP: &str = "<div id=\"app\">";
/// What the element with the page's content begins with.
const MAIN: &str = "<main id=\"main\"";
/// What stands behind the bootstrap, which is the last element of the document.
const END: &str = "</script></body></html>";

/// Starts the shell's scripts, which wait in the head's template, when the document has been painted. It is complete without them: style
/// sheets and the font have the line for themselves, and no script takes processor time before there is something to read. A frame is painted
/// behind its callbacks, and the first one comes when the style sheets are there; the callback of the second frame comes behind the paint of the
/// first. In a tab that is not shown, nothing is painted; a window that is covered, or a busy machine, may give no frame to one that is: there,
/// the scripts start after ten seconds. What is started twice is empty the second time.
const AFTER_PAINT: &str = "{const go=()=>document.head.append(document.querySelector('head>template').content);\
document.hidden?addEventListener('DOMContentLoaded',go):\
(requestAnimationFrame(()=>requestAnimationFrame(()=>setTimeout(go))),setTimeout(go,1e4))}";

/// What a document is put together from.
pub struct Parts<'a> {
    /// Everything that the shell is told.
    pub bootstrap: &'a Bootstrap,
    /// Document title, complete.
    pub title: &'a str,
    /// The head's tags.
    pub head: &'a Head,
    /// Markup of header, search and footer, as their modules render them.
    pub frame: &'a Frame,
    /// Content of `<main>`.
    pub main: &'a Markup,
    /// Parts of `main` that are compressed already, in their order.
    pub compressed: Vec<(Range<usize>, CompressedHtml)>,
    /// Colours.
    pub theme: &'a ThemeColor,
    /// Address of the site's own style sheet, or none.
    pub sheet: Option<&'a str>,
    /// Absolute address of the site at its canonical host, without trailing slash.
    pub site: &'a str,
    /// Address of this page.
    pub path: &'a str,
    /// Messages.
    pub texts: &'a Texts<'a>,
    /// Built files.
    pub ui: &'a Ui,
    /// The language for readers of none of the site's.
    pub default_lang: masthead_domain::Lang,
}

/// The document of a page.
#[must_use]
pub fn document(mut parts: Parts<'_>) -> Document {
    let compressed = std::mem::take(&mut parts.compressed);
    let parts = &parts;
    let bootstrap = script_json(parts.bootstrap);
    let before = html! { (header(parts)) (search(parts)) };
    let rest = rest(parts, &before, &bootstrap);
    // Behind what modules have rendered; what else is before is escaped and cannot begin like this.
    let from = rest.find(APP).map_or(0, |at| at + APP.len() + before.0.len());
    let main = rest[from..].find(MAIN).and_then(|at| Some(from + at + rest[from + at..].find('>')? + 1));
    let main = main.unwrap_or(rest.len());
    let in_rest = |(range, html): (Range<usize>, _)| (main + range.start..main + range.end, html);
    let script = rest.len().saturating_sub(END.len() + bootstrap.len());
    Document {
        head: opening(parts),
        main: main..(main + parts.main.0.len()).min(rest.len()),
        bootstrap: script..script + bootstrap.len(),
        compressed: compressed.into_iter().map(in_rest).collect(),
        rest,
    }
}

fn opening(parts: &Parts<'_>) -> String {
    let lang = parts.bootstrap.lang;
    // What the page is complete without comes after it, and not in competition with it.
    let early = parts.bootstrap.slots.iter().filter(|(slot, _)| !is_late(slot));
    let modules: Vec<_> = early.flat_map(|(_, modules)| modules).collect();
    let article = matches!(parts.bootstrap.page, PageView::Article { .. });
    let reader = parts.ui.reader.iter().filter(|_| article);
    let head = html! {
        meta charset="utf-8";
        // Before the style sheets, for which an inline script behind them would wait, and the parser with it.
        script nonce=(NONCE) { (PreEscaped(AFTER_PAINT)) }
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
        @for sheet in parts.ui.style_sheets(&modules) {
            // The shell looks for the style sheets of its modules among the parts.
            link rel="stylesheet" href=(sheet.href) data-parts=[(!sheet.parts.is_empty()).then(|| sheet.parts.join(" "))];
        }
        // The style sheet names the font, too, but browsers read it later.
        @if let Some(href) = parts.ui.serif.as_deref().filter(|_| is_latin(parts.bootstrap)) {
            link rel="preload" href=(href) as="font" type="font/woff2" crossorigin;
            // Mostly below the first screen: with a low priority, which a browser that finds it in a style sheet would not give it.
            @if let Some(href) = parts.ui.serif_italic.as_deref().filter(|_| article && has_italics(&parts.main.0)) {
                link rel="preload" href=(href) as="font" type="font/woff2" fetchpriority="low" crossorigin;
            }
        }
        style nonce=(NONCE) { (PreEscaped(theme(parts.theme))) }
        // After the theme, so that the site has the last word.
        @if let Some(href) = parts.sheet { link rel="stylesheet" href=(href); }
        // Inert until the first paint, see `AFTER_PAINT`.
        template {
            @for href in parts.ui.imports.iter().chain(reader) {
                link rel="modulepreload" href=(href) nonce=(NONCE);
            }
            @for module in &modules {
                link rel="modulepreload" href=(module.entry) integrity=(module.integrity) nonce=(NONCE);
            }
            script type="module" src=(parts.ui.entry) nonce=(NONCE) {}
        }
    };
    format!(
        "<!DOCTYPE html><html lang=\"{}\" dir=\"{}\" data-color=\"{}\" data-gray=\"{}\"{SCHEME}><head>{}",
        lang.tag(),
        lang.dir(),
        parts.bootstrap.site.color_id,
        parts.bootstrap.site.gray_type,
        head.into_string()
    )
}

/// Whether a page has much text in Latin letters, by the language of its article, else its own. One that is read from right to left has: its
/// titles and names from elsewhere.
fn is_latin(bootstrap: &Bootstrap) -> bool {
    let lang = match &bootstrap.page {
        PageView::Article { language, .. } if !language.is_empty() => language.as_str(),
        _ => bootstrap.lang.tag(),
    };
    let primary = lang.split('-').next().unwrap_or_default();
    !matches!(primary, "zh" | "ja" | "ko" | "ru" | "uk" | "bg" | "el" | "th" | "hi")
}

fn has_italics(html: &str) -> bool {
    html.contains("<i>") || html.contains("<em>")
}

fn rest(parts: &Parts<'_>, before: &Markup, json: &str) -> String {
    let bootstrap = parts.bootstrap;
    let canonical = if parts.head.canonical.is_empty() { parts.path } else { &parts.head.canonical };
    let page_kind = page_kind(bootstrap);
    let absolute = |path: &str| at_canonical_host(parts.site, &bootstrap.base, path);
    html! {
        title { (parts.title) }
        (parts.head.tags())
        link rel="canonical" href=(absolute(canonical));
        @if parts.bootstrap.languages.len() > 1 {
            @for language in &bootstrap.languages {
                link rel="alternate" hreflang=(language.tag) href=(absolute(&language.href));
            }
            @for language in bootstrap.languages.iter().filter(|language| language.code == parts.default_lang) {
                link rel="alternate" hreflang="x-default" href=(absolute(&language.href));
            }
        }
        meta property="og:title" content=(parts.title);
        meta property="og:site_name" content=(bootstrap.site.name);
        meta name="theme-color" media="(prefers-color-scheme: light)" content=(parts.theme.light.theme_color_primary);
        meta name="theme-color" media="(prefers-color-scheme: dark)" content=(parts.theme.dark.bg_opacity);
        (PreEscaped("</head>"))
        // The style sheet keeps places that links lead to clear of a header that stays at the top of the window.
        @let ceiling = if bootstrap.header.ceiling == Some(true) { " data-ceiling" } else { "" };
        (PreEscaped(format!("<body class=\"page-{page_kind}\"{ceiling}>")))
        a.skip-link href="#main" { (parts.texts.get("skip_to_content")) }
        div #app {
            (before)
            main #main tabindex="-1" data-page=(page_kind) { (parts.main) }
            (footer(parts))
        }
        @if let Some(messages) = parts.texts.shell() {
            // A request less than a script of their own.
            script type="application/json" id="messages" data-language=(parts.texts.lang.code()) { (PreEscaped(script_json(messages))) }
        }
        (PreEscaped("<script type=\"application/json\" id=\"bootstrap\">")) (PreEscaped(json)) (PreEscaped(END))
    }
    .into_string()
}

/// The absolute address of a page of this site, at the site's canonical host. `path` begins with `base`, the prefix of the site's addresses,
/// which `site` has already.
pub fn at_canonical_host(site: &str, base: &str, path: &str) -> String {
    format!("{site}{}", path.strip_prefix(base).unwrap_or(path))
}

/// The kind of the page, or the route of a list; the shell sets the same when it follows a link.
fn page_kind(bootstrap: &Bootstrap) -> &str {
    match &bootstrap.page {
        PageView::Home {} => "home",
        PageView::List { route } => route,
        PageView::Search { .. } => "search",
        PageView::Article { .. } => "article",
        PageView::Message { .. } => "message",
    }
}

fn module<'a>(bootstrap: &'a Bootstrap, slot: &str) -> Option<&'a str> {
    bootstrap.slots.get(slot)?.first().map(|module| module.module.as_str())
}

/// A slot of the frame as its modules have rendered it. The shell looks for `data-rendered`, and takes the markup over as it is.
fn rendered(slot: &str, markup: &str) -> Markup {
    html! { div.slot data-slot=(slot) data-rendered { (PreEscaped(markup)) } }
}

// What follows is for modules that the host cannot render: links and a form.

fn header(parts: &Parts<'_>) -> Markup {
    if let Some(markup) = &parts.frame.header {
        return rendered("header", markup);
    }
    let bootstrap = parts.bootstrap;
    html! {
        header.frame-header data-slot="header" data-module=[module(bootstrap, "header")] {
            (logo(bootstrap))
            nav aria-label=(parts.texts.get("menu")) { (menu(&bootstrap.menu, "frame-menu")) }
            @if bootstrap.header.switch_language && bootstrap.languages.len() > 1 { (languages(&bootstrap.languages, bootstrap.lang)) }
        }
    }
}

fn logo(bootstrap: &Bootstrap) -> Markup {
    let (site, header) = (&bootstrap.site, &bootstrap.header);
    let dark = header.dark_logo.as_ref().filter(|_| !site.logo.is_empty());
    html! {
        a.frame-logo href=(header.home_href) data-dark[dark.is_some()] {
            @if site.logo.is_empty() { (site.name) }
            @else {
                picture {
                    @if let Some(narrow) = &header.mobile_logo { source media="(max-width: 767.98px)" srcset=(narrow); }
                    img src=(site.logo) alt=(site.name) height="48";
                }
                @if let Some(dark) = dark { img.frame-logo-dark src=(dark) alt=(site.name) height="48" loading="lazy"; }
            }
        }
    }
}

fn menu(links: &[MenuLink], class: &str) -> Markup {
    html! {
        ul class=(class) {
            @for link in links {
                li {
                    a href=(link.href) aria-current=[link.current.then_some("page")] target=[link.new_tab.then_some("_blank")] rel=[link.new_tab.then_some("noopener")] {
                        (link.label)
                    }
                    @if !link.children.is_empty() { (menu(&link.children, "frame-submenu")) }
                }
            }
        }
    }
}

fn languages(languages: &[LanguageLink], current: masthead_domain::Lang) -> Markup {
    html! {
        ul.frame-langs {
            @for language in languages {
                li {
                    a href=(language.href) lang=(language.tag) hreflang=(language.tag) aria-current=[(language.code == current).then_some("true")] { (language.name) }
                }
            }
        }
    }
}

fn search(parts: &Parts<'_>) -> Markup {
    if let Some(markup) = &parts.frame.search {
        return rendered("search", markup);
    }
    let bootstrap = parts.bootstrap;
    let Some(module) = module(bootstrap, "search") else { return html! {} };
    let typed = match &bootstrap.page {
        PageView::Search { q, .. } => Some(q.as_str()),
        _ => None,
    };
    html! {
        div.frame-search data-slot="search" data-module=(module) {
            @if !bootstrap.search.title.is_empty() { p.frame-search-title { (bootstrap.search.title) } }
            form role="search" action=(bootstrap.search.action) method="get" {
                label {
                    span.visually-hidden { (parts.texts.get("search")) }
                    input type="search" name="q" value=[typed] placeholder=(parts.texts.get("search_placeholder"));
                }
                button type="submit" { (parts.texts.get("search")) }
            }
        }
    }
}

fn footer(parts: &Parts<'_>) -> Markup {
    if let Some(markup) = &parts.frame.footer {
        return rendered("footer", markup);
    }
    let bootstrap = parts.bootstrap;
    let rows = bootstrap.slots.get("footer.rows").map(Vec::as_slice).unwrap_or_default();
    html! {
        footer.frame-footer data-slot="footer" data-module=[module(bootstrap, "footer")] {
            @for row in rows { (link_row(&row.props, bootstrap.lang)) }
            p.frame-copyright { bdi { (bootstrap.footer.copyright) } }
            @if !bootstrap.footer.icp.is_empty() || !bootstrap.footer.picp.is_empty() {
                p.frame-records {
                    (record(&bootstrap.footer.icp, &bootstrap.footer.icp_href))
                    " "
                    (record(&bootstrap.footer.picp, &bootstrap.footer.picp_href))
                }
            }
        }
    }
}

fn record(text: &str, href: &str) -> Markup {
    html! {
        @if !text.is_empty() {
            @if href.is_empty() { bdi { (text) } } @else { a href=(href) rel="noopener" { bdi { (text) } } }
        }
    }
}

/// The preset as custom properties, for light and dark paper.
#[must_use]
pub fn theme(theme: &ThemeColor) -> String {
    let tokens = |tokens: &ThemeTokens| {
        format!(
            "--color-primary:{};--color-primary-hover:{};--color-other:{};--color-tint:{};--color-line:{}",
            tokens.theme_color_primary,
            tokens.theme_color_hover_primary,
            tokens.other_color,
            tokens.bg_opacity,
            tokens.bottom_line_color
        )
    };
    let (light, dark) = (tokens(&theme.light), tokens(&theme.dark));
    format!(
        ":root{{{light}}}@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}:root[data-theme=dark]{{{dark}}}"
    )
}
