//! The files of the log in `docs/operations.md`: logrotate moves them on while the host has the first one open.

use std::{
    fs::{self, File},
    io::Read as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use flate2::read::GzDecoder;
use masthead_test_support::{stderr, stdout, until};

use super::{document, has_programs, machine::Machine, parsed, program};

const CONFIGURATION: &str = "/etc/logrotate.d/masthead";
const LOG: &str = "/var/log/masthead/masthead.log";
/// Days on which the host writes and the log is rotated.
const DAYS: usize = 3;
/// Requests on each of them.
const REQUESTS: usize = 20;

/// The logrotate of a machine.
struct Rotation<'a> {
    machine: &'a Machine,
    program: PathBuf,
    /// Where it keeps when it rotated which file.
    state: PathBuf,
}

impl Rotation<'_> {
    /// Makes it rotate the log next time, as if that were on the next day.
    fn let_a_day_pass(&self) {
        let log = self.machine.path(LOG);
        let state = format!("logrotate state -- version 2\n\"{}\" 2020-1-1-0:0:0\n", log.display());
        fs::write(&self.state, state).unwrap();
        // It complains of a file that others can read, and so could lock.
        set_mode(&self.state, 0o600);
    }

    /// Runs it with the file of the document.
    fn run(&self, more: &[&str]) {
        let mut command = self.machine.command(self.program.to_str().unwrap());
        command.args(more).arg("--state").arg(&self.state).arg(self.machine.path(CONFIGURATION));
        let output = command.output().unwrap();
        let said = stdout(&output) + &stderr(&output);
        assert!(output.status.success() && !said.contains("error:"), "{more:?}, {}: {said}", output.status);
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn id(day: usize, request: usize) -> String {
    format!("day-{day}-request-{request:03}")
}

/// Sends the requests of a day, and waits until the log has a line of each.
fn requests(machine: &Machine, day: usize) {
    let one = |id: String| format!("curl -fsS -o /dev/null -H 'X-Request-Id: {id}' http://127.0.0.1:8448/healthz\n");
    let all: String = (0..REQUESTS).map(|request| one(id(day, request))).collect();
    machine.shell(&all, 0);
    until("the line of each request", || {
        let log = fs::read_to_string(machine.log()).unwrap();
        (0..REQUESTS).all(|request| log.contains(&id(day, request))).then_some(())
    });
}

/// The names of the files of the log.
fn names(machine: &Machine) -> Vec<String> {
    let entries = fs::read_dir(machine.path(LOG).parent().unwrap()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The text of the log of so many days ago.
fn text(machine: &Machine, ago: usize) -> String {
    let path = |end: &str| PathBuf::from(format!("{}{end}", machine.path(LOG).display()));
    let mut text = String::new();
    let read = match ago {
        0 => File::open(path("")).unwrap().read_to_string(&mut text),
        1 => File::open(path(".1")).unwrap().read_to_string(&mut text),
        _ => GzDecoder::new(File::open(path(&format!(".{ago}.gz"))).unwrap()).read_to_string(&mut text),
    };
    read.unwrap();
    text
}

#[test]
fn the_log_is_rotated_while_the_host_runs() {
    let what = "the rotation of the log";
    if !has_programs(&["bash", "curl", "gzip"], what) {
        return;
    }
    let Some(program) = program("logrotate", what) else { return };
    let (blocks, _) = parsed(&document());
    let mut machine = Machine::installed("ops-logs", &blocks);
    assert_eq!(machine.log(), machine.path(LOG), "the host writes where logrotate looks");
    let configuration = machine.path(CONFIGURATION);
    let of_document = fs::read_to_string(&configuration).unwrap();
    // The user of the document is not on this machine. Root's logrotate reads no file that others could have written.
    let own = of_document.replace("    su masthead masthead\n", "");
    assert_ne!(own, of_document, "the log is rotated as its owner");
    fs::write(&configuration, own).unwrap();
    set_mode(&configuration, 0o644);
    set_mode(machine.path(LOG).parent().unwrap(), 0o750);

    machine.start();
    let rotation = Rotation { machine: &machine, program, state: machine.root().join("logrotate.state") };
    rotation.let_a_day_pass();
    rotation.run(&["--debug"]);
    assert_eq!(names(&machine), ["masthead.log"], "it only checks");
    let mut written = Vec::new();
    for day in 0..DAYS {
        requests(&machine, day);
        written.push(text(&machine, 0));
        rotation.let_a_day_pass();
        rotation.run(&[]);
        let rotated = text(&machine, 1);
        assert!(rotated.starts_with(&written[day]), "day {day}: {rotated}, not {}", written[day]);
        let rest = text(&machine, 0);
        assert!(!rest.contains(&id(day, 0)), "day {day}: the log was not emptied: {rest}");
        // Once a day, however often it runs.
        let before = names(&machine);
        rotation.run(&[]);
        assert_eq!((names(&machine), text(&machine, 1)), (before, rotated), "day {day}");
    }
    requests(&machine, DAYS);

    assert_eq!(names(&machine), ["masthead.log", "masthead.log.1", "masthead.log.2.gz", "masthead.log.3.gz"]);
    let texts: Vec<String> = (0..=DAYS).rev().map(|ago| text(&machine, ago)).collect();
    for (day, (text, written)) in texts.iter().zip(&written).enumerate() {
        assert!(text.starts_with(written), "day {day}: {text}, not {written}");
    }
    for (day, text) in texts.iter().enumerate() {
        // A host that did not append would leave a gap of the length of what was rotated before.
        assert!(!text.contains('\0'), "day {day}: {text:?}");
        for request in 0..REQUESTS {
            let days = texts.iter().map(|text| text.matches(&id(day, request)).count());
            assert_eq!(days.sum::<usize>(), 1, "{}", id(day, request));
            assert!(text.contains(&id(day, request)), "day {day}: {text}");
        }
    }
}
