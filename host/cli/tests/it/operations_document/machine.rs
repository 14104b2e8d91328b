//! A machine as `docs/operations.md` describes it, in a scratch folder: its paths, shell, units and running host.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use masthead_test_support::{binary, built, copy, repository, share_compiled, stderr, stdout, workspace};

use super::{Block, program};
use crate::{cluster::Cluster, serve::Running};

/// Folders of the document, which the scratch folder has too.
const PLACES: [&str; 14] = [
    "/etc/caddy",
    "/etc/letsencrypt",
    "/etc/logrotate.d",
    "/etc/masthead",
    "/etc/nginx",
    "/etc/systemd/system",
    "/srv",
    "/usr/local/bin",
    "/var/backups",
    "/var/lib/masthead",
    "/var/log/masthead",
    "/var/log/nginx",
    "/var/tmp",
    "/var/www/html",
];
/// The ports of the document: of readers, and of the operator.
const PORTS: [&str; 2] = [":8448", ":8449"];
/// The database of the document.
const DATABASE: &str = "postgres://masthead@%2Frun%2Fpostgresql/masthead";

/// Programs after `sudo` that write files only, and are run without it.
const WRITES: [&str; 5] = ["cp", "install", "mv", "sed", "tee"];
/// The machines of the document to which files are copied. A folder of this one stands for each.
const OTHERS: [&str; 2] = ["backup.example.org", "new.example.org"];
/// Programs after `sudo` that are not run here.
const NOT_RUN: [&str; 6] = [
    // It installs packages from the network, with root's rights.
    "apt",
    // The test in `proxies.rs` checks the same file by the same command, with ports that need no rights.
    "caddy",
    // An authority on the network has to reach the domain of the document.
    "certbot",
    // It reads and removes what systemd has kept of the units: no systemd has started the host of this machine.
    "journalctl",
    // As `caddy`.
    "nginx",
    // It adds a user to the machine of the test, with root's rights.
    "useradd",
];

/// A machine. What runs on it is stopped when it is dropped.
pub struct Machine {
    root: PathBuf,
    host: Option<Running>,
    /// The PostgreSQL of the machine, without the role and the database of the document.
    pub cluster: Option<Cluster>,
}

impl Machine {
    /// A machine on which nothing is installed. Below its folder `release` is what `make build` leaves.
    pub fn new(name: &str) -> Self {
        let machine = Self { root: workspace(name).canonicalize().unwrap(), host: None, cluster: None };
        for place in PLACES {
            fs::create_dir_all(machine.path(place)).unwrap();
        }
        let release = machine.root.join("release");
        let program = release.join("target/release/masthead");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        // A test binary has a few hundred megabytes: what is installed is a script that becomes the program.
        fs::write(&program, format!("#!/bin/sh\nexec '{}' \"$@\"\n", binary().display())).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        std::os::unix::fs::symlink(repository("sites").canonicalize().unwrap(), release.join("sites")).unwrap();
        // Before any command makes another key: compiled plugins are shared by all tests.
        share_compiled(&machine.path("/var/lib/masthead"));
        machine.configure_curl("");
        machine
    }

    /// A machine with the program and the files of the document, to which a configuration belongs. Its shell has their settings.
    pub fn installed(name: &str, blocks: &[Block]) -> Self {
        let machine = Self::new(name);
        machine.install();
        for block in blocks.iter().filter(|block| block.language != "sh") {
            machine.write(block);
        }
        machine.shell("set -a; . /etc/masthead/environment; set +a", 0);
        machine
    }

    /// The scratch folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A machine with the program, and with what was copied to it from another one: all backups and temporary files where the machine of
    /// the test has no rsync.
    pub fn with_copies(name: &str, from: &Self, blocks: &[Block]) -> Self {
        let machine = Self::new(name);
        machine.install();
        let environment = blocks.iter().find(|block| block.path() == Some("/etc/masthead/environment"));
        machine.write(environment.unwrap());
        let copied = Some(from.other("new.example.org")).filter(|folder| folder.exists());
        let copied = copied.unwrap_or_else(|| from.root.clone());
        for place in ["var/backups", "var/tmp"] {
            copy(&copied.join(place), &machine.root.join(place));
        }
        machine
    }

