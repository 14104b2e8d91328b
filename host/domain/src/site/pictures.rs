//! The pictures that a site's configuration names.

use super::{CustomButton, HomeSlide, Site};

impl Site {
    /// The pictures under the sites' assets, each with its key. Empty names are left out. Those of the site's own style sheet are in
    /// `masthead_config::sheet_files`.
    #[must_use]
    pub fn pictures(&self) -> Vec<(String, &str)> {
        let mut all =
            vec![("logo1".to_owned(), self.logo1.as_str()), ("pictureUrl".to_owned(), self.picture_url.as_str())];
        let header = &self.header;
        for (key, by_language) in [
            ("header.logo", &header.logo),
            ("header.mobileLogo", &header.mobile_logo),
            ("header.darkLogo", &header.dark_logo),
        ] {
            all.extend(by_language.0.iter().map(|(lang, name)| (format!("{key}.{lang}"), name.as_str())));
        }
        for (key, button) in self.buttons() {
            all.push((format!("{key}.customButtonPcUrl"), &button.custom_button_pc_url));
            all.push((format!("{key}.customButtonMobileUrl"), &button.custom_button_mobile_url));
        }
        all.extend(self.slides().map(|(key, slide)| (format!("{key}.picture"), slide.picture.as_str())));
        all.retain(|(_, name)| !name.is_empty());
        all
    }

    /// The buttons of the header with their keys.
    pub fn buttons(&self) -> impl Iterator<Item = (String, &CustomButton)> {
        let lists = [
            ("header.customButtonList", &self.header.custom_button_list),
            ("header.configData.customButtonList", &self.header.config_data.custom_button_list),
        ];
        lists.into_iter().flat_map(|(key, buttons)| {
            buttons.iter().enumerate().map(move |(index, button)| (format!("{key}[{index}]"), button))
        })
    }

    /// The slides of the home page's carousels with their keys.
    pub fn slides(&self) -> impl Iterator<Item = (String, &HomeSlide)> {
        self.home.sections.iter().enumerate().flat_map(|(at, section)| {
            let slides = section.slides.iter().enumerate();
            slides.map(move |(index, slide)| (format!("home.sections[{at}].slides[{index}]"), slide))
        })
    }
}
