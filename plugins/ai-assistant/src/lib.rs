//! A panel on the home page that answers questions, with an external assistant or with passages from the site's articles.

use std::collections::BTreeMap;

use masthead_plugin::{
    Assistant, AssistantRequest, Context, Contribution, Layout, Response, RouteRequest, Routes, SettingsCheck,
    register, serde_json::json, settings,
};
use serde::Deserialize;

mod page;
mod passages;
mod texts;
mod token;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    title: BTreeMap<String, String>,
    app_code: String,
    frame_address: String,
    secret: String,
    width: u32,
    height: u32,
}

impl Settings {
    /// Whether an external assistant is configured.
    fn is_external(&self) -> bool {
        !self.app_code.is_empty() && !self.frame_address.is_empty()
    }
}

struct AiAssistant;

impl Layout for AiAssistant {
    fn contribute(context: &Context) -> Result<Vec<Contribution>, String> {
        if context.route != "home" {
            return Ok(Vec::new());
        }
        let settings: Settings = settings()?;
        let frame = if settings.is_external() { &settings.frame_address } else { "plugins/ai-assistant/frame" };
        let Settings { title, width, height, .. } = &settings;
        let props = json!({ "title": title, "frame": frame, "width": width, "height": height });
        Ok(vec![Contribution::new("page.floating", "assistant-panel", &props)?])
    }
}

impl Assistant for AiAssistant {
    fn secure_parameters(context: &Context, request: AssistantRequest) -> Result<String, String> {
        let settings: Settings = settings()?;
        if settings.is_external() { token::sign(&settings, context, &request) } else { Ok(String::new()) }
    }
}

impl Routes for AiAssistant {
    fn handle(context: &Context, request: RouteRequest) -> Result<Response, String> {
        let question = request.param("q").unwrap_or_default().trim();
        let html = match request.path.as_str() {
            "frame" => page::write(context, "", None),
            "ask" if question.is_empty() => page::write(context, "", None),
            "ask" => page::write(context, question, Some(&passages::find(question)?)),
            _ => return Ok(Response::not_found("Unknown path; the paths are frame and ask.")),
        };
        Ok(Response::html(html).header("cache-control", "no-store"))
    }
}

impl SettingsCheck for AiAssistant {
    fn check(_: &Context) -> Result<(), String> {
        let Settings { app_code, frame_address, .. } = settings()?;
        match (app_code.is_empty(), frame_address.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Err("appCode: required if frameAddress is set".to_owned()),
            (false, true) => Err("frameAddress: required if appCode is set".to_owned()),
            (false, false) if frame_address.starts_with("https://") && frame_address.contains("{token}") => Ok(()),
            (false, false) => Err("frameAddress: must start with https:// and contain {token}".to_owned()),
        }
    }
}

register!(AiAssistant: Layout, Assistant, Routes, SettingsCheck);

#[cfg(test)]
mod tests;
