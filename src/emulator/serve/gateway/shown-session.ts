/** A session as a person is shown it; without what it could be resumed with. */
export interface ShownSession {
  readonly application: string;
  readonly user: string;
  readonly shard: readonly [number, number];
  readonly intents: number;
  /** Of the last event. */
  readonly seq: number;
  /** `cut`: it waits to be resumed. */
  readonly state: 'connected' | 'cut';
}

/** `reconnect` asks the client to come back by opcode 7; `cut` drops its connection without a word. */
export type Disturbance = 'reconnect' | 'cut';
