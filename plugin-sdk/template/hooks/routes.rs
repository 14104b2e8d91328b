//! Serves the latest articles as JSON at `plugins/my-plugin/latest?limit=5`. Replace this with the code of your plugin.

use masthead_plugin::{
    Context, Response, RouteRequest, Routes, content, pick, register,
    serde_json::{Value, json},
};

struct MyPlugin;

impl Routes for MyPlugin {
    fn handle(context: &Context, request: RouteRequest) -> Result<Response, String> {
        if request.path != "latest" {
            return Ok(Response::not_found("The only path is `latest`."));
        }
        let limit = request.param("limit").and_then(|limit| limit.parse().ok()).unwrap_or(5);
        let articles = content::latest(limit)?;
        let list: Vec<Value> = articles
            .iter()
            .map(|article| {
                let address = format!("{}/{}", context.address, article.path);
                json!({ "title": pick(&article.titles, &context.lang), "address": address })
            })
            .collect();
        Ok(Response::json(&list)?.header("cache-control", "public, max-age=300"))
    }
}

register!(MyPlugin: Routes);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    fn ask(path: &str) -> Response {
        testing::set_articles(vec![testing::article(2), testing::article(1)]);
        let query = vec![("limit".to_owned(), "1".to_owned())];
        let request =
            RouteRequest { method: "GET".to_owned(), path: path.to_owned(), query, headers: vec![], body: vec![] };
        MyPlugin::handle(&testing::context("zh"), request).unwrap()
    }

    #[test]
    fn the_latest_articles_are_listed() {
        let list = String::from_utf8(ask("latest").body).unwrap();
        assert_eq!(list, r#"[{"address":"https://journals.example.org/test/zh/article/2","title":"内海的潮汐"}]"#);
        assert_eq!(ask("other").status, 404);
    }
}
