//! Capability `content`: the published content of the site, without personal fields that the site does not grant.

use serde_json::json;

use crate::{
    contract::bindings::masthead::plugin::{
        content::{Host, Passage},
        types::Article,
    },
    invocation::{recording::record_or_replay, store_state::StoreState},
};

const LATEST: u32 = 50;
const PASSAGES: u32 = 20;
const QUERY_BYTES: usize = 1024;
const TEXT_BYTES: usize = 256 << 10;

impl StoreState {
    fn withhold(&self, article: &mut Article) {
        let granted = |field: &str| self.site.grants.personal.iter().any(|name| name == field);
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

    /// Makes a call of this capability, or refuses it if the site does not grant it.
    async fn read<T: serde::Serialize + serde::de::DeserializeOwned>(
        &self,
        call: &str,
        args: serde_json::Value,
        real: impl Future<Output = Result<T, String>>,
    ) -> Result<T, String> {
        if !self.site.grants.content {
            return Err("the site does not grant content; `content = true` under grants gives it".to_owned());
        }
        let answer = record_or_replay(self.request.recording.as_deref(), call, || args, true, real).await;
        answer.unwrap_or_else(Err)
    }
}

/// Runs a call of the content source and converts its result for the plugin.
async fn converted<T: Into<U>, U>(
    answer: impl Future<Output = Result<Option<T>, String>>,
) -> Result<Option<U>, String> {
    Ok(answer.await?.map(Into::into))
}

/// As above, for lists.
async fn all_converted<T: Into<U>, U>(answer: impl Future<Output = Result<Vec<T>, String>>) -> Result<Vec<U>, String> {
    Ok(answer.await?.into_iter().map(Into::into).collect())
}

impl Host for StoreState {
    async fn by_id(&mut self, id: i64) -> Result<Option<Article>, String> {
        self.pending_host_call = Some("content.by-id");
        let source = &self.site.services.content;
        let found = self
            .read(
                "content.by-id",
                self.recorded_args(|| json!({ "id": id })),
                converted(source.article(self.site.site_id, id)),
            )
            .await;
        self.pending_host_call = None;
        let found = found?;
        Ok(found.map(|mut article| {
            self.withhold(&mut article);
            article
        }))
    }

    async fn by_doi(&mut self, doi: String) -> Result<Option<Article>, String> {
        self.pending_host_call = Some("content.by-doi");
        let source = &self.site.services.content;
        let args = self.recorded_args(|| json!({ "doi": &doi }));
        let found = self.read("content.by-doi", args, converted(source.by_doi(self.site.site_id, doi))).await;
        self.pending_host_call = None;
        let found = found?;
        Ok(found.map(|mut article| {
            self.withhold(&mut article);
            article
        }))
    }

    async fn latest(&mut self, limit: u32) -> Result<Vec<Article>, String> {
        self.pending_host_call = Some("content.latest");
        let source = &self.site.services.content;
        let real = all_converted(source.latest(self.site.site_id, limit.min(LATEST) as usize));
        let found = self.read("content.latest", self.recorded_args(|| json!({ "limit": limit })), real).await;
        self.pending_host_call = None;
        let mut found = found?;
        found.iter_mut().for_each(|article| self.withhold(article));
        Ok(found)
    }

    async fn full_text(&mut self, id: i64) -> Result<Option<String>, String> {
        self.pending_host_call = Some("content.full-text");
        let source = &self.site.services.content;
        let real = source.full_text(self.site.site_id, id);
        let text = self.read("content.full-text", self.recorded_args(|| json!({ "id": id })), real).await;
        self.pending_host_call = None;
        let text = text?;
        Ok(text.map(|mut text| {
            text.truncate(text.floor_char_boundary(TEXT_BYTES));
            text
        }))
    }

    async fn search(&mut self, mut text: String, limit: u32) -> Result<Vec<Passage>, String> {
        self.pending_host_call = Some("content.search");
        text.truncate(text.floor_char_boundary(QUERY_BYTES));
        let source = &self.site.services.content;
        let args = self.recorded_args(|| json!({ "text": &text, "limit": limit }));
        let real =
            all_converted(source.search(self.site.site_id, self.request.lang, text, limit.min(PASSAGES) as usize));
        let passages = self.read("content.search", args, real).await;
        self.pending_host_call = None;
        passages
    }
}
