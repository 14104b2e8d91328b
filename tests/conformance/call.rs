//! Verification of an API call: it is documented in OpenAPI, responds in the envelope with a documented status, in Chinese and in
//! English, by host name and by `siteId`, and with data of its own site only.

use serde_json::Value;

use crate::{
    context::{Context, OCEAN, OTHER, host},
    row::{CheckResult, Part, here},
};
use masthead_test_support::Answer;

/// Expected response of another site to the same request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Foreign {
    /// Not tested, because the request names no item.
    Nothing,
    /// 404.
    Missing,
    /// An empty list.
    Empty,
}

/// A call.
#[derive(Clone)]
pub struct Call {
    method: &'static str,
    path: &'static str,
    example: &'static str,
    query: &'static str,
    body: &'static str,
    site: &'static str,
    file: &'static str,
    foreign: Foreign,
    siteless: bool,
}

/// A GET request; the path is written as in the OpenAPI document.
pub fn get(path: &'static str) -> Call {
    Call {
        method: "GET",
        path,
        example: "",
        query: "",
        body: "",
        site: OCEAN,
        file: "",
        foreign: Foreign::Nothing,
        siteless: false,
    }
}

/// A POST request.
pub fn post(path: &'static str, body: &'static str) -> Call {
    Call { method: "POST", body, ..get(path) }
}

impl Call {
    /// Sets the example for the path parameter, which is an item of the site; another site does not have it.
    pub fn of(self, example: &'static str) -> Self {
        Self { example, foreign: Foreign::Missing, ..self }
    }

    /// Sets the query; `{name}` is replaced with an example.
    pub fn query(self, query: &'static str) -> Self {
        Self { query, ..self }
    }

    /// Sets the site that the request is sent to.
    pub fn on(self, site: &'static str) -> Self {
        Self { site, ..self }
    }

    /// The query names an item that another site does not have.
    pub fn own(self) -> Self {
        Self { foreign: Foreign::Missing, ..self }
    }

    /// Another site returns an empty list for the query.
    pub fn own_list(self) -> Self {
        Self { foreign: Foreign::Empty, ..self }
    }

    /// The response is a file of this media type.
    pub fn file(self, file: &'static str) -> Self {
        Self { file, ..self }
    }

    /// The call is about sites in general and needs no site.
    pub fn siteless(self) -> Self {
        Self { siteless: true, ..self }
    }

    /// A part of a row, which this call proves.
    pub fn part(self, what: &str) -> Part {
        here(what, move |context| self.verify(context))
    }

    /// The address with examples of the site.
    fn address(&self, context: &Context) -> Result<String, String> {
        let mut path = self.path.to_owned();
        if let Some((before, rest)) = self.path.split_once('{') {
            let (name, after) = rest.split_once('}').unwrap_or_default();
            let example = if self.example.is_empty() { name } else { self.example };
            path = format!("{before}{}{after}", context.filled(self.site, &format!("{{{example}}}"))?);
        }
        let query = context.filled(self.site, self.query)?;
        let time = "timestamps=1790000000000";
        Ok(if query.is_empty() { format!("{path}?{time}") } else { format!("{path}?{query}&{time}") })
    }

    /// Verifies the call.
    pub fn verify(&self, context: &Context) -> CheckResult {
        let described = &context.document["paths"][self.path][self.method.to_lowercase()];
        if !described.is_object() {
            return Err(format!("{} {} is not documented", self.method, self.path));
        }
        let address = self.address(context)?;
        for lang in ["zh", "en"] {
            let answer = context.ask(self.method, self.site, &address, lang, self.body);
            self.answered(&answer, described).map_err(|wrong| format!("{address} in {lang}: {wrong}"))?;
        }
        if !self.siteless {
            self.by_number(context, &address)?;
        }
        let foreign = self.foreign(context, &address)?;
        Ok(format!("200 in zh and en{foreign}"))
    }

    /// Checks a response.
    fn answered(&self, answer: &Answer, described: &Value) -> Result<(), String> {
        let documented = !described["responses"]["200"].is_null();
        if answer.status != 200 || !documented {
            let text = String::from_utf8_lossy(&answer.bytes).chars().take(300).collect::<String>();
            return Err(format!("{} instead of 200 (documented: {documented}): {text}", answer.status));
        }
        if !self.file.is_empty() {
            let kind = answer.header("content-type");
            let named = answer.header("content-disposition").starts_with("attachment;");
            let fits = kind.starts_with(self.file) && named && !answer.bytes.is_empty();
            return if fits { Ok(()) } else { Err(format!("no file of type {}: {kind}", self.file)) };
        }
        let envelope = enveloped(answer)?;
        if envelope["status"] == 0 && !envelope["data"].is_null() { Ok(()) } else { Err(envelope.to_string()) }
    }

