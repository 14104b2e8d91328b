//! `masthead journal|issue|article|resource list|show|set|remove` and `masthead audit`.

mod arguments;
mod printing;
mod removal;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use masthead_config::{Configuration, Saved};
use masthead_content::{
    data_folder::open_store,
    records::{ListQuery, RecordEdit, RecordError, RecordType},
};
use masthead_domain::resource::ResourceKind;
use masthead_store::{AuditLine, AuditQuery};
use serde_json::{Value, json};

pub use self::{
    arguments::By,
    printing::shown,
    removal::{Remove, RemoveArticles},
};
use self::{
    arguments::{How, SiteArguments},
    printing::{print_done, print_list, print_record},
};
use crate::{Locations, find_site};

/// List, show, change and remove records.
#[derive(Subcommand)]
pub enum OfType {
    /// List the records.
    List(ListRecords),
    /// Show a record with its version.
    Show(Show),
    /// Change a record, or add one with `--new`.
    Set(Set),
    /// Remove a record.
    Remove(Remove),
}

/// List, show, change and remove articles.
#[derive(Subcommand)]
pub enum Articles {
    /// List articles.
    List(ListRecords),
    /// Show an article's metadata with their version. NAME is a number, a DOI or a source key.
    Show(Show),
    /// Change an article's metadata, move it, or withdraw it. NAME is a number, a DOI or a source key.
    Set(Set),
    /// Remove articles. OAI-PMH lists them as deleted; an article that is imported again gets its former number.
    Remove(RemoveArticles),
}

/// List, show, change and remove resources: news, experts, albums and the other kinds.
#[derive(Subcommand)]
pub enum Resources {
    /// List the resources of a kind.
    List {
        /// Kind, such as `news`.
        kind: String,
        #[command(flatten)]
        list: ListRecords,
    },
    /// Show a resource with its version.
    Show {
        /// Kind, such as `news`.
        kind: String,
        #[command(flatten)]
        show: Show,
    },
    /// Change a resource, or add one with `--new`.
    Set {
        /// Kind, such as `news`.
        kind: String,
        #[command(flatten)]
        set: Set,
    },
    /// Remove a resource.
    Remove {
        /// Kind, such as `news`.
        kind: String,
        #[command(flatten)]
        remove: Remove,
    },
}

/// Show what was changed by hand.
#[derive(Subcommand)]
pub enum Audit {
    /// List the changes, newest first: who, when, before and after.
    List {
        #[command(flatten)]
        locations: Locations,
        /// Number or short name of a site; all sites without it.
        #[arg(long, value_name = "ID")]
        site: Option<String>,
        /// A record (`issue/tides/2026/3`, `article/12`), or what is above it (`issue/tides`, `news`).
        #[arg(long, default_value = "")]
        subject: String,
        /// Greatest number of changes.
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Print one JSON array.
        #[arg(long)]
        json: bool,
    },
}

/// List records.
#[derive(Args)]
#[group(id = "listing")]
pub struct ListRecords {
    #[command(flatten)]
    place: SiteArguments,
    /// Only those of a journal (KEY) or an issue (JOURNAL/YEAR/ISSUE); of resources, those of a section, such as a type of news.
    #[arg(long = "in", default_value = "", value_name = "NAME")]
    within: String,
    /// List the withdrawn articles.
    #[arg(long)]
    withdrawn: bool,
    /// Place to begin behind: `next` of the previous page.
    #[arg(long, default_value = "", value_name = "PLACE")]
    after: String,
    /// Greatest number of records.
    #[arg(long, default_value_t = 100)]
    limit: u32,
}

/// Show a record.
#[derive(Args)]
#[group(id = "record")]
pub struct Show {
    /// Name: a key, or of an issue JOURNAL/YEAR/ISSUE.
    name: String,
    #[command(flatten)]
    place: SiteArguments,
}

/// Change a record.
#[derive(Args)]
#[group(id = "changes")]
pub struct Set {
    /// Name: a key, or of an issue JOURNAL/YEAR/ISSUE.
    name: String,
    /// Fields, such as `title.en=Tides` or `cover=@cover.png`; an empty value takes a field away.
    #[arg(value_name = "KEY=VALUE", required_unless_present_any = ["file", "release", "new"])]
    fields: Vec<String>,
    /// File with fields in TOML or JSON.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Field that imports set again from now on; may be repeated.
    #[arg(long, value_name = "KEY")]
    release: Vec<String>,
    /// Add a new record.
    #[arg(long)]
    new: bool,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    place: SiteArguments,
}

