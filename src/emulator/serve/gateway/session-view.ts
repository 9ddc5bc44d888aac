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
