import type { Profile } from '../tables.ts';
import type { Lab } from '../target/lab.ts';
import type { Context } from './context.ts';

interface CaseFacts {
  /** `section/number`; never reused for something else. */
  readonly id: string;
  /** What must happen, in a few words. */
  readonly title: string;
  /** Ids of the requirements it judges. */
  readonly judges: readonly string[];
  /** Least profile that must pass it. */
  readonly profile: Profile;
}

/** Where a case makes sense. */
export type Transports = readonly ('ipc' | 'websocket')[];

/** A case on a target that runs. */
export interface RunningCase extends CaseFacts {
  /**
   * `together`: beside others. `alone`: it may bring the target down, or needs it quiet. `crowd`: so many connections that a
   * server may give them the places of peers that say nothing, so that none of those may be waiting.
   */
  readonly mode: 'together' | 'alone' | 'crowd';
  /** Cases of one lane run one after the other, because they change the same state. */
  readonly lane: string | undefined;
  readonly transports: Transports;
  readonly run: (context: Context) => Promise<void>;
}

/** A case that starts and stops the target itself. */
export interface ExclusiveCase extends CaseFacts {
  readonly mode: 'exclusive';
  /** True when it is about files, which the pipes of Windows have not. */
  readonly unixOnly: boolean;
  readonly run: (lab: Lab) => Promise<void>;
}

/** One case of the server suite. */
export type ServerCase = RunningCase | ExclusiveCase;

/** Both transports. */
export const ANY_TRANSPORT: Transports = ['ipc', 'websocket'];
/** The framed transport only. */
export const IPC_ONLY: Transports = ['ipc'];
/** The WebSocket only. */
export const WEBSOCKET_ONLY: Transports = ['websocket'];

interface RunningOptions {
  readonly transports?: Transports;
  readonly lane?: string;
  readonly profile?: Profile;
}

/** A case that runs beside others. */
export function together(
  id: string,
  title: string,
  judges: readonly string[],
  run: RunningCase['run'],
  { transports = ANY_TRANSPORT, lane, profile = 'presence' }: RunningOptions = {},
): RunningCase {
  return { mode: 'together', id, title, judges, run, transports, lane, profile };
}

/** A case that runs while no other does but those that wait for a deadline. */
export function alone(
  id: string,
  title: string,
  judges: readonly string[],
  run: RunningCase['run'],
  { transports = ANY_TRANSPORT, profile = 'presence' }: RunningOptions = {},
): RunningCase {
  return { mode: 'alone', id, title, judges, run, transports, lane: undefined, profile };
}

/** A case of many connections, which runs after those that wait for a deadline. */
export function crowd(...given: Parameters<typeof alone>): RunningCase {
  return { ...alone(...given), mode: 'crowd' };
}

/** A case that starts and stops the target itself. */
export function exclusive(
  id: string,
  title: string,
  judges: readonly string[],
  run: ExclusiveCase['run'],
  { unixOnly = true, profile = 'presence' }: { unixOnly?: boolean; profile?: Profile } = {},
): ExclusiveCase {
  return { mode: 'exclusive', id, title, judges, run, unixOnly, profile };
}
