import type { Profile } from '../tables.ts';
import type { Lab } from '../target/lab.ts';
import type { Context } from './context.ts';

interface CaseFacts {
  /** `section/number`; never reused for another case. */
  readonly id: string;
  /** Expected behaviour in a few words. */
  readonly title: string;
  /** Ids of the tested requirements. */
  readonly requirementIds: readonly string[];
  /** Narrowest profile that must pass the case. */
  readonly profile: Profile;
}

/** Transports to which a case applies. */
export type Transports = readonly ('ipc' | 'websocket')[];

/** Case for a running target. */
export interface RunningCase extends CaseFacts {
  /**
   * `together`: concurrently with other cases. `alone`: the case may bring the target down, or needs it idle. `crowd`:
   * the many connections of the case may make a server drop silent peers, so that no case with a silent peer may run.
   */
  readonly mode: 'together' | 'alone' | 'crowd';
  /** Cases of one lane run sequentially, because they change the same state. */
  readonly lane: string | undefined;
  readonly transports: Transports;
  readonly run: (context: Context) => Promise<void>;
}

/** Case that starts and stops the target itself. */
export interface ExclusiveCase extends CaseFacts {
  readonly mode: 'exclusive';
  /** True for a case about files, which Windows pipes do not have. */
  readonly unixOnly: boolean;
  readonly run: (lab: Lab) => Promise<void>;
}

/** Case of the server suite. */
export type ServerCase = RunningCase | ExclusiveCase;

/** Both transports. */
export const ANY_TRANSPORT: Transports = ['ipc', 'websocket'];
/** Only the framed transport. */
export const IPC_ONLY: Transports = ['ipc'];
/** Only the WebSocket transport. */
export const WEBSOCKET_ONLY: Transports = ['websocket'];

interface RunningOptions {
  readonly transports?: Transports;
  readonly lane?: string;
  readonly profile?: Profile;
}

/** Case that runs concurrently with others. */
export function together(
  id: string,
  title: string,
  requirementIds: readonly string[],
  run: RunningCase['run'],
  { transports = ANY_TRANSPORT, lane, profile = 'presence' }: RunningOptions = {},
): RunningCase {
  return { mode: 'together', id, title, requirementIds, run, transports, lane, profile };
}

/** Case that runs alone, except for cases that wait for a deadline. */
export function alone(
  id: string,
  title: string,
  requirementIds: readonly string[],
  run: RunningCase['run'],
  { transports = ANY_TRANSPORT, profile = 'presence' }: RunningOptions = {},
): RunningCase {
  return { mode: 'alone', id, title, requirementIds, run, transports, lane: undefined, profile };
}

/** Case with many connections, which runs after the cases that wait for a deadline. */
export function crowd(...args: Parameters<typeof alone>): RunningCase {
  return { ...alone(...args), mode: 'crowd' };
}

/** Case that starts and stops the target itself. */
export function exclusive(
  id: string,
  title: string,
  requirementIds: readonly string[],
  run: ExclusiveCase['run'],
  { unixOnly = true, profile = 'presence' }: { unixOnly?: boolean; profile?: Profile } = {},
): ExclusiveCase {
  return { mode: 'exclusive', id, title, requirementIds, run, unixOnly, profile };
}
