//! Renders a message: subject, text, HTML, and the text of an SMS.

use masthead_domain::member::{CodePurpose, SubscriptionType};

use super::{
    AccountChange, Alert, Followed, Message, Setting,
    html::{self, Block},
    texts,
};

/// Longest text of an SMS, in characters: what several parts of a message can have.
const SMS: usize = 300;

/// A message in the language of its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The subject, in one line.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The same as an HTML document.
    pub html: String,
    /// The same in short, for a text message.
    pub sms: String,
}

/// The message as its reader gets it.
#[must_use]
pub fn render(message: &Message, setting: &Setting<'_>) -> Rendered {
    let texts = Texts { setting };
    let (subject, blocks, sms) = match message {
        Message::Code { purpose, code, minutes } => texts.code(*purpose, code, *minutes),
        Message::Changed { change } => texts.changed(*change),
        Message::Alert(alert) => texts.alert(alert),
    };
    Rendered {
        text: plain(&blocks),
        html: html::document(setting.lang, &subject, &blocks),
        subject,
        sms: sms.chars().take(SMS).collect(),
    }
}

type Parts = (String, Vec<Block>, String);

struct Texts<'a> {
    setting: &'a Setting<'a>,
}

impl Texts<'_> {
    /// A text with the name of the site, and these values.
    fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        let mut all = vec![("site", self.setting.site)];
        all.extend_from_slice(values);
        texts::format(self.setting.lang, key, &all)
    }

    fn code(&self, purpose: CodePurpose, code: &str, minutes: u32) -> Parts {
        let minutes = minutes.to_string();
        let values = [("code", code), ("minutes", minutes.as_str())];
        let intent = match purpose {
            CodePurpose::Login => "code_login",
            CodePurpose::Register => "code_register",
            CodePurpose::Reset => "code_reset",
            CodePurpose::Mobile => "code_mobile",
            CodePurpose::Email => "code_email",
            CodePurpose::Subscribe => "code_subscribe",
            CodePurpose::Bind => "code_bind",
            CodePurpose::Erase => "code_erase",
        };
        let blocks = vec![
            Block::Text(self.say(intent, &values)),
            Block::Code(code.to_owned()),
            Block::Text(self.say("code_validity", &values)),
            Block::Small(self.say("code_not_you", &[])),
        ];
        (self.say("code_subject", &[]), blocks, self.say("code_sms", &values))
    }

    fn changed(&self, change: AccountChange) -> Parts {
        let text = self.say(change.key(), &[]);
        let mut blocks = vec![Block::Text(text.clone())];
        let subject = if change == AccountChange::Erased { "erased_subject" } else { "changed_subject" };
        if change != AccountChange::Erased {
            blocks.push(Block::Text(self.say("changed_not_you", &[])));
            blocks.push(Block::Link { text: self.say("changed_link", &[]), address: self.below("/forgetCode") });
        }
        (self.say(subject, &[]), blocks, self.short(&text))
    }

    fn alert(&self, alert: &Alert) -> Parts {
        let (subject, intro) = match alert.followed {
            Followed::Subscription { about: SubscriptionType::Current, .. } => {
                ("alert_current_subject", "alert_current")
            }
            Followed::Subscription { about: SubscriptionType::OnlineFirst, .. } => {
                ("alert_online_first_subject", "alert_online_first")
            }
            Followed::Subscription { about: SubscriptionType::Keywords, .. } => {
                ("alert_keywords_subject", "alert_keywords")
            }
            Followed::Subscription { about: SubscriptionType::Column, .. } => ("alert_column_subject", "alert_column"),
            Followed::Search { .. } => ("alert_search_subject", "alert_search"),
        };
        let values = [("label", alert.label.as_str())];
        let subject = self.say(subject, &values);
        let mut blocks = vec![Block::Text(self.say(intro, &values)), Block::Items(self.setting.items.to_vec())];
        if alert.more {
            blocks.push(Block::Link { text: self.say("alert_more", &[]), address: self.below(&alert.list) });
        }
        let reason = match alert.followed {
            Followed::Subscription { .. } => "alert_reason",
            Followed::Search { .. } => "alert_search_reason",
        };
        blocks.push(Block::Small(self.say(reason, &[("email", self.setting.recipient)])));
        if !self.setting.unsubscribe.is_empty() {
            let address = self.setting.unsubscribe.to_owned();
            blocks.push(Block::Link { text: self.say("unsubscribe", &[]), address });
        }
        (subject.clone(), blocks, self.short(&subject))
    }

    /// The address of a page of the site.
    fn below(&self, path: &str) -> String {
        format!("{}{path}", self.setting.home.trim_end_matches('/'))
    }

    /// A text for an SMS, which has no sender that readers know.
    fn short(&self, text: &str) -> String {
        if text.contains(self.setting.site) { text.to_owned() } else { format!("{}: {text}", self.setting.site) }
    }
}

