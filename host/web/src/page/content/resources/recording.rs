//! The pages of audio and video: the browser's own player, captions, and what is said as text.

use masthead_domain::{
    LocalText,
    link::{LinkKind, is_own, is_own_or_web, is_web},
    resource::{Audio, Resource, ResourceKind, Video},
};
use masthead_runtime::Call;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::{
    entry,
    facts::{self, list},
};
use crate::page::{
    content::bidi,
    context::{Context, Page, PageError},
    head::Head,
};

/// What audio and video have in common.
struct Recording<'a> {
    title: &'a LocalText,
    introduction: &'a LocalText,
    keywords: &'a LocalText,
    thesis: &'a LocalText,
    article_key: &'a str,
    speakers: &'a [String],
    date: &'a str,
    seconds: u32,
    file: &'a str,
    cover: &'a str,
    captions: Option<&'a LocalText>,
    transcript: &'a LocalText,
}

/// The page of a sound recording.
pub async fn audio(context: &Context<'_>, call: &mut Call, id: i64) -> Result<Page, PageError> {
    let Some(audio) = context.store.resource::<Audio>(id).await? else { return Ok(facts::missing(context)) };
    let Audio {
        title,
        introduction,
        keywords,
        thesis,
        article_key,
        speakers,
        date,
        seconds,
        file,
        cover,
        transcript,
        ..
    } = &audio.value;
    let recording = Recording {
        title,
        introduction,
        keywords,
        thesis,
        article_key,
        speakers,
        date,
        seconds: *seconds,
        file,
        cover,
        captions: None,
        transcript,
    };
    page::<Audio>(context, call, &recording).await
}

/// The page of a video.
pub async fn video(context: &Context<'_>, call: &mut Call, id: i64) -> Result<Page, PageError> {
    let Some(video) = context.store.resource::<Video>(id).await? else { return Ok(facts::missing(context)) };
    let Video {
        title,
        introduction,
        keywords,
        thesis,
        article_key,
        speakers,
        date,
        seconds,
        file,
        cover,
        captions,
        transcript,
        ..
    } = &video.value;
    let recording = Recording {
        title,
        introduction,
        keywords,
        thesis,
        article_key,
        speakers,
        date,
        seconds: *seconds,
        file,
        cover,
        captions: Some(captions),
        transcript,
    };
    page::<Video>(context, call, &recording).await
}

async fn page<T: Resource>(
    context: &Context<'_>,
    call: &mut Call,
    recording: &Recording<'_>,
) -> Result<Page, PageError> {
    let lang = context.lang();
    let article = match recording.article_key {
        "" => None,
        key => context.store.article_ids_by_names(&[key]).await?.into_values().next(),
    };
    let href = match article {
        Some(id) => context.addresses.articles(call, LinkKind::ListArticle, &[id]).await.pop(),
        None => None,
    };
    let article = href.map(|href| {
        let title = if recording.thesis.is_empty() {
            bidi::isolated(recording.article_key)
        } else {
            bidi::local(recording.thesis, lang)
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
            (facts::head(context, T::KIND, "", recording.title, html! {}))
            (player(context, T::KIND, recording))
            (facts::prose(context, recording.introduction))
            (list(context, &[
                ("speakers", entry::people(context, recording.speakers)),
                ("date", entry::day(recording.date)),
                ("length", length),
                ("keywords", bidi::local(recording.keywords, lang)),
                ("field_thesis", article.unwrap_or_else(|| bidi::local(recording.thesis, lang))),
            ]))
            (facts::section(context, "transcript", facts::prose(context, recording.transcript)))
        }
    };
    let page = facts::page::<T>(context, recording.title, recording.introduction, main);
    let head = Head { json_ld: described(context, T::KIND, recording), ..page.head };
    Ok(Page { head, ..page })
}

/// The recording as schema.org describes recordings; nothing without a file.
fn described(context: &Context<'_>, kind: ResourceKind, recording: &Recording<'_>) -> Value {
    if !is_own_or_web(recording.file) {
        return Value::Null;
    }
    let absolute = |address: &str| {
        if address.starts_with('/') { format!("{}{address}", context.origin) } else { address.to_owned() }
    };
    let length = if recording.seconds > 0 { format!("PT{}S", recording.seconds) } else { String::new() };
    let cover = if is_own_or_web(recording.cover) { absolute(recording.cover) } else { String::new() };
    facts::without_empty(json!({
        "@context": "https://schema.org",
        "@type": if kind == ResourceKind::Video { "VideoObject" } else { "AudioObject" },
        "name": recording.title.get(context.lang()),
        "description": recording.introduction.get(context.lang()),
        "contentUrl": absolute(recording.file),
        "thumbnailUrl": cover,
        "uploadDate": recording.date,
        "duration": length,
        "transcript": recording.transcript.get(context.lang()),
    }))
}

/// The player of a file of this host; a recording of another server is opened there, as a page plays nothing from other servers.
fn player(context: &Context<'_>, kind: ResourceKind, recording: &Recording<'_>) -> Markup {
    let file = recording.file;
    let cover = Some(recording.cover).filter(|cover| is_own(cover));
    let name = recording.title.get(context.lang());
    html! {
        div.player data-player=(kind.as_str()) {
            @if is_own(file) {
                @if kind == ResourceKind::Video {
                    video controls preload="metadata" playsinline poster=[cover] src=(file) aria-label=(name) {
                        (tracks(context, recording.captions))
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
fn tracks(context: &Context<'_>, captions: Option<&LocalText>) -> Markup {
    let chosen = captions.and_then(|captions| captions.exact(context.lang()));
    html! {
        @for (lang, file) in captions.iter().flat_map(|captions| &captions.0).filter(|(_, file)| is_own(file)) {
            track kind="captions" src=(file) srclang=(lang.tag()) label=(lang.name()) default[chosen == Some(file.as_str())];
        }
    }
}
