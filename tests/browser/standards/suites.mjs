/** The suites, and how many subtests each has at the least, so that none can be empty. */
export const suites = {
  "idl-fetch": 150,
  "idl-streams": 180,
  "idl-xhr": 120,
  "idl-eventsource": 500,
  "streams-readers": 300,
  "streams-piping": 400,
  "streams-branches": 300,
  "fetch-abort": 120,
  "fetch-requests": 250,
  "fetch-responses": 450,
  "xhr-events": 90,
  "xhr-responses": 110,
  eventsource: 80,
  beacon: 35,
};

/** Share of the subtests that may fail in the untouched browser; those that it has no feature for are not counted. */
export const MOST_FAILED = 0.3;
