//! `access.decide`.

use masthead_domain::access::{AccessRequest, Permissions};
use wasmtime::{
    Store,
    component::{Instance, InstancePre},
};

use super::HookEntry;
use crate::{
    bindings::{
        exports::masthead::plugin::access::{self as wit, Guest, GuestIndices},
        masthead::plugin::types::Context,
    },
    member::Member,
    state::State,
};

pub(crate) struct Entry;

impl HookEntry for Entry {
    type Indices = GuestIndices;
    type Guest = Guest;
    type Input = wit::Request;
    type Output = wit::Permissions;

    fn find(pre: &InstancePre<State>) -> wasmtime::Result<GuestIndices> {
        GuestIndices::new(pre)
    }

    fn load(indices: &GuestIndices, store: &mut Store<State>, instance: &Instance) -> wasmtime::Result<Guest> {
        indices.load(store, instance)
    }

    async fn call(
        guest: &Guest,
        store: &mut Store<State>,
        context: &Context,
        input: &wit::Request,
    ) -> wasmtime::Result<Result<wit::Permissions, String>> {
        guest.call_decide(store, context, input).await
    }

    fn check(_: &Member, _: &wit::Request, _: &wit::Permissions) -> Result<(), String> {
        Ok(())
    }

    fn trial_input() -> wit::Request {
        to_wit(AccessRequest::default())
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
