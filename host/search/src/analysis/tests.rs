//! Tests of the analyzers over all languages, and properties of any text.
#![allow(clippy::unwrap_used)]

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use proptest::prelude::*;

use super::{Analyzer, Word, name_words, readings, words};

/// The tokens of a text by position: those of one position in a row, positions separated by bars.
fn said(analyzer: Analyzer, text: &str) -> String {
    let mut positions: Vec<Vec<String>> = Vec::new();
    for token in analyzer.tokens(text) {
        positions.resize(positions.len().max(token.position + 1), Vec::new());
        positions[token.position].push(token.text);
    }
    positions.iter().map(|texts| texts.join(" ")).collect::<Vec<_>>().join("|")
}

fn typed(text: &str) -> String {
    let said = |word: &Word| format!("{}@{}", word.forms.join("/"), word.position);
    words(text).iter().map(said).collect::<Vec<_>>().join(" ")
}

/// The words of a text with their positions.
fn indexed(analyzer: Analyzer, text: &str) -> HashSet<(String, usize)> {
    analyzer.tokens(text).into_iter().map(|token| (token.text, token.position)).collect()
}

/// Whether words are adjacent in a text, in the stems of one language.
fn stand(words: &[Word], tokens: &HashSet<(String, usize)>) -> bool {
    let forms: Vec<_> = words.iter().map(|word| (word.position, &word.forms[..])).collect();
    readings(&forms).into_iter().any(|reading| {
        let (first, text) = reading[0];
        let starts = tokens.iter().filter(|(token, _)| token == text).map(|(_, position)| *position);
        let mut starts = starts.collect::<Vec<_>>().into_iter();
        starts.any(|start| {
            reading.iter().all(|(position, text)| tokens.contains(&((*text).to_owned(), start + position - first)))
        })
    })
}

#[test]
fn every_language_has_its_words() {
    for (text, expected) in [
        ("The Sediments of Müller's coasts", "the|sediment|of|muller|coast"),
        ("sea-level rise; CO₂, p53 & 3.5 m", "sea|level|rise|co2|p53|3|5|m"),
        ("海洋沉积物", "海 海洋|洋|沉 沉积 沉积物|积|物"),
        ("漢語的研究（ＡＢＣ）", "汉 汉语|语|的|研 研究|究|abc"),
        ("CO2 与海洋", "co2|与|海 海洋|洋"),
        ("Исследования морей", "исследован|мор"),
        ("Las investigaciones de los océanos", "las|investig|de|los|ocean"),
        ("Les océaniques et les chevaux", "le|ocean|et|le|cheval"),
        ("Die Strömungen der Meere", "die|stromung|der|meer"),
        ("البِحار والمحيطات", "بحار|محيط"),
        ("海のデータ", "海|の|デ デー|ー ータ|タ"),
        ("ｶﾞｽ", "ガ ガス|ス"),
        ("해양 퇴적물의", "해 해양|양|퇴 퇴적|적 적물|물 물의|의"),
        ("हिन्दी भाषा", "हिन्दी|भाषा"),
        ("", ""),
        ("?! ،。", ""),
    ] {
        assert_eq!(said(Analyzer::Prose, text), expected, "{text}");
    }
}

#[test]
fn full_texts_have_only_the_single_characters_that_no_word_covers() {
    for (text, expected) in [
        ("研究生命的起源", "研究 研究生||生命||的|起源"),
        ("海草床", "海草||床"),
        ("海のデータ", "海|の|デー|ータ"),
        ("the meadows", "the|meadow"),
    ] {
        assert_eq!(said(Analyzer::FullText, text), expected, "{text}");
    }
}

#[test]
fn words_for_suggestions_are_whole() {
    for (text, expected) in [
        ("Las investigaciones", "las|investigaciones"),
        ("海洋沉积物的碳 データ", "海洋||沉积物|||||データ"),
        ("Исследования", "исследования"),
    ] {
        assert_eq!(said(Analyzer::Spelling, text), expected, "{text}");
    }
}

