//! Test cases: the hook to call, its input, the expected result, and the results of the host calls that the plugin makes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use masthead_domain::{Lang, plugin_use::Grants};
use masthead_runtime::{Hook, HookAnswer, RecordedCall, TestHost};
use serde::Deserialize;
use serde_json::Value;

use crate::plugin::json;

/// A test case, read from a file in `tests/`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name of the hook, such as `links.rewrite`.
    pub hook: String,
    /// Settings of the site; missing ones get their defaults.
    pub settings: Option<Value>,
    /// Grants of the site; if absent, everything that the plugin requests.
    pub grants: Option<Grants>,
    /// Site, language and page of the call.
    #[serde(default)]
    pub context: PageContext,
    /// Input of the hook, with fields in snake case; missing fields are empty.
    #[serde(default)]
    pub input: Value,
    /// Expected result.
    #[serde(default)]
    pub expect: Expect,
    /// Expected calls of the plugin to the host, in order, with their results.
    #[serde(default)]
    pub calls: Vec<RecordedCall>,
}

/// Site, language and page of a call; absent fields get test values.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PageContext {
    site_id: Option<i64>,
    sld: Option<String>,
    lang: Option<String>,
    route: Option<String>,
    address: Option<String>,
}

/// Expected result of a call. If no field is set, any output passes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Expected output.
    pub output: Option<Value>,
    /// Expected refusal: a part of its message, or the whole value.
    pub refusal: Option<Value>,
    /// Part of the host's failure message.
    pub failure: Option<String>,
}

/// Every `tests/*.toml` of a folder, sorted by name, with the test case or the reason why it is invalid.
pub fn all(dir: &Path) -> Vec<(PathBuf, Result<Case, String>)> {
    let entries = fs::read_dir(dir.join("tests")).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), Case::read(&path))).collect()
}

impl Case {
    /// Reads a test case from a file.
    ///
    /// # Errors
    /// A message, if the file is unreadable or not a valid test case.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let case: Self = toml::from_str(&text).map_err(|error| error.to_string().trim().to_owned())?;
        case.hook()?;
        let Expect { output, refusal, failure } = &case.expect;
        let set = [output.is_some(), refusal.is_some(), failure.is_some()].into_iter().filter(|set| *set).count();
        if set > 1 {
            return Err("[expect] takes only one of output, refusal and failure".to_owned());
        }
        Ok(case)
    }

    /// The hook to call.
    ///
    /// # Errors
    /// A message that lists the hooks, if there is none of this name.
    pub fn hook(&self) -> Result<Hook, String> {
        Hook::by_name(&self.hook).ok_or_else(|| {
            let known: Vec<_> = masthead_runtime::HOOKS.iter().map(|spec| spec.name).collect();
            format!("{:?} is not a hook; the hooks are {}", self.hook, known.join(", "))
        })
    }

    /// Whether a site with these settings would use the plugin: false if the case expects a failure or rejected settings.
    pub fn serves(&self) -> bool {
        let Expect { refusal, failure, .. } = &self.expect;
        failure.is_none() && (refusal.is_none() || self.hook != Hook::SettingsCheck.name())
    }

    /// A test host with the context, settings and grants of the case, without recorded host calls.
    pub fn test_host(&self, test_host: &TestHost) -> Result<TestHost, String> {
        let mut test_host = test_host.clone();
        let PageContext { site_id, sld, lang, route, address } = &self.context;
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

    /// Runs the case with its recorded host calls. Returns one line for each deviation; empty if the case passed.
    ///
    /// # Errors
    /// A message, if the plugin cannot be called.
    pub async fn run(&self, test_host: &TestHost) -> Result<Vec<String>, String> {
        let test_host = self.test_host(test_host)?.replay(self.calls.iter().cloned());
        let hook = self.hook()?;
        let answered = match test_host.call(hook, &self.input).await {
            // The settings are checked when the chain is built, so rejected settings are an error of the call.
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
        let found = match answered {
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
                vec![format!("expected a refusal that contains {words:?}, found {found:?}")]
            }
            (Self { refusal: Some(wanted), .. }, HookAnswer::Refusal(refusal)) => json::differences(wanted, refusal),
            (Self { failure: Some(words), .. }, HookAnswer::Failure(reason)) if reason.contains(words) => Vec::new(),
            (Self { output: None, refusal: None, failure: None }, HookAnswer::Output(_)) => Vec::new(),
            (Self { output: Some(_), .. }, _) => vec![format!("expected an output, found {found}")],
            (Self { refusal: Some(_), .. }, _) => vec![format!("expected a refusal, found {found}")],
            (Self { failure: Some(words), .. }, _) => {
                vec![format!("expected a failure that contains {words:?}, found {found}")]
            }
            _ => vec![format!("expected an output, found {found}")],
        }
    }
}

/// The title of a test case: the comment on its first line, or "".
pub fn title(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let comment = text.lines().next().and_then(|line| line.strip_prefix('#'));
    comment.map(|line| line.trim().trim_end_matches('.').to_owned()).unwrap_or_default()
}
