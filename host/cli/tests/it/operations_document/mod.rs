//! `docs/operations.md`: its commands in their order, its units, its log, its proxies, and the commands and links of its text.

mod logs;
mod machine;
mod proxies;

use std::{fs, path::PathBuf, process::Command};

use clap::{CommandFactory as _, error::ErrorKind};
use masthead_config::{Connections, Imports};
use masthead_test_support::{between, binary, repository, stderr};

use self::machine::Machine;
use crate::cluster::Cluster;

/// A fenced block of the document.
pub struct Block {
    /// The first word after the fence: `sh` for commands.
    language: String,
    /// The other words: who runs the commands, or where. `root`: with sudo; `proxy`: with a proxy before the host; `postgres`: with
    /// PostgreSQL; `other`: on the other machine of a move.
    marks: Vec<String>,
    /// The text, without the indentation of the fence.
    text: String,
    /// The line of the fence.
    line: usize,
}

impl Block {
    fn has(&self, mark: &str) -> bool {
        self.marks.iter().any(|one| one == mark)
    }

    /// The path of a file, which its first line names.
    fn path(&self) -> Option<&str> {
        self.text.lines().next()?.strip_prefix("# ").filter(|path| path.starts_with('/'))
    }
}

fn document() -> String {
    fs::read_to_string(repository("docs/operations.md")).unwrap()
}

/// The blocks of a document, and the text outside of them.
fn parsed(document: &str) -> (Vec<Block>, String) {
    let (mut blocks, mut prose) = (Vec::new(), String::new());
    let mut open: Option<(usize, Block)> = None;
    for (at, line) in document.lines().enumerate() {
        let trimmed = line.trim_start();
        match (open.take(), trimmed.strip_prefix("```")) {
            (Some((_, block)), Some(_)) => blocks.push(block),
            (Some((indentation, mut block)), None) => {
                block.text.push_str(line.get(indentation..).unwrap_or_default());
                block.text.push('\n');
                open = Some((indentation, block));
            }
            (None, Some(info)) => {
                let mut words = info.split_whitespace().map(str::to_owned);
                let language = words.next().unwrap_or_default();
                let block = Block { language, marks: words.collect(), text: String::new(), line: at + 1 };
                open = Some((line.len() - trimmed.len(), block));
            }
            (None, None) => {
                prose.push_str(line);
                prose.push('\n');
            }
        }
    }
    assert!(open.is_none(), "a block is not closed");
    (blocks, prose)
}

/// A program of this machine, also one that only root has in its path; `None` after a line that says what is not tested.
fn program(name: &str, what: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/local/sbin", "/sbin"].map(PathBuf::from));
    let found = folders.map(|folder| folder.join(name)).find(|program| program.is_file());
    if found.is_none() {
        println!("skipped: {what} was not tested, because {name} is not installed");
    }
    found
}

fn has_programs(names: &[&str], what: &str) -> bool {
    names.iter().all(|name| program(name, what).is_some())
}

