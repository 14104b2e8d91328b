//! `masthead plugin`: commands for plugin authors (new, build, check, test, bench, dev) and for operators (contract, list, stats, canary,
//! promote, rollback, enable, disable, settings).

pub mod admin;
mod bench;
mod build;
mod canary;
mod case;
mod check;
mod compare;
mod contract;
mod dev;
mod given;
mod host;
mod json;
mod list;
mod new;
mod project;
mod report;
mod scaffold;
mod settings;
mod site_edits;
pub mod site_file;
mod sites;
mod stats;
mod target;
mod test;
mod toml_merge;

use clap::Subcommand;

pub use self::report::plural;

/// Create, test and manage plugins.
#[derive(Subcommand)]
pub enum Plugin {
    /// Create a plugin project from the example of a hook.
    New(new::New),
    /// Build the component of a plugin into dist/<id>/ and check it.
    Build(build::Build),
    /// Show what a plugin exports, imports and needs; or list the plugins that sites could not use with this host.
    Check(check::Check),
    /// Run the test cases of a plugin in the real runtime, then its unit tests.
    Test(test::Test),
    /// Measure the time of hook calls with new and with used instances.
    Bench(bench::Bench),
    /// Build the plugin at every change and install it in the plugin folder of a running host.
    Dev(dev::Dev),
    /// Print the contract that this host offers to plugins.
    Contract(contract::Contract),
    /// Show the installed plugins, what they ask for, and the sites that have them enabled.
    List(list::ListPlugins),
    /// Show calls, times and memory of plugins on a running host.
    Stats(stats::Stats),
    /// Show the comparison of canary versions on a running host, or start a canary.
    Canary(canary::Canary),
    /// Make the canary of a plugin the version in use.
    Promote(site_edits::Promote),
    /// Remove the canary of a plugin; the version in use stays.
    Rollback(site_edits::Rollback),
    /// Enable a plugin on a site.
    Enable(site_edits::Enable),
    /// Disable a plugin on a site.
    Disable(site_edits::Disable),
    /// Show or change the settings of a plugin on a site.
    #[command(subcommand)]
    Settings(settings::Settings),
}

impl Plugin {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::New(command) => command.run(),
            Self::Build(command) => command.run().await,
            Self::Check(command) => command.run().await,
            Self::Test(command) => command.run().await,
            Self::Bench(command) => command.run().await,
            Self::Dev(command) => command.run().await,
            Self::Contract(command) => command.run(),
            Self::List(command) => command.run().await,
            Self::Stats(command) => command.run().await,
            Self::Canary(command) => command.run().await,
            Self::Promote(command) => command.run().await,
            Self::Rollback(command) => command.run().await,
            Self::Enable(command) => command.run().await,
            Self::Disable(command) => command.run().await,
            Self::Settings(command) => command.run().await,
        }
    }
}
