/** What an operation answers in JSON: a status, a body (none where it is undefined) and further headers. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** What an operation for a browser answers. */
export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** What an operation answers with the bytes of a file; their type stands in the headers. */
export interface Download {
  readonly status: number;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** What an operation answers in another form than JSON, such as text/csv. */
export interface Content {
  readonly status: number;
  /** Its media type, with parameters. */
  readonly type: string;
  readonly content: string | Buffer;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** 200 with a body. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** 204. */
export function noContent(): Reply {
  return { status: 204, body: undefined };
}

/** Sends a browser elsewhere, which asks for it with GET. */
export function redirect(location: string): Reply {
  return { status: 303, body: undefined, headers: { Location: location } };
}
