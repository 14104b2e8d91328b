//! `masthead plugin new`.

use std::path::PathBuf;

use clap::Args;

use crate::plugin::scaffold::{self, Language};

/// Names that Cargo or Rust reserves, and names of the crates that a project depends on.
const RESERVED: [&str; 14] = [
    "alloc",
    "core",
    "crate",
    "fn",
    "impl",
    "masthead-plugin",
    "mod",
    "proc-macro",
    "self",
    "serde",
    "std",
    "super",
    "test",
    "wit-bindgen",
];

/// Create a plugin project from the example of a hook.
#[derive(Args)]
pub struct New {
    /// Id of the plugin: lower-case letters, digits and hyphens.
    name: String,
    /// Hook of the example, such as `links` or `article.decorate`.
    #[arg(long)]
    hook: String,
    /// Programming language.
    #[arg(long, value_enum, default_value = "rust")]
    lang: Language,
    /// Folder of the project; by default, the id of the plugin.
    dir: Option<PathBuf>,
}

impl New {
    pub fn run(self) -> anyhow::Result<()> {
        check_name(&self.name)?;
        let known = scaffold::examples(self.lang).join(", ");
        let hook = scaffold::short_name(self.lang, &self.hook).ok_or_else(|| {
            anyhow::anyhow!("there is no example of a hook {:?}; the examples are {known}", self.hook)
        })?;
        let files = scaffold::project(self.lang, &hook, &self.name)
            .ok_or_else(|| anyhow::anyhow!("this host does not contain the complete example of the hook {hook}"))?;
        let dir = self.dir.unwrap_or_else(|| PathBuf::from(&self.name));
        let shown = dir.display();
        if dir.exists() {
            let mut entries =
                std::fs::read_dir(&dir).map_err(|error| anyhow::anyhow!("{shown} cannot be used: {error}"))?;
            anyhow::ensure!(entries.next().is_none(), "{shown} is not empty; choose another folder, or empty it");
        }
        for (path, text) in &files {
            let target = dir.join(path);
            let written = target.parent().map_or(Ok(()), std::fs::create_dir_all);
            written
                .and_then(|()| std::fs::write(&target, text))
                .map_err(|error| anyhow::anyhow!("writing {}: {error}", target.display()))?;
        }
        println!("created {} with {} files from the example of the hook {hook}. Next:", shown, files.len());
        println!("  cd {shown}");
        println!("  masthead plugin test                   # builds it and runs tests/*.toml in the runtime");
        println!(
            "  masthead plugin dev --into PLUGINS     # builds at every change, for `masthead serve --plugins PLUGINS`"
        );
        Ok(())
    }
}

fn check_name(name: &str) -> anyhow::Result<()> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let good = name.bytes().all(plain)
        && name.len() <= 64
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && !name.ends_with('-')
        && !name.contains("--");
    anyhow::ensure!(
        good,
        "{name:?} is not a valid plugin id: an id starts with a lower-case letter, followed by lower-case letters, digits and single \
         hyphens, at most 64 characters, such as open-badge"
    );
    anyhow::ensure!(!RESERVED.contains(&name), "{name:?} is reserved by Rust or by the SDK; choose another id");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_must_be_valid_for_folders_and_crates() {
        for good in ["a", "open-badge", "hss2-article"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in
            ["", "-a", "a-", "a--b", "A", "2a", "a_b", "a.b", "../a", "a/b", "é", "std", "serde", &"a".repeat(65)]
        {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }
}
