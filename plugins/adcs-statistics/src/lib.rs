//! Adds the parameter `fromAdcs=true` to requests for resource statistics.

use masthead_plugin::{Context, Statistics, register};

const NAME: &str = "fromAdcs";

struct AdcsStatistics;

impl Statistics for AdcsStatistics {
    fn parameters(_: &Context, mut parameters: Vec<(String, String)>) -> Result<Vec<(String, String)>, String> {
        parameters.retain(|(name, _)| name != NAME);
        parameters.push((NAME.to_owned(), "true".to_owned()));
        Ok(parameters)
    }
}

register!(AdcsStatistics: Statistics);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn the_parameter_is_added_once() {
        let mut parameters = vec![("siteId".to_owned(), "950".to_owned())];
        for _ in 0..2 {
            parameters = AdcsStatistics::parameters(&testing::context("zh"), parameters).unwrap();
        }
        let pairs: Vec<_> = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(pairs, [("siteId", "950"), ("fromAdcs", "true")]);
    }
}
