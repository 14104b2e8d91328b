//! `masthead institution`.

use clap::{Args, Subcommand};
use jiff::Timestamp;
use masthead_domain::{access, site::Site};
use masthead_store::{Institution, SiteStore, Store};
use serde_json::json;

use crate::{Locations, installation::open_site, member::member_named, records::By};

/// List, set and remove the institutions whose readers a site lets in; put members into their groups. A running host finds a change within half
/// a minute.
#[derive(Subcommand)]
pub enum Institutions {
    /// List the institutions of a site: those of its configuration and those that were added.
    List(ListInstitutions),
    /// Add an institution, or change it.
    Set(Set),
    /// Remove an institution with its group.
    Remove(Named),
    /// Put a member into the group of an institution.
    Join(Joining),
    /// Take a member out of the group of an institution.
    Leave(Membership),
}

/// The site and the installation that a command works on.
#[derive(Args)]
struct Place {
    #[command(flatten)]
    locations: Locations,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID")]
    site: String,
}

/// List the institutions of a site.
#[derive(Args)]
pub struct ListInstitutions {
    #[command(flatten)]
    place: Place,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Add an institution, or change it.
#[derive(Args)]
pub struct Set {
    /// Key: lower-case letters, digits and hyphens.
    key: String,
    /// Name, which readers see.
    #[arg(long)]
    name: String,
    /// Network such as 192.0.2.0/24; may be repeated.
    #[arg(long = "network", value_name = "NETWORK")]
    networks: Vec<String>,
    /// When its rights end (2027-01-01T00:00:00Z). Without it, they do not end.
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    by: By,
}

/// Remove an institution with its group.
#[derive(Args)]
pub struct Named {
    /// Key of the institution.
    key: String,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    by: By,
}

/// A member of an institution.
#[derive(Args)]
pub struct Membership {
    /// Key of the institution.
    key: String,
    /// Account name, e-mail address or mobile number of the member.
    member: String,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    by: By,
}

/// Put a member into the group of an institution.
#[derive(Args)]
pub struct Joining {
    #[command(flatten)]
    membership: Membership,
    /// When the membership ends (2027-01-01T00:00:00Z). Without it, it does not end.
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
}

/// An open site.
struct Open {
    store: Store,
    site: Site,
}

impl Open {
    async fn new(place: &Place) -> anyhow::Result<Self> {
        let (store, site) = open_site(&place.locations, &place.site).await?;
        Ok(Self { store, site })
    }

    fn content(&self) -> SiteStore {
        self.store.site(self.site.id)
    }

    /// Fails for an institution of the configuration, which commands do not change.
    fn unconfigured(&self, key: &str) -> anyhow::Result<()> {
        let configured = self.site.access.institution(key).is_some();
        anyhow::ensure!(
            !configured,
            "the institution {key:?} is one of the configuration of the site; change it there"
        );
        Ok(())
    }
}

impl Institutions {
    pub async fn run(self) -> anyhow::Result<()> {
        let now = Timestamp::now().as_millisecond();
        let place = match &self {
            Self::List(list) => &list.place,
            Self::Set(set) => &set.place,
            Self::Remove(named) => &named.place,
            Self::Join(joining) => &joining.membership.place,
            Self::Leave(membership) => &membership.place,
        };
        let open = Open::new(place).await?;
        let done = match &self {
            Self::List(list) => print(&open, list.json).await,
            Self::Set(set) => save(&open, set, now).await,
            Self::Remove(named) => remove(&open, named, now).await,
            Self::Join(joining) => join(&open, joining, now).await,
            Self::Leave(membership) => leave(&open, membership, now).await,
        };
        open.store.close().await;
        done
    }
}

async fn print(open: &Open, as_json: bool) -> anyhow::Result<()> {
    let configured = open.site.access.institutions.iter().map(|one| {
        let name = one.name.get(open.site.default_lang()).to_owned();
        (Institution { key: one.id.clone(), name, networks: one.networks.clone().into(), until: 0 }, true)
    });
    let stored = open.content().institutions().await?.into_iter().map(|one| (one, false));
    let all: Vec<(Institution, bool)> = configured.chain(stored).collect();
    let until = |one: &Institution| Timestamp::from_millisecond(one.until).ok().filter(|_| one.until > 0);
    if as_json {
        let lines = all.iter().map(|(one, configured)| {
            json!({ "key": one.key, "name": one.name, "networks": one.networks, "until": until(one), "configured": configured })
        });
        println!("{}", serde_json::to_string(&lines.collect::<Vec<_>>())?);
        return Ok(());
    }
    for (one, configured) in &all {
        let from = if *configured {
            "configuration".to_owned()
        } else {
            until(one).map_or_else(|| "no end".to_owned(), |end| format!("until {end}"))
        };
        println!("{}  {}  {}  {from}", one.key, one.name, one.networks.join(" "));
    }
    Ok(())
}

async fn save(open: &Open, set: &Set, now: i64) -> anyhow::Result<()> {
    let Set { key, name, networks, until, by, .. } = set;
    let parsed = access::Institution::checked(key, name, networks.clone()).map_err(anyhow::Error::msg)?;
    open.unconfigured(key)?;
    let until = until.map_or(0, Timestamp::as_millisecond);
    let institution = Institution { key: key.clone(), name: name.trim().to_owned(), networks: parsed.into(), until };
    open.content().set_institution(&institution, &by.name(), now).await?;
    println!("saved {key}");
    Ok(())
}

async fn remove(open: &Open, named: &Named, now: i64) -> anyhow::Result<()> {
    let Named { key, by, .. } = named;
    open.unconfigured(key)?;
    let removed = open.content().remove_institution(key, &by.name(), now).await?;
    anyhow::ensure!(removed, "{} has no institution {key:?}; `masthead institution list` shows them", open.site.sld);
    println!("removed {key}");
    Ok(())
}

async fn join(open: &Open, joining: &Joining, now: i64) -> anyhow::Result<()> {
    let Joining { membership: Membership { key, member, by, .. }, until } = joining;
    let known = open.site.access.institution(key).is_some()
        || open.content().institutions().await?.iter().any(|one| one.key == *key);
    anyhow::ensure!(known, "{} has no institution {key:?}; `masthead institution list` shows them", open.site.sld);
    let until = until.map_or(0, Timestamp::as_millisecond);
    let found = member_named(&open.store, &open.site, member).await?;
    found.join_institution(key, until, &by.name(), now).await?;
    println!("{member} belongs to {key}");
    Ok(())
}

async fn leave(open: &Open, membership: &Membership, now: i64) -> anyhow::Result<()> {
    let Membership { key, member, by, .. } = membership;
    let found = member_named(&open.store, &open.site, member).await?;
    let left = found.leave_institution(key, &by.name(), now).await?;
    anyhow::ensure!(left, "{member} does not belong to {key:?}");
    println!("{member} belongs to {key} no more");
    Ok(())
}
