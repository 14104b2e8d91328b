//! Generated bilingual articles. An article depends on its number alone, so that it can be made again to ask for it.
//!
//! Words are drawn by Zipf's law, as in texts: few words are in most articles, and most words are in few. English words are made of
//! syllables; Chinese ones are words of scholarly prose, and behind them pairs of characters.

use masthead_domain::SiteId;
use masthead_relevance::{content::Document, seeded::Seeded};
use masthead_search::{Entry, EntryKind, Subject, Update};

/// The site of the articles.
pub const SITE: SiteId = SiteId(1);
/// Different words of each language.
const WORDS: usize = 40_000;
const JOURNALS: usize = 200;
const INSTITUTIONS: usize = 3_000;

const ONSETS: &[&str] = &[
    "b", "br", "c", "ch", "cl", "d", "dr", "f", "fl", "g", "gr", "h", "k", "l", "m", "n", "p", "pl", "pr", "r", "s",
    "sc", "sh", "st", "str", "t", "th", "tr", "v", "w",
];
const RIMES: &[&str] = &[
    "a", "ain", "al", "an", "ar", "e", "ea", "en", "er", "i", "ic", "in", "ion", "is", "o", "on", "or", "ou", "u",
    "um", "ur", "y",
];
const CHINESE: &[&str] = &[
    "的",
    "研究",
    "分析",
    "方法",
    "结果",
    "模型",
    "影响",
    "数据",
    "系统",
    "理论",
    "基于",
    "应用",
    "关系",
    "结构",
    "发展",
    "社会",
    "经济",
    "教育",
    "文化",
    "历史",
    "环境",
    "海洋",
    "气候",
    "沉积物",
    "碳",
    "温度",
    "浓度",
    "水平",
    "变化",
    "机制",
    "过程",
    "实验",
    "测量",
    "观测",
    "样本",
    "显著",
    "比较",
    "表明",
    "提出",
    "本文",
    "讨论",
    "问题",
    "政策",
    "管理",
    "评价",
    "技术",
    "材料",
    "细胞",
    "蛋白",
    "基因",
    "临床",
    "患者",
    "治疗",
    "诊断",
    "土壤",
    "植物",
    "生态",
    "森林",
    "河流",
    "遥感",
    "图像",
    "识别",
    "算法",
    "网络",
    "学习",
    "语言",
    "文本",
    "知识",
    "信息",
    "用户",
    "市场",
    "企业",
    "创新",
    "区域",
    "城市",
    "农村",
    "人口",
    "健康",
    "风险",
    "安全",
    "能源",
    "电力",
    "控制",
    "优化",
    "设计",
    "计算",
    "模拟",
    "参数",
    "误差",
    "信号",
    "频率",
    "光谱",
    "反应",
    "催化",
    "合成",
    "性能",
    "强度",
    "应力",
    "裂纹",
    "流动",
    "传热",
    "粒子",
    "星系",
    "引力",
    "量子",
    "地震",
    "岩石",
    "构造",
    "古代",
    "文献",
    "碑刻",
    "法律",
    "制度",
    "心理",
    "认知",
    "儿童",
    "青年",
    "教师",
    "学校",
];
const CHARACTERS: &str = "一人大中国在有我他这个们来上到时地为子说生也出就下得可你年过天后作里用道所然家种事方多经去法学如都同现当没动面起看定分开日好小部其些主样理心她本前开但因只从想实";
const FAMILIES: &[(&str, &str)] = &[
    ("王", "Wang"),
    ("李", "Li"),
    ("张", "Zhang"),
    ("刘", "Liu"),
    ("陈", "Chen"),
    ("杨", "Yang"),
    ("赵", "Zhao"),
    ("黄", "Huang"),
    ("周", "Zhou"),
    ("吴", "Wu"),
    ("徐", "Xu"),
    ("孙", "Sun"),
    ("胡", "Hu"),
    ("朱", "Zhu"),
    ("高", "Gao"),
    ("林", "Lin"),
    ("何", "He"),
    ("郭", "Guo"),
    ("马", "Ma"),
    ("罗", "Luo"),
    ("梁", "Liang"),
    ("宋", "Song"),
    ("郑", "Zheng"),
    ("谢", "Xie"),
    ("韩", "Han"),
];
const GIVEN: &[(&str, &str)] = &[
    ("明", "ming"),
    ("华", "hua"),
    ("文", "wen"),
    ("志", "zhi"),
    ("建", "jian"),
    ("国", "guo"),
    ("平", "ping"),
    ("海", "hai"),
    ("春", "chun"),
    ("丽", "li"),
    ("红", "hong"),
    ("军", "jun"),
    ("勇", "yong"),
    ("强", "qiang"),
    ("静", "jing"),
    ("晓", "xiao"),
    ("雪", "xue"),
    ("梅", "mei"),
    ("兰", "lan"),
    ("宇", "yu"),
    ("浩", "hao"),
    ("然", "ran"),
    ("思", "si"),
    ("远", "yuan"),
    ("书", "shu"),
    ("云", "yun"),
    ("鹏", "peng"),
    ("飞", "fei"),
    ("佳", "jia"),
    ("怡", "yi"),
    ("青", "qing"),
    ("山", "shan"),
];

