//! `masthead redirect`.

use clap::{Args, Subcommand};
use masthead_content::redirects::{self, Changed, ListedRedirect};
use masthead_domain::SiteId;
use masthead_store::Store;

use crate::{Locations, installation::open_site, records::By};

/// List, add or remove redirects of earlier addresses. A redirect answers where the site has no page, in both families of addresses and
/// in every language.
#[derive(Subcommand)]
pub enum Redirects {
    /// List the redirects of a site.
    List {
        #[command(flatten)]
        of: OfSite,
    },
    /// Add a redirect, or replace the one of the same path.
    Add {
        #[command(flatten)]
        of: OfSite,
        /// The earlier path below the root of the site, without query: /index.php/rivers/article/view/12.
        #[arg(value_name = "PATH")]
        from: String,
        #[command(flatten)]
        to: TargetArguments,
        #[command(flatten)]
        by: By,
        /// Check and print the change, but save nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Remove a redirect.
    Remove {
        #[command(flatten)]
        of: OfSite,
        /// The earlier path.
        #[arg(value_name = "PATH")]
        from: String,
        #[command(flatten)]
        by: By,
        /// Check and print the change, but save nothing.
        #[arg(long)]
        dry_run: bool,
    },
}

/// Options of all three.
#[derive(Args)]
pub struct OfSite {
    #[command(flatten)]
    locations: Locations,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID")]
    site: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Where a redirect leads.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct TargetArguments {
    /// To the article with this number.
    #[arg(long, value_name = "NUMBER")]
    article: Option<i64>,
    /// To the article with this DOI.
    #[arg(long, value_name = "DOI")]
    doi: Option<String>,
    /// To the journal with this key.
    #[arg(long, value_name = "KEY")]
    journal: Option<String>,
    /// To an issue, as rivers/2026/3.
    #[arg(long, value_name = "JOURNAL/YEAR/ISSUE")]
    issue: Option<String>,
    /// To another path of the site, as /about.
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
}

impl From<TargetArguments> for redirects::GivenTarget {
    fn from(TargetArguments { article, doi, journal, issue, path }: TargetArguments) -> Self {
        Self { article, doi, journal, issue, path }
    }
}

impl Redirects {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::List { of } => {
                let (store, site) = of.open().await?;
                let all = redirects::list(&store, site).await?;
                store.close().await;
                if of.json {
                    println!("{}", serde_json::to_string(&all)?);
                } else {
                    all.iter().for_each(|one| println!("{} -> {}", one.from, target(one)));
                }
            }
            Self::Add { of, from, to, by, dry_run } => {
                let (store, site) = of.open().await?;
                let to = redirects::GivenTarget::from(to).read(&store, site).await?;
                let changed = redirects::add(&store, site, &from, to, &by.name(), dry_run).await?;
                store.close().await;
                of.print(&changed, dry_run)?;
            }
            Self::Remove { of, from, by, dry_run } => {
                let (store, site) = of.open().await?;
                let changed = redirects::remove(&store, site, &from, &by.name(), dry_run).await?;
                store.close().await;
                of.print(&changed, dry_run)?;
            }
        }
        Ok(())
    }
}

impl OfSite {
    async fn open(&self) -> anyhow::Result<(Store, SiteId)> {
        let (store, site) = open_site(&self.locations, &self.site).await?;
        Ok((store, site.id))
    }

    fn print(&self, changed: &Changed, dry_run: bool) -> anyhow::Result<()> {
        if self.json {
            println!("{}", serde_json::to_string(changed)?);
            return Ok(());
        }
        let not = if dry_run { " (dry run: nothing is saved)" } else { "" };
        match (&changed.before, &changed.after) {
            (Some(before), Some(after)) => {
                println!("{} -> {}, in place of {}{not}", after.from, target(after), target(before));
            }
            (None, Some(after)) => println!("{} -> {}{not}", after.from, target(after)),
            (Some(before), None) => println!("removed {} -> {}{not}", before.from, target(before)),
            (None, None) => {}
        }
        Ok(())
    }
}

fn target(redirect: &ListedRedirect) -> String {
    if redirect.kind == "path" { redirect.target.clone() } else { format!("{} {}", redirect.kind, redirect.target) }
}
