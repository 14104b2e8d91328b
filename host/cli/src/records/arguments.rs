//! The arguments that the commands about records share: the site, and how and by whom a change is made.

use clap::Args;
use masthead_content::records::{RecordEdit, Records};
use masthead_store::Store;

use crate::{Locations, installation::open_site};

/// The site, and how to print.
#[derive(Args)]
pub struct SiteArguments {
    #[command(flatten)]
    pub locations: Locations,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID")]
    pub site: String,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// How a change is made.
#[derive(Args)]
pub struct How {
    /// Version that the change was made from (`show` prints it); the change is refused if somebody has changed the record since.
    #[arg(long, value_name = "VERSION")]
    if_version: Option<String>,
    /// Print what would change, and store nothing.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    by: By,
}

/// Who makes a change.
#[derive(Args)]
pub struct By {
    /// Who makes the change, for the audit trail; by default the user of the operating system.
    #[arg(long, env = "MASTHEAD_EDITOR", value_name = "NAME")]
    by: Option<String>,
}

/// An open site.
pub struct OpenSite {
    pub store: Store,
    pub records: Records,
    pub sld: String,
}

impl SiteArguments {
    pub async fn open(&self) -> anyhow::Result<OpenSite> {
        let (store, site) = open_site(&self.locations, &self.site).await?;
        let records = Records::new(&store, site.id, &self.locations.data);
        Ok(OpenSite { store, records, sld: site.sld })
    }
}

impl By {
    /// The name for the audit trail.
    pub fn name(&self) -> String {
        let user =
            || ["USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
        self.by.clone().or_else(user).unwrap_or_else(|| "command line".to_owned())
    }
}

impl How {
    pub fn change(&self) -> RecordEdit {
        let version = self.if_version.clone();
        RecordEdit { version, dry_run: self.dry_run, who: self.by.name(), ..RecordEdit::default() }
    }
}
