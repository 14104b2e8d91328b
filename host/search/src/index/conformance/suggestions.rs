//! Suggestions, known words, and similar articles.

use masthead_domain::ArticleId;

use super::content::{OTHER, PICTURE, SITE, article, at, fill, put};
use crate::{
    entry::{Entry, EntryKind},
    index::{Index, Like, SimilarityRequest, Sites, Suggest, Suggestion, SuggestionKind},
    query::{Expansion, IndexedWord, MAX_KNOWN_ENTRIES},
};

async fn suggested(index: &dyn Index, typed: &str, kinds: &[EntryKind]) -> Vec<Suggestion> {
    let suggest = Suggest { sites: Sites::one(SITE), kinds: kinds.to_vec(), text: typed.into(), limit: 10 };
    index.suggest(suggest).await.unwrap()
}

fn texts(suggestions: &[Suggestion], kind: SuggestionKind) -> Vec<&str> {
    suggestions.iter().filter(|one| one.kind == kind).map(|one| one.text.as_str()).collect()
}

pub async fn beginnings_are_suggested(index: &dyn Index) {
    use SuggestionKind::{Author, Keyword, Title};
    fill(index).await;
    let of = async |typed: &str| suggested(index, typed, &[]).await;
    let found = of("SEAG").await;
    assert_eq!(texts(&found, Keyword), ["seagrass"]);
    assert_eq!(found.iter().find(|one| one.kind == Keyword).map(|one| one.entries), Some(2));
    assert_eq!(texts(&found, Title), ["Carbon in seagrass meadows"], "a word of the title");
    assert_eq!(texts(&of("carb").await, Keyword), ["blue carbon"], "a later word");
    assert_eq!(texts(&of("ellin").await, Author), ["Ada Ellingham"]);
    assert_eq!(texts(&of("loss o").await, Title), ["Loss of meadows"]);
    assert_eq!(texts(&of("meadows los").await, Title), ["Loss of meadows"], "in any order");
    assert_eq!(texts(&of("海草").await, Title), ["海草床中的碳"], "in the language that was typed");
    for nothing in ["", " ", "\u{0}", "xyzzy", "\u{1f}", &"a".repeat(100_000)] {
        assert_eq!(of(nothing).await, [], "{nothing:?}");
    }
    let pictures = suggested(index, "carbon", &[PICTURE]).await;
    assert_eq!(texts(&pictures, Keyword), [""; 0], "no picture has it");
    assert!(!texts(&pictures, Title).is_empty());
    index.apply(vec![put(SITE, vec![Entry { article: 1, id: 1, ..Entry::default() }])], at(6)).await.unwrap();
    assert_eq!(texts(&of("ellin").await, Author), [""; 0], "what was removed is not suggested");
    assert_eq!(texts(&of("seag").await, Title), [""; 0]);
}

pub async fn frequent_key_words_are_counted_up_to_a_limit(index: &dyn Index) {
    let with = |keywords: &str, first: i64, articles: u64| {
        let entry = |number: u64| {
            let entry = article(first + number.cast_signed(), "Mires of the north");
            put(SITE, vec![Entry { keywords: keywords.into(), ..entry }])
        };
        (0..articles).map(entry).collect::<Vec<_>>()
    };
    let mut batch = with("quagga", 100, MAX_KNOWN_ENTRIES + 1);
    batch.extend(with("quagmire", 1_000, MAX_KNOWN_ENTRIES + 3));
    batch.extend(with("quail", 2_000, 3));
    index.apply(batch, at(5)).await.unwrap();
    let found = suggested(index, "qua", &[]).await;
    let known: Vec<_> = found.iter().map(|one| (one.text.as_str(), one.entries)).collect();
    let counted = [("quagmire", MAX_KNOWN_ENTRIES), ("quagga", MAX_KNOWN_ENTRIES), ("quail", 3)];
    assert_eq!(known, counted, "the most frequent first, whether or not they are counted to the end");
    let titles = suggested(index, "mire", &[]).await;
    assert_eq!(texts(&titles, SuggestionKind::Title), ["Mires of the north"], "equal titles are one suggestion");
}

pub async fn known_words_are_told(index: &dyn Index) {
    fill(index).await;
    index.apply(vec![put(OTHER, vec![article(30, "Seagrasp")])], at(6)).await.unwrap();
    let several = async |typed: &[(&str, Expansion)], limit| {
        let typed = typed.iter().map(|(typed, reach)| ((*typed).to_owned(), *reach)).collect();
        index.words(Sites::one(SITE), typed, limit).await.unwrap()
    };
    let words = async |typed: &str, reach| several(&[(typed, reach)], 5).await.remove(0);
    let known = |text: &str, entries| IndexedWord { text: text.into(), entries };
    assert_eq!(words("seegrass", Expansion::Near(1)).await, [known("seagrass", 2)]);
    assert_eq!(words("seagrass", Expansion::Same).await, [known("seagrass", 2)]);
    assert_eq!(words("meadow", Expansion::Near(1)).await, [known("meadows", 2)], "as it is written");
    assert_eq!(words("los", Expansion::Beginning).await, [known("loss", 1)]);
    assert_eq!(words("seagrasp", Expansion::Same).await, [], "another site's word");
    assert_eq!(words("xyzzy", Expansion::Near(2)).await, []);
    let asked = [("seegrass", Expansion::Near(1)), ("xyzzy", Expansion::Same), ("los", Expansion::Beginning)];
    assert_eq!(
        several(&asked, 5).await,
        [vec![known("seagrass", 2)], vec![], vec![known("loss", 1)]],
        "in their order"
    );
    assert_eq!(several(&asked, 0).await, vec![vec![]; 3]);
    assert!(several(&[], 5).await.is_empty());
    let many = (0..=MAX_KNOWN_ENTRIES).map(|number| put(SITE, vec![article(100 + number.cast_signed(), "Seagrases")]));
    index.apply(many.collect(), at(7)).await.unwrap();
    let near = words("seagrases", Expansion::Near(2)).await;
    assert_eq!(near, [known("seagrases", MAX_KNOWN_ENTRIES), known("seagrass", 2)], "counted up to a limit");
}

pub async fn similar_articles_share_rare_words(index: &dyn Index) {
    fill(index).await;
    let likeness = SimilarityRequest {
        title: "Carbon in seagrass meadows".into(),
        keywords: "seagrass\nblue carbon".into(),
        summary: "Meadows of seagrass keep carbon.".into(),
    };
    let like = async |likeness: SimilarityRequest, limit| {
        let like = Like { sites: Sites::one(SITE), site: SITE, article: ArticleId(1), likeness, limit };
        index.like(like).await.unwrap().into_iter().map(|hit| hit.id).collect::<Vec<_>>()
    };
    assert_eq!(like(likeness.clone(), 10).await, [2], "neither itself nor its figures");
    assert_eq!(like(likeness.clone(), 0).await, [0; 0]);
    assert_eq!(like(SimilarityRequest::default(), 10).await, [0; 0]);
    let long = SimilarityRequest { summary: "海草 carbon ".repeat(100_000), ..likeness };
    assert_eq!(like(long, 10).await, [2]);
}
