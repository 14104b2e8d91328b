//! `masthead admin`.

use anyhow::Context as _;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use masthead_accounts::administrators::{self, Invitation};
use masthead_config::{Configuration, Platform, Scheme};
use masthead_content::data_folder::open_store;
use masthead_domain::member::{MemberName, MemberState, Role, RoleScope};
use masthead_store::{Administrator, Revoked, Store};
use serde_json::{Value, json};

use crate::{
    Locations, find_site,
    installation::{configuration_of_files, existing_store},
    records::By,
};

/// Invite, list and revoke administrators. They sign in at `console.<domain>`, and are no members of a site.
#[derive(Subcommand)]
pub enum Admins {
    /// Print a link, this once, with which somebody becomes an administrator. It works once.
    Invite(Invite),
    /// List the administrators with their roles.
    List(ListAdministrators),
    /// Take a role away, or without a site close the account. Sessions of the administrator end at once.
    Revoke(Revoke),
}

/// Print a link, this once, with which somebody becomes an administrator. It works once.
#[derive(Args)]
pub struct Invite {
    /// E-mail address, with which the administrator signs in.
    email: String,
    /// reader: sees what is not published; editor: changes content; site-administrator: everything of a site; platform-administrator:
    /// everything.
    #[arg(long, value_parser = role)]
    role: Role,
    /// Number or short name of the site on which the role holds. Without it, the role holds on the installation.
    #[arg(long, value_name = "ID")]
    site: Option<String>,
    /// Days for which the link works.
    #[arg(long, default_value_t = 3)]
    days: u32,
    /// Port in the link, where readers reach the host at another one than that of http or https.
    #[arg(long)]
    port: Option<u16>,
    #[command(flatten)]
    locations: Locations,
    #[command(flatten)]
    by: By,
}

/// List the administrators with their roles.
#[derive(Args)]
pub struct ListAdministrators {
    /// Print JSON; `site` is null for a role on the installation.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    locations: Locations,
}

/// Take a role away, or without a site close the account. Sessions of the administrator end at once.
#[derive(Args)]
pub struct Revoke {
    /// E-mail address of the administrator.
    email: String,
    /// Number or short name of the site whose role is taken away. Without it, the account is closed, with all its roles.
    #[arg(long, value_name = "ID")]
    site: Option<String>,
    #[command(flatten)]
    locations: Locations,
    #[command(flatten)]
    by: By,
}

/// The role with this name.
fn role(name: &str) -> Result<Role, String> {
    let names = Role::ALL.map(Role::as_str).join(", ");
    Role::parse(name).ok_or_else(|| format!("{name:?} is no role; the roles are {names}"))
}

impl Admins {
    pub async fn run(self) -> anyhow::Result<()> {
        let now = Timestamp::now().as_millisecond();
        match self {
            Self::Invite(invite) => invite.run(now).await,
            Self::List(list) => list.run().await,
            Self::Revoke(revoke) => revoke.run(now).await,
        }
    }
}

impl Invite {
    async fn run(self, now: i64) -> anyhow::Result<()> {
        let Self { email, role, site, days, port, locations, by } = self;
        let email = MemberName::email(&email).with_context(|| format!("reading the e-mail address {email:?}"))?;
        let configuration = configuration_of_files(&locations).await?;
        let scope = scope(&configuration, site.as_deref())?;
        masthead_content::data_folder::create(&locations.data)?;
        let store = open_store(&locations.data, locations.database.as_deref()).await?;
        let invitation = Invitation { email: &email, scope, role, days };
        let invited = administrators::invite(&store, &invitation, &by.name(), now).await;
        store.close().await;
        println!("{}", link(&configuration.platform, port, &invited?.text));
        Ok(())
    }
}

/// Where a role holds.
fn scope(configuration: &Configuration, site: Option<&str>) -> anyhow::Result<RoleScope> {
    Ok(match site {
        Some(site) => RoleScope::Site(find_site(configuration, site)?.id),
        None => RoleScope::Installation,
    })
}

