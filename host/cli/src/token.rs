//! `masthead token`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use masthead_domain::SiteId;
use masthead_web::auth::admin_tokens::{self, AdminToken, NewToken, Role, Sites};

/// Create, list and revoke the tokens for the administrators' calls. A running host knows of it at once.
#[derive(Subcommand)]
pub enum Tokens {
    /// Create a token and print it, this once. It invalidates no other.
    Create(Create),
    /// List the tokens: names, roles, sites, creation, end. The tokens themselves are not stored.
    List(List),
    /// Revoke a token.
    Revoke(Revoke),
}

#[derive(Args)]
struct DataFolder {
    /// Data folder of the host.
    #[arg(long, default_value = "data", env = "MASTHEAD_DATA", value_name = "DIR")]
    data: PathBuf,
}

/// Create a token and print it, this once. It invalidates no other.
#[derive(Args)]
pub struct Create {
    /// Name of the token, which the audit trail shows: letters, digits and - _ . @ +
    name: String,
    /// admin: everything; editor: records, redirects, imports and comments.
    #[arg(long, value_enum, default_value = "admin")]
    role: RoleName,
    /// Number of a site; may be repeated. Without it, the token is for all sites, and with the role admin for the whole installation.
    #[arg(long = "site", value_name = "ID", value_parser = clap::value_parser!(i64).range(1..))]
    sites: Vec<i64>,
    /// The last day of the token in UTC (2027-03-31), or a number of days from now (90d). Without it, the token has no end.
    #[arg(long, value_name = "DATE|DAYSd")]
    expires: Option<String>,
    #[command(flatten)]
    folder: DataFolder,
}

/// List the tokens: names, roles, sites, creation, end. The tokens themselves are not stored.
#[derive(Args)]
pub struct List {
    /// Print JSON; `sites` is null for all sites, `expires` for no end, `created` for the token of an earlier version.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: DataFolder,
}

/// Revoke a token.
#[derive(Args)]
pub struct Revoke {
    /// Name of the token.
    name: String,
    #[command(flatten)]
    folder: DataFolder,
}

#[derive(Clone, Copy, ValueEnum)]
enum RoleName {
    Admin,
    Editor,
}

impl Tokens {
    pub fn run(self) -> anyhow::Result<()> {
        let now = Timestamp::now().as_millisecond();
        match self {
            Self::Create(create) => create.run(now),
            Self::List(list) => list.run(now),
            Self::Revoke(revoke) => revoke.run(),
        }
    }
}

impl Create {
    fn run(self, now: i64) -> anyhow::Result<()> {
        let Self { name, role, sites, expires, folder } = self;
        let expires = expires.map(|text| admin_tokens::end(&text, now)).transpose()?;
        let role = match role {
            RoleName::Admin => Role::Admin,
            RoleName::Editor => Role::Editor,
        };
        let sites = if sites.is_empty() { Sites::All } else { Sites::Only(sites.into_iter().map(SiteId).collect()) };
        masthead_content::data_folder::create(&folder.data)?;
        println!("{}", admin_tokens::create(&folder.data, NewToken { name, role, sites, expires }, now)?);
        Ok(())
    }
}

impl List {
    fn run(self, now: i64) -> anyhow::Result<()> {
        let tokens = admin_tokens::all(self.folder.existing()?)?;
        if self.json {
            let lines: Vec<_> = tokens.iter().map(|token| line_of(token, now)).collect();
            println!("{}", serde_json::to_string(&lines)?);
            return Ok(());
        }
        let width = tokens.iter().map(|token| token.name.chars().count()).max().unwrap_or(0);
        for token in &tokens {
            let AdminToken { name, role, created, expires, .. } = token;
            let sites = sites_of(token).map_or_else(
                || "all sites".to_owned(),
                |sites| format!("sites {}", sites.iter().map(SiteId::to_string).collect::<Vec<_>>().join(", ")),
            );
            let created =
                created.map_or_else(|| "created by an earlier version".to_owned(), |at| format!("created {at}"));
            let end = match expires {
                None => "no end".to_owned(),
                Some(end) if token.has_ended(now) => format!("ended {end}"),
                Some(end) => format!("ends {end}"),
            };
            println!("{name:<width$}  {:<6}  {sites}  {created}  {end}", role.as_str());
        }
        Ok(())
    }
}

/// A token in JSON.
fn line_of(token: &AdminToken, now: i64) -> serde_json::Value {
    serde_json::json!({
        "name": token.name,
        "role": token.role.as_str(),
        "sites": sites_of(token),
        "created": token.created,
        "expires": token.expires,
        "ended": token.has_ended(now),
    })
}

/// The sites of a token; `None` for all.
fn sites_of(token: &AdminToken) -> Option<Vec<SiteId>> {
    match &token.sites {
        Sites::All => None,
        Sites::Only(sites) => Some(sites.iter().copied().collect()),
    }
}

impl Revoke {
    fn run(self) -> anyhow::Result<()> {
        admin_tokens::revoke(self.folder.existing()?, &self.name)?;
        println!("revoked {}", self.name);
        Ok(())
    }
}

impl DataFolder {
    /// The folder; there are no tokens without one.
    fn existing(&self) -> anyhow::Result<&Path> {
        anyhow::ensure!(
            self.data.is_dir(),
            "there is no data folder {}; name the one of the host with --data",
            self.data.display()
        );
        Ok(&self.data)
    }
}
