//! The frame of pages as its modules render it, remembered: a page whose frame was rendered before costs a look-up and a copy.
//!
//! What differs between pages is not part of what is remembered. The addresses of the page's other languages and of the sign-in, the reader's
//! name and the words of a search are placeholders when a module renders, and values afterwards.

use std::sync::Arc;

use masthead_runtime::{RenderFailure, RenderModule, Renderer};
use moka::sync::Cache;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest as _, Sha256};

/// Bytes of the markup that is remembered.
const REMEMBERED: u64 = 32 << 20;
/// Times that modules may be stopped before they are not rendered any more, until another version of them is there.
const PATIENCE: u32 = 3;
/// What a placeholder begins with. In a text that a site's configuration has, it would do no harm: values are escaped.
const MARK: &str = "zq7mh";
/// What `encodeURIComponent` leaves as it is, besides letters and digits.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// What is put in the place of a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// An address that begins with a slash.
    Address(&'a str),
    /// A text.
    Text(&'a str),
}

impl Value<'_> {
    /// The placeholder of the value with this number. It survives escaping, and that of an address is an address.
    #[must_use]
    pub fn placeholder(&self, number: usize) -> String {
        match self {
            Self::Address(_) => format!("/{MARK}{number}z"),
            // The blank shows whether the text was encoded.
            Self::Text(_) => format!("{MARK}{number} z"),
        }
    }
}

/// How a placeholder was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As it is.
    Plain,
    /// As a part of an address.
    Encoded,
    /// As a part of a query.
    Query,
}

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Text(Box<str>),
    Value(usize, Form),
}

/// Markup with places for the values of a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Template(Vec<Piece>);

impl Template {
    /// Cuts markup at its placeholders; `None` if one of them was changed so that it is none any more.
    #[must_use]
    pub fn new(html: &str) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut rest = html;
        while let Some(at) = rest.find(MARK) {
            let (before, from) = rest.split_at(at);
            let after = &from[MARK.len()..];
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let number = after[..digits].parse().ok()?;
            let endings = [("z", Form::Plain), (" z", Form::Plain), ("%20z", Form::Encoded), ("+z", Form::Query)];
            let (ending, form) = endings.into_iter().find(|(ending, _)| after[digits..].starts_with(ending))?;
            let (before, form) = match (ending, before.strip_suffix("%2F"), before.strip_suffix('/')) {
                ("z", Some(before), _) => (before, Form::Encoded),
                ("z", None, Some(before)) => (before, form),
                ("z", None, None) => return None,
                _ => (before, form),
            };
            pieces.push(Piece::Text(before.into()));
            pieces.push(Piece::Value(number, form));
            rest = &after[digits + ending.len()..];
        }
        pieces.push(Piece::Text(rest.into()));
        let is_whole = |piece: &Piece| match piece {
            Piece::Text(text) => !text.to_ascii_lowercase().contains(MARK),
            Piece::Value(..) => true,
        };
        pieces.iter().all(is_whole).then_some(Self(pieces))
    }

    /// The markup of a page.
    #[must_use]
    pub fn fill(&self, values: &[Value<'_>]) -> String {
        let mut html = String::with_capacity(self.size());
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => html.push_str(text),
                Piece::Value(number, form) => {
                    let value = values.get(*number).map_or("", |value| match value {
                        Value::Address(value) | Value::Text(value) => *value,
                    });
                    push(&mut html, value, *form);
                }
            }
        }
        html
    }

    fn size(&self) -> usize {
        let size = |piece: &Piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Value(..) => 64,
        };
        self.0.iter().map(size).sum()
    }
}

fn push(html: &mut String, value: &str, form: Form) {
    match form {
        Form::Plain => _ = html_escape::encode_quoted_attribute_to_string(value, html),
        Form::Encoded => html.extend(utf8_percent_encode(value, COMPONENT)),
        Form::Query => html.extend(url::form_urlencoded::byte_serialize(value.as_bytes())),
    }
}

/// What the markup of a slot depends on.
pub struct Question<'a> {
    /// The slot.
    pub slot: &'a str,
    /// The modules that render it: its own, and those of slots inside it.
    pub modules: Vec<RenderModule>,
    /// What pages have in common, as JSON with placeholders.
    pub common: String,
    /// What of the page itself every module may know, as JSON.
    pub kind: &'a str,
    /// All of the page, and its path, both as JSON.
    pub page: &'a (dyn Fn() -> (String, String) + Send + Sync),
}

/// The markup of a slot.
#[derive(Clone, Debug)]
pub enum SlotMarkup {
    /// As its modules render it.
    Rendered(Arc<Template>),
    /// The modules cannot render it: the host's own markup takes their place. `lasting`: the same is to be expected the next time.
    Own {
        /// Whether a page with it may be kept.
        lasting: bool,
    },
}

#[derive(Clone)]
enum Kept {
    Rendered(Arc<Template>),
    /// It is another one on each page.
    OfPage,
    /// The modules throw.
    Threw,
}

type Key = [u8; 32];

/// Renders the frames of pages.
pub struct Frames {
    renderer: Renderer,
    kept: Cache<Key, Kept>,
    /// How often modules had to be stopped, by their digests.
    stopped: Cache<String, u32>,
}

impl Frames {
    /// Frames that this renderer makes.
    #[must_use]
    pub fn new(renderer: Renderer) -> Self {
        let weigh = |_: &Key, kept: &Kept| match kept {
            Kept::Rendered(template) => u32::try_from(template.size() + 256).unwrap_or(u32::MAX),
            Kept::OfPage | Kept::Threw => 128,
        };
        let kept = Cache::builder().weigher(weigh).max_capacity(REMEMBERED).build();
        Self { renderer, kept, stopped: Cache::builder().max_capacity(1024).build() }
    }

