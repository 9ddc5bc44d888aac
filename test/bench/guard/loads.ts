import { getVoiceSettings, setActivity } from '../messages.ts';

/** One kind of load whose cost is guarded. */
export interface Load {
  readonly id: string;
  readonly title: string;
  /** What is asked; undefined is a connection, from `connect()` to READY. */
  readonly request?: string;
  /** A token is needed for what is asked. */
  readonly authenticated?: boolean;
  /** Answers need not wait until the one before is read. */
  readonly readsStreams?: boolean;
  readonly connections: number;
  readonly window: number;
  /** Of a slice: about 40 ms of one processor at rest. */
  readonly count: number;
}

/** What the guard measures. */
export const LOADS: readonly Load[] = [
  {
    id: 'activity',
    title: 'SET_ACTIVITY, one in flight',
    request: setActivity,
    ...{ connections: 1, window: 1, count: 1500 },
  },
  {
    id: 'voice',
    title: 'GET_VOICE_SETTINGS, one in flight',
    request: getVoiceSettings,
    authenticated: true,
    ...{ connections: 1, window: 1, count: 1500 },
  },
  {
    id: '1x64',
    title: 'SET_ACTIVITY, 1 connection × 64 in flight, by a peer that reads streams',
    request: setActivity,
    // Where answers wait for each other, a wake-up more or less between two of them costs more than all the rest.
    readsStreams: true,
    ...{ connections: 1, window: 64, count: 4000 },
  },
  {
    id: '50x16',
    title: 'SET_ACTIVITY, 50 connections × 16 in flight',
    request: setActivity,
    ...{ connections: 50, window: 16, count: 3200 },
  },
  { id: 'ready', title: 'connect to READY', ...{ connections: 1, window: 1, count: 150 } },
];
