/** Which way something went, as the bridge sees it. */
export type Direction = 'in' | 'out';

/** Headers and body of one side of an HTTP exchange, without secrets. */
export interface HttpPart {
  readonly headers: Readonly<Record<string, string>>;
  /** As it was written, when it is text and not too long; a word of what it was otherwise, such as `(image/png)`. */
  readonly body?: string;
  /** Length of the body in bytes, whatever of it is kept. */
  readonly bytes: number;
}

/** A web page that was turned away before a session began. */
export interface PageRefusal {
  /** `http` is `POST /rpc`, `api` the emulator's HTTP API. */
  readonly over: 'websocket' | 'http' | 'postmessage' | 'api' | 'gateway';
  /**
   * `origin`: its origin may not speak for the application. `host`: the Host header names another machine. `encoding`:
   * another one than JSON was requested. `frame`: the HANDSHAKE is not for the frame that it came from.
   */
  readonly why: 'origin' | 'host' | 'encoding' | 'frame';
  /** At most 255 characters of what was sent, without a query; null when it is missing or was sent twice. */
  readonly origin: string | null;
  /** Null when the request names no id. */
  readonly clientId: string | null;
  /** Name of the application; null where the core knows none. */
  readonly application: string | null;
  /** The command that allows it, or what else the user can do. */
  readonly remedy: string;
}

/** A web page that was turned away, counted: all refusals like it since the start of the bridge are one. */
export interface CountedRefusal extends PageRefusal {
  readonly count: number;
  /** The last time, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/**
 * Something that passed, without secrets. A text in it is what went over the wire (JSON, where the protocol says JSON);
 * `session` is the id that `footbridge status` shows, or `g1`, `g2`, … for connections of the gateway.
 */
export type Passed =
  /** An app or a client of the gateway connected. */
  | {
      readonly kind: 'connect';
      readonly session: string;
      readonly over: 'ipc' | 'websocket' | 'http' | 'postmessage' | 'memory' | 'gateway';
      readonly pid?: number;
    }
  /** A frame of the RPC protocol. */
  | {
      readonly kind: 'frame';
      readonly session: string;
      readonly direction: Direction;
      readonly opcode: number;
      readonly text: string;
      /** Length of the body as it was sent. */
      readonly bytes: number;
    }
  /** The bridge ends a session; WebSocket has no CLOSE frame. */
  | { readonly kind: 'close'; readonly session: string; readonly code: number; readonly message: string }
  /** What came was no frame. */
  | { readonly kind: 'broken'; readonly session: string; readonly message: string }
  /** What came is wrong, and was served nevertheless. */
  | { readonly kind: 'warning'; readonly session: string; readonly message: string }
  /** A web page was turned away: there is no session. Repetitions within ten seconds have no entry of their own. */
  | ({
      readonly kind: 'refused';
      /** Refusals like this one until now. */
      readonly count: number;
    } & PageRefusal)
  /** The connection is over. */
  | { readonly kind: 'end'; readonly session: string }
  /** A request to the platform's HTTP API and its answer. */
  | {
      readonly kind: 'http';
      readonly method: string;
      /** Path and query. */
      readonly path: string;
      readonly status: number;
      /** From the request to the end of the answer. */
      readonly ms: number;
      readonly request: HttpPart;
      readonly response: HttpPart;
    }
  /** A payload of the gateway. */
  | {
      readonly kind: 'gateway';
      readonly session: string;
      readonly direction: Direction;
      readonly text: string;
      readonly bytes: number;
    }
  /** A webhook of an application was told of something, or of an interaction. */
  | {
      readonly kind: 'webhook';
      readonly application: string;
      readonly type: string;
      readonly url: string;
      readonly ms: number;
      readonly text: string;
      readonly outcome:
        | { readonly kind: 'answered'; readonly status: number }
        | { readonly kind: 'failed'; readonly reason: string };
    }
  /** A fault that somebody had put in took effect. */
  | {
      readonly kind: 'fault';
      /** Its id in `fault list`. */
      readonly fault: string;
      readonly session?: string;
      /** In words for people: `drop: the answer to GET_GUILDS`. */
      readonly what: string;
    }
  /** Something that an app requested over HTTP and that the emulator does not offer; written at the end of `emulate`. */
  | {
      readonly kind: 'missing';
      /** An operation, or a field of one. */
      readonly what: string;
      readonly times: number;
    };

/** Kinds of entries. */
export type EntryKind = Passed['kind'];

/** Every kind. */
export const ENTRY_KINDS = [
  'connect',
  'frame',
  'close',
  'broken',
  'warning',
  'refused',
  'end',
  'http',
  'gateway',
  'webhook',
  'fault',
  'missing',
] as const satisfies readonly EntryKind[];

/** One entry: what passed, and when. */
export type JournalEntry = Passed & {
  /** From 1, without gaps: whoever misses one knows how many. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch, by the machine's clock; fractions order what came within one. */
  readonly at: number;
};
