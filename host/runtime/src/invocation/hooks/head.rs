//! `head.contribute`: tags in the head of a page.

use serde_json::Value;

use super::{
    binding::{HookEntry, bind},
    text,
};
use crate::{contract::bindings::exports::masthead::plugin::head as wit, invocation::site_context::SiteContext};

const TAGS: usize = 64;
const NAME_BYTES: usize = 64;
const CONTENT_BYTES: usize = 4096;
const JSON_BYTES: usize = 32 << 10;
/// Names of tags that control the browser or speak for the site, and are therefore not allowed.
const REFUSED: [&str; 8] = [
    "viewport",
    "referrer",
    "robots",
    "color-scheme",
    "theme-color",
    "content-security-policy",
    "refresh",
    "generator",
];
const RELS: [&str; 10] =
    ["alternate", "author", "cite-as", "collection", "describedby", "item", "license", "me", "related", "search"];

bind!(Entry: head.call_contribute(wit::Page) -> Vec<wit::Tag>);

impl HookEntry for Entry {
    fn check(_: &SiteContext, _: &wit::Page, output: &Vec<wit::Tag>) -> Result<(), String> {
        if output.len() > TAGS {
            return Err(format!("{} tags, allowed are {TAGS}", output.len()));
        }
        output.iter().try_for_each(check_tag)
    }

    fn trial_input() -> Option<wit::Page> {
        Some(wit::Page { title: String::new(), canonical: String::new(), article: None })
    }

    fn cache_weight(tags: &Vec<wit::Tag>) -> usize {
        let weigh = |tag: &wit::Tag| match tag {
            wit::Tag::Meta(meta) => meta.name.len() + meta.content.len(),
            wit::Tag::Link(link) => link.rel.len() + link.href.len() + link.media_type.len() + link.title.len(),
            wit::Tag::JsonLd(json) => json.len(),
        };
        tags.iter().map(|tag| 96 + weigh(tag)).sum()
    }
}

fn check_tag(tag: &wit::Tag) -> Result<(), String> {
    match tag {
        wit::Tag::Meta(meta) => {
            let fits = !meta.name.is_empty()
                && meta.name.len() <= NAME_BYTES
                && meta.name.bytes().all(|c| c.is_ascii_alphanumeric() || b"._:-".contains(&c));
            if !fits || REFUSED.contains(&meta.name.to_ascii_lowercase().as_str()) {
                return Err(format!("a plugin may not set the meta name {:?}", text::short(&meta.name)));
            }
            text::check_text("a meta content", &meta.content, CONTENT_BYTES)
        }
        wit::Tag::Link(link) => {
            if !RELS.contains(&link.rel.as_str()) {
                return Err(format!("the rel {:?} is not one of {}", text::short(&link.rel), RELS.join(", ")));
            }
            text::check_text("a media type", &link.media_type, NAME_BYTES * 2)?;
            text::check_text("a title", &link.title, CONTENT_BYTES)?;
            text::check_web(&link.href)
        }
        wit::Tag::JsonLd(json) if json.len() > JSON_BYTES => {
            Err(format!("JSON-LD of {} bytes, allowed are {JSON_BYTES}", json.len()))
        }
        wit::Tag::JsonLd(json) => match serde_json::from_str::<Value>(json) {
            Ok(Value::Object(_)) => Ok(()),
            Ok(_) => Err("its JSON-LD is not an object".to_owned()),
            Err(error) => Err(format!("its JSON-LD is not JSON: {error}")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_control_the_browser_are_refused() {
        let meta = |name: &str| check_tag(&wit::Tag::Meta(wit::Meta { name: name.into(), content: "x".into() }));
        assert!(meta("DC.title").is_ok() && meta("og:title").is_ok());
        for bad in ["Refresh", "viewport", "a b", "", "x\" onload=", "robots"] {
            assert!(meta(bad).is_err(), "{bad}");
        }
        let link = |rel: &str, href: &str| {
            let (rel, href) = (rel.to_owned(), href.to_owned());
            check_tag(&wit::Tag::Link(wit::Link { rel, href, media_type: String::new(), title: String::new() }))
        };
        assert!(link("cite-as", "https://doi.org/10.5555/1").is_ok());
        assert!(link("stylesheet", "https://example.org/a.css").is_err() && link("me", "javascript:1").is_err());
        assert!(check_tag(&wit::Tag::JsonLd("[1]".into())).is_err());
    }
}
