import { requirementIdsOf } from '../requirements.ts';
import type { Profile } from '../tables.ts';
import type { Lab } from '../target/lab.ts';
import type { CaseFacts } from '../verdict.ts';
import type { Context } from './context.ts';

interface ServerFacts extends CaseFacts {
  /** Narrowest profile that must pass the case. */
  readonly profile: Profile;
}

/** Transports to which a case applies. */
export type Transports = readonly ('ipc' | 'websocket')[];

/** Case for a running target. */
export interface RunningCase extends ServerFacts {
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
export interface ExclusiveCase extends ServerFacts {
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

/** Returns the function that declares cases of this mode with these options. Only a vector names its requirements itself. */
export function runningCase(
  mode: RunningCase['mode'],
  { transports = ANY_TRANSPORT, lane, profile = 'presence' }: RunningOptions = {},
) {
  return (
    id: string,
    title: string,
    run: RunningCase['run'],
    requirementIds = requirementIdsOf(id),
  ): RunningCase => ({ mode, id, title, requirementIds, run, transports, lane, profile });
}

/** Cases for both transports, in each mode. */
export const together = runningCase('together');
export const alone = runningCase('alone');
export const crowd = runningCase('crowd');

/** Returns the function that declares cases which start and stop the target themselves. */
export function exclusiveCase({ unixOnly = true, profile = 'presence' as Profile } = {}) {
  return (id: string, title: string, run: ExclusiveCase['run']): ExclusiveCase => {
    return { mode: 'exclusive', id, title, requirementIds: requirementIdsOf(id), run, unixOnly, profile };
  };
}
