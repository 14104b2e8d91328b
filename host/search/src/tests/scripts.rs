//! Tests of searches in the languages and scripts of journals: titles, phrases cut out of titles, and names of authors.

use masthead_domain::SiteId;

use super::{Tested, put};
use crate::{Entry, Query};

const SITE: SiteId = SiteId(1);

/// Titles and authors. Several titles share their words with others.
const ARTICLES: [(&str, &str); 20] = [
    ("海洋沉积物有机碳埋藏通量的时空变化及其影响因素", "张伟\n李小明"),
    ("近海沉积物中有机碳的来源与埋藏效率", "张敏\n王伟"),
    ("基于CO2浓度的黄土高原小流域土壤侵蚀与水沙关系模拟", "欧阳修\n曾乐"),
    ("黄土高原土壤有机碳的空间变异", "吕布"),
    ("研究生命起源的北京大学生物系课程设计", "单强"),
    ("长江三角洲濕地生態系統服務價值評估", "陳省身"),
    ("新时代“双碳”目标下钢铁工业超低排放改造技术路线", "Xiaohong Li"),
    ("２０２０年华北地区臭氧污染特征分析", "Li, Xiao-Yan"),
    ("华北地区大气细颗粒物污染特征与来源解析", "Wang Xue\nZhang Min"),
    ("中药复方葛根芩连汤治疗2型糖尿病合并非酒精性脂肪性肝病", "Wei Lin"),
    ("人工智能对劳动力市场就业结构影响的实证分析", "林琳"),
    ("劳动力市场中的人工智能：一项田野实验", "J. R. Okafor"),
    ("Carbon burial in the sediments of tidal flats", "Ada Ellingham\nJohn Ronald Okafor"),
    ("Tidal flats and the burial of carbon", "Jürgen Müller"),
    ("Las corrientes marinas y la investigación de los océanos", "María de la Cruz"),
    ("La dynamique des sédiments dans les estuaires", "Ludwig van der Berg"),
    ("Strömungen und Sedimente in der Nordsee", "Conor O'Brien"),
    ("Исследования донных отложений северных морей", "Иванов Иван Петрович"),
    ("دراسة الرواسب البحرية في المحيطات", "أحمد الزهراني"),
    ("海洋データの解析と海底堆積物のモデル", "김철수"),
];

fn corpus() -> Tested {
    let index = Tested::new();
    let texts: Vec<&str> = ARTICLES.iter().map(|(title, _)| *title).collect();
    let entry = |(number, (title, authors)): (usize, &(&str, &str))| Entry {
        title: (*title).into(),
        authors: (*authors).into(),
        // The words of other titles stand in the text, in other sentences.
        text: texts
            .iter()
            .cycle()
            .skip(number + 1)
            .take(3)
            .map(|text| format!("参见{text}。\n"))
            .collect::<String>()
            .into(),
        ..Entry::default()
    };
    let entries = ARTICLES.iter().enumerate().map(entry);
    let batch: Vec<_> = (1..).zip(entries).map(|(id, entry)| put(SITE, id, Some(entry))).collect();
    index.apply(&batch, 1);
    index
}

/// The articles found, as places in [`ARTICLES`].
fn ranked(index: &Tested, typed: &str) -> Vec<usize> {
    let hits = index.search(SITE, &Query::typed(typed), 0, 20);
    hits.articles().into_iter().map(|id| usize::try_from(id.0).unwrap() - 1).collect()
}

#[test]
fn a_title_finds_its_article_first() {
    let index = corpus();
    for (number, (title, _)) in ARTICLES.iter().enumerate() {
        assert_eq!(ranked(&index, title).first(), Some(&number), "{title}");
    }
}

