//! `/static/mobile/`: the theme as a style sheet, and the site's own style sheet.
//!
//! `theme.css` is the site's theme, `theme1.css` to `theme11.css` are the presets, `site.css` is the site's own sheet.
//! Callers may add a time or a version as a query, which is ignored.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{app::App, failure::Failure, page::document, sites::scope::Scope};

/// Serves a style sheet by its name.
pub async fn serve(State(app): State<Arc<App>>, scope: Option<Scope>, Path(file): Path<String>) -> Response {
    let open = scope.filter(|scope| Failure::of_state(scope.entry.site.state).is_none());
    let css = match (file.as_str(), open) {
        ("theme.css", Some(scope)) => Some(document::theme(&scope.entry.theme)),
        ("site.css", Some(scope)) => Some(scope.entry.sheet.clone()),
        (name, _) => preset(&app, name),
    };
    let Some(css) = css else { return StatusCode::NOT_FOUND.into_response() };
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=3600")], css)
        .into_response()
}

fn preset(app: &App, name: &str) -> Option<String> {
    let id: u8 = name.strip_prefix("theme")?.strip_suffix(".css")?.parse().ok()?;
    let table = app.sites.load();
    table.platform.themes.iter().find(|theme| theme.color_id == id).map(document::theme)
}