/// The words of which articles are made.
pub struct Words {
    english: Vec<String>,
    chinese: Vec<String>,
    /// Chances of the words up to each rank, by Zipf's law.
    chances: Vec<f64>,
}

/// A generated article.
#[derive(Clone, Debug)]
pub struct Article {
    pub number: usize,
    pub title: String,
    pub title_zh: String,
    pub keywords: Vec<String>,
    /// Authors in Chinese and in Latin letters, the family name first.
    pub authors: Vec<(String, String)>,
    pub company: String,
    pub summary: String,
    pub summary_zh: String,
    pub text: String,
}

impl Words {
    pub fn new() -> Self {
        let mut seeded = Seeded::new(1);
        let mut english: Vec<String> =
            ["the", "of", "and", "in", "to", "a", "for", "with", "on", "by"].map(str::to_owned).to_vec();
        let mut known: std::collections::HashSet<String> = english.iter().cloned().collect();
        while english.len() < WORDS {
            let syllables = 2 + seeded.below(3);
            let word: String =
                (0..syllables).flat_map(|_| [*seeded.pick(ONSETS), *seeded.pick(RIMES)]).collect::<Vec<_>>().concat();
            if known.insert(word.clone()) {
                english.push(word);
            }
        }
        let characters: Vec<char> = CHARACTERS.chars().chain(CHINESE.concat().chars()).collect();
        let mut chinese: Vec<String> = CHINESE.iter().map(|word| (*word).to_owned()).collect();
        while chinese.len() < WORDS {
            chinese.push([*seeded.pick(&characters), *seeded.pick(&characters)].iter().collect());
        }
        let weights = (1..=WORDS).map(|rank| 1.0 / rank as f64);
        let total: f64 = weights.clone().sum();
        let chances = weights
            .scan(0.0, |sum, weight| {
                *sum += weight / total;
                Some(*sum)
            })
            .collect();
        Self { english, chinese, chances }
    }

    fn rank(&self, seeded: &mut Seeded) -> usize {
        let part = seeded.part();
        self.chances.partition_point(|chance| *chance < part).min(WORDS - 1)
    }

    fn english(&self, seeded: &mut Seeded, many: usize) -> String {
        let words: Vec<&str> = (0..many).map(|_| self.english[self.rank(seeded)].as_str()).collect();
        words.join(" ")
    }

    fn chinese(&self, seeded: &mut Seeded, many: usize) -> String {
        (0..many).map(|_| self.chinese[self.rank(seeded)].as_str()).collect()
    }

