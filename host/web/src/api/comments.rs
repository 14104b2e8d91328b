//! Readers' comments on articles. A comment is visible after an editor has approved it.

use axum::{Json, body::Bytes, extract::Query, http::StatusCode};
use masthead_domain::resource::{Comment, CommentState};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    article_data, articles,
    envelope::{ApiError, Caller},
    listing::cut,
    types::Envelope,
};
use crate::{app::rate_limits::Action, usage::dates};

/// Query of a page of comments.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfArticle {
    /// The article's id.
    id: i64,
    /// Starts after this position: the value of `next` of the previous page.
    #[serde(default)]
    after: Option<i64>,
    /// Comments on a page: 20 by default, at most 100.
    size: Option<i64>,
}

/// A page of comments, newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comments {
    /// Whether readers may comment.
    enable_comment: bool,
    /// Number of visible comments on the article.
    total_elements: i64,
    /// The comments.
    content: Vec<CommentView>,
    /// Value of `after` for the next page; null on the last page.
    next: Option<String>,
}

/// A comment.
#[derive(Serialize, ToSchema)]
pub struct CommentView {
    /// Id of the comment.
    id: i64,
    /// Displayed name of the author.
    author: String,
    /// Plain text.
    text: String,
    /// Time of writing in the time zone of the site, ISO 8601.
    date: String,
}

/// Returns the visible comments on an article.
#[utoipa::path(get, path = "/rc-pub/front/front-article/comments", tag = "article", params(OfArticle),
    responses((status = 200, body = Envelope<Comments>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn list(caller: Caller, Query(query): Query<OfArticle>) -> Result<Json<Envelope<Comments>>, ApiError> {
    articles::stored(&caller, query.id).await?;
    let enable_comment = caller.entry().site.enable_comment;
    if !enable_comment {
        return Ok(caller.ok(Comments { enable_comment, total_elements: 0, content: Vec::new(), next: None }));
    }
    let size = query.size.unwrap_or(20).clamp(1, 100);
    let after = query.after.filter(|after| *after > 0).unwrap_or(i64::MAX);
    let found = caller.store().comments(query.id, CommentState::Shown, after, size + 1).await;
    let mut found = found.map_err(caller.store_failed())?;
    let next = cut(&mut found, size).map(|last| last.id.to_string());
    let total_elements = article_data::numbers(&caller, query.id).await?.comments;
    let view = |stored: masthead_domain::resource::Stored<Comment>| {
        let Comment { author, text, date, .. } = stored.value;
        CommentView { id: stored.id, author, text, date: dates::local(&date, &caller.entry().zone) }
    };
    let content = found.into_iter().map(view).collect();
    Ok(caller.ok(Comments { enable_comment, total_elements, content, next }))
}

/// A new comment.
#[derive(Deserialize, ToSchema)]
pub struct NewComment {
    /// The article's id.
    id: i64,
    /// Plain text, at most 2,000 characters.
    text: String,
}

/// Submits a comment of a signed-in reader. It becomes visible after an editor has approved it.
#[utoipa::path(post, path = "/rc-pub/front/front-article/comments", tag = "article", request_body = NewComment,
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn post(caller: Caller, body: Bytes) -> Result<Json<Envelope<bool>>, ApiError> {
    let site = &caller.entry().site;
    if !site.enable_comment {
        return Err(caller.fail(StatusCode::FORBIDDEN, "comments_off"));
    }
    let user =
        caller.user().await?.ok_or_else(|| caller.fail(StatusCode::UNAUTHORIZED, "sign_in_needed_to_comment"))?;
    let new: NewComment =
        serde_json::from_slice(&body).map_err(|_| caller.fail(StatusCode::BAD_REQUEST, "bad_request"))?;
    let text = new.text.trim();
    if text.is_empty() || text.chars().nth(Comment::MAX_LENGTH).is_some() || text.contains('\u{0}') {
        let count = Comment::MAX_LENGTH.to_string();
        let message = caller.app.messages.format(caller.lang, "comment_length", &[("count", &count)]);
        return Err(ApiError::new(StatusCode::BAD_REQUEST, &message));
    }
    let article = articles::stored(&caller, new.id).await?;
    caller.take(Action::Comment)?;
    let limited = caller.app.limits.take_comment_of_user(site.id, user.member);
    limited.map_err(|refused| caller.too_often(refused, "comment_too_often"))?;
    let now = caller.app.counting.now();
    let comment = Comment {
        key: format!("{}/{now}-{:08x}", article.id, rand::random::<u32>()),
        article: article.id.0,
        author: user.masked(),
        text: text.to_owned(),
        date: masthead_xml::moment(now),
        state: CommentState::Waiting,
    };
    caller.store().of_member(user.member).add_comment(&comment).await.map_err(caller.store_failed())?;
    let message = caller.app.messages.get(caller.lang, "submit_success").to_owned();
    Ok(Json(Envelope { status: 0, data: Some(true), message }))
}
