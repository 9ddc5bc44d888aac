/** Direction of a message, as seen from the bridge. */
export type Direction = 'in' | 'out';

/** Headers and body of one side of an HTTP exchange, without secrets. */
export interface HttpPart {
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent, if it is text of limited length; otherwise a note on its type, such as `(image/png)`. */
  readonly body?: string;
  /** Length of the whole body in bytes, whether or not it is stored. */
  readonly bytes: number;
}

/** A web page that was refused before a session began. */
export interface PageRefusal {
  /** Interface that the page used; `http` is `POST /rpc`, and `api` is the emulator's HTTP API. */
  readonly over: 'websocket' | 'http' | 'postmessage' | 'api' | 'gateway';
  /**
   * Reason. `origin`: the page's origin may not act for the application. `host`: the Host header names another machine.
   * `encoding`: the page requested an encoding other than JSON. `frame`: the HANDSHAKE is not for the frame that sent
   * it.
   */
  readonly why: 'origin' | 'host' | 'encoding' | 'frame';
  /**
   * The Origin header, at most 255 characters and without a query; null when the header is missing or was sent twice.
   */
  readonly origin: string | null;
  /** Id of the application; null when the request names no id. */
  readonly clientId: string | null;
  /** Name of the application; null when the core does not know the application. */
  readonly application: string | null;
  /** The command that allows the page, or another remedy. */
  readonly remedy: string;
}

/** Refusals of a web page, with their number. All equal refusals since the start of the bridge count as one. */
export interface CountedRefusal extends PageRefusal {
  readonly count: number;
  /** Time of the last refusal, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Mark of an entry that the operator caused with `traffic.resend`, and not a program of its own accord. */
interface ByHand {
  readonly byHand?: true;
}

/**
 * One recorded event, without secrets. Each text in it is the text as sent (JSON, where the protocol specifies JSON).
 * `session` is the id in the output of `footbridge status`, or `g1`, `g2`, … for connections of the gateway.
 */
export type Passed =
  /** An app or a client of the gateway connected. */
  | ({
      readonly kind: 'connect';
      readonly session: string;
      readonly over: 'ipc' | 'websocket' | 'http' | 'postmessage' | 'memory' | 'gateway';
      readonly pid?: number;
      /** Endpoint with rights of its own, and the sandbox of the app. */
      readonly entrance?: string;
    } & ByHand)
  /** A frame of the RPC protocol. */
  | ({
      readonly kind: 'frame';
      readonly session: string;
      readonly direction: Direction;
      readonly opcode: number;
      readonly text: string;
      /** Length of the body as sent (bytes). */
      readonly bytes: number;
    } & ByHand)
  /** The bridge ends a session; WebSocket has no CLOSE frame. */
  | { readonly kind: 'close'; readonly session: string; readonly code: number; readonly message: string }
  /** The input was no frame. */
  | { readonly kind: 'broken'; readonly session: string; readonly message: string }
  /** The input is invalid, but was served nevertheless. */
  | { readonly kind: 'warning'; readonly session: string; readonly message: string }
  /** A web page was refused, so there is no session. Repetitions within ten seconds have no entries of their own. */
  | ({
      readonly kind: 'refused';
      /** Number of equal refusals until now. */
      readonly count: number;
    } & PageRefusal)
  /** The connection is over. */
  | { readonly kind: 'end'; readonly session: string }
  /** A request to the platform's HTTP API and its answer. */
  | ({
      readonly kind: 'http';
      /** Id of the application whose credentials came with it; absent where it is not known. */
      readonly application?: string;
      readonly method: string;
      /** Path and query. */
      readonly path: string;
      readonly status: number;
      /** Duration from the request to the end of the answer (ms). */
      readonly ms: number;
      readonly request: HttpPart;
      readonly response: HttpPart;
    } & ByHand)
  /** A payload of the gateway. */
  | {
      readonly kind: 'gateway';
      readonly session: string;
      /** Id of the application of the session; absent before it has identified itself. */
      readonly application?: string;
      readonly direction: Direction;
      readonly text: string;
      readonly bytes: number;
    }
  /** A webhook of an application received an event, or an interaction. */
  | ({
      readonly kind: 'webhook';
      readonly application: string;
      /** Id of the delivery, as `webhooks.list` has it; absent for what is sent only once. */
      readonly delivery?: string;
      readonly type: string;
      readonly url: string;
      readonly ms: number;
      readonly text: string;
      readonly outcome:
        | { readonly kind: 'answered'; readonly status: number }
        | { readonly kind: 'failed'; readonly reason: string };
    } & ByHand)
  /** An injected fault took effect. */
  | {
      readonly kind: 'fault';
      /** Its id in `fault list`. */
      readonly fault: string;
      readonly session?: string;
      /** Readable text, such as `drop: the answer to GET_GUILDS`. */
      readonly what: string;
    }
  /**
   * A feature that an app requested over HTTP but that the emulator does not have. The entry is written at the end of
   * `emulate`.
   */
  | {
      readonly kind: 'missing';
      /** An operation, or a field of an operation. */
      readonly what: string;
      readonly times: number;
    }
  /** A violation of strict mode. */
  | {
      readonly kind: 'violation';
      /** Name of the rule, such as `unknown-field`. */
      readonly rule: string;
      readonly what: string;
      /** Request or interaction, such as `POST /channels/1/messages (create_message)`. */
      readonly where: string;
    }
  /** The clock of the emulator was set, stopped, or runs again. */
  | {
      readonly kind: 'clock';
      /** Time of the emulator before and after, ISO 8601. What was skipped without other traffic between is one. */
      readonly from: string;
      readonly to: string;
      /** Whether the clock stands still. */
      readonly frozen: boolean;
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
  'violation',
  'clock',
] as const satisfies readonly EntryKind[];

/** One entry: a recorded event with its number and time. */
export type JournalEntry = Passed & {
  /** Number of the entry, from 1 and without gaps, so that a reader can compute how many entries it missed. */
  readonly seq: number;
  /**
   * Time of the machine's clock in milliseconds since the Unix epoch; fractions order entries of the same millisecond.
   */
  readonly at: number;
};
