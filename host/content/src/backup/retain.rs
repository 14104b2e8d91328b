//! Removing old backups from a backup folder, with the parts that no other backup has.

use std::{collections::HashSet, fs, path::Path};

use anyhow::Context as _;
use serde::Serialize;

use super::{
    check::{BackupWalk, CheckDepth},
    folder::{BackupFolder, CHUNKS, FILES},
};
use crate::digest::Digest;

/// The result of a removal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Retained {
    /// The names of the removed backups.
    pub removed: Vec<String>,
    /// Bytes of the chunks and files that no other backup has.
    pub bytes: u64,
}

/// Keeps the latest `keep` backups of a folder that is open for writing, and removes the others. An interruption leaves chunks and files
/// behind, which the next removal takes away.
///
/// # Errors
/// A message, if a backup is damaged: the parts that it shares with others are not known then, and nothing is removed.
pub fn retain(folder: &BackupFolder, keep: usize) -> anyhow::Result<Retained> {
    let mut kept = Vec::new();
    for (name, read) in folder.backups()? {
        let manifest =
            read.with_context(|| format!("no old backup is removed, because {name} is damaged; move it away"))?;
        kept.push(manifest);
    }
    let removed: Vec<String> = kept.drain(..kept.len().saturating_sub(keep)).map(|manifest| manifest.name).collect();
    if removed.is_empty() && folder.is_trusted() {
        return Ok(Retained::default());
    }
    let mut walk = BackupWalk::new(folder, CheckDepth::Names);
    kept.iter().for_each(|manifest| walk.backup(manifest));
    if let Some(problem) = walk.problems.first() {
        anyhow::bail!("no old backup is removed, because it is not known what the others need: {problem}");
    }
    folder.remove_manifests(&removed)?;
    let root = folder.root();
    let bytes = sweep(&root.join(CHUNKS), &walk.chunks)? + sweep(&root.join(FILES), &walk.files)?;
    Ok(Retained { removed, bytes })
}

/// Removes the files of a folder whose digests are not in the set. Returns the number of their bytes.
fn sweep(folder: &Path, needed: &HashSet<Digest>) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in walkdir::WalkDir::new(folder).min_depth(2) {
        let entry = entry.with_context(|| format!("reading {}", folder.display()))?;
        let digest = entry.file_name().to_str().and_then(Digest::parse);
        if digest.is_some_and(|digest| !needed.contains(&digest)) {
            bytes += entry.metadata()?.len();
            fs::remove_file(entry.path()).with_context(|| format!("removing {}", entry.path().display()))?;
        }
    }
    Ok(bytes)
}
