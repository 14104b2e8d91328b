//! The pages of audio and video: the browser's own player, captions, and what is said as text.

use masthead_domain::{
    LocalText,
    link::{LinkKind, is_own, is_own_or_web, is_web},
    resource::{Audio, ResourceKind, Video},
};
use masthead_runtime::Call;
use masthead_store::StoredResource;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::{
    entry,
    facts::{self, list},
};
use crate::page::{
    content::{bidi, message::absent},
    context::{Context, Page, PageError},
    head::Head,
};

/// What audio and video have in common.
pub struct Recording {
    title: LocalText,
    introduction: LocalText,
    keywords: LocalText,
    thesis: LocalText,
    article_key: String,
    speakers: Vec<String>,
    date: String,
    seconds: u32,
    file: String,
    cover: String,
    captions: LocalText,
    transcript: LocalText,
}

impl From<Audio> for Recording {
    fn from(audio: Audio) -> Self {
        Self {
            title: audio.title,
            introduction: audio.introduction,
            keywords: audio.keywords,
            thesis: audio.thesis,
            article_key: audio.article_key,
            speakers: audio.speakers,
            date: audio.date,
            seconds: audio.seconds,
            file: audio.file,
            cover: audio.cover,
            captions: LocalText::default(),
            transcript: audio.transcript,
        }
    }
}

impl From<Video> for Recording {
    fn from(video: Video) -> Self {
        Self {
            title: video.title,
            introduction: video.introduction,
            keywords: video.keywords,
            thesis: video.thesis,
            article_key: video.article_key,
            speakers: video.speakers,
            date: video.date,
            seconds: video.seconds,
            file: video.file,
            cover: video.cover,
            captions: video.captions,
            transcript: video.transcript,
        }
    }
}

/// The page of a sound recording or a video.
pub async fn page<T>(context: &Context<'_>, call: &mut Call, id: i64) -> Result<Page, PageError>
where
    T: StoredResource + Into<Recording>,
{
    let Some(stored) = context.store.resource::<T>(id).await? else { return Ok(absent(context)) };
    let recording: Recording = stored.value.into();
    let lang = context.lang();
    let article = match recording.article_key.as_str() {
        "" => None,
        key => context.store.named_articles(&[key]).await?.first().map(|article| article.id),
    };
    let href = match article {
        Some(id) => context.addresses.articles(call, LinkKind::ListArticle, &[id]).await.pop(),
        None => None,
    };
    let article = href.map(|href| {
        let title = if recording.thesis.is_empty() {
            bidi::isolated(&recording.article_key)
        } else {
            bidi::local(&recording.thesis, lang)
        };
        html! { a href=(href) { (title) } }
    });
    let length = if recording.seconds > 0 {
        entry::length(recording.seconds)
    } else {
        html! {}
    };
    let main = html! {
        article.resource data-resource=(T::KIND.as_str()) {
            (facts::head(context, (T::KIND, id), "", &recording.title, html! {}))
            (player(context, T::KIND, &recording))
            (facts::prose(context, &recording.introduction))
            (list(context, &[
                ("speakers", entry::people(context, &recording.speakers)),
                ("date", entry::day(&recording.date)),
                ("length", length),
                ("keywords", bidi::local(&recording.keywords, lang)),
                ("field_thesis", article.unwrap_or_else(|| bidi::local(&recording.thesis, lang))),
            ]))
            (facts::section(context, "transcript", facts::prose(context, &recording.transcript)))
        }
    };
    let page = facts::page::<T>(context, &recording.title, &recording.introduction, main);
    let head = Head { json_ld: described(context, T::KIND, &recording), ..page.head };
    Ok(Page { head, ..page })
}

/// The recording as schema.org describes recordings; nothing without a file.
fn described(context: &Context<'_>, kind: ResourceKind, recording: &Recording) -> Value {
    if !is_own_or_web(&recording.file) {
        return Value::Null;
    }
    let absolute = |address: &str| {
        if address.starts_with('/') { format!("{}{address}", context.origin) } else { address.to_owned() }
    };
    let length = if recording.seconds > 0 { format!("PT{}S", recording.seconds) } else { String::new() };
    let cover = if is_own_or_web(&recording.cover) { absolute(&recording.cover) } else { String::new() };
    facts::without_empty(json!({
        "@context": "https://schema.org",
        "@type": if kind == ResourceKind::Video { "VideoObject" } else { "AudioObject" },
        "name": recording.title.get(context.lang()),
        "description": recording.introduction.get(context.lang()),
        "contentUrl": absolute(&recording.file),
        "thumbnailUrl": cover,
        "uploadDate": recording.date,
        "duration": length,
        "transcript": recording.transcript.get(context.lang()),
    }))
}

/// The player of a file of this host; a recording of another server is opened there, as a page plays nothing from other servers.
fn player(context: &Context<'_>, kind: ResourceKind, recording: &Recording) -> Markup {
    let file = recording.file.as_str();
    let cover = Some(recording.cover.as_str()).filter(|cover| is_own(cover));
    let name = recording.title.get(context.lang());
    html! {
        div.player data-player=(kind.as_str()) {
            @if is_own(file) {
                @if kind == ResourceKind::Video {
                    video controls preload="metadata" playsinline poster=[cover] src=(file) aria-label=(name) {
                        (tracks(context, &recording.captions))
                    }
                } @else {
                    @if let Some(cover) = cover { img src=(cover) alt=""; }
                    audio controls preload="metadata" src=(file) aria-label=(name) {}
                }
            } @else {
                @if let Some(cover) = cover { img src=(cover) alt=""; }
                @if is_web(file) {
                    a.action href=(file) rel="noopener" { (context.texts.get("open_recording")) }
                } @else {
                    p.player-note { (context.texts.get("no_recording")) }
                }
            }
        }
    }
}

/// The captions in each language; those in the page's language are shown from the start.
fn tracks(context: &Context<'_>, captions: &LocalText) -> Markup {
    let chosen = captions.exact(context.lang());
    html! {
        @for (lang, file) in captions.0.iter().filter(|(_, file)| is_own(file)) {
            track kind="captions" src=(file) srclang=(lang.tag()) label=(lang.name()) default[chosen == Some(file.as_str())];
        }
    }
}
