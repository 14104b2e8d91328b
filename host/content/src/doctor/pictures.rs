//! Pictures of the configuration that are not among the sites' assets.

use std::path::Path;

use masthead_domain::site::Site;

use super::Notes;
use crate::site_pictures;

const CHECK: &str = "pictures";
/// Endings of the files that the host serves from the assets.
const ENDINGS: [&str; 6] = ["svg", "png", "jpg", "jpeg", "webp", "ico"];
/// Greatest size of a file that it serves, in bytes.
const LARGEST: u64 = 8 << 20;

/// The pictures that a site names.
pub fn check(site: &Site, folder: &Path, notes: &mut Notes<'_>) {
    for (key, name) in site_pictures::named(site) {
        if let Some(fault) = fault(folder, &name) {
            let place = folder.join("assets").join(name.as_ref());
            notes.error(CHECK, key, fault, &format!("put the picture at {}, or correct the name", place.display()));
        }
    }
}

/// Why the host does not serve a file of the assets, if it does not.
pub fn fault(folder: &Path, name: &str) -> Option<String> {
    if !site_pictures::is_plain(name) {
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
