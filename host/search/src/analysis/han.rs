//! Segmentation of Chinese text.
//!
//! What is indexed does not depend on the text around it: every word of the dictionary that stands in a run, at each of its places, even
//! if a segmentation would divide it differently. A query consists of dictionary words and of single characters between them; wherever its
//! text is cut out of, its words are in the index at the same distances. (jieba's own search mode keeps only the words within the words of
//! one segmentation, and its statistical model joins unknown characters differently in different contexts.)

use std::sync::LazyLock;

use jieba_rs::Jieba;

/// A part of a run, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HanSegment {
    /// The first character.
    pub start: usize,
    /// The number of characters.
    pub length: usize,
}

fn jieba() -> &'static Jieba {
    static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);
    &JIEBA
}

/// Which single characters of a run are indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SingleCharacters {
    /// All.
    All,
    /// Those that the most probable segmentation leaves alone.
    Alone,
}

/// The parts of a run to index, in order.
pub fn indexed(run: &str, singles: SingleCharacters) -> Vec<HanSegment> {
    let part = |token: &jieba_rs::Token<'_>| HanSegment { start: token.start, length: token.end - token.start };
    let mut parts: Vec<HanSegment> = jieba().cut_all(run).iter().map(part).filter(|part| part.length > 1).collect();
    match singles {
        SingleCharacters::All => parts.extend((0..run.chars().count()).map(|start| HanSegment { start, length: 1 })),
        SingleCharacters::Alone => parts.extend(searched(run).into_iter().filter(|part| part.length == 1)),
    }
    parts.sort_unstable();
    parts
}

/// The parts of a run by which it is searched: they follow each other without overlap.
pub fn searched(run: &str) -> Vec<HanSegment> {
    jieba()
        .cut(run, false)
        .iter()
        .map(|token| HanSegment { start: token.start, length: token.end - token.start })
        .collect()
}

/// Whether the dictionary has a word.
pub fn is_word(text: &str) -> bool {
    jieba().has_word(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(run: &str, parts: &[HanSegment]) -> Vec<String> {
        parts.iter().map(|part| run.chars().skip(part.start).take(part.length).collect()).collect()
    }

    #[test]
    fn words_are_indexed_in_every_context() {
        let run = "研究生命起源";
        assert_eq!(
            texts(run, &indexed(run, SingleCharacters::All)),
            ["研", "研究", "研究生", "究", "生", "生命", "命", "起", "起源", "源"]
        );
        assert_eq!(texts(run, &indexed(run, SingleCharacters::Alone)), ["研究", "研究生", "生命", "起源"]);
        assert_eq!(texts("海草床的碳", &indexed("海草床的碳", SingleCharacters::Alone)), ["海草", "床", "的", "碳"]);
    }

    #[test]
    fn queries_are_divided_without_overlap() {
        for (run, expected) in [
            ("北京大学的海洋", &["北京大学", "的", "海洋"][..]),
            ("洋沉积物的碳", &["洋", "沉积物", "的", "碳"]),
            ("杭研", &["杭", "研"]),
            ("𠀀𠀁", &["𠀀", "𠀁"]),
            ("", &[]),
        ] {
            assert_eq!(texts(run, &searched(run)), expected, "{run}");
        }
    }
}
