//! Test cases: a hook, what it is given, what it has to answer, and what the host answers it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use masthead_domain::{Lang, plugin_use::Grants};
use masthead_runtime::{Hook, HookAnswer, RecordedCall, TestHost};
use serde::Deserialize;
use serde_json::Value;

use crate::plugin::json;

/// One file of `tests/`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name of the hook, such as `links.rewrite`.
    pub hook: String,
    /// Settings of the site; defaults are filled in.
    pub settings: Option<Value>,
    /// What the site grants; without it, all that the plugin asks for.
    pub grants: Option<Grants>,
    /// The page.
    #[serde(default)]
    pub context: Page,
    /// Input of the hook, fields in snake case; what is left out is empty.
    #[serde(default)]
    pub input: Value,
    /// What has to come of it.
    #[serde(default)]
    pub expect: Expect,
    /// What the plugin asks of the host, in this order, and what it gets.
    #[serde(default)]
    pub calls: Vec<RecordedCall>,
}

/// The page that is being made.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Page {
    site_id: Option<i64>,
    sld: Option<String>,
    lang: Option<String>,
    route: Option<String>,
    address: Option<String>,
}

/// What has to come of a call; with nothing set, any output.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// The output.
    pub output: Option<Value>,
    /// The refusal: a part of its words, or the whole value.
    pub refusal: Option<Value>,
    /// A part of the host's words about a failure.
    pub failure: Option<String>,
}

/// Every `tests/*.toml` of a folder, by name.
pub fn all(dir: &Path) -> Vec<(PathBuf, Result<Case, String>)> {
    let entries = fs::read_dir(dir.join("tests")).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), Case::read(&path))).collect()
}

impl Case {
    /// Reads one file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let case: Self = toml::from_str(&text).map_err(|error| error.to_string().trim().to_owned())?;
        case.hook()?;
        let Expect { output, refusal, failure } = &case.expect;
        let set = [output.is_some(), refusal.is_some(), failure.is_some()].into_iter().filter(|set| *set).count();
        if set > 1 {
            return Err("[expect] has to name one of output, refusal and failure".to_owned());
        }
        Ok(case)
    }

    /// The hook.
    pub fn hook(&self) -> Result<Hook, String> {
        Hook::by_name(&self.hook).ok_or_else(|| {
            let known: Vec<_> = masthead_runtime::HOOKS.iter().map(|spec| spec.name).collect();
            format!("{:?} is not a hook; known are {}", self.hook, known.join(", "))
        })
    }

    /// Whether a site with these settings would use the plugin, as far as the case says.
    pub fn serves(&self) -> bool {
        let Expect { refusal, failure, .. } = &self.expect;
        failure.is_none() && (refusal.is_none() || self.hook != Hook::SettingsCheck.name())
    }

    /// A test_host that is set up as the case says, without host calls.
    pub fn test_host(&self, test_host: &TestHost) -> Result<TestHost, String> {
        let mut test_host = test_host.clone();
        let Page { site_id, sld, lang, route, address } = &self.context;
        let lang: Lang = match lang {
            Some(lang) => lang.parse().map_err(|_| format!("context.lang: {lang:?} is not a language of the host"))?,
            None => Lang::En,
        };
        test_host = test_host.page(lang, route.as_deref().unwrap_or("home"));
        test_host = test_host.site(site_id.unwrap_or(1), sld.as_deref().unwrap_or("test"));
        if let Some(address) = address {
            test_host = test_host.address(address);
        }
        if let Some(settings) = &self.settings {
            test_host = test_host.settings(settings.clone());
        }
        if let Some(grants) = &self.grants {
            test_host = test_host.grants(grants.clone());
        }
        Ok(test_host)
    }

    /// Runs it with the host calls that it lists: what is wrong, one line each.
    pub async fn run(&self, test_host: &TestHost) -> Result<Vec<String>, String> {
        let test_host = self.test_host(test_host)?.replay(self.calls.iter().cloned());
        let hook = self.hook()?;
        let answered = match test_host.call(hook, &self.input).await {
            // Settings are checked before a site uses the plugin: a refusal keeps it out.
            Err(message) if hook == Hook::SettingsCheck => HookAnswer::Refusal(Value::String(message)),
            Err(message) if self.expect.failure.is_some() => HookAnswer::Failure(message),
            answered => answered?,
        };
        let mut wrong = self.expect.compare(&answered);
        if let Some(recording) = test_host.recording() {
            wrong.extend(recording.problems());
            wrong.extend(recording.calls().iter().map(|call| format!("the plugin did not call {}", call.call)));
        }
        Ok(wrong)
    }
}

impl Expect {
    fn compare(&self, answered: &HookAnswer) -> Vec<String> {
        let told = match answered {
            HookAnswer::Output(output) => format!("the output {output}"),
            HookAnswer::Refusal(refusal) => format!("the refusal {refusal}"),
            HookAnswer::Failure(reason) => format!("a failure: {reason}"),
        };
        match (self, answered) {
            (Self { output: Some(wanted), .. }, HookAnswer::Output(output)) => json::differences(wanted, output),
            (Self { refusal: Some(Value::String(words)), .. }, HookAnswer::Refusal(refusal)) => {
                let found = refusal.as_str().map_or_else(|| refusal.to_string(), str::to_owned);
                if found.contains(words) {
                    return Vec::new();
                }
                vec![format!("expected a refusal with {words:?}, found {found:?}")]
            }
            (Self { refusal: Some(wanted), .. }, HookAnswer::Refusal(refusal)) => json::differences(wanted, refusal),
            (Self { failure: Some(words), .. }, HookAnswer::Failure(reason)) if reason.contains(words) => Vec::new(),
            (Self { output: None, refusal: None, failure: None }, HookAnswer::Output(_)) => Vec::new(),
            (Self { output: Some(_), .. }, _) => vec![format!("expected an output, found {told}")],
            (Self { refusal: Some(_), .. }, _) => vec![format!("expected a refusal, found {told}")],
            (Self { failure: Some(words), .. }, _) => vec![format!("expected a failure with {words:?}, found {told}")],
            _ => vec![format!("expected an output, found {told}")],
        }
    }
}

/// What a case is about: the comment at its beginning.
pub fn title(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let comment = text.lines().next().and_then(|line| line.strip_prefix('#'));
    comment.map(|line| line.trim().trim_end_matches('.').to_owned()).unwrap_or_default()
}
