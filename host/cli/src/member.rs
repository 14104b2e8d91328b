//! `masthead member`.

use anyhow::Context as _;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use masthead_domain::{
    member::{MemberName, MemberState},
    site::Site,
};
use masthead_store::{Member, MemberStore, Store};
use serde_json::{Value, json};

use crate::{Locations, installation::open_site, records::By};

/// Show, close, open again and erase the accounts of members. A running host finds a change with the member's next request.
#[derive(Subcommand)]
pub enum Members {
    /// Show the account of a member: names, state and times, never the password.
    Show(Show),
    /// Close an account and end its sessions. Nothing of it is deleted.
    Close(MemberChange),
    /// Open a closed account again.
    Reopen(MemberChange),
    /// Erase a member with everything that is the member's, for ever. No message is sent.
    Erase(MemberChange),
}

/// A member of a site of an installation.
#[derive(Args)]
struct Named {
    /// Account name, e-mail address or mobile number of the member.
    name: String,
    #[command(flatten)]
    locations: Locations,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID")]
    site: String,
}

/// Show the account of a member.
#[derive(Args)]
pub struct Show {
    #[command(flatten)]
    named: Named,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Change the account of a member.
#[derive(Args)]
pub struct MemberChange {
    #[command(flatten)]
    named: Named,
    #[command(flatten)]
    by: By,
}

impl Members {
    pub async fn run(self) -> anyhow::Result<()> {
        let (Self::Show(Show { named, .. })
        | Self::Close(MemberChange { named, .. })
        | Self::Reopen(MemberChange { named, .. })
        | Self::Erase(MemberChange { named, .. })) = &self;
        let (store, site) = open_site(&named.locations, &named.site).await?;
        let done = self.run_on(&store, &site, &named.name).await;
        store.close().await;
        done
    }

    async fn run_on(&self, store: &Store, site: &Site, name: &str) -> anyhow::Result<()> {
        let mine = member_named(store, site, name).await?;
        let gone = || format!("{} has no member with the name {name:?} any more", site.sld);
        let member = mine.member().await?.with_context(gone)?;
        let now = Timestamp::now().as_millisecond();
        match self {
            Self::Show(show) => print(&member, show.json)?,
            Self::Close(change) => set_state(store, site, &member, MemberState::Closed, &change.by, now).await?,
            Self::Reopen(change) => set_state(store, site, &member, MemberState::Active, &change.by, now).await?,
            Self::Erase(change) => {
                mine.erase(&[], &change.by.name(), now).await?;
                println!("erased {name}, member {} of {}", member.id, site.sld);
            }
        }
        Ok(())
    }
}

/// What belongs to the member with this account name, e-mail address or mobile number.
pub async fn member_named(store: &Store, site: &Site, typed: &str) -> anyhow::Result<MemberStore> {
    let name = MemberName::typed(typed).with_context(|| format!("reading the name {typed:?}"))?;
    let content = store.site(site.id);
    let id = content.member_by_name(&name).await?;
    let id = id.with_context(|| format!("{} has no member with the name {typed:?}", site.sld))?;
    Ok(content.of_member(id))
}

async fn set_state(
    store: &Store,
    site: &Site,
    member: &Member,
    state: MemberState,
    by: &By,
    now: i64,
) -> anyhow::Result<()> {
    anyhow::ensure!(member.state != state, "member {} of {} is {} already", member.id, site.sld, state.as_str());
    let known = store.site(site.id).set_member_state(member.id, state, &by.name(), now).await?;
    anyhow::ensure!(known, "member {} of {} was erased in the meantime", member.id, site.sld);
    println!("member {} of {} is {}", member.id, site.sld, state.as_str());
    Ok(())
}

fn print(member: &Member, as_json: bool) -> anyhow::Result<()> {
    let time = |milliseconds: i64| {
        (milliseconds > 0).then(|| Timestamp::from_millisecond(milliseconds).map(|time| time.to_string())).transpose()
    };
    let shown = json!({
        "id": member.id.0,
        "state": member.state.as_str(),
        "account": member.account,
        "email": member.email,
        "mobile": member.mobile,
        "name": member.profile.name,
        "institution": member.profile.institution,
        "language": member.lang.code(),
        "hasPassword": member.has_password,
        "created": time(member.created)?,
        "seen": time(member.seen)?,
    });
    if as_json {
        println!("{shown}");
        return Ok(());
    }
    for (key, value) in shown.as_object().into_iter().flatten() {
        match value {
            Value::Null => {}
            Value::String(text) if text.is_empty() => {}
            Value::String(text) => println!("{key}: {text}"),
            other => println!("{key}: {other}"),
        }
    }
    Ok(())
}
