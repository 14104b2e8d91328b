//! What the site has published, without the personal fields that it does not grant.

use serde_json::json;

use crate::{
    contract::bindings::masthead::plugin::{
        content::{Host, Passage},
        types::Article,
    },
    invocation::{recording::through, store_state::State},
};

const LATEST: u32 = 50;
const PASSAGES: u32 = 20;
const QUERY_BYTES: usize = 1024;
const TEXT_BYTES: usize = 256 << 10;

impl State {
    fn withhold(&self, article: &mut Article) {
        let granted = |field: &str| self.member.grants.personal.iter().any(|name| name == field);
        let (orcid, email) = (granted("author.orcid"), granted("author.email"));
        for person in &mut article.authors {
            if !orcid {
                person.orcid = None;
            }
            if !email {
                person.email = None;
            }
        }
    }

    /// A host call about content: refused where the site does not grant it.
    async fn read<T: serde::Serialize + serde::de::DeserializeOwned>(
        &self,
        call: &str,
        args: serde_json::Value,
        real: impl Future<Output = Result<T, String>>,
    ) -> Result<T, String> {
        if !self.member.grants.content {
            return Err("the site does not grant content; `content = true` under grants gives it".to_owned());
        }
        let answer = through(self.frame.tape.as_deref(), call, || args, true, real).await;
        answer.unwrap_or_else(Err)
    }
}

impl Host for State {
    async fn by_id(&mut self, id: i64) -> Result<Option<Article>, String> {
        self.waiting = Some("content.by-id");
        let source = &self.member.services.content;
        let found = self
            .read("content.by-id", self.args(|| json!({ "id": id })), source.article(self.member.site_id, id))
            .await;
        self.waiting = None;
        let found = found?;
        Ok(found.map(|mut article| {
            self.withhold(&mut article);
            article
        }))
    }

    async fn by_doi(&mut self, doi: String) -> Result<Option<Article>, String> {
        self.waiting = Some("content.by-doi");
        let source = &self.member.services.content;
        let args = self.args(|| json!({ "doi": &doi }));
        let found = self.read("content.by-doi", args, source.by_doi(self.member.site_id, doi)).await;
        self.waiting = None;
        let found = found?;
        Ok(found.map(|mut article| {
            self.withhold(&mut article);
            article
        }))
    }

    async fn latest(&mut self, limit: u32) -> Result<Vec<Article>, String> {
        self.waiting = Some("content.latest");
        let source = &self.member.services.content;
        let real = source.latest(self.member.site_id, limit.min(LATEST) as usize);
        let found = self.read("content.latest", self.args(|| json!({ "limit": limit })), real).await;
        self.waiting = None;
        let mut found = found?;
        found.iter_mut().for_each(|article| self.withhold(article));
        Ok(found)
    }

    async fn full_text(&mut self, id: i64) -> Result<Option<String>, String> {
        self.waiting = Some("content.full-text");
        let source = &self.member.services.content;
        let real = source.full_text(self.member.site_id, id);
        let text = self.read("content.full-text", self.args(|| json!({ "id": id })), real).await;
        self.waiting = None;
        let text = text?;
        Ok(text.map(|mut text| {
            text.truncate(text.floor_char_boundary(TEXT_BYTES));
            text
        }))
    }

    async fn search(&mut self, mut text: String, limit: u32) -> Result<Vec<Passage>, String> {
        self.waiting = Some("content.search");
        text.truncate(text.floor_char_boundary(QUERY_BYTES));
        let source = &self.member.services.content;
        let args = self.args(|| json!({ "text": &text, "limit": limit }));
        let real = source.search(self.member.site_id, self.frame.lang, text, limit.min(PASSAGES) as usize);
        let passages = self.read("content.search", args, real).await;
        self.waiting = None;
        passages
    }
}
