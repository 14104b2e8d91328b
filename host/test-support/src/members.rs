//! Members of a portal: codes, captchas, registration.

use masthead_accounts::codes::{Code, Codes};
use masthead_domain::{
    Lang, SiteId,
    member::{CodePurpose, MemberName},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::portal::{Answer, Portal};

/// The code that [`Portal::send_code`] sends.
pub const CODE: &str = "042137";
/// The password of the members that [`Portal::sign_up`] makes.
pub const PASSWORD: &str = "Tide7xQk";

/// A signed-in member.
#[derive(Clone, Debug)]
pub struct SignedUp {
    /// The token of calls.
    pub token: String,
    /// The cookies as a browser sends them.
    pub cookies: String,
}

impl Portal {
    /// The number of a site.
    pub fn site_id(&self, site: &str) -> SiteId {
        self.app.sites.load().by_sld(site).expect("the site exists").site.id
    }

    /// Sends the code [`CODE`] to a mobile number or e-mail address, without the call's captcha.
    pub fn send_code(&self, site: &str, purpose: CodePurpose, target: &str) {
        let (store, target) = (self.app.store.site(self.site_id(site)), MemberName::target(target).unwrap());
        let codes = Codes::new(&self.app.installation, &store, "", self.app.counting.now());
        self.run(codes.send(purpose, &target, Lang::En, &Code::of(42_137))).unwrap();
    }

    /// Registers a member with the password [`PASSWORD`].
    pub fn sign_up(&self, site: &str, name: &str, target: &str) -> SignedUp {
        self.send_code(site, CodePurpose::Register, target);
        let key = if target.contains('@') { "email" } else { "mobile" };
        let body = json!({ "userName": name, key: target, "code": CODE, "password": PASSWORD, "agreement": true });
        // Behind a trusted proxy every member comes from a network of its own, so that no test uses up the share of another.
        let digest = Sha256::digest(format!("{site} {name}"));
        let network = format!("10.{}.{}.{}", digest[0], digest[1], digest[2]);
        let answer = self.call("POST", site, "/rc-pub/api/register", &[("x-forwarded-for", &network)], &body);
        assert_eq!(answer.status, 200, "{}", answer.text());
        SignedUp::of(&answer)
    }

    /// Makes a call with a JSON body, in English.
    pub fn call(&self, method: &str, site: &str, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let headers: Vec<_> = [("language", "en")].into_iter().chain(headers.iter().copied()).collect();
        self.ask(method, &format!("{site}.localhost"), path, &headers, &text)
    }

    /// A captcha with its right answer, found by the proof of work.
    pub fn captcha(&self, site: &str) -> Value {
        let captcha = self.call("GET", site, "/rc-pub/api/captcha", &[], &Value::Null).json()["data"].clone();
        let (salt, digest) = (captcha["challenge"]["salt"].as_str().unwrap(), captcha["challenge"]["digest"].as_str());
        let max = captcha["challenge"]["max"].as_u64().unwrap();
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let number = (0..=max).find(|number| Some(hex(&Sha256::digest(format!("{salt}{number}"))).as_str()) == digest);
        json!({ "id": captcha["id"], "number": number.unwrap() })
    }
}

impl SignedUp {
    /// The member to whom a call gave a session.
    pub fn of(answer: &Answer) -> Self {
        let set = answer.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
        let pairs: Vec<_> = set.map(|cookie| cookie.split(';').next().unwrap().to_owned()).collect();
        Self { token: answer.json()["data"]["token"].as_str().unwrap().to_owned(), cookies: pairs.join("; ") }
    }
}
