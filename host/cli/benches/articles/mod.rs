//! Many articles on one site, for the benchmarks that need them.
#![allow(dead_code, reason = "each benchmark needs a part of it")]

use masthead_content::import::keep;
use masthead_domain::{
    Doi, SiteId,
    article::{ArticleFile, ArticleMeta},
    card::ArticleCard,
};
use masthead_store::{CardQuery, NewArticle, SiteStore, StoredArticle};
use masthead_test_support::Portal;

/// The site that has the articles.
pub const SITE: &str = "oceanledger";
/// Its number.
pub const NUMBER: SiteId = SiteId(448);
/// Articles per issue.
pub const ISSUE: usize = 300;
/// Articles that are stored in one transaction, as an import does: a commit for each article takes several times as long as the rest.
const BATCH: usize = 100;

/// Number of articles of the large site: 100,000, or `MASTHEAD_BENCH_ARTICLES` for a quicker run.
pub fn many() -> usize {
    static MANY: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *MANY.get_or_init(|| std::env::var("MASTHEAD_BENCH_ARTICLES").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000))
}

/// Demo articles as templates: generated articles copy their text, figures and tables, and get their own DOI, issue and date.
struct Templates(Vec<(StoredArticle, masthead_domain::content::ArticleBody, ArticleCard)>);

impl Templates {
    async fn of(site: &SiteStore) -> Self {
        let mut all = Vec::new();
        for card in site.cards(&CardQuery::Latest, None, 100).await.unwrap() {
            let article = site.article(card.article_id()).await.unwrap().unwrap();
            let body = site.body(card.article_id()).await.unwrap().unwrap().unseal();
            all.push((article, body, card));
        }
        Self(all)
    }

    fn article(&self, number: usize) -> NewArticle {
        let (template, body, card) = &self.0[number % self.0.len()];
        let doi = Doi::parse(&format!("10.5555/scale.{number}")).unwrap();
        let issue = (number / ISSUE).to_string();
        let day = format!("20{:02}-{:02}-{:02}", 10 + number % 16, 1 + number % 12, 1 + number % 28);
        let mut meta = ArticleMeta {
            source_key: format!("doi:{}", doi.key()),
            doi: Some(doi.clone()),
            issue: issue.clone(),
            year: Some(2026),
            ..template.meta.clone()
        };
        meta.dates.online.clone_from(&day);
        let card = ArticleCard { doi: Some(doi), issue, year: 2026, published: day, ..card.clone() };
        NewArticle {
            article: masthead_domain::article::Article { meta, body: body.clone() },
            card,
            rendered: template.rendered.unsealed().clone(),
            ..NewArticle::default()
        }
    }
}

/// Stores this number of articles and indexes them.
pub fn store(portal: &Portal, articles: usize) {
    store_with_files(portal, articles, usize::MAX);
}

/// Bytes of the file of an article.
pub const FILE_BYTES: usize = 64 << 10;

/// The same, where one article of so many has a file of its own, of [`FILE_BYTES`].
pub fn store_with_files(portal: &Portal, articles: usize, share: usize) {
    portal.run(async {
        let (site, data) = (portal.app.store.site(NUMBER), &portal.app.data_folder);
        let templates = Templates::of(&site).await;
        let path = portal.folder.join("data.bin");
        for first in (0..articles).step_by(BATCH) {
            let mut batch = Vec::with_capacity(BATCH);
            for number in first..articles.min(first + BATCH) {
                let mut new = templates.article(number);
                if share < articles && number % share == 0 {
                    std::fs::write(&path, noise(number as u64)).unwrap();
                    let address = keep(&site, NUMBER, data, &path).await.unwrap();
                    new.files.push(ArticleFile { name: "data.bin".to_owned(), address, ..ArticleFile::default() });
                }
                batch.push(new);
            }
            for saved in site.save_articles(&batch).await {
                saved.unwrap();
            }
        }
        portal.app.change_log_follower().catch_up().await.unwrap();
    });
}

/// Bytes that do not compress, and differ by article.
fn noise(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_add(1);
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..FILE_BYTES).map(|_| next()).collect()
}