impl OfType {
    pub async fn run(self, of: RecordType) -> anyhow::Result<()> {
        match self {
            Self::List(list) => list.run(of).await,
            Self::Show(show) => show.run(of).await,
            Self::Set(set) => set.run(of).await,
            Self::Remove(remove) => remove.run(of).await,
        }
    }
}

impl Articles {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::List(list) => list.run(RecordType::Article).await,
            Self::Show(show) => show.run(RecordType::Article).await,
            Self::Set(set) => set.run(RecordType::Article).await,
            Self::Remove(remove) => remove.run().await,
        }
    }
}

impl Resources {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::List { kind, list } => list.run(resource(&kind)?).await,
            Self::Show { kind, show } => show.run(resource(&kind)?).await,
            Self::Set { kind, set } => set.run(resource(&kind)?).await,
            Self::Remove { kind, remove } => remove.run(resource(&kind)?).await,
        }
    }
}

fn resource(kind: &str) -> anyhow::Result<RecordType> {
    let of = RecordType::parse(kind)?;
    let kinds = ResourceKind::ALL.map(ResourceKind::as_str).join(", ");
    anyhow::ensure!(matches!(of, RecordType::Resource(_)), "{kind:?} is no kind of resources; they are {kinds}");
    Ok(of)
}

impl ListRecords {
    async fn run(self, of: RecordType) -> anyhow::Result<()> {
        let site = self.place.open().await?;
        let (within, withdrawn, after) = (self.within, self.withdrawn, self.after);
        let query = ListQuery { within, withdrawn, after, limit: i64::from(self.limit) };
        let found = site.records.list(of, &query).await;
        site.store.close().await;
        let found = found?;
        if self.place.json {
            println!("{}", serde_json::to_string(&found)?);
        } else {
            print_list(&found);
        }
        Ok(())
    }
}

impl Show {
    async fn run(self, of: RecordType) -> anyhow::Result<()> {
        let site = self.place.open().await?;
        let record = site.records.show(of, &self.name).await;
        site.store.close().await;
        let record = record?;
        if self.place.json {
            println!("{}", serde_json::to_string(&record)?);
        } else {
            print_record(&record);
        }
        Ok(())
    }
}

impl Set {
    async fn run(self, of: RecordType) -> anyhow::Result<()> {
        let mut change = RecordEdit { release: self.release, create: self.new, ..self.how.change() };
        if let Some(file) = &self.file {
            change.add_file(of, file)?;
        }
        for pair in &self.fields {
            change.add_pair(of, pair)?;
        }
        let site = self.place.open().await?;
        let done = site.records.set(of, &self.name, &change).await;
        site.store.close().await;
        print_done(&done.map_err(RecordError::advised)?, self.place.json)
    }
}

impl Audit {
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::List { locations, site, subject, limit, json } = self;
        let configuration = Configuration::read(&locations.sites, &Saved::new())?;
        let site = site.map(|site| find_site(&configuration, &site).map(|site| site.id)).transpose()?;
        let store = open_store(&locations.data, locations.database.as_deref()).await?;
        let query = AuditQuery { site, subject, limit: i64::from(limit), ..AuditQuery::default() };
        let lines = store.audit(&query).await;
        store.close().await;
        let lines = lines?;
        if json {
            let all: Vec<Value> = lines.iter().map(json_line).collect();
            println!("{}", serde_json::to_string(&all)?);
        } else {
            lines.iter().for_each(print_line);
        }
        Ok(())
    }
}

fn time(line: &AuditLine) -> String {
    jiff::Timestamp::from_millisecond(line.at_ms).map(|time| time.to_string()).unwrap_or_default()
}

fn json_line(line: &AuditLine) -> Value {
    let entry = &line.entry;
    json!({
        "id": line.id, "siteId": line.site, "time": time(line), "who": entry.who, "action": entry.action,
        "subject": entry.subject, "before": entry.before, "after": entry.after,
    })
}

fn print_line(line: &AuditLine) {
    let entry = &line.entry;
    println!("{} {} {} {} by {}", line.id, time(line), entry.subject, entry.action, entry.who);
    println!("  {} -> {}", shown(&entry.before), shown(&entry.after));
}