#[test]
fn queries_have_the_words_of_every_language_they_may_be_in() {
    for (text, expected) in [
        ("Meadows", "meadow/meadows/meadow/meadows@0"),
        ("the CO2", "the@0 co2@1"),
        ("沉積物與碳", "沉积物@0 与@3 碳@4"),
        ("データ", "デー@0 ータ@1"),
        ("데이터베이스를", "데이@0 터베@2 이스@4"),
        ("국가", "국가@0"),
        ("の", "の@0"),
        ("", ""),
    ] {
        assert_eq!(typed(text), expected, "{text}");
    }
}

#[test]
fn a_phrase_is_found_in_the_stems_of_its_text() {
    for (text, phrase, found) in [
        ("Les sédiments océaniques de la mer", "sediment océanique", true),
        ("Corrientes marinas de los océanos", "corriente marina", true),
        ("Strömungen der Nordsee und der Ostsee", "Strömung der Nordsee", true),
        ("Tidal sediments of the coast", "tidal sediment", true),
        ("Tidal sediments of the coast", "sediment tidal", false),
        ("해양 퇴적물의 탄소", "퇴적물을 탄소", true),
        ("Морские исследования", "морских исследований", true),
    ] {
        assert_eq!(stand(&words(phrase), &indexed(Analyzer::Prose, text)), found, "{phrase} in {text}");
    }
}

#[test]
fn a_known_language_is_not_guessed() {
    for (language, text, expected) in [
        ("de", "Meere: Sediment", "meer|sediment"),
        ("de-AT", "Meere", "meer"),
        ("FR", "chevaux", "cheval"),
        ("en", "La Paz de la Frontera: meadows", "la|paz|de|la|frontera|meadow"),
        ("zh", "Carbon in the meadows", "carbon|in|the|meadow"),
        ("", "Die Strömungen der Meere", "die|stromung|der|meer"),
    ] {
        let tokens = Analyzer::Prose.tokens_in(text, language);
        assert_eq!(tokens.into_iter().map(|token| token.text).collect::<Vec<_>>().join("|"), expected, "{text}");
    }
}

#[test]
fn a_word_is_found_in_a_full_text_whatever_stands_around_it() {
    let tokens = indexed(Analyzer::FullText, "他们研究生命科学，北京大学生前来应聘。");
    for word in ["研究", "研究生", "生命", "北京大学", "大学", "大学生", "学生", "北京", "科学"] {
        assert!(stand(&words(word), &tokens), "{word}");
    }
}

