//! `routes.handle`: addresses below `plugins/<id>/`.

use super::{
    binding::{HookEntry, bind},
    text,
};
use crate::{contract::bindings::exports::masthead::plugin::routes as wit, invocation::site_context::SiteContext};

const BODY_BYTES: usize = 512 << 10;
const HEADERS: [&str; 6] =
    ["content-type", "content-disposition", "cache-control", "etag", "last-modified", "location"];

bind!(Entry: routes.call_handle(wit::Request) -> wit::Response);

impl HookEntry for Entry {
    fn check(_: &SiteContext, _: &wit::Request, output: &wit::Response) -> Result<(), String> {
        if !(200..=599).contains(&output.status) {
            return Err(format!("the status {} is not between 200 and 599", output.status));
        }
        if output.body.len() > BODY_BYTES {
            return Err(format!("a body of {} bytes, allowed are {BODY_BYTES}", output.body.len()));
        }
        output.headers.iter().try_for_each(|(name, value)| {
            if !HEADERS.contains(&name.as_str()) {
                return Err(format!("the header {:?} is not one of {}", text::short(name), HEADERS.join(", ")));
            }
            if value.len() > 1024 || !value.bytes().all(|c| (0x20..0x7f).contains(&c)) {
                return Err(format!("the header {name} is too long or not printable ASCII"));
            }
            if name == "location" {
                return text::check_path(value.split(['?', '#']).next().unwrap_or_default()).map_err(|reason| {
                    format!("the location {:?} {reason}; it must be inside the site", text::short(value))
                });
            }
            Ok(())
        })
    }

    fn trial_input() -> Option<wit::Request> {
        None
    }
}