    fn install(&self) {
        let program = self.path("/usr/local/bin/masthead");
        fs::copy(self.root.join("release/target/release/masthead"), program).unwrap();
    }

    /// A path of the document in the scratch folder.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// The folder that stands for another machine.
    fn other(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// A text of the document with paths, other machines, ports and database of this machine. Ports of a host that does not run stay.
    pub fn rendered(&self, text: &str) -> String {
        let root = self.root.to_str().unwrap();
        let (mut rendered, mut rest) = (String::with_capacity(text.len()), text);
        // Read once: the scratch folder may itself lie in one of the places.
        while let Some(next) = rest.chars().next() {
            let remote = |name: &&&str| rest.strip_prefix(**name).is_some_and(|path| path.starts_with(":/"));
            if let Some(name) = OTHERS.iter().find(remote) {
                rendered.push_str(self.other(name).to_str().unwrap());
                rendered.push('/');
                rest = rest.get(name.len() + ":/".len()..).unwrap_or_default();
                continue;
            }
            let place = PLACES.iter().find(|place| rest.starts_with(**place));
            if place.is_some() {
                rendered.push_str(root);
            }
            let (taken, after) = rest.split_at(place.map_or(next.len_utf8(), |place| place.len()));
            rendered.push_str(taken);
            rest = after;
        }
        if let Some(host) = &self.host {
            for (port, address) in PORTS.into_iter().zip([host.address(), host.operator_address()]) {
                rendered = rendered.replace(port, &address[address.rfind(':').unwrap()..]);
            }
        }
        let database = self.cluster.iter().map(|cluster| cluster.address("masthead"));
        database.fold(rendered, |rendered, database| rendered.replace(DATABASE, &database))
    }

    /// Writes a file of the document. The settings of the platform are written into the file that is there.
    pub fn write(&self, block: &Block) {
        let path = block.path().unwrap();
        let to = self.path(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        // The system chooses the ports.
        let text = PORTS.into_iter().fold(self.rendered(&block.text), |text, port| text.replace(port, ":0"));
        if path.ends_with("/platform.toml") {
            let before = if to.exists() { to.clone() } else { repository("sites/platform.toml") };
            fs::write(&to, with_settings(&fs::read_to_string(before).unwrap(), &text)).unwrap();
        } else {
            fs::write(&to, text).unwrap();
        }
    }

    /// Runs commands as the user of the host. What they export is there for the next ones, as in one shell. Fails with their output at the
    /// first one that fails.
    pub fn shell(&self, script: &str, line: usize) -> String {
        let state = self.root.join("shell-state");
        let script = format!(
            "[ ! -f '{0}' ] || . '{0}'\nset -euxo pipefail\n{1}\n{{ set +x; }} 2> /dev/null\nexport -p > '{0}'\n",
            state.display(),
            self.rendered(script)
        );
        let mut bash = self.command("bash");
        let output = bash.args(["-c", &script]).output().unwrap();
        let (out, said) = (stdout(&output), stderr(&output));
        assert!(output.status.success(), "docs/operations.md, line {line}: {}\n{out}\n{said}", output.status);
        out
    }

    /// Runs a block of commands with `sudo`: those about the units of the document in place of systemd, those of other users as the user of
    /// the test, those that copy to another machine as copies to its folder, those that write files, and no others.
    pub fn administer(&mut self, block: &Block) {
        for line in block.text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let programs: Vec<&str> =
                line.split("sudo ").skip(1).map(|rest| rest.split(' ').next().unwrap_or_default()).collect();
            assert!(
                !programs.is_empty(),
                "line {}: {line:?} is in a block of the administrator, without sudo",
                block.line
            );
            if let Some(words) = line.strip_prefix("sudo systemctl ") {
                self.systemctl(words);
            } else if let Some(command) = line.strip_prefix("sudo -u masthead ") {
                self.shell(command, block.line);
            } else if let Some(command) = line.strip_prefix("sudo -u postgres ") {
                self.administer_database(command, block.line);
            } else if let Some(words) = line.strip_prefix("sudo rsync ") {
                self.copy_to_other(words, block.line);
            } else if programs.iter().all(|program| WRITES.contains(program)) {
                let own = line.replace("sudo ", "").replace(" -o masthead", "").replace(" -o root", "");
                self.shell(&own.replace(" -g masthead", ""), block.line);
            } else {
                let unknown: Vec<_> = programs.iter().filter(|program| !NOT_RUN.contains(program)).collect();
                assert!(unknown.is_empty(), "line {}: this test does not know {unknown:?}", block.line);
            }
        }
    }

    /// Runs a client program of PostgreSQL as the administrator of the cluster.
    fn administer_database(&self, command: &str, line: usize) {
        let cluster = self.cluster.as_ref().unwrap_or_else(|| panic!("line {line}: the block has no mark `postgres`"));
        let words: Vec<&str> = command.split_whitespace().collect();
        cluster.administer(&words).unwrap_or_else(|reason| panic!("docs/operations.md, line {line}: {reason}"));
    }

    /// Copies files by rsync to the folder that stands for another machine. A copied folder of backups has the same ones, each complete.
    fn copy_to_other(&self, words: &str, line: usize) {
        if program("rsync", "the copy of backups to another machine").is_none() {
            return;
        }
        let paths: Vec<&str> = words.split_whitespace().collect();
        let [.., from, to] = paths[..] else { panic!("line {line}: {words}") };
        let (name, path) = to.split_once(':').unwrap_or_else(|| panic!("line {line}: {to} is on no other machine"));
        assert!(OTHERS.contains(&name), "line {line}: this test does not know the machine {name}");
        // The other machine has the folder in which the copy is put.
        let copied = self.other(name).join(path.trim_start_matches('/'));
        fs::create_dir_all(copied.parent().unwrap()).unwrap();
        self.shell(&format!("rsync {words}"), line);
        if from.ends_with('/') {
            let backups = self.shell(&format!("masthead backup list {from}"), line);
            assert!(backups.contains(" articles"), "line {line}: there is no backup to copy: {backups}");
            assert_eq!(self.shell(&format!("masthead backup list {to}"), line), backups);
            let verified = self.shell(&format!("masthead backup verify {to}"), line);
            assert_eq!(verified.matches("complete").count(), backups.lines().count(), "{verified}");
        } else {
            let same = fs::read(self.path(from)).unwrap() == fs::read(&copied).unwrap();
            assert!(same, "line {line}: {} has other bytes", copied.display());
        }
    }

    /// Does what systemd does with the units of the document.
    fn systemctl(&mut self, words: &str) {
        let mut options = words.split_whitespace().filter(|word| word.starts_with('-'));
        let at_once = options.any(|option| option == "--now");
        let mut words = words.split_whitespace().filter(|word| !word.starts_with('-'));
        let verb = words.next().unwrap_or_default();
        assert!(
            ["daemon-reload", "enable", "reload", "restart", "start", "status", "stop"].contains(&verb),
            "this test does not know systemctl {verb}"
        );
        let starts = matches!(verb, "start" | "restart") || (verb == "enable" && at_once);
        for unit in words {
            match unit {
                "masthead" => {
                    if matches!(verb, "stop" | "restart") {
                        self.stop();
                    }
                    if starts {
                        self.start();
                    }
                }
                "masthead-backup.service" if starts => self.backup(),
                // Units of packages.
                "caddy" | "nginx" | "postgresql" => {}
                other => assert!(self.path("/etc/systemd/system").join(other).is_file(), "there is no unit {other}"),
            }
        }
    }

    /// Starts the host as its unit says.
    pub fn start(&mut self) {
        assert!(self.host.is_none(), "the host runs");
        built("dist/ui/shell/manifest.json");
        let starts = self.settings("/etc/systemd/system/masthead.service", "ExecStart");
        let mut words = starts[0].split(' ');
        let mut command = self.command(words.next().unwrap());
        command.args(words);
        for line in fs::read_to_string(self.path("/etc/masthead/environment")).unwrap().lines() {
            if let Some((name, value)) = line.split_once('=') {
                command.env(name, value);
            }
        }
        let log = fs::OpenOptions::new().create(true).append(true).open(self.log()).unwrap();
        command.stderr(log);
        self.host = Some(Running::of(command));
    }

    /// Stops the host.
    pub fn stop(&mut self) {
        let mut host = self.host.take().expect("the host does not run");
        assert!(host.terminate().success());
    }

    /// Runs the commands of the unit that makes backups.
    fn backup(&self) {
        let commands = self.settings("/etc/systemd/system/masthead-backup.service", "ExecStart");
        assert!(commands.len() > 1, "it makes a backup and verifies it: {commands:?}");
        // The shell puts the paths of this machine in.
        let commands = commands.join("\n").replace(self.root.to_str().unwrap(), "");
        self.shell(&format!("set -a; . /etc/masthead/environment; set +a\n{commands}"), 0);
    }

    /// The values of a setting in a unit that was written.
    pub fn settings(&self, unit: &str, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path(unit)).unwrap();
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        pairs.filter(|(key, _)| *key == name).map(|(_, value)| value.to_owned()).collect()
    }

