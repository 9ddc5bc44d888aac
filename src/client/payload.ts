/** An object from a JSON body, with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses and serializes JSON, as `JSON` does. */
export interface JsonCodec {
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

/** Parses a payload. Throws an Error that quotes nothing of the text. */
export function parsePayload(text: string, json: Pick<JsonCodec, 'parse'> = JSON): JsonObject {
  try {
    return asObject(json.parse(text));
  } catch {
    // The parser's own message quotes the body, which may contain a token.
    throw notJson();
  }
}

function notJson(): Error {
  return new Error('a body is not JSON');
}

/** Returns the value if it is an object, else an empty object. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value ? (value as JsonObject) : {};
}
