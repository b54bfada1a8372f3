//! The vocabulary between the formats (what a record of a stream means) and the turn.
//!
//! One record of a stream is one event as `EventSource` would dispatch it, one line of NDJSON,
//! or the whole of a plain text, told piece by piece. A record has one or more [`Kinds`] and may carry text.
use super::label::{Id, Label};
use super::wire::{names, record};

/// The kinds of one record, as a set of bits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Kinds(u16);

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $bit:literal, $label:literal;)*) => {
        impl Kinds {
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)*
            const NAMES: &'static [(Self, &'static str)] = &[$((Self::$name, $label)),*];
        }
    };
}

kinds! {
    /// Hidden thinking: a delta, a redacted block, or the start marker of a thinking part.
    REASONING = 0, "reasoning";
    /// Non-empty text that the user reads, refusals included.
    TEXT = 1, "text";
    /// Start, arguments or end of a tool call.
    TOOL_CALL = 2, "tool_call";
    /// Output of a tool in the stream.
    TOOL_RESULT = 3, "tool_result";
    /// Citation, source, grounding, annotation.
    SOURCE = 4, "source";
    /// Progress: run, step or node started, queue position, search in progress.
    STATUS = 5, "status";
    /// Token counts.
    USAGE = 6, "usage";
    /// An error inside the stream, whatever the HTTP status was.
    ERROR = 7, "error";
    /// Stop reason, end of message, `[DONE]`.
    FINISH = 8, "finish";
    /// A keep-alive that is an event.
    PING = 9, "ping";
    /// Ids, roles, empty deltas, signatures, repeats, part borders.
    META = 10, "meta";
    /// A media part.
    FILE = 11, "file";
    /// A record of no known meaning.
    OTHER = 12, "other";
    /// A choice with an index above 0.
    OTHER_CHOICE = 13, "other_choice";
}

impl Kinds {
    /// No kind at all.
    pub const NONE: Self = Self(0);

    /// Whether any of the kinds in `other` is in this set.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The kind of this name; none for any other.
    pub fn named(name: &str) -> Self {
        Self::NAMES.iter().find(|(_, known)| *known == name).map_or(Self::NONE, |(kind, _)| *kind)
    }

    /// The names on the wire and in the labels of `tests/streams`, in the order of their bits.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().filter(move |(kind, _)| self.has(*kind)).map(|(_, name)| *name)
    }
}

impl ::core::ops::BitOr for Kinds {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl ::core::ops::BitOrAssign for Kinds {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl ::core::fmt::Debug for Kinds {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// What one record of a stream said.
#[derive(Clone, Copy, Debug, Default)]
pub struct Record<'a> {
    /// 0-based place in the stream, as `tests/streams/README.md` counts events; plain text is one record that grows.
    pub index: u32,
    /// What it is.
    pub kinds: Kinds,
    /// Visible answer text that this record adds (choice 0 only), decoded; may be blank or empty.
    pub text: &'a str,
    /// Reasoning text that this record adds, decoded.
    pub reasoning: &'a str,
}

names!(
    /// Where an inline format of a stream was recognised as; names are the folders of the recorded streams.
    #[derive(Default)]
    Format {
        /// Not recognised (yet).
        #[default]
        Unknown = "unknown",
        /// OpenAI Chat Completions and the servers that speak it.
        OpenaiChat = "openai-chat",
        /// OpenAI Responses.
        OpenaiResponses = "openai-responses",
        /// Anthropic Messages.
        AnthropicMessages = "anthropic-messages",
        /// AI SDK UI message stream (v5 to v7).
        AiSdkUi = "ai-sdk-ui",
        /// AG-UI, by which agents talk to pages.
        AgUi = "ag-ui",
        /// Google Gemini as server-sent events.
        GeminiSse = "gemini-sse",
        /// LangGraph server.
        Langgraph = "langgraph",
        /// Ollama chat and generate.
        Ollama = "ollama",
        /// A2A, agents that talk to agents (JSON-RPC and REST).
        A2a = "a2a",
        /// Google's Agent Development Kit.
        Adk = "adk",
        /// Agno agents.
        Agno = "agno",
        /// AI SDK data stream (v4), one coded line a part.
        AiSdkV4Data = "ai-sdk-v4-data",
        /// Anthropic's older completions.
        AnthropicComplete = "anthropic-complete",
        /// AnythingLLM.
        Anythingllm = "anythingllm",
        /// assistant-ui's transport.
        AssistantTransport = "assistant-transport",
        /// assistant-ui's dialect of the AI SDK data stream.
        AssistantUiDataStream = "assistant-ui-data-stream",
        /// The chat protocol of Azure's search samples.
        AzureSearchChat = "azure-search-chat",
        /// Agents on AWS Bedrock.
        BedrockAgent = "bedrock-agent",
        /// AWS Bedrock, ConverseStream.
        BedrockConverse = "bedrock-converse",
        /// AWS Bedrock, InvokeModel with a response stream: the provider's own records inside.
        BedrockInvoke = "bedrock-invoke",
        /// OpenAI ChatKit.
        Chatkit = "chatkit",
        /// Cloudflare Workers AI.
        CloudflareWorkersAi = "cloudflare-workers-ai",
        /// Cohere, first version.
        CohereV1Ndjson = "cohere-v1-ndjson",
        /// Cohere, second version.
        CohereV2 = "cohere-v2",
        /// Coze.
        Coze = "coze",
        /// Dify.
        Dify = "dify",
        /// Flowise.
        Flowise = "flowise",
        /// Google Gemini as a JSON array that grows.
        GeminiJsonArray = "gemini-json-array",
        /// Google's Interactions API.
        GoogleInteractions = "google-interactions",
        /// Gradio, queue and simple calls.
        Gradio = "gradio",
        /// Hugging Face chat-ui.
        HfChatUi = "hf-chat-ui",
        /// Hugging Face Text Generation Inference.
        HfTgi = "hf-tgi",
        /// LangServe.
        Langserve = "langserve",
        /// LibreChat.
        Librechat = "librechat",
        /// llama.cpp's own completions.
        LlamaCpp = "llama-cpp",
        /// LobeChat.
        Lobechat = "lobechat",
        /// Mastra agents.
        Mastra = "mastra",
        /// MCP over streamable HTTP.
        Mcp = "mcp",
        /// n8n's chat trigger.
        N8nChat = "n8n-chat",
        /// Open WebUI: OpenAI Chat between frames of its own.
        OpenWebui = "open-webui",
        /// OpenAI Assistants.
        OpenaiAssistants = "openai-assistants",
        /// OpenAI's older completions.
        OpenaiCompletions = "openai-completions",
        /// Replicate.
        Replicate = "replicate",
        /// IBM watsonx.
        Watsonx = "watsonx",
        /// One of the application's own; it is told by the name that it has there.
        Own = "own",
        /// Text without framing.
        PlainText = "plain-text",
    }
);

impl Format {
    /// Whether the last record says that it is the last. LangGraph's and ADK's models may say why they stopped, their runs
    /// just end, as do the traces of Bedrock's agents; LobeChat passes a stop on only where the provider has one; MCP's stream is over with the answer to the call;
    /// what an application's own have is not known.
    pub fn has_end(self) -> bool {
        !matches!(
            self,
            Self::Langgraph
                | Self::Adk
                | Self::BedrockAgent
                | Self::Lobechat
                | Self::AzureSearchChat
                | Self::Mcp
                | Self::Own
                | Self::Unknown
                | Self::PlainText
        )
    }

