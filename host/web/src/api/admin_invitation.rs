//! The page behind the link of an invitation. The token is behind the `#` of the link, which browsers send to no server, so that it is in no
//! log; a script of the page sends it with the name and the password.

use std::sync::Arc;

use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse as _, Response},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_accounts::administrators::PASSWORD_LENGTH;
use masthead_domain::Lang;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::{app::App, auth::administrator_sessions::Console, i18n::Texts, page::language::preferred};

/// Sends the form as the call expects it, and shows the answer. It writes text only.
const SCRIPT: &str = r"
const form = document.querySelector('form');
const answer = document.querySelector('[role=status]');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  answer.textContent = '';
  const body = { token: location.hash.slice(1), name: form.elements.name.value, password: form.elements.password.value };
  const headers = { 'content-type': 'application/json', language: form.dataset.language };
  try {
    const sent = await fetch(form.action, { method: 'POST', headers, body: JSON.stringify(body) });
    const { message } = await sent.json();
    answer.textContent = sent.ok ? form.dataset.done : message;
    if (sent.ok) form.remove();
  } catch {
    answer.textContent = form.dataset.failed;
  }
  button.disabled = false;
});
";

/// `/rc-pub/admin/invitation`.
pub async fn page(State(app): State<Arc<App>>, console: Option<Extension<Console>>, headers: HeaderMap) -> Response {
    let lang = preferred(&headers, &Lang::ALL).unwrap_or(Lang::En);
    let texts = Texts::new(&app.messages, lang);
    if console.is_none() {
        let host = app.sites.load().platform.console_host();
        let text = texts.format("console_host", &[("host", &host)]);
        return (StatusCode::FORBIDDEN, text).into_response();
    }
    let nonce = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>());
    let document = document(&texts, &app.ui.load().css, &nonce);
    let mut response = Html(document.into_string()).into_response();
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; font-src 'self'; connect-src 'self'; form-action 'none'; \
         frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'"
    );
    if let Ok(policy) = HeaderValue::try_from(policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn document(texts: &Texts<'_>, css: &[String], nonce: &str) -> Markup {
    let (least, most) = (PASSWORD_LENGTH.start(), PASSWORD_LENGTH.end());
    html! {
        (DOCTYPE)
        html lang=(texts.lang.tag()) dir=(texts.lang.dir()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (texts.get("invitation_title")) }
                @for href in css { link rel="stylesheet" href=(href); }
            }
            body {
                main #main {
                    div.page-head { h1 { (texts.get("invitation_title")) } }
                    section.account {
                        p { (texts.get("invitation_about")) }
                        form method="post" action="/rc-pub/admin/invitation" data-language=(texts.lang.code())
                            data-done=(texts.get("invitation_done")) data-failed=(texts.get("request_failed")) {
                            p {
                                label for="name" { (texts.get("invitation_name")) }
                                input #name name="name" autocomplete="name" maxlength="100" required;
                            }
                            p {
                                label for="password" { (texts.get("invitation_password")) }
                                input #password name="password" type="password" autocomplete="new-password"
                                    minlength=(least) maxlength=(most) aria-describedby="rule" required;
                                span #rule { (texts.get("administrator_password")) }
                            }
                            p { button.button type="submit" { (texts.get("invitation_accept")) } }
                        }
                        p role="status" {}
                        noscript { p { (texts.get("invitation_scripts")) } }
                    }
                }
                script nonce=(nonce) { (PreEscaped(SCRIPT)) }
            }
        }
    }
}