/// The link of an invitation. The token is behind the `#`, which browsers send to no server: it is in no log.
fn link(platform: &Platform, port: Option<u16>, token: &str) -> String {
    let scheme = platform.public.scheme.unwrap_or(Scheme::Http);
    let port = port.or_else(|| platform.public.ports.first().copied()).filter(|port| *port != scheme.default_port());
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}/rc-pub/admin/invitation#{token}", scheme.name(), platform.console_host())
}

impl ListAdministrators {
    async fn run(self) -> anyhow::Result<()> {
        let all = match existing_store(&self.locations).await? {
            Some(store) => {
                let all = store.administrators().await;
                store.close().await;
                all?
            }
            None => Vec::new(),
        };
        if self.json {
            println!("{}", serde_json::to_string(&all.iter().map(line_of).collect::<Vec<_>>())?);
            return Ok(());
        }
        let width = all.iter().map(|one| one.email.chars().count()).max().unwrap_or(0);
        for one in &all {
            let roles: Vec<String> = one.grants.iter().map(|grant| role_text(grant.scope, grant.role)).collect();
            let roles = match one.state {
                MemberState::Active if roles.is_empty() => "no role".to_owned(),
                MemberState::Active => roles.join(", "),
                _ => "closed".to_owned(),
            };
            let seen =
                time(one.seen).map_or_else(|| "has not signed in".to_owned(), |seen| format!("signed in {seen}"));
            println!("{:<width$}  {}  {roles}  {seen}", one.email, one.name);
        }
        Ok(())
    }
}

fn role_text(scope: RoleScope, role: Role) -> String {
    match scope {
        RoleScope::Installation => role.as_str().to_owned(),
        RoleScope::Site(site) => format!("{} of site {site}", role.as_str()),
    }
}

/// A time, in milliseconds since 1970; `None` for never.
fn time(at: i64) -> Option<Timestamp> {
    Timestamp::from_millisecond(at).ok().filter(|_| at > 0)
}

/// An administrator in JSON.
fn line_of(one: &Administrator) -> Value {
    let role = |scope: RoleScope, role: Role| {
        let site = match scope {
            RoleScope::Installation => None,
            RoleScope::Site(site) => Some(site),
        };
        json!({ "site": site, "role": role.as_str() })
    };
    json!({
        "email": one.email,
        "name": one.name,
        "state": one.state.as_str(),
        "roles": one.grants.iter().map(|grant| role(grant.scope, grant.role)).collect::<Vec<_>>(),
        "created": time(one.created),
        "seen": time(one.seen),
    })
}

impl Revoke {
    async fn run(self, now: i64) -> anyhow::Result<()> {
        let Self { email, site, locations, by } = self;
        let scope = match site.as_deref() {
            Some(site) => scope(&configuration_of_files(&locations).await?, Some(site))?,
            None => RoleScope::Installation,
        };
        let store = existing_store(&locations).await?;
        let store = store.with_context(|| format!("there is no database, and so no administrator {email:?}"))?;
        let done = revoke(&store, &email, scope, &by.name(), now).await;
        store.close().await;
        done?;
        println!("revoked {email}");
        Ok(())
    }
}

async fn revoke(store: &Store, email: &str, scope: RoleScope, who: &str, now: i64) -> anyhow::Result<()> {
    let name = MemberName::email(email).with_context(|| format!("reading the e-mail address {email:?}"))?;
    let known = store.administrator_credential(&name).await?;
    let id = known.map(|known| known.administrator);
    let id = id.with_context(|| format!("there is no administrator {email:?}; `masthead admin list` shows them"))?;
    let revoked = match scope {
        RoleScope::Installation => store.close_administrator(id, who, now).await?,
        site => store.revoke_role(id, site, who, now).await?,
    };
    match revoked {
        Revoked::Done => Ok(()),
        Revoked::Missing => anyhow::bail!("{email} has no such role; `masthead admin list` shows the roles"),
        Revoked::LastOne => {
            anyhow::bail!(
                "{email} is the last platform administrator: invite another one first, with `masthead admin invite`"
            )
        }
    }
}
