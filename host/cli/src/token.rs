//! `masthead token`.

use std::path::PathBuf;

use clap::Args;

/// Make a token for the calls of administrators; the one before is no longer good.
#[derive(Args)]
pub struct Token {
    /// Folder of everything that the host writes.
    #[arg(long, default_value = "data", env = "MASTHEAD_DATA", value_name = "DIR")]
    data: PathBuf,
}

impl Token {
    pub fn run(&self) -> anyhow::Result<()> {
        let token = masthead_web::auth::admin_token::renew(&self.data)
            .map_err(|error| anyhow::anyhow!("writing a token into {}: {error}", self.data.display()))?;
        println!("{token}");
        Ok(())
    }
}
