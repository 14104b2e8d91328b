//! What a site knows of a reader where its configuration tells readers apart: whether they are signed in, and whether they belong to an
//! institution, by the network of the request or by the group of the account.

use masthead_domain::access::ReaderStatus;

use crate::{app::App, auth::session::User, client::Client, sites::SiteEntry};

/// The status of a reader. Institutions are looked up only where something is open to them.
pub(super) async fn of(app: &App, entry: &SiteEntry, client: Client, user: Option<&User>) -> ReaderStatus {
    let of_institution = is_in_network(app, entry, client).await
        || match user {
            Some(user) => entry.site.access.asks_institutions() && is_in_group(app, entry, user).await,
            None => false,
        };
    ReaderStatus { member: user.is_some(), of_institution }
}

/// Whether the request comes from a network of one of the site's institutions, where something is open to them.
pub(super) async fn is_in_network(app: &App, entry: &SiteEntry, client: Client) -> bool {
    let access = &entry.site.access;
    let Some(address) = client.address().filter(|_| access.asks_institutions()) else { return false };
    if access.institution_at(address).is_some() {
        return true;
    }
    let site = entry.site.id;
    app.store.is_available() && app.institutions.have(&app.store.site(site), site, address, app.counting.now()).await
}

/// Whether a member belongs to the group of an institution that the site still knows. A failure of the store makes nobody belong.
async fn is_in_group(app: &App, entry: &SiteEntry, user: &User) -> bool {
    let member = app.store.site(entry.site.id).of_member(user.member);
    match member.affiliations(app.counting.now()).await {
        Ok(all) => {
            let known = |key: &str, name: &str| !name.is_empty() || entry.site.access.institution(key).is_some();
            all.iter().any(|one| known(&one.institution, &one.name))
        }
        Err(error) => {
            tracing::error!(%error, "the reader is treated as somebody without an institution");
            false
        }
    }
}
