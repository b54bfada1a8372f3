// Plain text: every byte is answer.

import { text, type Format } from "./format";

export const plainText: Format = { framing: "plain", interpret: ({ data }) => text(data) };
