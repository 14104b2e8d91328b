//! Views and downloads of signed-in members, for their history.

use std::sync::Arc;

use masthead_accounts::uses::ItemUse;
use masthead_domain::{
    Lang, SiteId,
    member::{ItemRef, Use},
};

use super::App;
use crate::{
    auth::session::User,
    usage::{FLUSH_INTERVAL, Visitor},
};

impl App {
    /// Notes that a reader viewed or downloaded an item, if it is a signed-in member. A prefetch of a browser is not a view.
    pub fn note_use(&self, site: SiteId, user: Option<&User>, act: Use, item: ItemRef, lang: Lang, visitor: &Visitor) {
        if let Some(user) = user.filter(|_| !visitor.prefetch) {
            let used = ItemUse { site, member: user.member, act, item, lang, at: self.counting.now() };
            self.member_uses.note(used);
        }
    }
}

/// Writes the pending uses periodically until the process ends.
pub async fn run(app: Arc<App>) {
    loop {
        tokio::time::sleep(FLUSH_INTERVAL).await;
        if let Err(error) = app.member_uses.flush(&app.store).await {
            tracing::error!(%error, "writing what members viewed failed; it will be written with the next batch");
        }
    }
}
