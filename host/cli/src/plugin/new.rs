//! `masthead plugin new`.

use std::path::PathBuf;

use clap::Args;

use crate::plugin::scaffold::{self, Language};

/// Names that Cargo or the compiler keeps for itself, and those of what a project depends on.
const TAKEN: [&str; 14] = [
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

/// Begin a plugin from the example of a hook.
#[derive(Args)]
pub struct New {
    /// Id of the plugin: lower-case letters, digits and hyphens.
    name: String,
    /// Hook of the example, such as `links` or `article.decorate`.
    #[arg(long)]
    hook: String,
    /// Language to write it in.
    #[arg(long, value_enum, default_value = "rust")]
    lang: Language,
    /// Folder; by default one named like the plugin.
    dir: Option<PathBuf>,
}

impl New {
    pub fn run(self) -> anyhow::Result<()> {
        check_name(&self.name)?;
        let known = scaffold::examples(self.lang).join(", ");
        let hook = scaffold::short_name(self.lang, &self.hook)
            .ok_or_else(|| anyhow::anyhow!("there is no example of a hook {:?}; there are {known}", self.hook))?;
        let files = scaffold::project(self.lang, &hook, &self.name)
            .ok_or_else(|| anyhow::anyhow!("the example of the hook {hook} is not complete in this host"))?;
        let dir = self.dir.unwrap_or_else(|| PathBuf::from(&self.name));
        let shown = dir.display();
        if dir.exists() {
            let mut entries =
                std::fs::read_dir(&dir).map_err(|error| anyhow::anyhow!("{shown} cannot be used: {error}"))?;
            anyhow::ensure!(entries.next().is_none(), "{shown} is not empty; name another folder, or empty it");
        }
        for (path, text) in &files {
            let target = dir.join(path);
            let written = target.parent().map_or(Ok(()), std::fs::create_dir_all);
            written
                .and_then(|()| std::fs::write(&target, text))
                .map_err(|error| anyhow::anyhow!("writing {}: {error}", target.display()))?;
        }
        println!("{}: {} files, with the example of the hook {hook}. Next:", shown, files.len());
        println!("  cd {shown}");
        println!("  masthead plugin test                   # builds it, runs tests/*.toml in the host");
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
        "{name:?} cannot be a plugin's id: it takes a lower-case letter, then lower-case letters, digits and single hyphens, \
         at most 64, such as open-badge"
    );
    anyhow::ensure!(!TAKEN.contains(&name), "{name:?} is taken by the language or by the SDK; choose another id");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_folders_and_crates() {
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
