//! Translates texts through a service that responds with `{"text": "..."}`. Replace this with the code of your plugin.

use masthead_plugin::http::{self, Credential};
use masthead_plugin::{Context, Translate, TranslateFailure, TranslateRequest, Translation, register, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    address: String,
    secret: String,
}

#[derive(Deserialize)]
struct Answer {
    text: String,
}

struct MyPlugin;

impl Translate for MyPlugin {
    fn translate(_: &Context, request: TranslateRequest) -> Result<Translation, TranslateFailure> {
        let Settings { address, secret } = settings()?;
        let TranslateRequest { text, source, target } = request;
        let answer = http::post_form(&address, &[("from", &source), ("to", &target), ("text", &text)])
            .credential(Credential::bearer(&secret))
            .send()?;
        if answer.status == 401 {
            return Err(TranslateFailure::Unauthorized);
        }
        let Answer { text } = answer.success()?.json()?;
        Ok(Translation { text, source })
    }
}

register!(MyPlugin: Translate);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    fn translated(status: u16, body: &'static str) -> Result<Translation, TranslateFailure> {
        testing::set_settings(r#"{"address":"https://translate.example.org/","secret":"key"}"#);
        testing::put_secret("key");
        testing::on_http(move |_| Ok(testing::answer(status, body)));
        let request = TranslateRequest { text: "海".to_owned(), source: "zh".to_owned(), target: "en".to_owned() };
        MyPlugin::translate(&testing::context("en"), request)
    }

    #[test]
    fn an_answer_is_a_translation_and_401_is_said() {
        assert_eq!(translated(200, r#"{"text":"sea"}"#).unwrap().text, "sea");
        assert!(matches!(translated(401, ""), Err(TranslateFailure::Unauthorized)));
        assert!(matches!(translated(500, ""), Err(TranslateFailure::Other(_))));
    }
}
