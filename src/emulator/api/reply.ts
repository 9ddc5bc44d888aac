/** A JSON reply of an operation: status, body (undefined for no body, or an `EncodedList`) and further headers. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** An HTML reply of an operation, for a browser. */
export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** A reply that consists of the bytes of a file; its headers include the media type. */
export interface Download {
  readonly status: number;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** A reply in a format other than JSON, such as text/csv. */
export interface Content {
  readonly status: number;
  /** Media type with parameters. */
  readonly type: string;
  readonly content: string | Buffer;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** A reply of any kind. */
export type Answer = Reply | Page | Download | Content;

/** 200 with a body. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** 204, without a body. */
export function noContent(): Reply {
  return { status: 204, body: undefined };
}

/** A 303 reply: the browser requests the location with GET. */
export function redirect(location: string): Reply {
  return { status: 303, body: undefined, headers: { Location: location } };
}
