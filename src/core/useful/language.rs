//! What must be known of a language to tell a preamble from an answer.
//!
//! May touch: nothing; static text only.

/// One language: how its answers clear their throat, and words by which it is recognised.
pub struct Language {
    /// Beginnings of preamble sentences, lower case, parted by `|`. One that ends with `:`
    /// counts only if the sentence does: "Here is the list:" announces, "Here is Rome." tells.
    pub preambles: &'static str,
    /// Frequent small words, parted by blanks. None for scripts that are recognised by themselves.
    pub words: &'static str,
}

/// English, German, French, Spanish, Portuguese, Italian, Chinese, Japanese.
pub static LANGUAGES: [Language; 8] = [
    Language {
        preambles: "sure|certainly|of course|absolutely|definitely|great question|good question|\
            excellent question|that's a great|that's a good|that is a great|that is a good|\
            what a great|happy to|glad you|i'd be|i would be|i'm happy|i'm glad|i'll|i will|i can help|\
            i can explain|i understand|let me|let's|here's:|here is:|here are:|below is:|below are:|\
            to answer your question|thanks for|thank you|no problem|got it|okay|ok|alright|hello|hi|hey|\
            sounds good|understood|one moment|how can i|how may i|what can i",
        words: "the a an is are of to and in for you your it that this with can be or on as by from not \
            its they have was which when into",
    },
    Language {
        preambles: "natürlich|gerne|gern|klar|sicher|selbstverständlich|na klar|aber sicher|aber gerne|\
            aber natürlich|gute frage|tolle frage|super frage|sehr gute frage|das ist eine gute|\
            das ist eine sehr gute|das ist eine tolle|das ist eine interessante|lass mich|lassen sie mich|\
            lass uns|ich helfe|ich werde|ich kann dir|ich kann ihnen|ich erkläre|hier ist:|hier sind:|\
            hier findest du|hier finden sie|um deine frage|um ihre frage|hallo|danke|vielen dank|\
            kein problem|alles klar|im folgenden|verstanden|okay|wie kann ich",
        words: "der die das und ist ein eine nicht mit den dem von zu sich auf für im sie es du wird \
            werden als auch kann oder bei aus einer sind",
    },
    Language {
        preambles: "bien sûr|certainement|absolument|avec plaisir|bien entendu|volontiers|d'accord|\
            excellente question|bonne question|très bonne question|c'est une excellente|\
            c'est une très bonne|c'est une bonne|laissez-moi|laisse-moi|permettez-moi|je vais|je serais|\
            je serai|je peux vous|je peux t'|voici:|voilà:|pour répondre à|bonjour|salut|merci|\
            pas de problème|voyons|examinons|entendu|pas de souci|comment puis-je|que puis-je",
        words: "le la les des un une est et en que qui dans pour pas sur il elle vous ce cette sont avec \
            du au par plus ou de",
    },
    Language {
        preambles: "claro|por supuesto|desde luego|con gusto|con mucho gusto|encantado|encantada|\
            excelente pregunta|buena pregunta|muy buena pregunta|gran pregunta|qué buena pregunta|\
            es una excelente|es una buena|esa es una|déjame|permíteme|vamos a|voy a|te explico|te ayudo|\
            puedo ayudarte|estaré encantado|estaré encantada|aquí tienes:|aquí está:|aquí están:|aquí te:|\
            a continuación|para responder|hola|gracias|perfecto|entendido|de acuerdo|sin problema|en qué puedo|en qué te|cómo puedo ayudar",
        words: "el la los las un una es de que y en para no con por se del al su como más son lo puede \
            está o sus",
    },
    Language {
        preambles: "claro|é claro|com certeza|certamente|com prazer|sem problema|ótima pergunta|\
            excelente pergunta|boa pergunta|que ótima pergunta|que boa pergunta|essa é uma|esta é uma ótima|\
            deixe-me|deixa eu|vou|vamos|ficarei feliz|fico feliz|posso ajudar|posso te ajudar|\
            aqui está:|aqui estão:|aqui vai:|a seguir|para responder|olá|oi|obrigado|obrigada|perfeito|\
            entendi|entendido|tudo bem|como posso|em que posso",
        words: "o a os as um uma é de que e em para não com por se do da ao como mais são no na pode dos \
            das ou você",
    },
    Language {
        preambles: "certo|certamente|naturalmente|volentieri|con piacere|assolutamente|ottima domanda|\
            bella domanda|buona domanda|è un'ottima|è una bella|questa è un'ottima|lascia che|lasciami|\
            vediamo|ti spiego|sarò felice|sono felice|posso aiutarti|ecco:|di seguito|per rispondere|\
            ciao|salve|buongiorno|grazie|nessun problema|va bene|d'accordo|perfetto|capito|come posso|in cosa posso",
        words: "il lo la i gli le un una è di che e in per non con si del della al come più sono nel \
            può anche da o",
    },
    Language {
        preambles: "当然|當然|好的|没问题|沒問題|可以的|很高兴|很高興|我很乐意|我很樂意|乐意|这是一个很好的|\
            这是一个好|这是个好|這是一個很好的|這是個好|好问题|好問題|很好的问题|让我|讓我|我来|我來|我会|我將|我将|\
            以下是|下面是|下面我|下面|谢谢|謝謝|感谢|感謝|您好|你好|明白|收到|接下来|有什么可以|有什么我|請問有什麼|请问有什么",
        words: "",
    },
    Language {
        preambles: "もちろん|はい、もちろん|はい、承知|はい、かしこ|はい、わかり|はい、喜んで|承知|かしこまりました|了解|わかりました|分かりました|喜んで|ご質問|\
            素晴らしい質問|すばらしい質問|良い質問|いい質問|とても良い質問|とてもいい質問|以下に|以下は|以下が|\
            こちらが|それでは|では、|お手伝い|ありがとう|こんにちは|お任せください|今日はどの|本日はどの|何かお|どのような",
        words: "",
    },
];

/// Whether a character belongs to the scripts that need no word list: Han and Kana.
pub fn is_cjk(c: char) -> bool {
    matches!(c, '々'..='〇' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}')
}
