//! The program that build scripts call. It converts real plugins in the tests of the runtime; here it refuses what is none.
#![allow(clippy::expect_used)]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn masthead_componentize(arguments: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_masthead-componentize")).args(arguments).output().expect("the program starts")
}

#[test]
fn a_file_that_is_no_module_is_refused_and_nothing_is_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (input, output) = (folder.join("text.wasm"), folder.join("component.wasm"));
    fs::write(&input, b"not a module").expect("the module is written");
    // Of an earlier run.
    let _ = fs::remove_file(&output);
    let run = masthead_componentize(&[&input, &output]);
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(!run.status.success());
    assert!(errors.contains("text.wasm to a component"), "{errors}");
    assert!(!output.exists());
}

#[test]
fn a_missing_module_and_missing_arguments_are_named() {
    let missing = masthead_componentize(&[Path::new("nowhere.wasm"), Path::new("component.wasm")]);
    assert!(String::from_utf8_lossy(&missing.stderr).contains("cannot read nowhere.wasm"), "{missing:?}");
    let none = masthead_componentize(&[]);
    assert!(
        String::from_utf8_lossy(&none.stderr).contains("usage: masthead-componentize IN.wasm OUT.wasm"),
        "{none:?}"
    );
}
