//! What the controls of chats are called: English, German, French, Spanish, Portuguese, Italian,
//! Dutch, Polish, Russian, Chinese, Japanese, Korean; what a turn depends on also in Ukrainian, Czech, Swedish,
//! Danish, Norwegian, Turkish, Vietnamese, Indonesian, Arabic, Hindi.
//!
//! May touch: nothing; static text only.
use super::Control;

/// For each control its names, parted by `|`: lower case, without the words that [`is_noise`]
/// drops. At the place of `~` there may be one of [`OBJECTS`], at the place of `+` there must.
pub static NAMES: [(Control, &str); 9] = [
    (
        Control::Stop,
        "stop~|abort~|interrupt~|cancel+|+stop|stop current response|stop model response|composer stop|chat stop|stop chat|stop thinking|\
         stopp|~stoppen|~anhalten|+abbrechen|\
         arrêter~|interrompre~|stopper~|annuler génération|arrêter de générer|\
         detener~|parar~|interrumpir~|cancelar+|dejar de generar|parar de generar|\
         interromper~|parar de gerar|\
         ferma~|interrompi~|arresta~|\
         stop met genereren|stoppen met genereren|onderbreken|zatrzymaj~|przerwij~|остановить~|прервать~|стоп|\
         зупинити~|zastavit~|přerušit~|stoppa~|avbryt+|sluta generera|stopp~|~durdur|dừng~|ngừng~|hentikan~|إيقاف~|~रोकें|\
         停止~|终止~|中止~|中断~|~を停止|~を中止|停止する|中止する|+を停止する|+を中止する|\
         ~중지|~중단|~정지",
    ),
    (
        Control::Regenerate,
        "regenerate~|regenerate last response|generate again|generate new response|rewrite+|redo+|refresh+|\
         ~neu generieren|~erneut generieren|~neu erzeugen|regenerieren|\
         régénérer~|générer à nouveau|regenerar~|volver generar|generar de nuevo|\
         gerar novamente|gerar de novo|rigenera~|genera di nuovo|\
         ~opnieuw genereren|wygeneruj ponownie|generuj ponownie|regeneruj|\
         сгенерировать заново|сгенерировать снова|перегенерировать~|\
         згенерувати знову|згенерувати заново|vygenerovat znovu|znovu vygenerovat~|generera om~|generer igen|regenerer~|generer på nytt|\
         ~yeniden oluştur|~yeniden üret|tạo lại~|buat ulang~|إعادة+|~फिर से जनरेट करें|\
         重新生成~|重新回答|再次生成|重新產生|~再生成|再生成する|+を再生成|+を再生成する|もう一度生成|\
         ~다시 생성|재생성|다시 생성하기",
    ),
    (
        Control::Refresh,
        "refresh|reload|redo|aktualisieren|neu laden|actualiser|recharger|actualizar|recargar|atualizar|recarregar|\
         aggiorna|ricarica|vernieuwen|odśwież|обновить|刷新|重新加载|更新|再読み込み|새로고침",
    ),
    (
        Control::Retry,
        "retry~|+retry|try again|resend~|send again|\
         erneut versuchen|wiederholen|noch einmal versuchen|nochmal versuchen|erneut senden|\
         réessayer|renvoyer~|reintentar|volver intentar|intentar de nuevo|inténtalo de nuevo|reenviar~|\
         tentar novamente|tentar de novo|riprova|prova di nuovo|opnieuw proberen|probeer opnieuw|\
         ponów|spróbuj ponownie|повторить~|попробовать снова|повторить попытку|\
         повторити~|спробувати знову|спробувати ще раз|zkusit znovu|zkuste znovu|försök igen|prøv igen|prøv igjen|\
         tekrar dene|yeniden dene|thử lại|coba lagi|إعادة المحاولة|حاول مرة أخرى|पुनः प्रयास करें|फिर से कोशिश करें|\
         重试|重試|再试一次|再試一次|重新发送|再試行|再試行する|やり直す|再送信|다시 시도|재시도",
    ),
    (
        Control::Edit,
        "edit~|+edit|edit user message|~bearbeiten|modifier~|éditer~|editar~|modifica~|~bewerken|edytuj~|\
         редактировать~|изменить~|редагувати~|upravit~|redigera~|rediger~|~düzenle|chỉnh sửa~|sửa~|تعديل~|تحرير~|~संपादित करें|编辑~|編輯~|~編集|~を編集|編集する|~편집|~수정",
    ),
    (
        Control::Copy,
        "copy~|copy code|copy text|copy clipboard|copy table|copy markdown|copy turn action|\
         ~kopieren|code kopieren|in zwischenablage kopieren|copier~|copier code|copier dans presse papiers|\
         copiar~|copiar código|copiar al portapapeles|copia~|copia codice|copia negli appunti|\
         ~kopiëren|kopieer|kopiuj~|skopiuj~|копировать~|скопировать~|копировать код|\
         复制~|複製~|复制代码|拷贝|コピー|コピーする|~をコピー|コードをコピー|~복사|복사하기|코드 복사",
    ),
    (
        Control::Submit,
        "send~|submit~|send now|ask question|send chat|send chat message|chat send|chat submit|composer send|composer submit|+submit|+send|\
         ~senden|~absenden|~abschicken|envoyer~|soumettre~|enviar~|invia~|~versturen|~verzenden|wyślij~|\
         отправить~|发送~|發送~|傳送~|提交|送信|送信する|+を送信|+を送信する|~전송|~보내기|제출",
    ),
    (
        Control::NewConversation,
        "new chat|new conversation|new thread|start new chat|start new conversation|create new chat|\
         clear chat|clear conversation|reset chat|reset conversation|new topic|new chat session|\
         neuer chat|neue unterhaltung|neues gespräch|neue konversation|neuen chat starten|\
         nouveau chat|nouvelle conversation|nouvelle discussion|\
         nuevo chat|nueva conversación|novo chat|nova conversa|novo bate papo|\
         nuova chat|nuova conversazione|nieuwe chat|nieuw gesprek|nowy czat|nowa rozmowa|nowa konwersacja|\
         новый чат|новый диалог|новая беседа|очистить чат|\
         新对话|新建对话|新聊天|新建聊天|新建会话|开启新对话|新對話|新增對話|清空对话|\
         新しいチャット|新規チャット|新しい会話|새 채팅|새 대화|새로운 채팅",
    ),
    (
        Control::Feedback,
        "good response|bad response|good answer|bad answer|thumbs up|thumbs down|like~|dislike~|rate+|\
         helpful|not helpful|upvote|downvote|good response turn action|bad response turn action|\
         gute antwort|schlechte antwort|daumen hoch|daumen runter|hilfreich|nicht hilfreich|\
         bonne réponse|mauvaise réponse|j'aime|je n'aime pas|buena respuesta|mala respuesta|me gusta|no me gusta|\
         boa resposta|resposta boa|resposta ruim|gostei|não gostei|buona risposta|risposta non valida|\
         mi piace|non mi piace|goed antwoord|slecht antwoord|dobra odpowiedź|zła odpowiedź|\
         хороший ответ|плохой ответ|нравится|не нравится|点赞|点踩|赞|踩|喜欢|不喜欢|\
         良い回答|悪い回答|いいね|高評価|低評価|좋아요|싫어요|좋은 응답|별로인 응답",
    ),
];

