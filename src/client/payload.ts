/** What a JSON body holds: nothing is known of it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Makes values of JSON and JSON of values, as `JSON` does. */
export interface JsonCodec {
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

/** The payload in a text. Throws an Error that quotes nothing of it. */
export function parsePayload(text: string, json: Pick<JsonCodec, 'parse'> = JSON): JsonObject {
  try {
    return asObject(json.parse(text));
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
