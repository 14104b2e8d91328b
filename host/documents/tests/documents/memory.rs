//! The memory that an import needs, measured in a process of its own: the test starts its own program with the name of one case.

use std::process::Command;

use masthead_documents::jats::{self, Limits};

/// Names the case to the process that runs it.
const CASE: &str = "MASTHEAD_TEST_MEMORY";

/// An article with one text of 50 MB.
fn long_text() -> Vec<u8> {
    let mut source = b"<article><body><p>".to_vec();
    source.reserve_exact(51 << 20);
    while source.len() < 50 << 20 {
        source.extend_from_slice(b"A mole of basalt stands in the harbour and holds the sea. ");
    }
    source.extend_from_slice(b"</p></body></article>");
    source
}

/// An article with a table of 400,000 cells.
fn large_table() -> Vec<u8> {
    let mut source = b"<article><body><table-wrap id='t'><table><tbody>".to_vec();
    let row = format!("<tr>{}</tr>", (0..20).map(|cell| format!("<td>{cell}.25</td>")).collect::<String>());
    for _ in 0..20_000 {
        source.extend_from_slice(row.as_bytes());
    }
    source.extend_from_slice(b"</tbody></table></table-wrap></body></article>");
    source
}

/// The most memory that this process has had, in bytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse::<usize>().unwrap() << 10
}

/// Imports one case in the process of its own.
#[test]
#[ignore = "a_long_text_and_a_large_table_stay_within_their_limits starts it with a case"]
fn case() {
    let Some(case) = std::env::var_os(CASE) else { return };
    let source = if case == "text" { long_text() } else { large_table() };
    let made = jats::import(&source, &Limits::default()).unwrap();
    assert!(!made.article.body.body.is_empty());
    println!("peak {}", peak());
}

fn peak_of(case: &str) -> usize {
    let program = std::env::current_exe().unwrap();
    let arguments = ["--exact", "memory::case", "--ignored", "--nocapture", "--test-threads=1"];
    let output = Command::new(program).args(arguments).env(CASE, case).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let peak = text.split("peak ").nth(1).and_then(|rest| rest.split_whitespace().next());
    peak.unwrap_or_else(|| panic!("{text}\n{}", String::from_utf8_lossy(&output.stderr))).parse().unwrap()
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "the kernel's account of memory is read from /proc")]
fn a_long_text_and_a_large_table_stay_within_their_limits() {
    // The text is in memory as the file and as the article, and not as copies between these.
    for (case, limit) in [("text", 200 << 20), ("table", 300 << 20)] {
        let peak = peak_of(case);
        println!("{case}: {} MiB", peak >> 20);
        assert!(peak < limit, "the import of the {case} needed {} MiB", peak >> 20);
    }
}
