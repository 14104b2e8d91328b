//! Texts of the page in the interface languages of the host.

/// The texts of one language.
pub struct Texts {
    pub lang: &'static str,
    pub title: &'static str,
    /// Label of the input for the question.
    pub question: &'static str,
    pub ask: &'static str,
    /// Description of the answers, shown before the first question.
    pub about: &'static str,
    /// Text above the passages.
    pub found: &'static str,
    pub nothing: &'static str,
}

#[rustfmt::skip]
const ALL: [Texts; 9] = [
    Texts { lang: "en", title: "Ask this journal", question: "Your question", ask: "Ask", about: "The answers are passages from articles of this site, each with its source.", found: "These passages may answer your question:", nothing: "Sorry, nothing on this site answers that. Please try other words." },
    Texts { lang: "zh", title: "智能问答", question: "您的问题", ask: "提问", about: "回答摘自本站文章，并注明出处。", found: "以下内容可能回答您的问题：", nothing: "抱歉，本站没有找到相关内容，请换一种说法再试。" },
    Texts { lang: "ru", title: "Задать вопрос", question: "Ваш вопрос", ask: "Спросить", about: "Ответы — это фрагменты статей этого сайта с указанием источника.", found: "Возможно, на ваш вопрос ответят эти фрагменты:", nothing: "К сожалению, на этом сайте ничего не найдено. Попробуйте другие слова." },
    Texts { lang: "ara", title: "اطرح سؤالاً", question: "سؤالك", ask: "اسأل", about: "الإجابات مقتطفات من مقالات هذا الموقع مع ذكر مصدرها.", found: "قد تجيب هذه المقتطفات عن سؤالك:", nothing: "عذراً، لم نجد في هذا الموقع ما يجيب عن ذلك. جرّب كلمات أخرى من فضلك." },
    Texts { lang: "spa", title: "Haga una pregunta", question: "Su pregunta", ask: "Preguntar", about: "Las respuestas son pasajes de artículos de este sitio, cada uno con su fuente.", found: "Estos pasajes pueden responder a su pregunta:", nothing: "Lo sentimos, no hay nada en este sitio que responda a eso. Pruebe con otras palabras." },
    Texts { lang: "fra", title: "Poser une question", question: "Votre question", ask: "Demander", about: "Les réponses sont des passages d’articles de ce site, chacun avec sa source.", found: "Ces passages peuvent répondre à votre question :", nothing: "Désolé, rien sur ce site n’y répond. Essayez avec d’autres mots." },
    Texts { lang: "de", title: "Frage stellen", question: "Ihre Frage", ask: "Fragen", about: "Die Antworten sind Stellen aus Artikeln dieser Website, jede mit ihrer Quelle.", found: "Diese Stellen beantworten vielleicht Ihre Frage:", nothing: "Leider findet sich auf dieser Website nichts dazu. Bitte versuchen Sie es mit anderen Wörtern." },
    Texts { lang: "jp", title: "質問する", question: "ご質問", ask: "質問", about: "回答は本サイトの論文からの抜粋で、出典を示します。", found: "次の箇所がご質問の答えになるかもしれません。", nothing: "申し訳ありませんが、該当する内容は見つかりませんでした。別の言葉でお試しください。" },
    Texts { lang: "kor", title: "질문하기", question: "질문", ask: "묻기", about: "답변은 이 사이트의 논문에서 발췌한 내용이며 출처를 밝힙니다.", found: "다음 내용이 질문에 대한 답이 될 수 있습니다.", nothing: "죄송합니다. 이 사이트에서 관련 내용을 찾지 못했습니다. 다른 말로 다시 시도해 주세요." },
];

/// The texts in a language, or in English if there are none.
pub fn texts(lang: &str) -> &'static Texts {
    ALL.iter().find(|texts| texts.lang == lang).unwrap_or(&ALL[0])
}
