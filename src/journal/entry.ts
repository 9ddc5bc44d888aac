/** Direction of a message, as seen from the bridge. */
export type Direction = 'in' | 'out';

/** Headers and body of one side of an HTTP exchange, without secrets. */
export interface HttpPart {
  readonly headers: Readonly<Record<string, string>>;
  /** The text as sent, when it is text and not too long; otherwise a note on its type, such as `(image/png)`. */
  readonly body?: string;
  /** Length of the whole body in bytes, whether or not it is stored. */
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
  /** At most 255 characters of the header, without a query; null when it is missing or was sent twice. */
  readonly origin: string | null;
  /** Null when the request names no id. */
  readonly clientId: string | null;
  /** Name of the application; null where the core knows none. */
  readonly application: string | null;
  /** The command that allows it, or another remedy. */
  readonly remedy: string;
}

/** A web page that was turned away, counted: all refusals like it since the start of the bridge are one. */
export interface CountedRefusal extends PageRefusal {
  readonly count: number;
  /** The last time, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/**
 * One recorded event, without secrets. A text in it is the text on the wire (JSON, where the protocol specifies JSON);
 * `session` is the id in the output of `footbridge status`, or `g1`, `g2`, … for connections of the gateway.
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
  /** The input was no frame. */
  | { readonly kind: 'broken'; readonly session: string; readonly message: string }
  /** The input is wrong, and was served nevertheless. */
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
  /** A webhook of an application received an event, or an interaction. */
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
  /** An injected fault took effect. */
  | {
      readonly kind: 'fault';
      /** Its id in `fault list`. */
      readonly fault: string;
      readonly session?: string;
      /** Readable text: `drop: the answer to GET_GUILDS`. */
      readonly what: string;
    }
  /**
   * A feature that an app requested over HTTP and that the emulator does not offer; written at the end of
   * `emulate`.
   */
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

/** One entry: an event with its time. */
export type JournalEntry = Passed & {
  /** From 1, without gaps: a reader that misses entries can compute their number. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch, by the machine's clock; fractions order entries of the same one. */
  readonly at: number;
};
