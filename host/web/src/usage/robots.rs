//! Recognizes robots by their user agent.

/// The list of robots' user agents that is compiled into the host.
const LIST: &str = include_str!("robots.txt");
/// Words that contain a robot's pattern without being one: `cubot` is a brand of telephones.
const EXCEPTIONS: [&str; 1] = ["cubot"];

/// Patterns of robots' user agents.
#[derive(Debug)]
pub struct Bots {
    anywhere: Vec<&'static str>,
    beginning: Vec<&'static str>,
    whole: Vec<&'static str>,
}

impl Default for Bots {
    fn default() -> Self {
        let mut bots = Self { anywhere: Vec::new(), beginning: Vec::new(), whole: Vec::new() };
        for line in LIST.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match (line.strip_prefix('^'), line.strip_prefix('=')) {
                (Some(word), _) => bots.beginning.push(word),
                (_, Some(word)) => bots.whole.push(word),
                _ => bots.anywhere.push(line),
            }
        }
        bots
    }
}

impl Bots {
    /// Whether a user agent is a robot. A user agent of less than two characters is treated as one.
    #[must_use]
    pub fn is_bot(&self, agent: &str) -> bool {
        let mut agent: String = agent.trim().chars().take(1024).collect::<String>().to_lowercase();
        for word in EXCEPTIONS {
            agent = agent.replace(word, "");
        }
        agent.len() < 2
            || self.whole.contains(&agent.as_str())
            || self.beginning.iter().any(|word| agent.starts_with(word))
            || self.anywhere.iter().any(|word| agent.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn robots_are_recognized_and_browsers_are_not() {
        let bots = Bots::default();
        for agent in [
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
            "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.49",
            "Mozilla/5.0 (Linux; Android 13; CUBOT X70) AppleWebKit/537.36 Chrome/124.0 Mobile Safari/537.36",
        ] {
            assert!(!bots.is_bot(agent), "{agent}");
        }
        for agent in [
            "",
            "-",
            " ",
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0) Chrome/116.0 Safari/537.36",
            "Mozilla/5.0 (compatible; Baiduspider/2.0)",
            "curl/8.5.0",
            "python-requests/2.32",
            "Java/17.0.2",
            "Go-http-client/2.0",
            "Mozilla/5.0",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0 Safari/537.36",
            "LOCKSS cache",
        ] {
            assert!(bots.is_bot(agent), "{agent}");
        }
    }
}
