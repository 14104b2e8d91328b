//! The `masthead` binary.

use std::panic::{self, PanicHookInfo};

use clap::Parser as _;

fn main() -> std::process::ExitCode {
    end_quietly_when_nobody_reads();
    match masthead_cli::run(masthead_cli::Cli::parse()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("masthead: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}

/// Ends a command whose output is read no further (`masthead article list ... | head`) as shells expect it, with the status of SIGPIPE and
/// without a message. The signal itself stays ignored: a host must not end because a client has closed its connection.
fn end_quietly_when_nobody_reads() {
    const STATUS: i32 = 128 + 13;
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        // `println!` has no other way to report it than this panic.
        let closed = |text: &str| text.starts_with("failed printing to stdout") && text.contains("Broken pipe");
        if info.payload_as_str().is_some_and(closed) {
            std::process::exit(STATUS);
        }
        report(info);
    }));
}
