//! Creates the folder `dist` if it is missing, because rust-embed needs it at compile time, and recompiles a release build when
//! its content changes.

fn main() {
    let dist = std::path::Path::new("../../dist");
    if !dist.exists()
        && let Err(error) = create(dist)
    {
        println!("cargo::warning=creating {}: {error}", dist.display());
    }
    // A debug build reads the folder at start-up and need not be recompiled.
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo::rerun-if-changed={}", if release { "../../dist" } else { "build.rs" });
}

/// A folder that was changed after the build script was started would be compiled a second time.
fn create(dist: &std::path::Path) -> std::io::Result<()> {
    std::fs::create_dir_all(dist)?;
    std::fs::File::open(dist)?.set_modified(std::time::SystemTime::UNIX_EPOCH)
}
