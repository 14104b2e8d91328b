//! The `masthead` binary.

use clap::Parser as _;

fn main() -> std::process::ExitCode {
    match masthead_cli::run(masthead_cli::Cli::parse()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("masthead: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
