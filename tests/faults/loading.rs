//! Plugins that cannot be used are not added to a chain, with a message that says why; the other plugins work.

use masthead_domain::{SiteId, link::LinkKind};
use masthead_runtime::Problem;

use crate::{
    common::{self, enable, handmade, link, paths},
    page::{begin, limits, start},
    table::UNFIT,
};

#[tokio::test]
async fn unusable_plugins_are_omitted_with_a_message() {
    let runtime = start(limits());
    let catalog = common::catalog(&runtime).await;
    let mut wrong = Vec::new();
    println!("{:<46} message", "fault");
    for fault in UNFIT {
        let manifest = handmade::manifest("guest") + "[capabilities]\nlog = \"To shout.\"\n";
        let mut catalog = catalog.clone();
        match runtime.load_plugin(&manifest, &(fault.wasm)()) {
            Ok(plugin) => catalog.insert(plugin),
            Err(error) => {
                let (plugin, message) = ("guest".to_owned(), error.to_string());
                catalog.report(Problem { plugin, message, ..Problem::default() });
            }
        }
        let enabled = [enable("guest", serde_json::json!({})), enable("hss-article", serde_json::json!({}))];
        let chain = runtime.build_chain((SiteId(1), "demo"), &catalog, &enabled, None).await;
        let links = begin(&chain, "home").rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
        assert_eq!(paths(&links), ["hssArticle/1"], "{}", fault.name);
        let message = match chain.problems() {
            [problem] => problem.message.clone(),
            other => format!("{} problems", other.len()),
        };
        println!("{:<46} {message}", fault.name);
        if !message.contains(fault.says) || message.contains('\n') || message.chars().count() > 500 {
            wrong.push(format!("{}: {message}; wanted {:?}", fault.name, fault.says));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
