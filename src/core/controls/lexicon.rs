//! What the controls of chats are called.
//!
//! May touch: nothing; static text only.
use super::Control;

/// For each control its names, parted by `|`: lower case, without the words that
/// [`is_noise`] drops. English, German, French, Spanish, Portuguese, Italian, Dutch, Polish,
/// Russian, Chinese, Japanese, Korean.
pub static NAMES: [(Control, &str); 8] = [
    (
        Control::Stop,
        "stop|abort|interrupt|stop generating|stop generation|stop response|stop responding|stop streaming|\
         stop stream|stop answering|stop answer|stop output|stop reply|stop message|stop thinking|stop ai|\
         stop request|stop run|cancel generation|cancel generating|cancel response|cancel stream|\
         cancel streaming|abort generation|abort request|interrupt generation|interrupt response|\
         stop current response|chat stop|composer stop|stop chat|stopp|stoppen|anhalten|\
         generierung stoppen|generieren stoppen|generierung abbrechen|generierung anhalten|antwort stoppen|\
         antwort abbrechen|antwort anhalten|ausgabe stoppen|arrêter|arrêter génération|arrêter réponse|\
         arrêter de générer|interrompre|interrompre génération|interrompre réponse|stopper|\
         stopper génération|annuler génération|detener|parar|detener generación|detener respuesta|\
         dejar de generar|parar generación|parar de generar|interrumpir|cancelar generación|\
         detener transmisión|parar respuesta|interromper|parar geração|interromper geração|parar resposta|\
         interromper resposta|parar de gerar|cancelar geração|ferma|interrompi|arresta|\
         interrompi generazione|interrompi risposta|ferma generazione|ferma risposta|arresta generazione|\
         smetti di generare|stop genereren|stop met genereren|stop generatie|genereren stoppen|\
         antwoord stoppen|onderbreken|zatrzymaj|zatrzymaj generowanie|zatrzymaj odpowiedź|przerwij|\
         przerwij generowanie|остановить|стоп|остановить генерацию|остановить ответ|прервать|\
         прервать генерацию|прервать ответ|прекратить генерацию|停止|停止生成|停止回答|停止响应|停止输出|终止|终止生成|中止|中断|中断生成|\
         停止產生|停止回覆|暂停生成|生成を停止|生成を中止|生成を停止する|回答を停止|回答を停止する|応答を停止|出力を停止|停止する|中止する|중지|중단|정지|생성 중지|생성 중단|응답 중지|\
         응답 중단|답변 중지|답변 중단",
    ),
    (
        Control::Regenerate,
        "regenerate|regenerate response|regenerate answer|regenerate reply|regenerate message|\
         regenerate output|regenerate last response|generate again|generate new response|rewrite answer|\
         rewrite response|redo response|refresh response|rerun prompt|regen|chat regenerate|neu generieren|\
         antwort neu generieren|neu erzeugen|erneut generieren|antwort erneut generieren|regenerieren|\
         neue antwort generieren|régénérer|régénérer réponse|générer à nouveau|regénérer|regenerar|\
         regenerar respuesta|volver generar|generar de nuevo|generar otra vez|gerar novamente|\
         regenerar resposta|gerar de novo|regerar|gerar resposta novamente|rigenera|rigenera risposta|\
         genera di nuovo|opnieuw genereren|antwoord opnieuw genereren|regenereren|wygeneruj ponownie|\
         generuj ponownie|wygeneruj odpowiedź ponownie|regeneruj|сгенерировать заново|перегенерировать|\
         сгенерировать снова|сгенерировать ещё раз|сгенерировать ответ заново|перегенерировать ответ|重新生成|\
         重新回答|再次生成|重新產生|重新生成回答|重新生成回复|换个回答|再生成|再生成する|回答を再生成|回答を再生成する|応答を再生成|もう一度生成|다시 생성|재생성|답변 다시 생성|\
         응답 다시 생성|다시 생성하기",
    ),
    (
        Control::Retry,
        "retry|try again|resend|retry message|retry request|resend message|retry response|retry generation|\
         send again|erneut versuchen|wiederholen|nochmal versuchen|noch einmal versuchen|erneut senden|\
         réessayer|essayer à nouveau|renvoyer|reintentar|intentar de nuevo|volver intentar|\
         intentar otra vez|inténtalo de nuevo|reenviar|tentar novamente|tentar de novo|repetir|riprova|\
         riprovare|prova di nuovo|opnieuw proberen|probeer opnieuw|ponów|ponów próbę|spróbuj ponownie|\
         повторить|попробовать снова|повторить попытку|попробовать ещё раз|重试|重試|再试一次|重新发送|再試一次|再試行|再試行する|\
         やり直す|再送信|もう一度試す|다시 시도|재시도|다시 시도하기|재전송",
    ),
    (
        Control::Edit,
        "edit|edit message|edit prompt|edit question|edit query|edit user message|edit and resend|\
         bearbeiten|nachricht bearbeiten|frage bearbeiten|prompt bearbeiten|modifier|modifier message|\
         modifier question|éditer|editar|editar mensaje|editar pregunta|editar mensagem|editar pergunta|\
         modifica|modifica messaggio|modifica domanda|bewerken|bericht bewerken|edytuj|edytuj wiadomość|\
         редактировать|изменить|редактировать сообщение|изменить сообщение|编辑|编辑消息|編輯|編輯訊息|修改问题|編集|編集する|\
         メッセージを編集|편집|수정|메시지 편집|메시지 수정",
    ),
    (
        Control::Copy,
        "copy|copy message|copy response|copy answer|copy code|copy text|copy clipboard|copy reply|\
         copy turn action|copy table|copy markdown|copy output|copy code clipboard|kopieren|\
         antwort kopieren|code kopieren|nachricht kopieren|in zwischenablage kopieren|copier|\
         copier réponse|copier code|copier message|copier dans presse papiers|copiar|copiar respuesta|\
         copiar código|copiar mensaje|copiar al portapapeles|copiar resposta|copiar mensagem|\
         copiar para área de transferência|copia|copia risposta|copia codice|copia messaggio|\
         copia negli appunti|kopiëren|kopieer|antwoord kopiëren|code kopiëren|kopiuj|skopiuj|\
         kopiuj odpowiedź|kopiuj kod|копировать|скопировать|копировать код|копировать ответ|\
         скопировать ответ|复制|複製|复制代码|复制回答|复制消息|拷贝|複製程式碼|コピー|コピーする|コードをコピー|回答をコピー|복사|복사하기|코드 복사|답변 복사|응답 복사",
    ),
    (
        Control::Submit,
        "send|submit|send message|send prompt|submit message|submit prompt|submit question|send question|\
         send now|ask question|send chat message|send chat|composer send|composer submit|chat submit|\
         chat send|message send|message submit|prompt submit|prompt send|senden|absenden|abschicken|\
         nachricht senden|nachricht absenden|nachricht abschicken|frage senden|prompt senden|\
         anfrage senden|envoyer|envoyer message|envoyer question|soumettre|envoyer prompt|envoyer invite|\
         enviar|enviar mensaje|enviar pregunta|enviar mensagem|enviar pergunta|enviar prompt|invia|\
         invia messaggio|invia domanda|invia prompt|versturen|verzenden|bericht versturen|\
         bericht verzenden|stuur|stuur bericht|wyślij|wyślij wiadomość|wyślij prompt|отправить|\
         отправить сообщение|отправить запрос|отправить вопрос|发送|发送消息|發送|傳送|發送訊息|傳送訊息|提交|发送提示|送信|送信する|\
         メッセージを送信|メッセージを送信する|プロンプトを送信|전송|보내기|메시지 보내기|메시지 전송|제출|프롬프트 보내기",
    ),
    (
        Control::NewConversation,
        "new chat|new conversation|new thread|start new chat|start new conversation|start new thread|\
         create new chat|create new conversation|clear chat|clear conversation|reset chat|\
         reset conversation|new topic|new session|new chat session|neuer chat|neue unterhaltung|\
         neues gespräch|neue konversation|neuen chat starten|chat leeren|neue unterhaltung beginnen|\
         nouveau chat|nouvelle conversation|nouvelle discussion|effacer conversation|nuevo chat|\
         nueva conversación|iniciar nuevo chat|borrar chat|novo chat|nova conversa|novo bate papo|\
         iniciar nova conversa|limpar conversa|nuova chat|nuova conversazione|avvia nuova chat|\
         cancella chat|nieuwe chat|nieuw gesprek|nieuwe conversatie|nowy czat|nowa rozmowa|\
         nowa konwersacja|новый чат|новый диалог|новая беседа|новый разговор|очистить чат|新对话|新建对话|新聊天|\
         新建聊天|新建会话|开启新对话|新對話|新增對話|清空对话|新交談|新会话|新しいチャット|新規チャット|新しい会話|チャットをクリア|チャットを新規作成|새 채팅|새 대화|새로운 채팅|\
         새로운 대화|대화 초기화",
    ),
    (
        Control::Feedback,
        "good response|bad response|thumbs up|thumbs down|like|dislike|helpful|not helpful|unhelpful|\
         upvote|downvote|good answer|bad answer|like response|dislike response|rate response|\
         good response turn action|bad response turn action|response helpful|response not helpful|\
         was helpful|was not helpful|gute antwort|schlechte antwort|daumen hoch|daumen runter|gefällt mir|\
         gefällt mir nicht|hilfreich|nicht hilfreich|bonne réponse|mauvaise réponse|pouce en haut|\
         pouce en bas|j'aime|j'aime pas|je n'aime pas|utile|pas utile|buena respuesta|mala respuesta|\
         me gusta|no me gusta|útil|no útil|pulgar arriba|pulgar abajo|boa resposta|resposta ruim|gostei|\
         não gostei|resposta boa|buona risposta|risposta non valida|mi piace|non mi piace|pollice in su|\
         pollice in giù|goed antwoord|slecht antwoord|duim omhoog|duim omlaag|nuttig|niet nuttig|\
         dobra odpowiedź|zła odpowiedź|kciuk w górę|kciuk w dół|lubię|хороший ответ|плохой ответ|нравится|\
         не нравится|полезно|бесполезно|点赞|点踩|赞|踩|喜欢|不喜欢|有帮助|没帮助|回答得好|回答不好|讚|倒讚|良い回答|悪い回答|いいね|よくないね|高評価|\
         低評価|役に立った|좋아요|싫어요|좋은 응답|별로인 응답|좋은 답변|나쁜 답변|도움이 됨",
    ),
];

/// Words that say nothing about what a control does: articles, and what programmers add.
pub fn is_noise(word: &str) -> bool {
    const NOISE: &str = "button btn icon ico cta svg the this your to \
        schaltfläche die der den das bouton la le les l' el botón o a os pulsante il lo przycisk кнопка";
    NOISE.split_whitespace().any(|noise| noise == word)
}
