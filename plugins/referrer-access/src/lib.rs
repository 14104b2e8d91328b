//! Gives readers who arrive from one of the listed hosts access to full texts.

use masthead_plugin::{Access, AccessRequest, Context, Permissions, register, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    hosts: Vec<String>,
}

struct ReferrerAccess;

/// The host name of an http(s) address, in lower case: without user, port, path, query and fragment.
fn host(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    if !(scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")) {
        return None;
    }
    // Browsers treat a backslash as the end of the authority as well.
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host_and_port = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host_and_port.split_once(':').map_or(host_and_port, |(host, _)| host);
    let host = host.strip_suffix('.').unwrap_or(host);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

fn is_listed(host: &str, listed: &str) -> bool {
    let listed = listed.to_ascii_lowercase();
    !listed.is_empty() && (host == listed || host.strip_suffix(&listed).is_some_and(|rest| rest.ends_with('.')))
}

impl Access for ReferrerAccess {
    fn decide(_: &Context, request: AccessRequest) -> Result<Permissions, String> {
        let Settings { hosts } = settings()?;
        let listed = host(&request.referrer).is_some_and(|host| hosts.iter().any(|listed| is_listed(&host, listed)));
        Ok(Permissions { visit_power: request.permissions.visit_power || listed, ..request.permissions })
    }
}

register!(ReferrerAccess: Access);

#[cfg(test)]
mod tests;
