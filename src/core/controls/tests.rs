use super::*;
use proptest::prelude::*;

/// Protects: the controls of real chats are known by whatever names them.
#[test]
fn the_controls_of_chats_are_known() {
    for (control, labels) in [
        (
            Control::Stop,
            &[
                "Stop",
                "Stop generating",
                "stop-button",
                "stopButton",
                "StopGeneratingButton",
                "Stop (Esc)",
                "Stop response",
                "STOP GENERATION",
                "⏹ Stop",
                "Cancel generation",
                "composer-stop-button",
                "stop_streaming",
                "Stop the response",
                "Generierung stoppen",
                "Arrêter la génération",
                "Arrêter de générer",
                "Detener generación",
                "Interromper a geração",
                "Interrompi la generazione",
                "Stop met genereren",
                "Zatrzymaj generowanie",
                "Остановить генерацию",
                "停止生成",
                "生成を停止",
                "생성 중지",
                "Interrompre",
                "Przerwij",
                "Antwort anhalten",
            ][..],
        ),
        (
            Control::Regenerate,
            &[
                "Regenerate",
                "Regenerate response",
                "🔄 Regenerate",
                "regenerate-button",
                "Antwort neu generieren",
                "Régénérer",
                "Volver a generar",
                "Gerar novamente",
                "Rigenera",
                "Opnieuw genereren",
                "Wygeneruj ponownie",
                "Сгенерировать заново",
                "重新生成",
                "再生成",
                "다시 생성",
            ][..],
        ),
        (
            Control::Retry,
            &[
                "Retry",
                "Try again",
                "retryButton",
                "Erneut versuchen",
                "Réessayer",
                "Reintentar",
                "Tentar novamente",
                "Riprova",
                "Opnieuw proberen",
                "Ponów",
                "Повторить",
                "重试",
                "再試行",
                "다시 시도",
            ][..],
        ),
        (
            Control::Edit,
            &[
                "Edit",
                "Edit message",
                "Bearbeiten",
                "Modifier le message",
                "Editar",
                "Modifica",
                "Изменить",
                "编辑",
                "編集",
                "편집",
            ][..],
        ),
        (
            Control::Copy,
            &[
                "Copy",
                "Copy to clipboard",
                "copy-turn-action-button",
                "Copy code",
                "Kopieren",
                "Copier",
                "Copiar",
                "Kopiuj",
                "复制",
                "コピー",
                "복사",
            ][..],
        ),
        (
            Control::Submit,
            &[
                "Send",
                "Send message",
                "send-button",
                "composer-submit-button",
                "Send message (Enter)",
                "Nachricht senden",
                "Envoyer le message",
                "Enviar",
                "Invia messaggio",
                "Verzenden",
                "Wyślij",
                "WYŚLIJ",
                "Отправить",
                "发送",
                "送信",
                "전송",
            ][..],
        ),
        (
            Control::NewConversation,
            &[
                "New chat",
                "create-new-chat-button",
                "Start a new chat",
                "Neuer Chat",
                "Nouvelle conversation",
                "Nuevo chat",
                "Nova conversa",
                "Nuova chat",
                "Nieuwe chat",
                "Nowy czat",
                "Новый чат",
                "新对话",
                "新しいチャット",
                "새 채팅",
                "Clear conversation",
            ][..],
        ),
        (
            Control::Feedback,
            &[
                "Good response",
                "Bad response",
                "Thumbs up",
                "good-response-turn-action-button",
                "Gute Antwort",
                "J’aime",
                "Me gusta",
                "点赞",
                "いいね",
                "좋아요",
            ][..],
        ),
    ] {
        for label in labels {
            assert_eq!(classify(label), Some(control), "{label}");
        }
    }
}

/// Protects: what only sounds like a control of the chat is none.
#[test]
fn other_controls_are_left_alone() {
    for label in [
        "Stop recording",
        "Stop words",
        "Stop sequences",
        "Stop sharing",
        "Stop dictation",
        "Stop listening",
        "Stop reading aloud",
        "Non-stop",
        "Bus stop",
        "Stopwatch",
        "Cancel",
        "Cancel subscription",
        "Cancel order",
        "Cancel edit",
        "Abbrechen",
        "Send feedback",
        "Send invite",
        "Send gift",
        "Submit a ticket",
        "Submit review",
        "Copy link",
        "Edit chat",
        "Send code",
        "Cancel generator",
        "Stop me",
        "Copyright",
        "Edit profile",
        "Edit image",
        "Edited",
        "Try Pro",
        "Try again tomorrow for free",
        "New",
        "New project",
        "New folder",
        "Chat",
        "Search chats",
        "Feedback",
        "Likes",
        "Share",
        "Settings",
        "Menu",
        "",
        " ",
        "…",
        "■",
        "123",
        "Aufnahme stoppen",
        "Abo kündigen",
        "Annuler",
        "Cancelar",
        "取消",
        "停止录音",
        "録音を停止",
        "Отмена",
        "How do I stop generating text in Python?",
        "Regenerate API key",
        "Retry policy",
        "Unlike anything",
    ] {
        assert_eq!(classify(label), None, "{label}");
    }
}

/// Protects: what controls of chats in twenty-two languages are labelled is known, and nothing that is near. The page has the rest of them
/// (`tests/browser/controls.test.mjs`).
#[test]
fn labels_of_marked_up_controls_are_known() {
    let mut seen = 0;
    for line in include_str!("../../../tests/controls.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let html = case["html"].as_str().unwrap();
        let Some((_, rest)) = html.split_once("<button type=\"button\" aria-label=\"") else { continue };
        let label = rest.split('"').next().unwrap();
        let known = match classify(label) {
            Some(Control::Stop) => "stop",
            Some(Control::Regenerate) => "regenerate",
            Some(Control::Retry) => "retry",
            Some(Control::Edit) => "edit",
            _ => "other",
        };
        assert_eq!(known, case["is"], "{label}");
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}

/// Protects: the lexicon itself: each name, with each object, can be found and means one thing.
#[test]
fn every_name_of_the_lexicon_can_be_found() {
    for (control, names) in &NAMES {
        for pattern in names.split('|') {
            let word = pattern.trim_matches(['~', '+']);
            assert_eq!(plain(word), word, "is not in plain form");
            if !pattern.contains('+') {
                assert_eq!(classify(word), Some(*control), "{word} has two meanings");
            }
            let place = pattern.replace(word, "");
            for object in OBJECTS.split(' ').filter(|_| !place.is_empty()) {
                let name = if pattern.ends_with(word) { [object, word] } else { [word, object] }.join(" ");
                assert_eq!(classify(&name), Some(*control), "{name} has two meanings");
            }
        }
    }
}

/// Protects: lower case by rule is what Unicode says, for the letters of the lexicon.
#[test]
fn lower_case_agrees_with_unicode() {
    for (_, names) in &NAMES {
        for small in names.chars().filter(|c| c.is_alphabetic()) {
            assert!(small.to_uppercase().map(lower).eq([small]), "{small}");
        }
    }
}

proptest! {
    /// Protects: any label is looked at without panic, and a sentence is never a control.
    #[test]
    fn any_label(label in "\\PC{0,120}", sentence in "([a-z]{3,9} ){8,12}") {
        classify(&label);
        prop_assert_eq!(classify(&sentence), None);
    }
}
