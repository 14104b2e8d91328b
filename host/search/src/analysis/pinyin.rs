//! Chinese names in Latin letters.

use std::{collections::HashSet, sync::LazyLock};

use pinyin::{ToPinyin as _, ToPinyinMulti as _};

use super::fold::fold;

/// Limit on the pronunciations of a character that are searched.
const MAX_READINGS: usize = 3;

/// Family names of two characters.
const DOUBLE_SURNAMES: &str = "欧阳 司马 上官 诸葛 尉迟 皇甫 令狐 慕容 司徒 夏侯 东方 公孙 长孙 宇文 端木 独孤 南宫 西门 百里 呼延 轩辕 \
    万俟 闻人 澹台 拓跋 申屠 太史 濮阳 淳于 单于 钟离 公冶 宗政 赫连 完颜 纳兰";

/// Family names that are pronounced otherwise than the same character in other words.
const SURNAME_READINGS: [(&str, &[&str]); 46] = [
    ("万俟", &["moqi"]),
    ("尉迟", &["yuchi"]),
    ("长孙", &["zhangsun"]),
    ("单于", &["chanyu"]),
    ("澹台", &["tantai"]),
    ("曾", &["zeng"]),
    ("单", &["shan"]),
    ("解", &["xie"]),
    ("仇", &["qiu"]),
    ("查", &["zha"]),
    ("任", &["ren"]),
    ("区", &["ou"]),
    ("盖", &["ge", "gai"]),
    ("朴", &["piao", "pu"]),
    ("翟", &["zhai", "di"]),
    ("缪", &["miao"]),
    ("冼", &["xian"]),
    ("员", &["yun"]),
    ("覃", &["qin", "tan"]),
    ("乐", &["yue", "le"]),
    ("华", &["hua"]),
    ("宁", &["ning"]),
    ("秘", &["bi"]),
    ("种", &["chong"]),
    ("黑", &["he", "hei"]),
    ("折", &["she"]),
    ("祭", &["zhai", "ji"]),
    ("隗", &["wei", "kui"]),
    ("郗", &["xi", "chi"]),
    ("都", &["du"]),
    ("纪", &["ji"]),
    ("葛", &["ge"]),
    ("阚", &["kan"]),
    ("车", &["che"]),
    ("沈", &["shen"]),
    ("谌", &["chen", "shen"]),
    ("贾", &["jia"]),
    ("叶", &["ye"]),
    ("石", &["shi"]),
    ("薄", &["bo"]),
    ("臧", &["zang"]),
    ("王", &["wang"]),
    ("张", &["zhang"]),
    ("陈", &["chen"]),
    ("余", &["yu"]),
    ("洗", &["xian"]),
];

/// The family names of most people, by which a name in Latin letters is taken for a Chinese one.
const SURNAMES: &str = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆\
    范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万钱严洪武戴莫孔向汤常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁\
    岳翟申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季成霍涂谷曲盛辛管翁覃褚冉路詹靳鲍卫";

/// A Chinese name in characters.
pub struct Chinese {
    /// Number of characters of the family name.
    pub surname: usize,
    /// Pronunciations of the family name; never empty.
    pub surnames: Vec<String>,
    /// Pronunciations of each character of the given name; never empty.
    pub given: Vec<Vec<String>>,
}

impl Chinese {
    /// Divides a name of two to six characters. `original` is as written, `folded` in simplified characters.
    pub fn of(original: &[char], folded: &[char]) -> Option<Self> {
        if !(2..=6).contains(&folded.len()) || original.len() != folded.len() {
            return None;
        }
        let two: String = folded.iter().take(2).collect();
        let surname = if folded.len() > 2 && DOUBLE_SURNAMES.split(' ').any(|name| name == two) { 2 } else { 1 };
        let written: String = folded.iter().take(surname).collect();
        let surnames = match surname_readings(&written) {
            Some(readings) => readings,
            None => joined(original.get(..surname)?.iter().map(|character| readings(*character))),
        };
        let given: Vec<_> = original.get(surname..)?.iter().map(|character| readings(*character)).collect();
        let complete = !surnames.is_empty() && given.iter().all(|readings| !readings.is_empty());
        complete.then_some(Self { surname, surnames, given })
    }
}

/// The pronunciations of a family name that has its own; `None` for any other.
fn surname_readings(name: &str) -> Option<Vec<String>> {
    let (_, readings) = SURNAME_READINGS.iter().find(|(known, _)| *known == name)?;
    Some(readings.iter().map(|reading| (*reading).to_owned()).collect())
}

