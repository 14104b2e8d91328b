//! A browser, as far as cookies go.

use std::collections::BTreeMap;

use masthead_test_support::{Answer, Portal};
use serde_json::Value;

/// The cookies of a browser on one site.
pub struct Browser<'a> {
    portal: &'a Portal,
    host: String,
    cookies: BTreeMap<String, String>,
}

impl<'a> Browser<'a> {
    pub fn new(portal: &'a Portal, site: &str) -> Self {
        Self { portal, host: format!("{site}.localhost"), cookies: BTreeMap::new() }
    }

    /// The same browser with these cookies besides (`a=b; c=d`).
    pub fn with(mut self, cookies: &str) -> Self {
        for pair in cookies.split("; ").filter_map(|pair| pair.split_once('=')) {
            self.set(pair.0, pair.1);
        }
        self
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.cookies.insert(name.to_owned(), value.to_owned());
    }

    pub fn has(&self, name: &str) -> bool {
        self.cookies.contains_key(name)
    }

    pub fn cookie(&self, name: &str) -> String {
        self.cookies[name].clone()
    }

    /// Path and query of an address of the site; panics for an address of another one.
    pub fn path_of(&self, address: &str) -> String {
        let prefix = format!("http://{}", self.host);
        address.strip_prefix(&prefix).unwrap_or_else(|| panic!("{address} is not on {prefix}")).to_owned()
    }

    pub fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, &[("accept-language", "en")], "")
    }

    /// Makes a call as a script of a page of the site does.
    pub fn call(&mut self, method: &str, path: &str, body: &Value) -> Answer {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.send(method, path, &[("language", "en"), ("sec-fetch-site", "same-origin")], &body)
    }

    pub fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let cookies = cookies.join("; ");
        let mut headers = headers.to_vec();
        if !cookies.is_empty() {
            headers.push(("cookie", &cookies));
        }
        let answer = self.portal.ask(method, &self.host, path, &headers, body);
        for set in answer.headers.get_all("set-cookie") {
            let set = set.to_str().unwrap();
            let (name, value) = set.split(';').next().unwrap().split_once('=').unwrap();
            if set.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.set(name, value);
            }
        }
        answer
    }
}
