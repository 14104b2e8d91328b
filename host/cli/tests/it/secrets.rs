//! `masthead secrets`: values from standard input, names in lists, the running host, the audit trail.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Output, Stdio},
};

use masthead_test_support::{command, first_party_plugins, share_compiled, sites, stderr, stdout, workspace};
use serde_json::{Value, json};

use crate::serve::Running;

const GATEWAY: &str = "
[[plugins]]
id = \"translate-gateway\"
grants = { http = [\"fanyi.example.org\"], secrets = [\"translate-gateway\"] }
settings = { address = \"https://fanyi.example.org/\", appId = \"demo\" }
";
const VALUE: &str = "hidden-word";

struct Desk {
    sites: PathBuf,
    data: PathBuf,
}

impl Desk {
    fn new(name: &str) -> Self {
        let folder = workspace(&format!("secrets-{name}"));
        Self { sites: sites(&folder, GATEWAY), data: folder.join("data") }
    }

    fn file(&self) -> PathBuf {
        self.data.join("secrets.toml")
    }

    /// Runs `masthead secrets` with a text on standard input. No output has the value of a secret.
    fn run(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut command = command(&self.sites, &self.data, &[&["secrets"], arguments].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).env("MASTHEAD_EDITOR", "ada");
        let mut child = command.spawn().unwrap();
        // A command that refuses its arguments ends without reading.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert!(!said.contains(VALUE), "{said}");
        output
    }

    fn done(&self, arguments: &[&str], input: &str) -> String {
        let output = self.run(arguments, input.as_bytes());
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    }

    fn refused(&self, arguments: &[&str], input: &[u8], words: &str) {
        let output = self.run(arguments, input);
        assert!(!output.status.success() && stderr(&output).contains(words), "{words}: {}", stderr(&output));
    }

    fn list(&self) -> Vec<(String, String)> {
        let rows: Value = serde_json::from_str(&self.done(&["list", "--json"], "")).unwrap();
        let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
        rows.as_array().unwrap().iter().map(|row| (text(row, "name"), text(row, "state"))).collect()
    }
}

fn row(name: &str, state: &str) -> (String, String) {
    (name.to_owned(), state.to_owned())
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn secrets_are_set_from_standard_input_and_listed_by_name() {
    let desk = Desk::new("set");
    let text = desk.done(&["list"], "");
    assert!(
        text.contains("one: translate-gateway is missing, used by translate-gateway; run `masthead secrets set"),
        "{text}"
    );
    assert!(!desk.data.exists(), "a list creates nothing");
    let text = desk.done(&["set", "translate-gateway", "--site", "one"], &format!("{VALUE}\n"));
    assert!(text.contains("is set") && text.contains("used by translate-gateway"), "{text}");
    assert_eq!(fs::read_to_string(desk.file()).unwrap(), format!("[7001]\ntranslate-gateway = \"{VALUE}\"\n"));
    assert_eq!((mode(&desk.file()), mode(&desk.data)), (0o600, 0o700));

    // A file that was written by hand keeps its comments.
    let own = format!(
        "# ours\n[7001]\ntranslate-gateway = \"old\" # since May\nspare = \"{VALUE}\"\n\n[9]\nx = \"{VALUE}\"\n"
    );
    fs::write(desk.file(), &own).unwrap();
    let value = format!("{VALUE}\nof \"two\" lines");
    assert!(desk.done(&["set", "translate-gateway", "--site", "7001"], &value).contains("is replaced"));
    let table: toml::Table = toml::from_str(&fs::read_to_string(desk.file()).unwrap()).unwrap();
    assert_eq!(table["7001"]["translate-gateway"].as_str(), Some(value.as_str()));
    let text = fs::read_to_string(desk.file()).unwrap();
    assert!(text.starts_with("# ours\n[7001]\n") && text.contains("# since May\nspare = "), "{text}");
    assert_eq!(desk.list(), [row("x", "unused"), row("spare", "unused"), row("translate-gateway", "set")]);
    assert!(desk.done(&["list"], "").contains("site 9, which does not exist: x is set and unused"));
    assert_eq!(desk.done(&["list", "--site", "one"], "").lines().count(), 2);

    assert!(
        desk.done(&["set", "translate-gatway", "--site", "one"], VALUE).contains("do you mean \"translate-gateway\"?")
    );
    desk.done(&["remove", "translate-gatway", "--site", "one"], "");
    desk.refused(&["remove", "sparse", "--site", "one"], b"", "one has no secret \"sparse\"; do you mean \"spare\"?");
    assert!(desk.done(&["remove", "translate-gateway", "--site", "one"], "").contains("is without it now"));
    desk.done(&["remove", "spare", "--site", "one"], "");
    let text = fs::read_to_string(desk.file()).unwrap();
    assert!(!text.contains("7001") && text.contains("[9]\nx = "), "an empty table is removed: {text}");
    let kept: Vec<_> = fs::read_dir(&desk.data).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(kept.len() == 2 && kept.iter().all(|name| name.to_str().unwrap().starts_with("secrets.")), "{kept:?}");
}

#[test]
fn what_is_no_secret_is_refused_and_changes_nothing() {
    let desk = Desk::new("refused");
    let set = ["set", "translate-gateway", "--site", "one"];
    for (input, words) in [
        (&b""[..], "is empty"),
        (b"\n", "is empty"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (&[b'a'; (64 << 10) + 1], "more than 65536 bytes"),
    ] {
        desk.refused(&set, input, words);
    }
    desk.refused(&["set", "a b", "--site", "one"], b"x", "is not the name of a secret");
    desk.refused(&["set", "a", "--site", "onne"], b"x", "do you mean \"one\"?");
    desk.refused(&["set", "a"], b"x", "--site");
    assert!(!desk.file().exists());
    fs::create_dir_all(&desk.data).unwrap();
    let broken = format!("[7001]\nkey = {VALUE}\n");
    fs::write(desk.file(), &broken).unwrap();
    fs::set_permissions(desk.file(), fs::Permissions::from_mode(0o640)).unwrap();
    desk.refused(&set, b"x", "chmod 600");
    fs::set_permissions(desk.file(), fs::Permissions::from_mode(0o600)).unwrap();
    desk.refused(&set, b"x", "is not valid");
    assert_eq!(fs::read_to_string(desk.file()).unwrap(), broken);
}

#[test]
fn two_commands_at_the_same_time_lose_no_secret() {
    let desk = Desk::new("lock");
    let names: Vec<String> = (0..8).map(|number| format!("key-{number}")).collect();
    std::thread::scope(|scope| {
        for name in &names {
            let desk = &desk;
            scope.spawn(move || desk.done(&["set", name.as_str(), "--site", "one"], VALUE));
        }
    });
    let found: Vec<String> =
        desk.list().into_iter().map(|(name, _)| name).filter(|name| name.starts_with("key")).collect();
    assert_eq!(found, names);
}

#[test]
fn a_running_host_uses_a_changed_secret_without_a_restart() {
    first_party_plugins();
    let desk = Desk::new("host");
    share_compiled(&desk.data);
    let host = Running::start(&desk.sites, &desk.data, &[]);
    let ready = || {
        let answer = host.operator("/readyz");
        assert!(answer.starts_with("HTTP/1.1 200"), "a missing secret is a warning: {answer}");
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        assert!(!body.contains(VALUE));
        serde_json::from_str::<Value>(body).unwrap()
    };
    let expected = json!([{ "site": "one", "plugin": "translate-gateway", "secret": "translate-gateway" }]);
    assert_eq!(ready()["missingSecrets"], expected);
    let set = ["set", "translate-gateway", "--site", "one"];
    assert!(desk.done(&set, VALUE).contains("the running host uses the change"));
    assert_eq!(ready()["missingSecrets"], json!([]));
    assert!(
        desk.done(&["remove", "translate-gateway", "--site", "one"], "").contains("the running host uses the change")
    );
    assert_eq!(ready()["missingSecrets"], expected);

    // The lists beside a running host say what serves.
    let list = masthead_test_support::masthead(&desk.sites, &desk.data, &["plugin", "list", "--site", "one"]);
    assert!(stdout(&list).contains("any version, 0.1.0 serves (built in, sha256:"), "{}", stdout(&list));
    let audit = masthead_test_support::masthead(&desk.sites, &desk.data, &["audit", "list", "--json"]);
    let lines: Value = serde_json::from_str(&stdout(&audit)).unwrap();
    let line = |at: usize| [&lines[at]["who"], &lines[at]["action"], &lines[at]["subject"]];
    assert_eq!(line(1), [&json!("ada"), &json!("set"), &json!("secret/translate-gateway")]);
    assert_eq!(line(0), [&json!("ada"), &json!("removed"), &json!("secret/translate-gateway")]);
    assert_eq!((&lines[1]["before"], &lines[1]["after"]), (&json!({ "set": false }), &json!({ "set": true })));
    assert!(!lines.to_string().contains(VALUE));
}

#[test]
fn plugins_in_the_folders_of_a_running_host_are_known_to_commands() {
    first_party_plugins();
    let desk = Desk::new("folders");
    share_compiled(&desk.data);
    let plugins = desk.data.with_file_name("plugins");
    masthead_test_support::copy(&masthead_test_support::test_plugins().join("faulty"), &plugins.join("faulty"));
    let enable = ["plugin", "enable", "faulty", "--site", "one"];
    let run = || masthead_test_support::masthead(&desk.sites, &desk.data, &enable);
    let unknown = run();
    assert!(
        !unknown.status.success() && stderr(&unknown).contains("there is no plugin \"faulty\""),
        "{}",
        stderr(&unknown)
    );
    let host = Running::start(&desk.sites, &desk.data, &["--plugins", plugins.to_str().unwrap()]);
    let known = run();
    assert!(known.status.success(), "{}", stderr(&known));
    drop(host);
}

#[test]
fn the_installation_has_secrets_of_its_own() {
    let desk = Desk::new("platform");
    let said = desk.done(&["set", "mail-password", "--platform"], VALUE);
    assert!(said.contains("the secret mail-password of the installation is set"), "{said}");
    let file = fs::read_to_string(desk.file()).unwrap();
    assert!(file.contains("[platform]") && file.contains(VALUE), "{file}");
    assert!(desk.list().contains(&row("mail-password", "set")));
    assert!(desk.done(&["list"], "").contains("the installation: mail-password is set, used by the host"));
    desk.refused(&["set", "another", "--platform"], VALUE.as_bytes(), "mail-password");
    desk.refused(&["set", "mail-password"], VALUE.as_bytes(), "--site");
    desk.refused(&["set", "mail-password", "--platform", "--site", "448"], VALUE.as_bytes(), "cannot be used with");
    assert!(desk.done(&["remove", "mail-password", "--platform"], "").contains("is removed"));
    desk.refused(&["remove", "mail-password", "--platform"], b"", "the installation has no secret");
}
