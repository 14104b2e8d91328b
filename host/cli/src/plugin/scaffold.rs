//! New plugin projects from the SDKs, the contract and the examples in `plugin-sdk/` (embedded in a release build).

use rust_embed::RustEmbed;

// Only folders that contain nothing but sources are embedded, so that no build output gets into the binary.
#[derive(RustEmbed)]
#[folder = "../../plugin-sdk/wit"]
struct Wit;
#[derive(RustEmbed)]
#[folder = "../../plugin-sdk/rust/src"]
struct RustSources;
#[derive(RustEmbed)]
#[folder = "../../plugin-sdk/template/hooks"]
struct Examples;
#[derive(RustEmbed)]
#[folder = "../../plugin-sdk/template/tests"]
struct Cases;
#[derive(RustEmbed)]
#[folder = "../../plugin-sdk/typescript/src"]
struct TypeScriptSources;
#[derive(RustEmbed)]
#[folder = "../../plugin-sdk/template-typescript/hooks"]
struct TypeScriptExamples;

macro_rules! file {
    ($path:literal, $name:literal) => {
        ($name, include_str!(concat!("../../../../plugin-sdk/", $path, "/", $name)))
    };
}

const RUST: &[(&str, &str)] = &[
    file!("template", "Cargo.toml"),
    file!("template", "Cargo.lock"),
    file!("template", "README.md"),
    file!("template", ".gitignore"),
];
const RUST_SDK: &[(&str, &str)] = &[file!("rust", "Cargo.toml")];
const TYPESCRIPT: &[(&str, &str)] = &[
    file!("template-typescript", "package.json"),
    file!("template-typescript", "tsconfig.json"),
    file!("template-typescript", "README.md"),
    file!("template-typescript", ".gitignore"),
];
const TYPESCRIPT_SDK: &[(&str, &str)] = &[
    file!("typescript", "package.json"),
    file!("typescript", "build.mjs"),
    file!("typescript", "wit.mjs"),
    file!("typescript", "types.mjs"),
];
/// The id in the examples, which is replaced with the id of the project.
const PLACEHOLDER: &str = "my-plugin";

/// A programming language for plugins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// Rust.
    Rust,
    /// TypeScript.
    #[value(alias = "ts")]
    Typescript,
}

/// Files of a project: path relative to the project, and text.
pub type Files = Vec<(String, String)>;

/// Short names of the hooks that have an example in a language, sorted.
#[must_use]
pub fn examples(lang: Language) -> Vec<String> {
    let (names, ending): (Vec<_>, _) = match lang {
        Language::Rust => (Examples::iter().collect(), ".rs"),
        Language::Typescript => (TypeScriptExamples::iter().collect(), ".ts"),
    };
    let mut names: Vec<_> = names.iter().filter_map(|name| name.strip_suffix(ending)).map(str::to_owned).collect();
    names.sort();
    names
}

/// The short name of a hook, given its short name or the full name that `plugin.toml` uses; `None` if there is no example.
#[must_use]
pub fn short_name(lang: Language, hook: &str) -> Option<String> {
    let names = examples(lang);
    if names.iter().any(|name| name == hook) {
        return Some(hook.to_owned());
    }
    let quoted = format!("\"{hook}\"");
    let has = |name: &String| {
        let manifest = text::<Examples>(&format!("{name}.toml")).unwrap_or_default();
        manifest.lines().any(|line| line.starts_with("hooks = ") && line.contains(&quoted))
    };
    names.into_iter().find(has)
}

/// The files of a new project with the example of a hook; `None` if there is no such example.
#[must_use]
pub fn project(lang: Language, hook: &str, id: &str) -> Option<Files> {
    let mut files = Files::new();
    let mut put = |path: String, text: String| files.push((path, text));
    let (fixed, source, extension) = match lang {
        Language::Rust => (RUST, text::<Examples>(&format!("{hook}.rs"))?, "src/lib.rs"),
        Language::Typescript => (TYPESCRIPT, text::<TypeScriptExamples>(&format!("{hook}.ts"))?, "src/plugin.ts"),
    };
    let manifest = text::<Examples>(&format!("{hook}.toml"))?;
    let named = |text: &str| text.replace(PLACEHOLDER, id);
    for (name, text) in fixed {
        put((*name).to_owned(), named(text).replace("../typescript/src/", "sdk/typescript/src/"));
    }
    put("plugin.toml".to_owned(), named(&manifest).replace("My plugin", &title(id)));
    put(extension.to_owned(), named(&source).replace("MyPlugin", &camel(id)));
    if let Some(case) = text::<Cases>(&format!("{hook}.toml")) {
        put(format!("tests/{hook}.toml"), case);
    }
    all::<Wit>("sdk/wit", &mut put);
    match lang {
        Language::Rust => {
            RUST_SDK.iter().for_each(|(name, text)| put(format!("sdk/rust/{name}"), (*text).to_owned()));
            all::<RustSources>("sdk/rust/src", &mut put);
        }
        Language::Typescript => {
            TYPESCRIPT_SDK.iter().for_each(|(name, text)| put(format!("sdk/typescript/{name}"), (*text).to_owned()));
            all::<TypeScriptSources>("sdk/typescript/src", &mut put);
        }
    }
    Some(files)
}

fn text<E: RustEmbed>(name: &str) -> Option<String> {
    String::from_utf8(E::get(name)?.data.into_owned()).ok()
}

fn all<E: RustEmbed>(folder: &str, put: &mut impl FnMut(String, String)) {
    for name in E::iter() {
        if let Some(text) = text::<E>(&name) {
            put(format!("{folder}/{name}"), text);
        }
    }
}

fn words(id: &str) -> impl Iterator<Item = &str> {
    id.split('-').filter(|word| !word.is_empty())
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}

/// `my-feature` -> `My feature`.
fn title(id: &str) -> String {
    capital(&words(id).collect::<Vec<_>>().join(" "))
}

/// `my-feature` -> `MyFeature`.
fn camel(id: &str) -> String {
    words(id).map(capital).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_hook_of_the_contract_has_an_example_in_every_language() {
        for lang in [Language::Rust, Language::Typescript] {
            for spec in masthead_runtime::HOOKS {
                let short = short_name(lang, spec.name);
                assert!(short.is_some(), "{lang:?} {}", spec.name);
                assert_eq!(short_name(lang, short.as_deref().unwrap()), short);
            }
        }
        assert_eq!(short_name(Language::Rust, "links.write"), None);
    }

    #[test]
    fn the_placeholder_is_replaced_in_all_files() {
        for lang in [Language::Rust, Language::Typescript] {
            for hook in examples(lang) {
                let files = project(lang, &hook, "open-badge").unwrap();
                for (path, text) in files.iter().filter(|(path, _)| !path.starts_with("sdk/")) {
                    for trace in [PLACEHOLDER, "MyPlugin", "My plugin", "../typescript"] {
                        assert!(!text.contains(trace), "{path} of {hook} has {trace}");
                    }
                }
                let has = |wanted: &str| files.iter().any(|(path, _)| path == wanted);
                assert!(has("plugin.toml") && has("sdk/wit/worlds.wit") && has(&format!("tests/{hook}.toml")));
            }
        }
    }
}
