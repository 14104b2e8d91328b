//! Machine translation through a gateway with signed form requests.

use masthead_plugin::http::{self, Algorithm, Credential, Part, Place};
use masthead_plugin::{
    Context, Translate, TranslateFailure, TranslateRequest, Translation, clock, register, serde_json::Value, settings,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    enabled: i64,
    address: String,
    app_id: String,
    secret: String,
}

#[derive(Deserialize)]
struct Answer {
    from: Option<String>,
    trans_result: Option<Vec<Line>>,
    error_code: Option<Value>,
}

#[derive(Deserialize)]
struct Line {
    dst: String,
}

/// Language codes of the host and of the gateway.
const LANGUAGES: [(&str, &str); 7] =
    [("zh", "zh"), ("en", "en"), ("ru", "ru"), ("ara", "ara"), ("fra", "fra"), ("spa", "spa"), ("de", "de")];

fn for_gateway(code: &str) -> Result<&'static str, String> {
    let known = LANGUAGES.iter().find(|(host, _)| *host == code);
    known.map(|(_, gateway)| *gateway).ok_or_else(|| format!("the gateway does not support the language {code:?}"))
}

fn for_host(code: &str) -> Option<&'static str> {
    LANGUAGES.iter().find(|(_, gateway)| *gateway == code).map(|(host, _)| *host)
}

struct TranslateGateway;

impl Translate for TranslateGateway {
    fn translate(_: &Context, request: TranslateRequest) -> Result<Translation, TranslateFailure> {
        let Settings { enabled, address, app_id, secret } = settings()?;
        if enabled != 1 {
            return Err(TranslateFailure::Off);
        }
        let TranslateRequest { text, source, target } = request;
        if text.is_empty() {
            return Ok(Translation { text, source });
        }
        let from = for_gateway(&source).unwrap_or("auto");
        let (to, salt) = (for_gateway(&target)?, clock::now().to_string());
        let form = [("from", from), ("to", to), ("q", &text), ("appid", &app_id), ("salt", &salt)];
        let signed = vec![Part::Text(format!("{app_id}{text}{salt}")), Part::Secret];
        let sign = Credential::digest(&secret, Place::Form("sign".to_owned()), Algorithm::Md5, signed);
        let answer: Answer = http::post_form(&address, &form).credential(sign).send()?.success()?.json()?;
        match (answer.trans_result, answer.error_code) {
            (Some(lines), _) => {
                let lines: Vec<_> = lines.into_iter().map(|line| line.dst).collect();
                let found = answer.from.as_deref().and_then(for_host);
                Ok(Translation { text: lines.join("\n"), source: found.map_or(source, str::to_owned) })
            }
            (None, Some(code)) if code == "52003" || code == 52_003 => Err(TranslateFailure::Unauthorized),
            (None, code) => Err(TranslateFailure::Other(format!("the gateway answered with error code {code:?}"))),
        }
    }
}

register!(TranslateGateway: Translate);

#[cfg(test)]
mod tests;