    /// The file with the log of the host: that of its units, or one in place of the journal.
    pub fn log(&self) -> PathBuf {
        let unit = "/etc/systemd/system/masthead.service.d/log.conf";
        if !self.path(unit).exists() {
            return self.root.join("host.log");
        }
        let output = self.settings(unit, "StandardError");
        PathBuf::from(output[0].strip_prefix("append:").unwrap())
    }

    /// Lets what was restored beside the host use the compiled plugins of all tests.
    pub fn share_compiled(&self) {
        for entry in walkdir::WalkDir::new(self.path("/var/tmp")).max_depth(3).into_iter().flatten() {
            if entry.file_name() == "masthead.db" {
                share_compiled(entry.path().parent().unwrap());
            }
        }
    }

    /// Writes the settings that curl has on this machine.
    pub fn configure_curl(&self, more: &str) {
        fs::write(self.root.join(".curlrc"), format!("noproxy = \"*\"\nmax-time = 120\n{more}")).unwrap();
    }

    /// What curl prints.
    pub fn curl(&self, arguments: &[&str]) -> String {
        let output = self.command("curl").arg("-sS").args(arguments).output().unwrap();
        assert!(output.status.success(), "curl {arguments:?}: {}{}", stdout(&output), stderr(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// A command in the folder of the release, with this machine's programs and nothing of this process that changes what they do.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("MASTHEAD_") {
                command.env_remove(name);
            }
        }
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", self.path("/usr/local/bin").display()));
        command.env("HOME", &self.root).env("CURL_HOME", &self.root);
        command.current_dir(self.root.join("release")).stdin(Stdio::null());
        command
    }
}

/// A configuration file with settings in the place of its own.
fn with_settings(file: &str, settings: &str) -> String {
    let mut file: toml_edit::DocumentMut = file.parse().unwrap();
    let settings: toml_edit::DocumentMut = settings.parse().unwrap();
    for (key, value) in settings.iter() {
        match value.as_table() {
            Some(table) => {
                for (name, value) in table {
                    file[key][name] = value.clone();
                }
            }
            None => file[key] = value.clone(),
        }
    }
    file.to_string()
}
