//! Sends text messages such as verification codes through a gateway with signed JSON requests.

use std::collections::BTreeMap;

use masthead_plugin::http::{self, Algorithm, Credential, Part, Place};
use masthead_plugin::{
    Context, Message, MessageChannel, MessageFailure, Messaging, clock, register,
    serde_json::{Value, json},
    settings,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    address: String,
    app_key: String,
    template: String,
    templates: BTreeMap<String, String>,
    refused_codes: Vec<i64>,
    secret: String,
}

#[derive(Deserialize)]
struct Answer {
    code: i64,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    message: String,
}

struct SmsGateway;

impl Messaging for SmsGateway {
    fn send(_: &Context, message: Message) -> Result<String, MessageFailure> {
        if message.channel != MessageChannel::Sms {
            return Err(MessageFailure::NotMine);
        }
        let Settings { address, app_key, template, templates, refused_codes, secret } = settings()?;
        let params: BTreeMap<_, _> = message.values.into_iter().collect();
        let body = json!({
            "appKey": app_key,
            "phone": message.to,
            "template": templates.get(&message.purpose).unwrap_or(&template),
            "params": params,
            "timestamp": clock::now(),
        });
        let header = Place::Header("x-signature".to_owned());
        let signature = Credential::digest(&secret, header, Algorithm::HmacSha256, vec![Part::Body]);
        let answer: Answer = http::post_json(&address, &body)?.credential(signature).send()?.success()?.json()?;
        match answer {
            Answer { code: 0, id: Value::String(id), .. } => Ok(id),
            Answer { code: 0, id: Value::Null, .. } => Ok(String::new()),
            Answer { code: 0, id, .. } => Ok(id.to_string()),
            Answer { code, message, .. } if refused_codes.contains(&code) => Err(MessageFailure::Refused(message)),
            Answer { code, message, .. } => {
                Err(MessageFailure::Other(format!("the gateway answered with code {code}: {message}")))
            }
        }
    }
}

register!(SmsGateway: Messaging);

#[cfg(test)]
mod tests;
