//! Pictures one after the other. Without scripts they are a row that is scrolled; the shell adds the movement and enables the buttons.

use masthead_domain::{link, resource::News, site::HomeSection};
use masthead_store::StoreError;
use maud::{Markup, html};

use super::{View, block, heading, nothing, parts::SectionContent};
use crate::page::{
    bootstrap,
    content::{bidi, news_destination::NewsDestination},
};

/// A slide as it is drawn.
struct Slide {
    picture: String,
    title: Markup,
    text: Markup,
    /// Where it leads.
    link: Option<NewsDestination>,
}

/// The slides of the configuration, or the news that have a picture.
pub fn carousel(view: &View<'_>, section: &HomeSection, part: &SectionContent, id: &str) -> Result<Markup, StoreError> {
    let slides = if section.slides.is_empty() { of_news(view, section, part)? } else { configured(view, section) };
    if slides.is_empty() {
        return Ok(block(view, section, id, "home_carousel", &html! {}, &nothing(view)));
    }
    let texts = &view.context.texts;
    Ok(html! {
        section.carousel id=(id) aria-labelledby={ (id) "-title" } {
            h2.visually-hidden id={ (id) "-title" } { (heading(view, section, "home_carousel")) }
            ul.carousel-track tabindex="0" aria-labelledby={ (id) "-title" } {
                @for (index, slide) in slides.iter().enumerate() { li.carousel-slide { (drawn(slide, index == 0)) } }
            }
            @if slides.len() > 1 {
                div.carousel-controls {
                    button.carousel-button type="button" data-step="-1" { (arrow("M15 5l-7 7 7 7")) span.visually-hidden { (texts.get("home_previous")) } }
                    button.carousel-button type="button" data-pause=(texts.get("home_pause")) data-play=(texts.get("home_play")) {
                        (arrow("M9 5v14M15 5v14"))
                        span.visually-hidden { (texts.get("home_pause")) }
                    }
                    button.carousel-button type="button" data-step="1" { (arrow("M9 5l7 7-7 7")) span.visually-hidden { (texts.get("home_next")) } }
                    p.carousel-place dir="ltr" aria-hidden="true" { "1 / " (slides.len()) }
                }
            }
        }
    })
}

fn arrow(path: &str) -> Markup {
    html! {
        svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true" focusable="false" {
            path d=(path) {}
        }
    }
}

fn drawn(slide: &Slide, first: bool) -> Markup {
    let text = html! {
        img src=(slide.picture) alt="" width="1200" height="480" loading=[(!first).then_some("lazy")];
        div.carousel-text {
            h3 { (slide.title) }
            @if !slide.text.0.is_empty() { p { (slide.text) } }
        }
    };
    html! {
        @match &slide.link {
            Some(NewsDestination { href, leaves, jump }) => {
                a href=(href) rel=[leaves.then_some("noopener external")] data-jump=[jump.as_ref()] { (text) }
            }
            None => { (text) }
        }
    }
}

fn configured(view: &View<'_>, section: &HomeSection) -> Vec<Slide> {
    let lang = view.context.lang();
    let of = |link: &str| match link {
        "" => None,
        link if link::is_web(link) => Some(NewsDestination { href: link.to_owned(), leaves: true, jump: None }),
        path => Some(NewsDestination { href: view.context.addresses.path(path), leaves: false, jump: None }),
    };
    let slides = section.slides.iter().filter_map(|slide| {
        let picture = bootstrap::picture(&slide.picture)?;
        let (title, text) = (bidi::local(&slide.title, lang), bidi::local(&slide.text, lang));
        Some(Slide { picture, title, text, link: of(&slide.link) })
    });
    slides.take(section.entries() as usize).collect()
}

fn of_news(view: &View<'_>, section: &HomeSection, part: &SectionContent) -> Result<Vec<Slide>, StoreError> {
    let lang = view.context.lang();
    let all = part.list.resources::<News>()?;
    let pictured = all.iter().filter(|news| link::is_own(&news.value.cover));
    let slides = pictured.map(|news| Slide {
        picture: news.value.cover.clone(),
        title: bidi::local(&news.value.title, lang),
        text: bidi::local(&news.value.summary, lang),
        link: Some(NewsDestination::of(view.context, news.id, &news.value.link_value)),
    });
    Ok(slides.take(section.entries() as usize).collect())
}
