//! The frame of a page: header, search and footer, as their modules render them. What a module draws first in a browser is this.

use std::collections::BTreeMap;

use masthead_runtime::RenderModule;
use serde_json::json;

use crate::{
    page::types::{Bootstrap, HeaderView, LanguageLink, MenuLink, PageView, SessionView},
    ui::{
        SlotModule, Ui,
        frames::{Frames, Question, SlotMarkup, Value},
        is_late,
    },
};

/// The markup of the slots of a frame; `None` where the host's own takes its place.
#[derive(Debug)]
pub struct Frame {
    /// Header.
    pub header: Option<String>,
    /// Search widget.
    pub search: Option<String>,
    /// Footer.
    pub footer: Option<String>,
    /// Whether a page with it may be kept: false where modules could have been rendered another time.
    pub lasting: bool,
}

/// Renders the frame of a page, or takes it from what is remembered. `path` is the page's address.
pub async fn frame(frames: &Frames, ui: &Ui, bootstrap: &Bootstrap, path: &str) -> Frame {
    let mut shared = Shared::new(bootstrap);
    let mut lasting = true;
    let mut slots = [None, None, None];
    for (markup, slot) in slots.iter_mut().zip(["header", "search", "footer"]) {
        let Some((modules, common)) = shared.slot(ui, slot) else { continue };
        let page = || (shared.page(), json!(path).to_string());
        let question = Question { slot, modules, common, kind: &shared.kind, page: &page };
        match frames.markup(question).await {
            SlotMarkup::Rendered(template) => *markup = Some(template.fill(&shared.values)),
            SlotMarkup::Own { lasting: lasts } => lasting &= lasts,
        }
    }
    let [header, search, footer] = slots;
    Frame { header, search, footer, lasting }
}

/// What the slots of a frame have in common.
struct Shared<'a> {
    of_page: &'a Bootstrap,
    /// The bootstrap with placeholders, and with the slots and modules of the slot that is rendered.
    common: Bootstrap,
    values: Vec<Value<'a>>,
    /// The words of a search.
    words: String,
    kind: String,
}

impl<'a> Shared<'a> {
    fn new(bootstrap: &'a Bootstrap) -> Self {
        let mut values = Vec::new();
        let mut held = |value: Value<'a>| {
            let placeholder = value.placeholder(values.len());
            values.push(value);
            placeholder
        };
        let mut address = |address: &'a str| match address {
            inside if inside.starts_with('/') => held(Value::Address(inside)),
            other => other.to_owned(),
        };
        let languages = bootstrap.languages.iter();
        let languages =
            languages.map(|language| LanguageLink { href: address(&language.href), ..language.clone() }).collect();
        // What switches the language leads to the page in another language.
        let mut switching = |link: &'a MenuLink| match link.code.as_str() {
            "setStyle" => address(&link.href),
            _ => link.href.clone(),
        };
        let mut menu = Vec::with_capacity(bootstrap.menu.len());
        for link in &bootstrap.menu {
            let children = link.children.iter().map(|child| MenuLink { href: switching(child), ..child.clone() });
            let children = children.collect();
            menu.push(MenuLink { href: switching(link), children, ..link.clone() });
        }
        let header = HeaderView { login_href: address(&bootstrap.header.login_href), ..bootstrap.header.clone() };
        let mut text = |text: &'a str| if text.is_empty() { String::new() } else { held(Value::Text(text)) };
        let session = SessionView { user_name: text(&bootstrap.session.user_name), ..bootstrap.session.clone() };
        let (words, kind) = match &bootstrap.page {
            PageView::Search { q, scope, .. } => {
                let words = text(q);
                let kind = json!({ "kind": "search", "q": words, "scope": scope }).to_string();
                (words, kind)
            }
            other => (String::new(), kind(other).to_owned()),
        };
        let common = Bootstrap {
            contract: bootstrap.contract,
            site: bootstrap.site.clone(),
            lang: bootstrap.lang,
            base: bootstrap.base.clone(),
            languages,
            menu,
            header,
            footer: bootstrap.footer.clone(),
            search: bootstrap.search.clone(),
            slots: BTreeMap::new(),
            session,
            translate: bootstrap.translate.clone(),
            permissions: bootstrap.permissions,
            // The page is a part of its own.
            page: PageView::Home {},
        };
        Self { of_page: bootstrap, common, values, words, kind }
    }

    /// The modules that render a slot, and what they render, as JSON. `None` if the slot is empty, or a script is not there.
    fn slot(&mut self, ui: &Ui, slot: &str) -> Option<(Vec<RenderModule>, String)> {
        let is_inside = |name: &str| name.strip_prefix(slot).is_some_and(|rest| rest.starts_with('.'));
        let all = &self.of_page.slots;
        let own = all.get_key_value(slot).filter(|(_, modules)| !modules.is_empty())?;
        let slots: Vec<_> = std::iter::once(own).chain(all.iter().filter(|(name, _)| is_inside(name))).collect();
        let mut modules = Vec::new();
        for (name, refs) in &slots {
            // Of a slot with one module, the shell mounts the first; those of late slots come later.
            let refs = if *name == slot { refs.get(..1)? } else { refs.as_slice() };
            for module in refs.iter().filter(|_| !is_late(name)) {
                modules.push(script(ui, name, module)?);
            }
        }
        modules.dedup_by(|a, b| a.slot == b.slot && a.id == b.id);
        self.common.slots = slots.into_iter().map(|(name, modules)| (name.clone(), modules.clone())).collect();
        Some((modules, serde_json::to_string(&self.common).ok()?))
    }

    /// The page itself, as JSON.
    fn page(&self) -> String {
        let page = match &self.of_page.page {
            PageView::Search { total, scope, .. } => {
                serde_json::to_string(&PageView::Search { q: self.words.clone(), total: *total, scope: scope.clone() })
            }
            other => serde_json::to_string(other),
        };
        page.unwrap_or_else(|_| "{\"kind\":\"home\"}".to_owned())
    }
}

/// A module with its script.
fn script(ui: &Ui, slot: &str, module: &SlotModule) -> Option<RenderModule> {
    let script = ui.asset(module.entry.strip_prefix("/assets/")?)?.plain;
    Some(RenderModule { id: module.module.clone(), slot: slot.to_owned(), digest: module.integrity.clone(), script })
}

const fn kind(page: &PageView) -> &'static str {
    match page {
        PageView::Home {} => "home",
        PageView::List { .. } => "list",
        PageView::Search { .. } => "search",
        PageView::Article { .. } => "article",
        PageView::Message { .. } => "message",
    }
}
