import type { Session } from './session.ts';

/** View of a session for operators, without the data that allows resuming it. */
export interface SessionView {
  readonly application: string;
  readonly user: string;
  readonly shard: readonly [number, number];
  readonly intents: number;
  /** Number of the last event. */
  readonly seq: number;
  /** `cut` for a disconnected session that may be resumed. */
  readonly state: 'connected' | 'cut';
}

/** `reconnect` asks the client to reconnect (opcode 7); `cut` terminates the connection without a close frame. */
export type Disturbance = 'reconnect' | 'cut';

/** View of a session. */
export function viewOf({ listener, seq, state }: Session): SessionView {
  return {
    application: listener.application.id,
    user: listener.user,
    shard: listener.shard,
    intents: listener.intents,
    seq,
    state: state === 'connected' ? state : 'cut',
  };
}

/** How far the clients of the gateway are. */
export interface GatewayReading {
  /** Number of connections. */
  readonly connections: number;
  /** Number of commands that clients have sent so far, such as a change of presence. */
  readonly commands: number;
  /** Applications whose clients have not read everything that was sent to them, once for each client. */
  readonly unread: readonly string[];
}