    /// The article with this number.
    pub fn article(&self, number: usize) -> Article {
        let mut seeded = Seeded::new(number as u64 + 1_000);
        let zh = number.is_multiple_of(2);
        let author = |seeded: &mut Seeded| {
            let (family, first, second) = (seeded.pick(FAMILIES), seeded.pick(GIVEN), seeded.pick(GIVEN));
            let given = format!("{}{}", first.1, second.1);
            let given = given[..1].to_uppercase() + &given[1..];
            (format!("{}{}{}", family.0, first.0, second.0), format!("{} {given}", family.1))
        };
        let (title, title_zh) = (8 + seeded.below(6), 6 + seeded.below(5));
        let sentences = |words: &Self, seeded: &mut Seeded, many: usize| {
            let said: Vec<String> = (0..many).map(|_| words.english(seeded, 14)).collect();
            said.join(". ")
        };
        let sentences_zh = |words: &Self, seeded: &mut Seeded, many: usize| {
            let said: Vec<String> = (0..many).map(|_| words.chinese(seeded, 12)).collect();
            said.join("。")
        };
        Article {
            number,
            title: self.english(&mut seeded, title),
            title_zh: self.chinese(&mut seeded, title_zh),
            keywords: (0..3).flat_map(|_| [self.english(&mut seeded, 2), self.chinese(&mut seeded, 2)]).collect(),
            authors: (0..1 + seeded.below(5)).map(|_| author(&mut seeded)).collect(),
            company: {
                let mut of = Seeded::new(seeded.below(INSTITUTIONS) as u64);
                format!("Institute of {}, {}大学", self.english(&mut of, 2), self.chinese(&mut of, 2))
            },
            summary: sentences(self, &mut seeded, 6),
            summary_zh: sentences_zh(self, &mut seeded, 6),
            text: if zh { sentences_zh(self, &mut seeded, 25) } else { sentences(self, &mut seeded, 20) },
        }
    }
}

impl Article {
    pub fn doi(&self) -> String {
        format!("10.5555/bench.{}", self.number)
    }

    /// As the index gets it.
    pub fn update(&self) -> Update {
        let id = i64::try_from(self.number).unwrap() + 1;
        let names = self.authors.iter().flat_map(|(zh, latin)| [zh.clone(), latin.clone()]).collect::<Vec<_>>();
        let entry = Entry {
            kind: EntryKind::Article,
            id,
            article: id,
            title: [("en", &self.title), ("zh", &self.title_zh)].into_iter().collect(),
            keywords: self.keywords.join("\n").into(),
            authors: names.join("\n"),
            company: self.company.clone().into(),
            summary: [("en", &self.summary), ("zh", &self.summary_zh)].into_iter().collect(),
            text: self.text.clone().into(),
            doi: self.doi(),
            year: Some(2000 + i32::try_from(self.number % 27).unwrap()),
            journal: format!("journal-{}", self.number % JOURNALS),
            article_type: "research-article".to_owned(),
            open_access: Some(!self.number.is_multiple_of(3)),
            people: self.authors.iter().map(|(zh, _)| zh.clone()).collect(),
            date: format!("20{:02}-{:02}-01", self.number % 27, 1 + self.number % 12),
            online_first: Some(false),
            ..Entry::default()
        };
        Update { site: SITE, subject: Subject::Article(id), entries: vec![entry] }
    }

    /// As the other engines get it.
    pub fn document(&self) -> Document {
        let names = self.authors.iter().map(|(zh, latin)| format!("{zh} {latin}")).collect::<Vec<_>>();
        Document {
            key: (self.number + 1).to_string(),
            kind: "article".to_owned(),
            title: format!("{}\n{}", self.title, self.title_zh),
            keywords: self.keywords.join("\n"),
            authors: names.join("\n"),
            company: self.company.clone(),
            summary: format!("{}\n{}", self.summary, self.summary_zh),
            text: self.text.clone(),
            doi: self.doi(),
        }
    }
}
