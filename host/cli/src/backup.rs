//! `masthead backup` and `masthead restore`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use masthead_content::{
    backup::{self, BackupFolder, BackupSummary, Choices, Manifest, Options, RestoreTarget, Retained, Source},
    data_folder::open_store,
};
use serde_json::{Value, json};

use crate::{Locations, records::By};

/// Write a backup of the whole installation into a folder, beside the host that serves it. A folder holds any number of backups, and
/// stores once what they have in common.
///
/// A backup has the database with the accounts of members and administrators, the files of the sites, the configuration folder and the uploads
/// that wait for their import. It has no sessions, no codes and no messages that wait to be sent. The installation's key, the digests of the
/// administrators' tokens and secrets.toml are in it with --secrets only.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Backup {
    #[command(subcommand)]
    command: Option<Backups>,
    #[command(flatten)]
    locations: Locations,
    /// Backup folder; it is created if necessary.
    #[arg(long, required = true, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Number of latest backups to keep; older ones are removed from the folder after this one is complete.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// Include the installation's key, the digests of the administrators' tokens, and secrets.toml.
    #[arg(long)]
    secrets: bool,
    /// Read every row, and compare every chunk and file that is stored already with its digest.
    #[arg(long)]
    full: bool,
    /// How far the processor's time goes to other programs first: 0 is equal to them, 19 starves on a machine that is never idle.
    #[arg(long, value_name = "N", default_value_t = 10, env = "MASTHEAD_BACKUP_NICE", value_parser = clap::value_parser!(u8).range(..=19))]
    nice: u8,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Backups {
    /// List the backups of a folder.
    List(Folder),
    /// Compare every byte of the backups of a folder with its digest; fails if one is damaged.
    Verify(Verify),
}