    /// Under the host of the platform, the call requires the site number, and gives the same status with it.
    fn by_number(&self, context: &Context, address: &str) -> Result<(), String> {
        let ask = |headers: &[(&str, &str)]| {
            let kind = [("content-type", "application/json")];
            let headers = if self.body.is_empty() { headers.to_vec() } else { [headers, &kind].concat() };
            context.portal.ask(self.method, "127.0.0.1", address, &headers, self.body)
        };
        let without = ask(&[("language", "en")]);
        let asks_by_query = self.query.contains("siteId=") || self.path.contains("{siteId}");
        if !asks_by_query && (without.status != 404 || enveloped(&without)?["status"] != 404) {
            return Err(format!("without a site the status is {}", without.status));
        }
        let number = context.filled(self.site, "{siteId}")?;
        let with = ask(&[("language", "en"), ("siteId", &number)]);
        if with.status == 200 { Ok(()) } else { Err(format!("with siteId {number} the status is {}", with.status)) }
    }

    /// Sends the same request to another site.
    fn foreign(&self, context: &Context, address: &str) -> CheckResult {
        if self.foreign == Foreign::Nothing {
            return Ok(String::new());
        }
        let answer = context.ask(self.method, OTHER, address, "en", self.body);
        let envelope = enveloped(&answer).map_err(|wrong| format!("through {OTHER}: {wrong}"))?;
        let (fits, word) = match self.foreign {
            Foreign::Missing => (answer.status == 404 && envelope["data"].is_null(), "404"),
            _ => {
                let data = &envelope["data"];
                let list = if data["content"].is_array() { &data["content"] } else { data };
                (answer.status == 200 && list.as_array().is_some_and(Vec::is_empty), "nothing")
            }
        };
        if fits {
            Ok(format!("; {word} through another site"))
        } else {
            Err(format!("{OTHER} responds with {}: {envelope}", answer.status))
        }
    }
}

/// Checks and returns the envelope of a response, which has exactly the fields status, data and message.
pub fn enveloped(answer: &Answer) -> Result<Value, String> {
    if !answer.header("content-type").starts_with("application/json") {
        return Err(format!("{} of type {:?}", answer.status, answer.header("content-type")));
    }
    let envelope: Value = serde_json::from_slice(&answer.bytes).map_err(|error| error.to_string())?;
    let keys: Vec<&String> = envelope.as_object().map(|object| object.keys().collect()).unwrap_or_default();
    let fits = keys.len() == 3
        && envelope["status"].is_i64()
        && envelope.get("data").is_some()
        && envelope["message"].is_string();
    if fits { Ok(envelope) } else { Err(format!("not an envelope: {keys:?}")) }
}

/// Checks that a message is in Chinese and in English.
pub fn check_languages(said: &[String]) -> Result<(), String> {
    let han = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    match said {
        [zh, en] if han(zh) && !en.is_empty() && !han(en) => Ok(()),
        _ => Err(format!("the message is not in the language of the request: {said:?}")),
    }
}

/// The status, code and messages (Chinese, English) of a call that must fail.
pub fn failure(context: &Context, site: &str, path: &str) -> Result<(u16, i64, [String; 2]), String> {
    let mut seen = Vec::new();
    for lang in ["zh", "en"] {
        let answer = context.portal.with(&host(site), path, &[("language", lang)]);
        let envelope = enveloped(&answer)?;
        if !envelope["data"].is_null() {
            return Err(format!("{path} has data: {envelope}"));
        }
        let message = envelope["message"].as_str().unwrap_or_default().to_owned();
        seen.push((answer.status, envelope["status"].as_i64().unwrap_or_default(), message));
    }
    let texts: Vec<String> = seen.iter().map(|(.., message)| message.clone()).collect();
    check_languages(&texts)?;
    let (status, code, _) = seen[0];
    Ok((status, code, [texts[0].clone(), texts[1].clone()]))
}
