//! Sends events of the site to other systems.

use masthead_plugin::http::{self, Algorithm, Credential, Part, Place};
use masthead_plugin::{
    Article, Context, Event, Events, Text, register,
    serde_json::{Value, json},
    settings,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    addresses: Vec<String>,
    kinds: Vec<String>,
    secret: String,
}

fn texts(texts: &[Text]) -> Vec<Value> {
    texts.iter().map(|text| json!({ "lang": text.lang, "value": text.value })).collect()
}

fn article(context: &Context, article: &Article) -> Value {
    let Article { id, doi, path, journal, volume, issue, published, kind, .. } = article;
    let authors: Vec<_> = article.authors.iter().map(|author| &author.name).collect();
    json!({
        "id": id, "doi": doi, "address": format!("{}/{path}", context.address), "titles": texts(&article.titles),
        "authors": authors, "journal": journal, "year": article.year, "volume": volume, "issue": issue,
        "published": published, "kind": kind, "language": article.language, "openAccess": article.open_access,
    })
}

struct Webhook;

impl Events for Webhook {
    fn notify(context: &Context, event: Event) -> Result<(), String> {
        let Settings { addresses, kinds, secret } = settings()?;
        if !kinds.is_empty() && !kinds.contains(&event.kind) {
            return Ok(());
        }
        let body = json!({
            "id": event.id, "kind": event.kind, "time": event.time, "subject": event.subject,
            "site": { "id": context.site_id, "sld": context.sld, "address": context.address },
            "article": event.article.as_ref().map(|about| article(context, about)),
        });
        let header = Place::Header("x-masthead-signature".to_owned());
        let signature =
            Credential::digest(&secret, header, Algorithm::HmacSha256, vec![Part::Body]).with_prefix("sha256=");
        // All requests together stay within the ten seconds of the hook.
        let time = 9_000 / u32::try_from(addresses.len().max(1)).unwrap_or(u32::MAX);
        let send = |address: &String| -> Result<(), String> {
            let request = http::post_json(address, &body)?
                .header("x-masthead-event", &event.id)
                .header("x-masthead-attempt", event.attempt.to_string())
                .credential(signature.clone())
                .timeout_ms(time);
            request.send()?.success().map(drop)
        };
        // The event is sent to all addresses before a failure is returned, because the host repeats it for all of them.
        let failed = addresses.iter().filter_map(|address| send(address).err().map(|why| format!("{address}: {why}")));
        let failed: Vec<_> = failed.collect();
        if failed.is_empty() { Ok(()) } else { Err(failed.join("; ")) }
    }
}

register!(Webhook: Events);

#[cfg(test)]
mod tests;
