/**
 * Door `chat-vitals/auto`: `<script type="module" src="…/auto.js" data-endpoint="/vitals">` starts by itself.
 * May touch: the attributes of its own script element.
 */
import { init } from "./index.js";
import type { Consent, Options } from "./types.js";

/** A module has no `document.currentScript`; it is the script with our address, or else the one with an endpoint. */
const ownScript = (): HTMLScriptElement | undefined => {
  const scripts = [...document.scripts];
  return (
    scripts.find(({ src }) => src === import.meta.url) ?? scripts.find(({ dataset }) => dataset.endpoint !== undefined)
  );
};

const optionsOf = ({ endpoint, format, match, answer, consent, sampleRate, debug }: DOMStringMap): Options => ({
  ...(endpoint !== undefined && { endpoint }),
  ...(format === "otlp" && { format }),
  ...(match && { match: match.split(/\s+/) }),
  ...(answer && { answer }),
  ...(consent && { consent: consent as Consent }),
  ...(sampleRate && { sampleRate: Number(sampleRate) }),
  ...(debug !== undefined && { debug: true }),
});

if (typeof document !== "undefined") init(optionsOf(ownScript()?.dataset ?? {}));