/// A folder with backups.
#[derive(Args)]
struct Folder {
    /// Backup folder.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Compare every byte with its digest.
#[derive(Args)]
struct Verify {
    #[command(flatten)]
    folder: Folder,
    /// Name of a backup; all are verified without it.
    #[arg(long, value_name = "NAME")]
    at: Option<String>,
}

/// Restore a backup into an empty data folder, and into an empty database if `--database` is given: from SQLite or PostgreSQL to either.
///
/// Numbers of articles, the change log, counts and saved settings are those of the backup. The host builds the search index again at its
/// next start.
#[derive(Args)]
pub struct Restore {
    #[command(flatten)]
    locations: Locations,
    /// Backup folder.
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// Name of the backup; the latest one without it.
    #[arg(long, value_name = "NAME")]
    at: Option<String>,
    /// Replace what is in the data folder, the database and the configuration folder. Files of the configuration folder that are not in
    /// the backup are kept.
    #[arg(long)]
    replace: bool,
    /// Leave the configuration folder as it is.
    #[arg(long)]
    keep_sites: bool,
    #[command(flatten)]
    by: By,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Backup {
    /// Lets other processes go first: the host that serves meanwhile, in particular. It is called before threads are started, which take
    /// the priority over.
    pub fn give_way(&self) {
        backup::give_way(self.nice);
    }

    pub async fn run(self) -> anyhow::Result<()> {
        match self.command {
            Some(Backups::List(folder)) => list(&folder),
            Some(Backups::Verify(verify)) => verify.run(),
            None => self.save().await,
        }
    }

    async fn save(self) -> anyhow::Result<()> {
        let to = self.to.context("name the backup folder with --to")?;
        let data = &self.locations.data;
        // A mistyped data folder is not created, and its backup not taken for one.
        anyhow::ensure!(
            self.locations.database.is_some() || data.join("masthead.db").exists(),
            "the data folder {} has no database; name the one of the host with --data, or a PostgreSQL database with --database",
            data.display()
        );
        let mut folder = BackupFolder::open_to_write(&to, &[data, &self.locations.sites])?;
        let store = open_store(data, self.locations.database.as_deref()).await?;
        let source = Source { store: &store, data, sites: &self.locations.sites };
        let options = Options { name: backup::new_name(), secrets: self.secrets, full: self.full };
        let saved = backup::save(&source, &mut folder, &options).await?;
        store.close().await;
        let retained = match self.keep {
            Some(keep) => backup::retain(&folder, keep as usize),
            None => Ok(Retained::default()),
        };
        let (manifest, problems) = (&saved.manifest, &saved.problems);
        if self.json {
            let removed = retained.as_ref().ok();
            let report = json!({ "backup": BackupSummary::from(manifest), "problems": problems, "removed": removed });
            println!("{}", serde_json::to_string(&report)?);
        } else {
            let (articles, rows) = (manifest.articles(), manifest.rows());
            println!("backup {} in {}: {articles} articles, {rows} rows", manifest.name, to.display());
            let added = &manifest.added;
            println!(
                "written: {} of rows in {} files, and {} other files with {}",
                bytes(added.chunk_bytes),
                added.chunks,
                added.files,
                bytes(added.file_bytes)
            );
            if let Ok(Retained { removed, bytes: freed }) = &retained
                && !removed.is_empty()
            {
                println!("removed: {} ({})", removed.join(", "), bytes(*freed));
            }
            problems.iter().for_each(|problem| eprintln!("{problem}"));
        }
        retained?;
        anyhow::ensure!(
            problems.is_empty(),
            "the backup {} is complete except for {} files, which are missing or damaged in the data folder",
            manifest.name,
            problems.len()
        );
        Ok(())
    }
}

fn bytes(count: u64) -> String {
    match count {
        0..10_000 => format!("{count} bytes"),
        10_000..10_000_000 => format!("{} KB", count / 1000),
        _ => format!("{} MB", count / 1_000_000),
    }
}

fn list(folder: &Folder) -> anyhow::Result<()> {
    let backups = BackupFolder::open_to_read(&folder.folder)?.backups()?;
    if folder.json {
        let all: Vec<Value> = backups
            .iter()
            .map(|(name, read)| match read {
                Ok(manifest) => json!(BackupSummary::from(manifest)),
                Err(error) => json!({ "name": name, "damaged": format!("{error:#}") }),
            })
            .collect();
        println!("{}", serde_json::to_string_pretty(&all)?);
        return Ok(());
    }
    for (name, read) in &backups {
        match read {
            Ok(manifest) => {
                let Manifest { engine, position, added, .. } = manifest;
                let secrets = if manifest.secrets { ", with secrets" } else { "" };
                println!(
                    "{name}  {:>8} articles  change {position}  {engine}  {} written{secrets}",
                    manifest.articles(),
                    bytes(added.chunk_bytes + added.file_bytes)
                );
            }
            Err(error) => println!("{name}  damaged: {error:#}"),
        }
    }
    Ok(())
}

impl Verify {
    fn run(&self) -> anyhow::Result<()> {
        let folder = BackupFolder::open_to_read(&self.folder.folder)?;
        let checked = backup::verify(&folder, self.at.as_deref())?;
        if self.folder.json {
            println!("{}", serde_json::to_string_pretty(&checked)?);
        } else {
            for backup in &checked {
                let verdict = if backup.problems.is_empty() { "complete" } else { "damaged" };
                println!("{}  {verdict}: {} chunks and {} files read", backup.name, backup.chunks, backup.files);
                backup.problems.iter().for_each(|problem| println!("  {problem}"));
            }
        }
        let damaged: Vec<&str> =
            checked.iter().filter(|backup| !backup.problems.is_empty()).map(|backup| backup.name.as_str()).collect();
        anyhow::ensure!(
            damaged.is_empty(),
            "{} cannot be restored; a new backup with --full writes again what is damaged, as far as the installation still has it",
            damaged.join(", ")
        );
        Ok(())
    }
}

impl Restore {
    pub async fn run(self) -> anyhow::Result<()> {
        let folder = BackupFolder::open_to_read(&self.from)?;
        let Locations { sites, data, database } = &self.locations;
        let target = RestoreTarget { data, sites, database: database.as_deref() };
        let who = self.by.name();
        let choices = Choices { at: self.at.as_deref(), replace: self.replace, keep_sites: self.keep_sites, who: &who };
        let restored = backup::restore(&folder, &target, &choices).await?;
        let manifest = &restored.manifest;
        if self.json {
            let report = json!({
                "backup": BackupSummary::from(manifest),
                "absentSecrets": restored.absent_secrets,
                "otherSites": restored.other_sites,
            });
            println!("{}", serde_json::to_string(&report)?);
            return Ok(());
        }
        println!(
            "restored {} into {}: {} articles, {} rows",
            manifest.name,
            data.display(),
            manifest.articles(),
            manifest.rows()
        );
        println!("the search index is built again when the host starts");
        if !manifest.missing.is_empty() {
            println!("the backup lacks {} files that the database names", manifest.missing.len());
        }
        for name in &restored.absent_secrets {
            println!("{}", absent(name));
        }
        if !restored.other_sites.is_empty() {
            println!(
                "not in the backup, and left as they were in {}: {}",
                sites.display(),
                restored.other_sites.join(", ")
            );
        }
        Ok(())
    }
}

/// What it means that a secret is not there.
fn absent(name: &str) -> String {
    let meaning = match name {
        "cookie.key" => "the host makes a new key, and readers sign in again",
        "admin-tokens.json" => "`masthead token create NAME` makes a new token",
        _ => "plugins that need a secret report it as missing",
    };
    format!("{name} is not in the backup: {meaning}")
}
