//! `masthead token`.

use std::path::PathBuf;

use clap::Args;

/// Create the token for the administrators' API; the previous token becomes invalid.
#[derive(Args)]
pub struct Token {
    /// Data folder of the host.
    #[arg(long, default_value = "data", env = "MASTHEAD_DATA", value_name = "DIR")]
    data: PathBuf,
}

impl Token {
    pub fn run(&self) -> anyhow::Result<()> {
        masthead_content::data_folder::create(&self.data)?;
        let token = masthead_web::auth::admin_token::renew(&self.data)
            .map_err(|error| anyhow::anyhow!("writing the token to {}: {error}", self.data.display()))?;
        println!("{token}");
        Ok(())
    }
}
