//! `masthead session`.

use clap::{Args, Subcommand};

use crate::{Locations, installation::open_site, records::By};

/// End the sessions of readers.
#[derive(Subcommand)]
pub enum Sessions {
    /// End all sessions of a member of a site. A running host treats the member as signed out from the next request on.
    End(End),
}

/// End all sessions of a member of a site.
#[derive(Args)]
pub struct End {
    #[command(flatten)]
    locations: Locations,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID")]
    site: String,
    /// The member's account name, e-mail address, mobile number, or identifier at an identity provider.
    #[arg(long, value_name = "SUBJECT")]
    subject: String,
    #[command(flatten)]
    by: By,
}

impl Sessions {
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::End(end) = self;
        end.run().await
    }
}

impl End {
    async fn run(self) -> anyhow::Result<()> {
        let (store, site) = open_site(&self.locations, &self.site).await?;
        let ended = store.site(site.id).end_sessions_by(&self.subject, &self.by.name()).await?;
        store.close().await;
        println!("ended {ended} sessions of {:?} on {}", self.subject, site.sld);
        Ok(())
    }
}
