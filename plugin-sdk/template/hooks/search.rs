//! Searches recent years only, unless the reader selected years. Replace this with the code of your plugin.

use masthead_plugin::{Context, Filter, Query, SearchRewrite, register, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    year: i32,
}

struct MyPlugin;

impl SearchRewrite for MyPlugin {
    fn rewrite(_: &Context, mut query: Query) -> Result<Query, String> {
        let Settings { year } = settings()?;
        if !query.filters.iter().any(|filter| matches!(filter, Filter::YearFrom(_) | Filter::YearTo(_))) {
            query.filters.push(Filter::YearFrom(year));
        }
        Ok(query)
    }
}

register!(MyPlugin: SearchRewrite);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn selected_years_are_kept() {
        testing::set_settings(r#"{"year":2020}"#);
        for (before, after) in [(vec![], Filter::YearFrom(2020)), (vec![Filter::YearTo(1990)], Filter::YearTo(1990))] {
            let query = Query { text: "sea".to_owned(), synonyms: vec![], boosts: vec![], filters: before };
            let query = MyPlugin::rewrite(&testing::context("en"), query).unwrap();
            assert_eq!(query.filters, [after]);
        }
    }
}
