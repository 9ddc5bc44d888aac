/** What a JSON body holds: nothing is known of it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The payload in a text. Throws an Error that quotes nothing of it. */
export function parsePayload(text: string): JsonObject {
  try {
    return asObject(JSON.parse(text));
  } catch {
    // The parser's own message quotes the body, which may hold a token.
    throw notJson();
  }
}

/** The error for a body that is no JSON. */
function notJson(): Error {
  return new Error('a body is not JSON');
}

/** The value itself where it is an object; else an empty one. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value ? (value as JsonObject) : {};
}
