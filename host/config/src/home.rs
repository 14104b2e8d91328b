//! What is wrong with the composition of a home page.

use masthead_domain::{
    link,
    resource::NewsType,
    site::{Home, HomeKind, HomeSection, Site},
};

use crate::Fault;

/// The faults of `[home]`. An unknown kind of a section is refused when the value is read.
pub fn faults(site: &Site) -> Vec<Fault> {
    let sections = &site.home.sections;
    let mut faults = Vec::new();
    if sections.len() > Home::MAX_SECTIONS {
        let message = format!("home.sections has {} sections, more than {}", sections.len(), Home::MAX_SECTIONS);
        faults.push(Fault::new("home.sections", message, "remove sections"));
    }
    for (index, section) in sections.iter().enumerate() {
        let key = format!("home.sections[{index}]");
        let once = matches!(section.kind, HomeKind::Hero | HomeKind::Plugins);
        let same = |other: &HomeSection| other.kind == section.kind && other.channel == section.channel;
        if once && sections[..index].iter().any(same) {
            let message = format!("{key}: a page has one section of the kind {:?}", section.kind.as_str());
            faults.push(Fault::new(format!("{key}.kind"), message, "remove one of them"));
        }
        faults.extend(section_faults(site, section, &key));
    }
    faults
}

fn section_faults(site: &Site, section: &HomeSection, key: &str) -> Vec<Fault> {
    let kind = section.kind.as_str();
    let mut faults: Vec<Fault> = section
        .options_of_other_kinds()
        .into_iter()
        .map(|option| {
            let message = format!("{key}.{option} has no effect in a section of the kind {kind:?}");
            Fault::new(format!("{key}.{option}"), message, "remove the option, or correct the kind")
        })
        .collect();
    if !section.news_type.is_empty() && !NewsType::ALL.iter().any(|known| known.as_str() == section.news_type) {
        let message = format!("{key}.newsType {:?} is no tab of the news", section.news_type);
        let fix = "write information, announcement, dynamic or statement";
        faults.push(Fault::new(format!("{key}.newsType"), message, fix));
    }
    if let Some(months) = section.months.iter().find(|months| !HomeSection::WINDOWS.contains(months)) {
        let message = format!("{key}.months has {months}, which is no window of rankings");
        faults.push(Fault::new(format!("{key}.months"), message, "use 0 (all time), 3, 6, 12, 24 or 36"));
    }
    if section.size > HomeSection::MAX_SIZE {
        let message = format!("{key}.size {} is more than {}", section.size, HomeSection::MAX_SIZE);
        faults.push(Fault::new(format!("{key}.size"), message, "write a smaller number"));
    }
    if section.channel != 0 && !site.channels.iter().any(|channel| channel.id == section.channel) {
        let message = format!("{key}.channel {} is the number of no channel of the site", section.channel);
        faults.push(Fault::new(format!("{key}.channel"), message, "write the id of one of [[channels]]"));
    }
    let refused = section.slides.iter().enumerate().filter(|(_, slide)| !leads_somewhere(&slide.link));
    faults.extend(refused.map(|(at, slide)| {
        let message = format!("{key}.slides[{at}] links to {:?}, which is no address of a page", slide.link);
        let fix = "write an address that begins with https://, or a path behind the language such as issues";
        Fault::new(format!("{key}.slides[{at}].link"), message, fix)
    }));
    faults
}

/// Whether a link is empty, or leads to a page of the web or of the site.
pub(crate) fn leads_somewhere(link: &str) -> bool {
    let path = || link::scheme(link).is_none() && link::is_own_or_web(&format!("/{link}"));
    link.is_empty() || link::is_web(link) || path()
}
