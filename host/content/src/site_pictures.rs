//! The pictures that the configuration of a site names: what a bundle takes along, and what the checks of an installation look for.

use std::borrow::Cow;

use masthead_config::sheet_files;
use masthead_domain::site::Site;
use percent_encoding::percent_decode_str;

/// The files under the sites' assets with their keys: pictures, and what the site's own style sheet loads.
pub fn named(site: &Site) -> Vec<(String, Cow<'_, str>)> {
    let pictures = site.pictures().into_iter().map(|(key, name)| (key, Cow::Borrowed(name)));
    let files = sheet_files(&site.header.config_data.css_content).into_iter().map(|name| {
        let decoded = percent_decode_str(&name).decode_utf8_lossy().into_owned();
        ("header.configData.cssContent".to_owned(), Cow::Owned(decoded))
    });
    pictures.chain(files).collect()
}

/// Whether a name is that of a file below the sites' assets, and leads nowhere else.
pub fn is_plain(name: &str) -> bool {
    name.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'))
}
