//! The addresses of lists with words, to which the search widget leads: the page of results, in the tab of the list's type.

use super::{main_of, total};

#[test]
fn a_list_with_words_is_the_page_of_results() {
    for (list, kind, words) in [
        ("textList?type=picture&index=-1", "picture", "distance"),
        ("textList?type=table&index=-1", "table", "ledger"),
        ("audioList?type=video&index=-1", "video", "bridges"),
        ("audioList?type=audio&index=-1", "audio", "chalk"),
        ("othersList?type=other&index=-1", "other", "light"),
        ("informationList?type=news&index=-1", "news", "statement"),
        ("informationList?type=wechat&index=-1", "wechat", "rubbing"),
        ("currencyList?type=onlineVideo&issearch=1&index=-1", "video", "bridges"),
        ("currencyList?type=patent&issearch=1&index=-1", "patent", "chalk"),
        ("currencyList?type=standard&issearch=1&index=-1", "standard", "light"),
        ("currencyList?type=mixed&issearch=1&index=-1", "other", "light"),
        ("bookList?type=book&issearch=1&index=-1", "book", "twelve"),
        ("bookList?index=-1", "book", "twelve"),
    ] {
        let (path, same) = (format!("/en/{list}&q={words}"), format!("/en/search?q={words}&type={kind}"));
        assert!(total("openshelf", &path) > 0, "{path}");
        let main = main_of("openshelf", &path);
        assert!(main.contains("class=\"result-tabs\""), "{path}: {main}");
        assert_eq!(main, main_of("openshelf", &same), "{path} is the page of results");
        let filters = "yearFrom=1900&yearTo=1901";
        assert_eq!(total("openshelf", &format!("{path}&{filters}")), 0, "{path}: the filters are read");
    }
}