    /// Whether only chats are of this format. Pages call tools over MCP for many ends.
    pub fn is_of_chats(self) -> bool {
        !matches!(self, Self::Unknown | Self::PlainText | Self::Mcp) && !self.is_also_of_chats()
    }

    /// Whether chats are of this format among others: Gradio and Replicate run models of any kind, and pieces of anything
    /// may look like those of Bedrock's agents.
    pub fn is_also_of_chats(self) -> bool {
        matches!(self, Self::Gradio | Self::Replicate | Self::BedrockAgent)
    }
}

record!(
    /// Token counts as the provider gave them; what each counts differs by provider.
    #[derive(Copy, Default, Eq)]
    Usage {
        /// Tokens of the prompt.
        input_tokens: Option<u32> = "inputTokens",
        /// Tokens of the answer.
        output_tokens: Option<u32> = "outputTokens",
        /// Tokens of the prompt that came from a cache.
        cached_input_tokens: Option<u32> = "cachedInputTokens",
        /// Tokens spent on reasoning.
        reasoning_tokens: Option<u32> = "reasoningTokens",
    }
);

/// How long a phase of the server took, as the stream tells it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// `queue`, `load`, `prompt`, `completion`, `total` or `latency`.
    pub name: &'static str,
    /// Milliseconds.
    pub duration: f64,
}

impl Facts {
    /// Whether something of an answer came.
    pub fn has_answer(&self) -> bool {
        self.first_text.or(self.first_reasoning).is_some() || self.tool_calls > 0
    }
}

/// What a stream has told so far, apart from its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// The format, once recognised.
    pub format: Format,
    /// What the application calls it, if it is one of its own.
    pub own_format: Option<Label>,
    /// Records seen.
    pub events: u32,
    /// Unicode scalar values of visible text (choice 0).
    pub visible_characters: u32,
    /// Index of the first record of kind reasoning.
    pub first_reasoning: Option<u32>,
    /// Index of the first record with non-empty visible text.
    pub first_text: Option<u32>,
    /// Index of the first record with a non-blank visible character.
    pub first_visible: Option<u32>,
    /// Distinct tool calls.
    pub tool_calls: u32,
    /// Distinct sources.
    pub sources: u32,
    /// Error records.
    pub errors: u32,
    /// Whether the stream said that it is finished.
    pub finished: bool,
    /// The provider's own stop reason.
    pub finish_reason: Option<Id>,
    /// Token counts.
    pub usage: Option<Usage>,
    /// Phases of the server.
    pub phases: Vec<Phase>,
    /// How often text that was shown was taken back.
    pub withdrawn: u32,
    /// The model that answered.
    pub model: Option<Id>,
    /// The provider's id of the response.
    pub response_id: Option<Id>,
    /// Records that could not be read as what the format promises (cut JSON, over a limit).
    pub malformed: u32,
    /// Bytes that were invalid UTF-8 and were replaced.
    pub invalid_utf8: u32,
    /// Bytes that were not read: over a limit, or in and around a gap.
    pub skipped_bytes: u64,
    /// Tool calls and sources beyond the number that is told apart; they are in no count.
    pub uncounted: u32,
    /// Whether the stream ended inside a record (server-sent events without the last blank line, lines without the last
    /// line's end).
    pub unterminated: bool,
}