    /// The markup of a slot, remembered or rendered.
    pub async fn markup(&self, question: Question<'_>) -> SlotMarkup {
        let key = key(&question);
        match self.kept.get(&key) {
            Some(Kept::Rendered(template)) => return SlotMarkup::Rendered(template),
            Some(Kept::Threw) => return SlotMarkup::Own { lasting: true },
            Some(Kept::OfPage) | None => {}
        }
        let (page, path) = (question.page)();
        let of_page = key_of_page(&key, &page, &path);
        match self.kept.get(&of_page) {
            Some(Kept::Rendered(template)) => return SlotMarkup::Rendered(template),
            Some(Kept::Threw) => return SlotMarkup::Own { lasting: true },
            Some(Kept::OfPage) | None => {}
        }
        self.render(question, (key, of_page), (page, path)).await
    }

    async fn render(
        &self,
        question: Question<'_>,
        (key, of_page): (Key, Key),
        (page, path): (String, String),
    ) -> SlotMarkup {
        let digests: String = question.modules.iter().map(|module| format!("{} ", module.digest)).collect();
        let stopped = self.stopped.get(&digests).unwrap_or_default();
        if stopped >= PATIENCE {
            return SlotMarkup::Own { lasting: true };
        }
        let Question { slot, modules, common, .. } = question;
        let module = modules.first().map(|module| module.id.clone()).unwrap_or_default();
        let job = format!("{{\"slot\":\"{slot}\",\"path\":{path},\"page\":{page},\"bootstrap\":{common}}}");
        let rendered = self.renderer.render(modules, job).await.and_then(|rendering| {
            let template = Template::new(&rendering.html);
            let template = template.ok_or_else(|| {
                RenderFailure::Threw("it changes a placeholder: an address or a name that it may only show".to_owned())
            });
            template.map(|template| (Arc::new(template), rendering.of_page))
        });
        match rendered {
            Ok((template, is_of_page)) => {
                let kept = Kept::Rendered(Arc::clone(&template));
                if is_of_page {
                    self.kept.insert(key, Kept::OfPage);
                }
                self.kept.insert(if is_of_page { of_page } else { key }, kept);
                SlotMarkup::Rendered(template)
            }
            Err(failure) => {
                tracing::warn!(module, slot, %failure, "a module cannot be rendered; the host's own markup takes its place");
                metrics::counter!("masthead_ui_failures_total", "module" => module, "reason" => "host").increment(1);
                self.failed(&failure, digests, stopped, of_page)
            }
        }
    }

    fn failed(&self, failure: &RenderFailure, digests: String, stopped: u32, of_page: Key) -> SlotMarkup {
        match failure {
            RenderFailure::Threw(_) => {
                self.kept.insert(of_page, Kept::Threw);
                SlotMarkup::Own { lasting: true }
            }
            // All permits were taken by other renderings; this one may succeed the next time.
            RenderFailure::Busy => SlotMarkup::Own { lasting: false },
            _ => {
                self.stopped.insert(digests, stopped + 1);
                SlotMarkup::Own { lasting: stopped + 1 >= PATIENCE }
            }
        }
    }
}

fn key(question: &Question<'_>) -> Key {
    let mut hash = Sha256::new();
    for module in &question.modules {
        hash.update(format!("{} {} {}\n", module.slot, module.id, module.digest));
    }
    // JSON has no line ends of its own.
    hash.update(format!("{}\n{}\n", question.slot, question.kind));
    hash.update(&question.common);
    hash.finalize().into()
}

fn key_of_page(key: &Key, page: &str, path: &str) -> Key {
    let mut hash = Sha256::new();
    hash.update(key);
    hash.update(format!("{path}\n{page}"));
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(html: &str, values: &[Value<'_>]) -> Option<String> {
        Template::new(html).map(|template| template.fill(values))
    }

    #[test]
    fn placeholders_become_values_however_they_were_written() {
        let values = [Value::Address("/s/zh/a?b=1&c=\"2\""), Value::Text("O'Neil & <b>")];
        let [address, text] = [0, 1].map(|number| values[number].placeholder(number));
        assert_eq!(
            filled(&format!("<a href=\"{address}\">{text}</a>"), &values).as_deref(),
            Some("<a href=\"/s/zh/a?b=1&amp;c=&quot;2&quot;\">O&#x27;Neil &amp; &lt;b&gt;</a>")
        );
        let encoded = |text: &str| utf8_percent_encode(text, COMPONENT).to_string();
        assert_eq!(
            filled(&format!("?u={}&q={}", encoded(&address), encoded(&text)), &values).as_deref(),
            Some("?u=%2Fs%2Fzh%2Fa%3Fb%3D1%26c%3D%222%22&q=O'Neil%20%26%20%3Cb%3E")
        );
        let query: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
        assert_eq!(filled(&query, &values).as_deref(), Some("O%27Neil+%26+%3Cb%3E"));
        assert_eq!(filled("<p>none</p>", &[]).as_deref(), Some("<p>none</p>"));
        let ten: Vec<_> =
            ["/0", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9", "/10"].map(Value::Address).into();
        assert_eq!(filled(&ten[10].placeholder(10), &ten).as_deref(), Some("/10"), "one is no part of another");
    }

    #[test]
    fn a_placeholder_that_was_changed_is_seen() {
        let text = Value::Text("Ada").placeholder(0);
        for changed in [text.to_uppercase(), text.replace(' ', ""), text.replace(' ', "-"), text[..5].to_owned()] {
            assert_eq!(Template::new(&format!("<p>{changed}</p>")), None, "{changed}");
        }
    }
}