/// The pronunciations of a word, whose characters have these; at most [`MAX_READINGS`].
pub fn joined(characters: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    characters.fold(vec![String::new()], |all, readings| {
        let each = all.iter().flat_map(|before| readings.iter().map(move |reading| format!("{before}{reading}")));
        each.take(MAX_READINGS).collect()
    })
}

/// The pronunciations of a character, without tones; `ü` is written in every usual way.
pub fn readings(character: char) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let first = character.to_pinyin();
    let others = character.to_pinyin_multi().into_iter().flatten();
    for plain in first.into_iter().chain(others).map(pinyin::Pinyin::plain).filter(|plain| !plain.is_empty()) {
        let spellings = if plain.contains('ü') { &["u", "v", "yu"][..] } else { &[""] };
        for spelling in spellings {
            let spelled = fold(&plain.replace('ü', spelling));
            if !found.contains(&spelled) && found.len() < MAX_READINGS {
                found.push(spelled);
            }
        }
    }
    found
}

fn is_syllable(text: &str) -> bool {
    static SYLLABLES: LazyLock<HashSet<String>> =
        LazyLock::new(|| ('\u{4e00}'..='\u{9fff}').flat_map(readings).filter(|one| one.is_ascii()).collect());
    SYLLABLES.contains(text)
}

/// Whether a folded word is a frequent Chinese family name.
pub fn is_surname(text: &str) -> bool {
    static NAMES: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let characters = SURNAMES.chars().filter(|character| !character.is_whitespace());
        let read = |character: char| surname_readings(&character.to_string()).unwrap_or_else(|| readings(character));
        characters.flat_map(read).collect()
    });
    NAMES.contains(text)
}

/// The two syllables of a given name that is written as one word.
pub fn two_syllables(word: &str) -> Option<[&str; 2]> {
    if !word.is_ascii() || is_syllable(word) || word.len() > 12 {
        return None;
    }
    let splits = (1..word.len()).rev().map(|at| word.split_at(at));
    splits.map(|(first, second)| [first, second]).find(|parts| parts.iter().all(|part| is_syllable(part)))
}

/// A folded word without the numbers of tones, `zhang1` or `xiao3ming2`; `None` if it has none.
pub fn without_tones(word: &str) -> Option<String> {
    if !word.is_ascii() || word.len() > 40 || !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut letters = String::with_capacity(word.len());
    for syllable in word.split_inclusive(|character: char| character.is_ascii_digit()) {
        let plain = syllable.strip_suffix(['0', '1', '2', '3', '4', '5']).unwrap_or(syllable);
        if !is_syllable(plain) && two_syllables(plain).is_none() {
            return None;
        }
        letters.push_str(plain);
    }
    Some(letters)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn name(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
        let original: Vec<char> = text.chars().collect();
        let simplified: Vec<char> = fold(text).chars().collect();
        let name = Chinese::of(&original, &simplified).unwrap();
        (name.surnames, name.given)
    }

    #[test]
    fn family_names_have_their_own_pronunciation() {
        for (text, surnames) in [
            ("曾国藩", &["zeng"][..]),
            ("单田芳", &["shan"]),
            ("欧阳修", &["ouyang"]),
            ("歐陽修", &["ouyang"]),
            ("万俟卨", &["moqi"]),
            ("呂布", &["lu", "lv", "lyu"]),
            ("陳省身", &["chen"]),
        ] {
            assert_eq!(name(text).0, surnames, "{text}");
        }
        assert_eq!(name("张乾").1, [["qian", "gan"]], "the character as written, not as folded");
    }

    #[test]
    fn syllables_are_recognized() {
        assert_eq!(two_syllables("xiaoming"), Some(["xiao", "ming"]));
        assert_eq!(two_syllables("xian"), None);
        assert_eq!(two_syllables("smith"), None);
        assert_eq!(two_syllables(""), None);
        assert!(is_surname("zhang") && is_surname("zeng") && is_surname("lv") && !is_surname("smith"));
    }

    #[test]
    fn tones_are_removed_from_pinyin_only() {
        for (word, expected) in [
            ("zhang1", Some("zhang")),
            ("xiao3ming2", Some("xiaoming")),
            ("lv3", Some("lv")),
            ("ma5", Some("ma")),
            ("xiaoming2", Some("xiaoming")),
            ("co2", None),
            ("p53", None),
            ("zhang", None),
            ("zhang9", None),
            ("1", None),
        ] {
            assert_eq!(without_tones(word).as_deref(), expected, "{word}");
        }
    }
}