#[test]
fn a_phrase_of_a_title_finds_its_article() {
    let index = corpus();
    let (mut tried, mut missed) = (0, Vec::new());
    for (number, (title, _)) in ARTICLES.iter().enumerate() {
        let characters: Vec<char> = title.chars().collect();
        for phrase in [2, 3, 5, 8].iter().flat_map(|length| characters.windows(*length)) {
            let phrase: String = phrase.iter().collect();
            if phrase.chars().all(masthead_domain::lang::is_han) {
                tried += 1;
                if !ranked(&index, &phrase).iter().take(3).any(|found| *found == number) {
                    missed.push(phrase);
                }
            }
        }
    }
    assert!(tried > 500 && missed.len() * 100 <= tried * 2, "{} of {tried} are not found: {missed:?}", missed.len());
}

#[test]
fn writing_does_not_matter() {
    let index = corpus();
    for (typed, title) in [
        ("海洋沉積物有機碳", 0),
        ("ＣＯ２浓度", 2),
        ("长江三角洲湿地", 5),
        ("2020年华北", 7),
        ("tidal flat carbon burials", 12),
        ("CORRIENTE MARINA", 14),
        ("investigaciones océano", 14),
        ("dynamiques sediment estuaire", 15),
        ("Strömung Nordsee", 16),
        ("stromungen nordsee", 16),
        ("исследование северного моря", 17),
        ("الرواسب البحريه", 18),
        ("دِرَاسَة رواسب", 18),
        ("ﾃﾞｰﾀの解析", 19),
        ("データ モデル", 19),
    ] {
        assert_eq!(ranked(&index, typed).first(), Some(&title), "{typed}");
    }
}

#[test]
fn an_author_is_found_first_in_every_form_of_the_name() {
    let index = corpus();
    for (author, forms) in [
        (
            0,
            &["张伟", "張偉", "zhang wei", "Wei Zhang", "zhangwei", "Zhāng Wěi", "zhang1 wei3", "W. Zhang", "Zhang W"]
                [..],
        ),
        (0, &["li xiaoming", "Li Xiao Ming", "xiaoming li", "xiao-ming li", "X. M. Li", "Li XM", "lixiaoming"]),
        (2, &["欧阳修", "ouyang xiu", "Xiu Ouyang", "X. Ouyang", "zeng yue", "Zeng Le"]),
        (3, &["lv bu", "Lü Bu", "lyu bu", "bu lu"]),
        (4, &["shan qiang", "Qiang Shan"]),
        (5, &["陈省身", "chen xingshen", "Shengshen Chen"]),
        (7, &["Xiaoyan Li", "li xiao yan", "Li XY", "X.-Y. Li"]),
        (9, &["Lin Wei", "Wei Lin"]),
        (12, &["Ellingham A", "Ellingham, Ada", "ada ellingham", "John Okafor", "okafor john ronald"]),
        (13, &["Juergen Mueller", "Muller J", "jurgen müller"]),
        (14, &["maria de la cruz", "de la Cruz M", "Cruz María"]),
        (15, &["van der Berg", "L. van der Berg", "berg ludwig"]),
        (16, &["O’Brien C", "obrien", "conor obrien"]),
        (17, &["Иванов", "И. П. Иванов", "Иван Иванов"]),
        (18, &["احمد الزهراني"]),
        (19, &["김철수"]),
    ] {
        for form in forms {
            assert_eq!(ranked(&index, form).first(), Some(&author), "{form}");
            let quoted = format!("\"{form}\"");
            assert_eq!(ranked(&index, &quoted).first(), Some(&author), "{quoted}");
        }
    }
}

#[test]
fn a_title_is_stemmed_in_the_language_that_its_article_says() {
    let index = Tested::new();
    let titled = |id, language: &str, title: &str| {
        put(SITE, id, Some(Entry { title: [(language, title)].into_iter().collect(), ..Entry::default() }))
    };
    index.apply(&[titled(1, "de", "Meere: Sediment"), titled(2, "fr", "Chevaux")], 1);
    let found = |typed: &str| index.search(SITE, &Query::typed(typed), 0, 20).articles();
    assert_eq!(found("Meer").iter().map(|id| id.0).collect::<Vec<_>>(), [1]);
    assert_eq!(found("Cheval").iter().map(|id| id.0).collect::<Vec<_>>(), [2]);
}
