//! Which files a run is about, and what each is.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::article::Source;

/// What files are taken for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Each by its name and its first bytes.
    #[default]
    Auto,
    /// JATS articles; packages are opened.
    Jats,
}

/// Something to import, in the order of the paths.
pub enum Found {
    /// JATS files.
    Articles(Vec<Source>),
    /// A zip or tar package.
    Package(PathBuf),
    /// Nothing that can be imported.
    Odd {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
}

/// Every file under the paths: folders in the order of their names, other paths as they are.
#[must_use]
pub fn found(paths: &[PathBuf], format: Format) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    for path in paths {
        if path.is_dir() {
            // Links are not followed: a package must not lead out of its folder.
            let walk = walkdir::WalkDir::new(path).sort_by_file_name();
            let files = walk.into_iter().flatten().filter(|entry| entry.file_type().is_file());
            for file in files.map(walkdir::DirEntry::into_path).filter(|file| is_wanted(file, format)) {
                add(&mut all, file);
            }
        } else {
            add(&mut all, path.clone());
        }
    }
    all
}

fn add(all: &mut Vec<Found>, path: PathBuf) {
    if is_package(&path) {
        all.push(Found::Package(path));
        return;
    }
    let source = Source { shown: path.display().to_string(), path };
    match all.last_mut() {
        Some(Found::Articles(files)) => files.push(source),
        _ => all.push(Found::Articles(vec![source])),
    }
}

/// Files of a folder that a run of this format looks at; others (pictures, notes) lie beside them.
fn is_wanted(path: &Path, _: Format) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml")) || is_package(path)
}

/// Whether the name is that of a package.
#[must_use]
pub fn is_package(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
    [".zip", ".tar", ".tar.gz", ".tgz"].iter().any(|ending| name.ends_with(ending))
}

/// The XML files of folders in the order of their names, other paths as they are.
#[must_use]
pub fn collect(paths: &[PathBuf]) -> Vec<PathBuf> {
    let each = found(paths, Format::Jats).into_iter().flat_map(|found| match found {
        Found::Articles(files) => files.into_iter().map(|file| file.path).collect(),
        Found::Package(path) => vec![path],
        Found::Odd { .. } => Vec::new(),
    });
    each.collect()
}
