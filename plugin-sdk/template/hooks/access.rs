//! Gives signed-in readers access to full texts. Replace this with the code of your plugin.

use masthead_plugin::{Access, AccessRequest, Context, Permissions, register};

struct MyPlugin;

impl Access for MyPlugin {
    fn decide(_: &Context, request: AccessRequest) -> Result<Permissions, String> {
        let visit_power = request.permissions.visit_power || request.signed_in;
        Ok(Permissions { visit_power, ..request.permissions })
    }
}

register!(MyPlugin: Access);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn signed_in_readers_may_read() {
        for signed_in in [false, true] {
            let request = AccessRequest {
                referrer: String::new(),
                signed_in,
                route: "article".to_owned(),
                permissions: Permissions { visit_power: false, download_power: false },
            };
            let given = MyPlugin::decide(&testing::context("en"), request).unwrap();
            assert_eq!(given, Permissions { visit_power: signed_in, download_power: false });
        }
    }
}
