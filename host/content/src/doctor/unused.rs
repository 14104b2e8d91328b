//! Settings that the host accepts, because the specification has them, and that have no effect.

use masthead_domain::site::Site;

use super::Notes;

const CHECK: &str = "unused";
const MESSAGE: &str = "the setting has no effect: the interface receives it and does not act on it";

/// The settings of [`masthead_config::NOT_USED_YET`] that have another value than the default: whoever set them expects something of them.
pub fn check(site: &Site, notes: &mut Notes<'_>) {
    let of_site = [
        ("logo1", !site.logo1.is_empty(), "remove it; header.customButtonList puts further pictures into the header"),
        ("templateId", site.template_id != 0, "remove it; home.layout and home.sections arrange the home page"),
        ("umtFlag", site.umt_flag != 0, "remove it; accounts.providers lists the services at which readers sign in"),
    ];
    for (key, _, fix) in of_site.into_iter().filter(|(_, is_set, _)| *is_set) {
        notes.warning(CHECK, key, MESSAGE, fix);
    }
    for (index, _) in site.channels.iter().enumerate().filter(|(_, channel)| channel.banner_id != 0) {
        let fix = "remove it; no setting puts a banner above the page of a channel";
        notes.warning(CHECK, format!("channels[{index}].bannerId"), MESSAGE, fix);
    }
}
