//! `masthead plugin check`.

use std::path::PathBuf;

use clap::Args;

use crate::plugin::{project::Project, report, sites};

/// Show what a plugin exports, imports and needs; or list the plugins that sites could not use with this host.
#[derive(Args)]
pub struct Check {
    /// Folder of a project, or a folder with plugin.toml and plugin.wasm.
    #[arg(default_value = ".", conflicts_with_all = ["sites", "plugins", "against"])]
    dir: PathBuf,
    /// Folder with the configuration of sites: check whether this host can use all of their plugins.
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
    /// Folder with additional plugins, as for `masthead serve`; may be repeated.
    #[arg(long, value_name = "DIR", requires = "sites")]
    plugins: Vec<PathBuf>,
    /// Id of a plugin that these folders may override, as for `masthead serve`; may be repeated.
    #[arg(long, value_name = "ID", requires = "sites")]
    override_plugin: Vec<String>,
    /// Output of `masthead plugin contract --json` from another host: check the sites against that host.
    #[arg(long, value_name = "FILE", requires = "sites")]
    against: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Check {
    pub async fn run(self) -> anyhow::Result<()> {
        if let Some(folder) = &self.sites {
            let plugins = sites::Folders { plugins: &self.plugins, overrides: &self.override_plugin };
            return sites::check(folder, plugins, self.against.as_deref(), self.json).await;
        }
        let report = report::report(&Project::open(&self.dir)?).await?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&report)?);
        } else {
            print!("{report}");
        }
        report.verdict()
    }
}