/// The blocks as plain text.
fn plain(blocks: &[Block]) -> String {
    let part = |block: &Block| match block {
        Block::Text(text) | Block::Code(text) => text.clone(),
        Block::Small(text) => format!("-- \n{text}"),
        Block::Link { text, address } => match html::link(address) {
            Some(address) => format!("{text}\n{address}"),
            None => text.clone(),
        },
        Block::Items(items) => {
            let lines = items.iter().map(|item| {
                let address = html::link(&item.address).unwrap_or_default();
                let lines = [item.title.as_str(), item.authors.as_str(), item.source.as_str(), address.as_str()];
                let folded = lines.into_iter().filter(|line| !line.is_empty());
                folded.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("\n")
            });
            lines.collect::<Vec<_>>().join("\n\n")
        }
    };
    let mut text = blocks.iter().map(part).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::{
        Lang,
        member::{ItemRef, ItemType},
    };

    use super::{super::Item, *};

    const EVIL: &str = "<script>alert(1)</script>\"onload='x'&";

    fn setting<'a>(lang: Lang, items: &'a [Item]) -> Setting<'a> {
        Setting {
            lang,
            site: "Ocean Ledger",
            home: "https://ledger.example/en",
            recipient: "a@example.org",
            unsubscribe: "https://ledger.example/rc-pub/front/frontMembers/unsubscribe?t=a.b",
            items,
        }
    }

    fn item(title: &str, address: &str) -> Item {
        Item {
            title: title.to_owned(),
            lang: "en".to_owned(),
            authors: "Ada Lovelace, 李伟".to_owned(),
            source: "Ocean Ledger, 2026, No. 3".to_owned(),
            address: address.to_owned(),
        }
    }

    fn alert(followed: Followed, label: &str) -> Message {
        Message::Alert(Alert {
            followed,
            label: label.to_owned(),
            items: vec![ItemRef::new(ItemType::Article, 7)],
            more: true,
            list: "/issues".to_owned(),
        })
    }

    /// Every message there is.
    fn all() -> Vec<Message> {
        let codes = CodePurpose::ALL.map(|purpose| Message::Code { purpose, code: "042137".to_owned(), minutes: 10 });
        let changes = AccountChange::ALL.map(|change| Message::Changed { change });
        let alerts = SubscriptionType::ALL.map(|about| alert(Followed::Subscription { id: 1, about }, "salinity"));
        let search = alert(Followed::Search { id: 1 }, "my search");
        codes.into_iter().chain(changes).chain(alerts).chain([search]).collect()
    }

    #[test]
    fn every_message_is_complete_in_every_language() {
        let items = [item("Tides", "https://ledger.example/en/article/7/")];
        for lang in Lang::ALL {
            for message in all() {
                let shown = render(&message, &setting(lang, &items));
                for text in [&shown.subject, &shown.text, &shown.html, &shown.sms] {
                    assert!(!text.trim().is_empty() && !text.contains("{{"), "{lang}: {message:?}: {text}");
                }
                assert!(shown.subject.contains("Ocean Ledger"), "{lang}: {message:?}: {}", shown.subject);
                assert!(shown.html.contains(&format!("<html lang=\"{}\" dir=\"{}\">", lang.tag(), lang.dir())));
                assert!(shown.sms.contains("Ocean Ledger") && shown.sms.chars().count() <= SMS);
                assert_eq!(shown.text.contains("042137"), matches!(message, Message::Code { .. }));
                assert_eq!(shown.text.contains("unsubscribe?t=a.b"), matches!(message, Message::Alert(_)));
                // Nothing is loaded when the letter is opened, so that nobody learns that it was.
                assert!(
                    !shown.html.contains("<img") && !shown.html.contains("url(") && !shown.html.contains("<script")
                );
            }
        }
    }

    #[test]
    fn a_subject_never_has_the_code() {
        for message in all() {
            assert!(!render(&message, &setting(Lang::En, &[])).subject.contains("042137"), "{message:?}");
        }
    }

    #[test]
    fn an_alert_lists_its_items_with_their_addresses() {
        let items =
            [item("Tides & <i>flows</i>", "https://ledger.example/en/article/7/"), item("Salt", "javascript:alert(1)")];
        let about = Followed::Subscription { id: 1, about: SubscriptionType::Keywords };
        let shown = render(&alert(about, "salt;tide"), &setting(Lang::En, &items));
        assert!(shown.subject.contains("keywords") && shown.text.contains("salt;tide"));
        assert!(shown.text.contains(
            "Tides & <i>flows</i>\nAda Lovelace, 李伟\nOcean Ledger, 2026, No. 3\nhttps://ledger.example/en/article/7/"
        ));
        assert!(
            shown
                .html
                .contains("<a href=\"https://ledger.example/en/article/7/\">Tides &amp; &lt;i&gt;flows&lt;/i&gt;</a>")
        );
        assert!(shown.text.contains("https://ledger.example/en/issues"), "{}", shown.text);
        for text in [&shown.text, &shown.html] {
            assert!(text.contains("a@example.org") && !text.contains("javascript:"), "{text}");
        }
    }

    #[test]
    fn what_readers_and_editors_write_is_text() {
        let items = [Item {
            lang: EVIL.to_owned(),
            authors: EVIL.to_owned(),
            source: EVIL.to_owned(),
            ..item(EVIL, &format!("https://ledger.example/{EVIL}"))
        }];
        let followed = Followed::Search { id: 1 };
        let message = alert(followed, EVIL);
        let shown = render(&message, &Setting { site: EVIL, recipient: EVIL, ..setting(Lang::En, &items) });
        assert!(
            !shown.html.contains("<script") && !shown.html.contains("\"onload") && !shown.html.contains("'x'"),
            "{}",
            shown.html
        );
        assert!(shown.html.contains("&lt;script&gt;"));
    }

    #[test]
    fn a_message_is_stored_and_read_back() {
        for message in all() {
            let stored = serde_json::to_string(&message).unwrap();
            assert_eq!(serde_json::from_str::<Message>(&stored).unwrap(), message, "{stored}");
        }
    }
}