/// Why a command of the text is none of the program, as the program's own parser says. The text may leave out what a command needs.
fn fault(said: &str) -> Option<String> {
    let error = masthead_cli::Cli::command().try_get_matches_from(said.split_whitespace()).err()?;
    let is_cut = matches!(
        error.kind(),
        ErrorKind::MissingRequiredArgument
            | ErrorKind::MissingSubcommand
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    (!is_cut).then(|| format!("`{said}`: {error}"))
}

#[test]
fn every_command_in_the_text_is_one_of_the_program() {
    let (_, prose) = parsed(&document());
    let (mut faults, mut commands) = (Vec::new(), 0);
    for line in prose.lines() {
        assert!(line.matches('`').count() % 2 == 0, "a command does not end in its line: {line}");
        for said in line.split('`').skip(1).step_by(2).filter(|said| said.starts_with("masthead ")) {
            commands += 1;
            faults.extend(fault(said));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(commands > 20, "the commands of the text were not found: {commands}");
    for wrong in [
        "masthead backups",
        "masthead backup lists DIR",
        "masthead backup verify DIR --keep 3",
        "masthead backup --to DIR --keep three",
        "masthead backup --to DIR --keep",
        "masthead doctor --site one --site two",
        "masthead token create desk --role owner",
        "masthead search reindex now",
    ] {
        assert!(fault(wrong).is_some(), "{wrong}");
    }
    for cut in ["masthead article set", "masthead secrets set", "masthead token create --role editor"] {
        assert_eq!(fault(cut), None);
    }
}

#[test]
fn every_link_leads_to_a_heading_or_file() {
    let text = document();
    let heading = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        title.chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect::<String>().replace(' ', "-")
    };
    let of = |text: &str| -> Vec<String> { text.lines().filter(|line| line.starts_with('#')).map(heading).collect() };
    let mut links = 0;
    for target in parsed(&text).1.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
        links += 1;
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let linked = if file.is_empty() { text.clone() } else { read_beside(file) };
        assert!(anchor.is_empty() || of(&linked).iter().any(|known| known == anchor), "{target}");
    }
    assert!(links > 10, "the links were not found: {links}");
}

/// A file that the document links.
fn read_beside(name: &str) -> String {
    let path = repository("docs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The numbers after each occurrence of a word.
fn numbers(text: &str, before: &str) -> Vec<f64> {
    let after = text.split(before).skip(1);
    let digits = after.map(|rest| rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect::<String>());
    digits.filter_map(|digits| digits.parse().ok()).collect()
}

#[test]
fn the_units_are_valid_and_the_limits_fit_each_other() {
    let text = document();
    let (blocks, _) = parsed(&text);
    for block in blocks.iter().filter(|block| block.language != "sh") {
        assert!(block.path().is_some(), "line {}: the first line names no file", block.line);
    }
    let machine = Machine::installed("ops-units", &blocks);
    let units = machine.path("/etc/systemd/system");
    if let Some(analyze) = program("systemd-analyze", "the form of the units") {
        let mut command = Command::new(analyze);
        command.args(["verify", "--man=no"]);
        command.args(
            ["masthead.service", "masthead-backup.service", "masthead-backup.timer"].map(|unit| units.join(unit)),
        );
        let output = command.output().unwrap();
        let said = stderr(&output);
        // An unknown setting is a warning only.
        assert!(output.status.success() && !said.contains("masthead"), "{}: {said}", output.status);
    }

    let unit = fs::read_to_string(units.join("masthead.service")).unwrap();
    let of_unit = |before: &str| {
        let found = numbers(&unit, before);
        assert_eq!(found.len(), 1, "{before}");
        found[0]
    };
    let (connections, imports) = (Connections::default(), Imports::default());
    let readme = fs::read_to_string(repository("README.md")).unwrap();
    let worst: f64 = between(&readme, "That is ", " GiB").parse().unwrap();
    assert!(unit.contains("G\n"), "the memory is in GiB");
    assert!(of_unit("MemoryMax=") > worst + f64::from(u32::try_from(imports.memory_megabytes).unwrap()) / 1024.0);
    assert!(of_unit("LimitNOFILE=") >= 4.0 * f64::from(connections.max));
    assert!(of_unit("TimeoutStopSec=") >= 4.0 * f64::from(connections.drain_seconds));
    for (setting, value) in [
        ("connections.max", u64::from(connections.max)),
        ("connections.drainSeconds", u64::from(connections.drain_seconds)),
        ("imports.memoryMegabytes", imports.memory_megabytes),
    ] {
        assert!(text.contains(&format!("`{setting}` ({value})")), "the document has another {setting} than {value}");
    }
    assert!(text.contains(&format!("take {worst} GiB at worst")));
    let idle = [numbers(&text, "keepalive_timeout "), numbers(&text, "\t\t\tkeepalive ")].concat();
    assert!(idle.len() == 2 && idle.iter().all(|seconds| *seconds < f64::from(connections.idle_seconds)), "{idle:?}");
    let begin = [numbers(&text, "proxy_read_timeout "), numbers(&text, "response_header_timeout ")].concat();
    assert!(
        begin.len() == 3 && begin.iter().all(|seconds| *seconds > f64::from(connections.stall_seconds)),
        "{begin:?}"
    );
}

#[test]
fn the_commands_work_in_their_order() {
    if !has_programs(&["bash", "curl", "ss"], "docs/operations.md") {
        return;
    }
    let (blocks, _) = parsed(&document());
    let cluster = Cluster::as_installed();
    if let Err(reason) = &cluster {
        println!("skipped: the commands for PostgreSQL were not tested: {reason}");
    }
    let mut machine = Machine::new("ops-walk");
    machine.cluster = cluster.ok();
    let has_cluster = machine.cluster.is_some();
    let generate = ["demo", "generate", "--articles", "12", "--seed", "1", "--into"];
    let mut generating = machine.command(binary().to_str().unwrap());
    assert!(generating.args(generate).arg(machine.path("/srv/articles")).output().unwrap().status.success());
    let mut there = None;
    let mut run = 0;
    // Those with a proxy are run by the tests of each proxy.
    let is_run = |block: &&Block| !block.has("proxy") && (has_cluster || !block.has("postgres"));
    for block in blocks.iter().filter(is_run) {
        run += 1;
        if block.language != "sh" {
            machine.write(block);
        } else if block.has("root") {
            machine.administer(block);
        } else if block.has("other") {
            let there = there.get_or_insert_with(|| Machine::with_copies("ops-there", &machine, &blocks));
            there.shell(&block.text, block.line);
        } else {
            machine.shell(&block.text, block.line);
        }
        machine.share_compiled();
    }
    assert!(run > 40 && there.is_some(), "the blocks were not found: {run}");
    // Through restores, the upgrade and back, and from one database to the other and back.
    let saved = machine.shell("masthead backup --to /var/backups/masthead", 0);
    assert!(saved.contains("12 articles"), "{saved}");
    commands_of_the_table_of_symptoms_work(&mut machine);
}

/// The commands of the first table that stand there whole, with their lines.
fn commands_of_the_table_of_symptoms() -> Vec<(usize, String)> {
    let text = document();
    let rows = text.lines().enumerate().skip_while(|(_, line)| *line != "## What woke me up");
    let rows = rows.take_while(|(_, line)| *line != "## Install").filter(|(_, line)| line.starts_with("| "));
    let commands = rows.flat_map(|(at, row)| row.split('`').skip(1).step_by(2).map(move |said| (at + 1, said)));
    let whole = |said: &str| masthead_cli::Cli::command().try_get_matches_from(said.split_whitespace()).is_ok();
    // The host runs as its unit says, and not by a command of the table.
    let is_run = |said: &str| said.starts_with("masthead ") && !said.starts_with("masthead serve");
    let commands = commands.filter(|(_, said)| is_run(said) && whole(said));
    commands.map(|(line, said)| (line, said.to_owned())).collect()
}

/// What the first table speaks of and no command before has made: administrators of whom one may go, a plugin that a site has.
const BEFORE_THE_NIGHT: &str = r#"cd /var/tmp
printf '\n[[plugins]]\nid = "ai-assistant"\ngrants = { content = true }\n' >> /etc/masthead/sites/one.toml
for name in ada desk; do
  link=$(masthead admin invite "$name@example.org" --role platform-administrator)
  console=${link#*//}
  curl -fsS -H "host: ${console%%/*}" -H 'content-type: application/json' http://127.0.0.1:8448/rc-pub/admin/invitation \
    -d "{ \"token\": \"${link#*#}\", \"name\": \"$name\", \"password\": \"a long neap tide\" }"
done
"#;

/// Beside a running host, which a restore alone does not want.
fn commands_of_the_table_of_symptoms_work(machine: &mut Machine) {
    machine.start();
    machine.shell(BEFORE_THE_NIGHT, 0);
    let commands = commands_of_the_table_of_symptoms();
    for (line, said) in &commands {
        let is_restore = said.starts_with("masthead restore");
        if is_restore {
            machine.stop();
        }
        machine.shell(said, *line);
        if is_restore {
            machine.start();
        }
    }
    assert!(commands.len() > 15, "the commands were not found: {commands:?}");
}
