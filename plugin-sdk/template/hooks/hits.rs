//! Adds a badge to open-access articles in search results. Replace this with the code of your plugin.

use masthead_plugin::{Badge, Context, Hit, HitPage, SearchDecorate, Tone, register};

struct MyPlugin;

impl SearchDecorate for MyPlugin {
    fn decorate(context: &Context, mut page: HitPage) -> Result<Vec<Hit>, String> {
        let label = if context.lang == "zh" { "开放获取" } else { "Open access" };
        for hit in page.hits.iter_mut().filter(|hit| hit.open_access) {
            hit.badges.push(Badge::new(label, Tone::Good));
        }
        Ok(page.hits)
    }
}

register!(MyPlugin: SearchDecorate);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn only_open_access_articles_get_the_badge() {
        let hit = |id, open_access| Hit {
            id,
            doi: String::new(),
            title: "Tides".to_owned(),
            kind: "research-article".to_owned(),
            year: 2025,
            open_access,
            badges: Vec::new(),
        };
        let page = HitPage { text: "sea".to_owned(), hits: vec![hit(1, true), hit(2, false)] };
        let hits = MyPlugin::decorate(&testing::context("zh"), page).unwrap();
        assert_eq!(hits[0].badges, [Badge::new("开放获取", Tone::Good)]);
        assert!(hits[1].badges.is_empty());
    }
}