/// What the controls of a chat are about, parted by blanks.
pub const OBJECTS: &str = "generating generation response responding answer answering reply message output \
    stream streaming request prompt question query ai \
    generierung generieren antwort ausgabe nachricht frage génération réponse \
    generación generar respuesta mensaje pregunta geração resposta mensagem pergunta \
    generazione risposta messaggio domanda genereren antwoord bericht generowanie odpowiedź wiadomość \
    генерацию ответ сообщение вопрос запрос 生成 回答 响应 输出 回复 消息 訊息 回覆 產生 応答 出力 メッセージ プロンプト \
    생성 응답 답변 메시지 프롬프트 генерацію відповідь повідомлення generování odpověď zprávu \
    genereringen generering svaret svar meddelande melding besked yanıtı oluşturmayı üretimi mesajı \
    tạo câu trả lời phản hồi tin nhắn pembuatan respons jawaban pesan \
    التوليد توليد الإنشاء إنشاء الرد الإجابة الرسالة जनरेट करना जवाब उत्तर प्रतिक्रिया संदेश";

/// Words that say nothing about what a control does: articles, and what programmers add.
pub fn is_noise(word: &str) -> bool {
    const NOISE: &str = "button btn icon ico cta svg circle aria the this your to a \
        schaltfläche die der den das bouton la le les el botón o pulsante il lo przycisk кнопка";
    NOISE.split_whitespace().any(|noise| noise == word)
}