/// Titles in the manner of journals, with the difficulties of the scripts.
const TITLES: [&str; 12] = [
    "海洋沉积物有机碳埋藏通量的时空变化及其影响因素研究",
    "基于CO2浓度的黄土高原小流域土壤侵蚀与水沙关系模拟",
    "研究生命起源的北京大学生物系发展中国家用户调查",
    "長江三角洲濕地生態系統服務價值評估——以崇明東灘為例",
    "新时代“双碳”目标下钢铁工业超低排放改造技术路线（Ⅱ）",
    "２０２０年华北地区臭氧污染特征分析",
    "一种𠮷𠀀罕见字形的鉴定与著录规范",
    "晶体中的孪晶与位错：从头算第一性原理的方法",
    "海洋データの解析と海底堆積物のモデル",
    "人工智能对劳动力市场就业结构影响的实证分析",
    "南京市长江大桥加固工程质量和服务的乒乓球拍卖完了",
    "中药复方葛根芩连汤治疗2型糖尿病合并非酒精性脂肪性肝病",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn a_phrase_cut_out_of_a_title_is_found(title in 0..TITLES.len(), start in 0..60_usize, length in 1..30_usize) {
        let title: Vec<char> = TITLES[title].chars().collect();
        let start = start % title.len();
        let end = (start + length).min(title.len());
        // A word in letters is found as a whole.
        let in_word = |at: usize| {
            at > 0 && at < title.len() && title[at - 1..=at].iter().all(|c| super::fold(&c.to_string()).is_ascii())
        };
        prop_assume!(!in_word(start) && !in_word(end));
        let phrase: String = title[start..end].iter().collect();
        let words = words(&phrase);
        let tokens = indexed(Analyzer::Prose, &title.iter().collect::<String>());
        prop_assert!(words.is_empty() || stand(&words, &tokens), "{phrase}: {words:?}");
    }

    #[test]
    fn no_text_breaks_an_analyzer(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn no_mixture_of_difficult_characters_breaks_an_analyzer(
        characters in prop::collection::vec(prop::sample::select(DIFFICULT.chars().collect::<Vec<_>>()), 0..40),
    ) {
        check(&characters.into_iter().collect::<String>())?;
    }
}

/// Characters that are folded to several or to none, join others, or end words.
const DIFFICULT: &str = "aSs'’-, \n\t.·3½Ⅷ㎏㍿ﬃßİıſΣςé\u{301}\u{308}\u{345}ёй\u{306}ﾊﾟﾞｶデーの゛々〇漢汉𠮷\u{2f800}葛\u{e0100}\u{fe0f}\
    한\u{1112}\u{1161}\u{11ab}ㅎالعربيّة\u{640}\u{200c}\u{200d}\u{ad}\u{feff}\u{202e}हि\u{94d}ไท\u{e34}א\u{5b8}٣۳👩🏽\u{10ffff}\u{0}";

fn check(text: &str) -> Result<(), TestCaseError> {
    for analyzer in Analyzer::ALL {
        let mut last = 0;
        for token in analyzer.tokens(text) {
            let source = text.get(token.range.clone());
            prop_assert!(source.is_some_and(|source| !source.is_empty()), "{token:?}");
            prop_assert!(!token.text.is_empty() && token.length > 0 && token.position >= last, "{token:?}");
            last = token.position;
        }
    }
    let mut last = 0;
    let words = words(text);
    for word in &words {
        prop_assert!(!word.text.is_empty() && !word.typed.is_empty() && word.end > word.position, "{word:?}");
        prop_assert!(word.position >= last && (word.forms.len() == 1 || word.forms.len() == 4), "{word:?}");
        last = word.position;
    }
    prop_assert!(name_words(&words).iter().all(|word| !word.text.is_empty()));
    let tokens = indexed(Analyzer::Prose, text);
    prop_assert!(words.is_empty() || text.contains('\n') || stand(&words, &tokens), "a text is found in itself");
    Ok(())
}

/// Parts of a long text.
const PARTS: usize = 64;

/// Whether a text as a whole takes about the time of its parts. Both are the same work for the same machine at about the same time, so that the
/// answer does not depend on its speed; if time grew with the square of the length, the whole would take as many times as long as there are parts.
fn takes_time_in_proportion(part: &str, analyze: impl Fn(&str)) -> bool {
    let whole = part.repeat(PARTS);
    let time = |text: &str, times: usize| {
        let began = Instant::now();
        (0..times).for_each(|_| analyze(text));
        began.elapsed()
    };
    let (mut in_parts, mut as_a_whole) = (Duration::MAX, Duration::MAX);
    // Other programs may have the processor for most of one of them, so that the best times of several rounds count.
    (0..30).any(|_| {
        in_parts = in_parts.min(time(part, PARTS));
        as_a_whole = as_a_whole.min(time(&whole, 1));
        as_a_whole < in_parts.saturating_mul(8)
    })
}

#[test]
fn long_texts_take_time_in_proportion() {
    let odd = [
        "a",
        "a\u{301}",
        "e\u{301}\u{308}",
        "海",
        "中国人民",
        "の",
        "해",
        "ا",
        "\u{301}",
        "-",
        "'s ",
        "\n",
        "Li ",
        "x-",
    ];
    // The dictionaries are read once.
    let _ = Analyzer::ALL.map(|analyzer| analyzer.tokens("海洋 Li"));
    for text in odd {
        let part = text.repeat(200_000 / PARTS / text.len());
        for analyzer in Analyzer::ALL {
            let analyze = |text: &str| drop(analyzer.tokens(text));
            assert!(takes_time_in_proportion(&part, analyze), "{analyzer:?} {text:?}");
        }
        assert!(takes_time_in_proportion(&part, |text| drop(name_words(&words(text)))), "{text:?}");
    }
}

/// Whether a query finds a name: as adjacent words, which are one key, and by each of its words.
fn finds(name: &str, query: &str) -> (bool, bool) {
    let tokens = indexed(Analyzer::Names, name);
    let words = words(query);
    let each = words.iter().all(|word| stand(&name_words(std::slice::from_ref(word)), &tokens));
    (stand(&name_words(&words), &tokens), each)
}

#[test]
fn names_are_found_as_they_are_written_anywhere() {
    for (name, queries) in [
        (
            "张伟",
            &[
                "张伟",
                "張偉",
                "张",
                "伟",
                "zhang",
                "wei",
                "zhang wei",
                "Wei Zhang",
                "zhangwei",
                "weizhang",
                "Zhāng Wěi",
                "zhang1 wei3",
                "zhang1wei3",
                "W. Zhang",
                "Zhang W.",
                "Zhang, W",
                "wzhang",
            ][..],
        ),
        (
            "张小明",
            &[
                "张小明",
                "小明",
                "zhang xiaoming",
                "Xiaoming Zhang",
                "zhang xiao ming",
                "Xiao-Ming Zhang",
                "xiao ming zhang",
                "zhangxiaoming",
                "xiaomingzhang",
                "ZHANG Xiaoming",
                "X. M. Zhang",
                "Zhang XM",
                "XM Zhang",
                "X Zhang",
                "Xiǎomíng Zhāng",
            ],
        ),
        ("张　伟", &["张伟", "zhang wei", "Wei Zhang"]),
        ("歐陽修", &["欧阳修", "ouyang xiu", "Xiu Ouyang", "ouyangxiu", "X. Ouyang", "ou yang xiu"]),
        ("吕布", &["lu bu", "lv bu", "lyu bu", "Lü Bu", "lǚ bù", "Bu Lyu"]),
        ("曾乐", &["zeng le", "zeng yue", "Yue Zeng"]),
        ("单强", &["shan qiang", "Q. Shan"]),
        (
            "Xiaoming Zhang",
            &["zhang xiaoming", "Xiaoming Zhang", "zhang xiao ming", "Zhang XM", "X. M. Zhang", "xiao ming"],
        ),
        ("ZHANG Xiao-ming", &["xiaoming zhang", "Zhang X M", "zhangxm", "zhang xiao ming"]),
        (
            "Ada Ellingham",
            &["ellingham", "ada ellingham", "Ellingham, Ada", "A. Ellingham", "Ellingham A", "ellinghama"],
        ),
        (
            "John Ronald Reuel Tolkien",
            &["tolkien", "J. R. R. Tolkien", "Tolkien JRR", "Tolkien, J.", "john tolkien", "Tolkien John Ronald Reuel"],
        ),
        ("Smith, John Jr", &["john smith", "Smith J", "J Smith"]),
        ("Ludwig van der Berg", &["van der berg", "L. van der Berg", "Berg L", "berg ludwig", "vanderberg"]),
        ("Jürgen Müller", &["Jurgen Muller", "Müller", "mueller", "Juergen Mueller", "J. Mueller", "muller j"]),
        ("Conor O'Brien", &["o'brien", "obrien", "O’Brien C", "conor obrien"]),
        ("Иванов Иван Петрович", &["иванов", "Иван Иванов", "Иванов И. П.", "И. П. Иванов"]),
        ("김철수", &["김철수", "철수"]),
        ("王小云 (Xiaoyun Wang)", &["王小云", "wang xiaoyun", "X. Y. Wang"]),
        ("National Institute of Tidal Studies", &["institute of tidal studies", "tidal studies", "national institute"]),
        ("卡尔·马克思", &["卡尔", "马克思", "卡尔马克思"]),
    ] {
        for query in queries {
            assert!(finds(name, query).0, "{query} finds {name}");
        }
    }
}

#[test]
fn single_words_of_names_are_found() {
    for (name, query) in [
        ("张小明", "ming zhang xiao"),
        ("张小明", "xm"),
        ("Xiaoming Zhang", "ming zhang"),
        ("Ada Ellingham", "ellingham a"),
        ("O'Brien Conor", "brien"),
    ] {
        assert!(finds(name, query).1, "{query} finds {name}");
    }
}

#[test]
fn the_names_of_two_persons_are_not_mixed() {
    for (names, query) in [
        ("Zhang Min\nLi Wei", "zhang wei"),
        ("张敏\n李伟", "zhang wei"),
        ("张敏\n李伟", "敏李"),
        ("Ada Ellingham\nLin Wei", "ellingham lin"),
        ("张伟", "zhang wen"),
        ("张伟", "li wei"),
    ] {
        assert!(!finds(names, query).0, "{query} in {names:?}");
    }
}
