//! The `masthead` binary in a folder of its own, for tests that need no portal.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A folder of this crate's checkout.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A folder for one test: emptied at the start and left behind for a look afterwards.
pub fn workspace(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("server").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// `masthead plugin ...` in a folder, without a network; what plugins are built of is kept over tests.
pub fn plugin(folder: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_masthead"));
    command.arg("plugin").args(arguments).current_dir(folder);
    for variable in ["MASTHEAD_SITES", "MASTHEAD_DATA", "MASTHEAD_DATABASE", "MASTHEAD_SDK"] {
        command.env_remove(variable);
    }
    command.env("CARGO_NET_OFFLINE", "true");
    command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins"));
    Ran::of(&command.output().unwrap())
}

/// What a command wrote, and whether it said that it succeeded.
#[derive(Debug)]
pub struct Ran {
    pub good: bool,
    pub out: String,
    pub err: String,
}

impl Ran {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { good: output.status.success(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// It has to succeed and to say these things.
    pub fn says(self, words: &[&str]) -> Self {
        assert!(self.good, "{self:#?}");
        self.has(words)
    }

    /// It has to fail and to say these things.
    pub fn fails(self, words: &[&str]) -> Self {
        assert!(!self.good, "{self:#?}");
        self.has(words)
    }

    fn has(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.out.contains(word) || self.err.contains(word), "{word:?} is not in {self:#?}");
        }
        self
    }

    /// Its output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// Changes a file.
pub fn edit(path: &Path, change: impl FnOnce(String) -> String) {
    let text = std::fs::read_to_string(path).unwrap();
    std::fs::write(path, change(text)).unwrap();
}

/// A folder of sites with one site, whose file ends like this.
pub fn sites(folder: &Path, rest: &str) -> PathBuf {
    let sites = folder.join("sites");
    std::fs::create_dir_all(&sites).unwrap();
    std::fs::copy(repository("sites/platform.toml"), sites.join("platform.toml")).unwrap();
    let head = "id = 7001 # its number\nname = { zh = \"一\", en = \"One\" }\n";
    std::fs::write(sites.join("one.toml"), format!("{head}{rest}")).unwrap();
    sites
}
