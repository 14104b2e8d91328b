//! `masthead token`.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use masthead_domain::SiteId;
use masthead_web::auth::admin_tokens::{self, AdminToken, NewToken, Role, Sites};

use crate::{
    Locations, find_site,
    installation::{configuration_of_files, note},
    records::By,
};

/// Create, list and revoke the tokens for the administrators' calls. A running host knows of it at once.
#[derive(Subcommand)]
pub enum Tokens {
    /// Create a token and print it, this once. It invalidates no other.
    Create(Create),
    /// List the tokens: names, roles, sites, creation, end. The tokens themselves are not stored.
    List(ListTokens),
    /// Revoke a token.
    Revoke(Revoke),
}

/// Create a token and print it, this once. It invalidates no other.
#[derive(Args)]
pub struct Create {
    /// Name of the token, which the audit trail shows: letters, digits and - _ . @ +
    name: String,
    /// admin: everything; editor: records, redirects, imports and comments.
    #[arg(long, value_enum, default_value = "admin")]
    role: RoleName,
    /// Number or short name of a site; may be repeated. Without it, the token is for all sites, and with the role admin for the whole
    /// installation.
    #[arg(long = "site", value_name = "ID")]
    of_sites: Vec<String>,
    /// The last day of the token in UTC (2027-03-31), or a number of days from now (90d). Without it, the token has no end.
    #[arg(long, value_name = "DATE|DAYSd")]
    expires: Option<String>,
    #[command(flatten)]
    locations: Locations,
    #[command(flatten)]
    by: By,
}

/// List the tokens: names, roles, sites, creation, end. The tokens themselves are not stored.
#[derive(Args)]
pub struct ListTokens {
    /// Print JSON; `sites` is null for all sites, `expires` for no end, `created` for the token of an earlier version.
    #[arg(long)]
    json: bool,
    /// Data folder of the host.
    #[arg(long, default_value = "data", env = "MASTHEAD_DATA", value_name = "DIR")]
    data: PathBuf,
}

/// Revoke a token.
#[derive(Args)]
pub struct Revoke {
    /// Name of the token.
    name: String,
    #[command(flatten)]
    locations: Locations,
    #[command(flatten)]
    by: By,
}

#[derive(Clone, Copy, ValueEnum)]
enum RoleName {
    Admin,
    Editor,
}

impl Tokens {
    pub async fn run(self) -> anyhow::Result<()> {
        let now = Timestamp::now().as_millisecond();
        match self {
            Self::Create(create) => create.run(now).await,
            Self::List(list) => list.run(now),
            Self::Revoke(revoke) => revoke.run(now).await,
        }
    }
}

impl Create {
    async fn run(self, now: i64) -> anyhow::Result<()> {
        let Self { name, role, of_sites, expires, locations, by } = self;
        let expires = expires.map(|text| admin_tokens::end(&text, now)).transpose()?;
        let role = match role {
            RoleName::Admin => Role::Admin,
            RoleName::Editor => Role::Editor,
        };
        let sites = if of_sites.is_empty() {
            Sites::All
        } else {
            let configuration = configuration_of_files(&locations).await.context("looking up the sites of --site")?;
            let number = |site: &String| find_site(&configuration, site).map(|site| site.id);
            Sites::Only(of_sites.iter().map(number).collect::<Result<_, _>>()?)
        };
        masthead_content::data_folder::create(&locations.data)?;
        let (token, created) = admin_tokens::create(&locations.data, NewToken { name, role, sites, expires }, now)?;
        println!("{token}");
        note(&locations, &created.audited_sites(), &created.created_by(by.name(), now)).await;
        Ok(())
    }
}

impl ListTokens {
    fn run(self, now: i64) -> anyhow::Result<()> {
        let tokens = admin_tokens::all(existing(&self.data)?)?;
        if self.json {
            let lines: Vec<_> = tokens.iter().map(|token| token.described(now)).collect();
            println!("{}", serde_json::to_string(&lines)?);
            return Ok(());
        }
        let width = tokens.iter().map(|token| token.name.chars().count()).max().unwrap_or(0);
        for token in &tokens {
            let AdminToken { name, role, created, expires, .. } = token;
            let sites = token.some_sites().map_or_else(
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

impl Revoke {
    async fn run(self, now: i64) -> anyhow::Result<()> {
        let Self { name, locations, by } = self;
        let revoked = admin_tokens::revoke(existing(&locations.data)?, &name)?;
        println!("revoked {name}");
        note(&locations, &revoked.audited_sites(), &revoked.revoked_by(by.name(), now)).await;
        Ok(())
    }
}

/// A data folder that exists; there are no tokens without one.
fn existing(data: &Path) -> anyhow::Result<&Path> {
    anyhow::ensure!(data.is_dir(), "there is no data folder {}; name the one of the host with --data", data.display());
    Ok(data)
}
