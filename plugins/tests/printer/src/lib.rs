//! A plugin for tests, built for `wasm32-wasip2`: it prints, and counts the environment variables, arguments and files that it can see.

use std::{env, fs};

use masthead_plugin::{Context, Statistics, register};

struct Printer;

impl Statistics for Printer {
    fn parameters(_: &Context, mut parameters: Vec<(String, String)>) -> Result<Vec<(String, String)>, String> {
        println!("printed by the plugin\u{1b}[1m");
        let flood = parameters.iter().any(|(name, _)| name == "flood");
        (0..if flood { 300 } else { 0 })
            .for_each(|line| println!("line {line} of a flood that is longer than what one instance may print"));
        let found = [
            ("environment", env::vars().count()),
            ("arguments", env::args().count()),
            ("files", fs::read_dir("/").map_or(0, Iterator::count) + usize::from(fs::read("/etc/passwd").is_ok())),
        ];
        parameters.extend(found.map(|(name, count)| (name.to_owned(), count.to_string())));
        Ok(parameters)
    }
}

register!(Printer: Statistics);
