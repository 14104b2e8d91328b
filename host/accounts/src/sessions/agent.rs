//! Names of browsers for the list of a member's sessions.

/// Names of browsers, by what their user agents contain, the most particular ones first: most browsers name others as well.
const BROWSERS: [(&str, &str); 12] = [
    ("MicroMessenger/", "WeChat"),
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("QQBrowser/", "QQ Browser"),
    ("YaBrowser/", "Yandex Browser"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Names of systems, by what user agents contain.
const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("HarmonyOS", "HarmonyOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// Greatest length of the name of another client, in characters.
const MAX_NAME: usize = 40;

/// Browser and system of a user agent, such as `Firefox, Windows`; the name of another client without its version; "" if it names none.
#[must_use]
pub fn describe(agent: &str) -> String {
    let find =
        |names: &[(&str, &'static str)]| names.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| *name);
    match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser}, {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => {
            let name = agent.split(['/', ' ', '(']).next().unwrap_or_default();
            name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')).take(MAX_NAME).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::describe;

    #[test]
    fn browsers_are_told_by_the_most_particular_name() {
        for (agent, expected) in [
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:149.0) Gecko/20100101 Firefox/149.0", "Firefox, Windows"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0 Safari/537.36 Edg/147.0",
                "Edge, Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1",
                "Safari, iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/147.0 Mobile Safari/537.36 MicroMessenger/8.0",
                "WeChat, Android",
            ),
            ("curl/8.9.1", "curl"),
            ("<script>alert(1)</script>", "scriptalert"),
            ("", ""),
        ] {
            assert_eq!(describe(agent), expected, "{agent}");
        }
        assert!(describe(&"x".repeat(500)).len() <= 40);
    }
}
