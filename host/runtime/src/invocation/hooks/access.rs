//! `access.decide`: the permissions of a reader.

use masthead_domain::access::{AccessRequest, Permissions};

use super::binding::{HookEntry, bind};
use crate::{contract::bindings::exports::masthead::plugin::access as wit, invocation::site_context::SiteContext};

bind!(Entry: access.call_decide(wit::Request) -> wit::Permissions);

impl HookEntry for Entry {
    fn check(_: &SiteContext, _: &Self::Input, _: &Self::Output) -> Result<(), String> {
        Ok(())
    }

    fn trial_input() -> Option<Self::Input> {
        Some(to_wit(AccessRequest::default()))
    }
}

pub(crate) fn to_wit(request: AccessRequest) -> wit::Request {
    let AccessRequest { referrer, signed_in, route, permissions } = request;
    let Permissions { visit_power, download_power } = permissions;
    wit::Request { referrer, signed_in, route, permissions: wit::Permissions { visit_power, download_power } }
}

pub(crate) fn from_wit(permissions: wit::Permissions) -> Permissions {
    Permissions { visit_power: permissions.visit_power, download_power: permissions.download_power }
}
