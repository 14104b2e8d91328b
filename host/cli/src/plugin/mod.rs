//! `masthead plugin`: for authors of plugins (new, build, check, test, bench, dev) and for those who run them (contract, stats,
//! canary, promote, rollback, enable, disable).

mod admin;
mod bench;
mod build;
mod canary;
mod case;
mod check;
mod compare;
mod contract;
mod dev;
mod edit;
mod edits;
mod host;
mod json;
mod new;
mod project;
mod report;
mod scaffold;
mod sites;
mod stats;
mod test;

use clap::Subcommand;

/// Write, check and run plugins.
#[derive(Subcommand)]
pub enum Plugin {
    /// Begin a plugin from the example of a hook.
    New(new::New),
    /// Build a plugin's component into dist/<id>/, and check it.
    Build(build::Build),
    /// Say what a plugin exports, imports and needs; or which plugins of the sites this host would lose.
    Check(check::Check),
    /// Run the test cases of a plugin in the real host, then its own unit tests.
    Test(test::Test),
    /// Measure calls of a plugin, fresh and warm.
    Bench(bench::Bench),
    /// Build at every change and put the result into the plugin folder of a running host.
    Dev(dev::Dev),
    /// Print the contract that this host offers to plugins.
    Contract(contract::Contract),
    /// Show what plugins cost on a running host.
    Stats(stats::Stats),
    /// Show how canaries compare on a running host, or begin one.
    Canary(canary::Canary),
    /// Put a site's canary into the place of the version in use.
    Promote(edits::Promote),
    /// Take a site's canary away.
    Rollback(edits::Rollback),
    /// Switch a plugin on for a site.
    Enable(edits::Enable),
    /// Switch a plugin off for a site.
    Disable(edits::Disable),
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
            Self::Stats(command) => command.run().await,
            Self::Canary(command) => command.run().await,
            Self::Promote(command) => command.run(),
            Self::Rollback(command) => command.run(),
            Self::Enable(command) => command.run(),
            Self::Disable(command) => command.run(),
        }
    }
}
