//! Makes sure that the folder with the built interface and plugins is there (rust-embed resolves it while compiling), and
//! has a release build take in what changed in it.

fn main() {
    let dist = std::path::Path::new("../../dist");
    if let Err(error) = std::fs::create_dir_all(dist) {
        println!("cargo::warning=making {}: {error}", dist.display());
    }
    // A debug build reads the folder when it starts and need not be compiled again.
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo::rerun-if-changed={}", if release { "../../dist" } else { "build.rs" });
}
