//! Pictures of the configuration that are not among the sites' assets.

use std::path::Path;

use masthead_domain::site::Site;

use super::{Notes, buttons};

const CHECK: &str = "pictures";
/// Endings of the files that the host serves from the assets.
const ENDINGS: [&str; 6] = ["svg", "png", "jpg", "jpeg", "webp", "ico"];
/// Greatest size of a file that it serves, in bytes.
const LARGEST: u64 = 8 << 20;

/// The pictures that a site names.
pub fn check(site: &Site, folder: &Path, notes: &mut Notes<'_>) {
    for (key, name) in named(site) {
        if let Some(fault) = fault(folder, name) {
            let place = folder.join("assets").join(name);
            notes.error(CHECK, key, fault, &format!("put the picture at {}, or correct the name", place.display()));
        }
    }
}

/// The pictures with their keys.
fn named(site: &Site) -> Vec<(String, &str)> {
    let mut all = vec![("logo1".to_owned(), site.logo1.as_str()), ("pictureUrl".to_owned(), site.picture_url.as_str())];
    let header = &site.header;
    for (key, by_language) in [
        ("header.logo", &header.logo),
        ("header.mobileLogo", &header.mobile_logo),
        ("header.darkLogo", &header.dark_logo),
    ] {
        all.extend(by_language.0.iter().map(|(lang, name)| (format!("{key}.{lang}"), name.as_str())));
    }
    for (key, button) in buttons(site) {
        all.push((format!("{key}.customButtonPcUrl"), &button.custom_button_pc_url));
        all.push((format!("{key}.customButtonMobileUrl"), &button.custom_button_mobile_url));
    }
    all.retain(|(_, name)| !name.is_empty());
    all
}

/// Why the host does not serve a file of the assets, if it does not.
pub fn fault(folder: &Path, name: &str) -> Option<String> {
    let is_plain = name.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'));
    if !is_plain {
        return Some(format!("{name:?} is not the name of a file under the sites' assets"));
    }
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !ENDINGS.contains(&ending) {
        return Some(format!("{name:?} is not a picture that the host serves: {}", ENDINGS.join(", ")));
    }
    match std::fs::metadata(folder.join("assets").join(name)) {
        Ok(file) if file.is_file() && file.len() <= LARGEST => None,
        Ok(file) if file.is_file() => {
            Some(format!("{name:?} has {} bytes; the host serves at most {LARGEST}", file.len()))
        }
        _ => Some(format!("there is no picture {name:?} among the sites' assets")),
    }
}
