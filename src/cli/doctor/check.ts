import {
  ENDPOINT_VARIABLE,
  type EndpointFolder,
  type Environment,
  type OsName,
} from '../../../platform/endpoint/endpoints.ts';
import type { Native, NativeAbsence } from '../../../platform/native/native.ts';
import type { Runner, ServiceKind, ServiceStatus } from '../../../service/manager.ts';
import type { Receipt } from '../../../service/receipt.ts';
import type { ControlStatus } from '../../control/routes.ts';
import type { Configuration } from '../../daemon/config/settings.ts';
import { placesIn } from '../bridge-places.ts';
import type { CoreReach } from '../core-reach.ts';
import type { InsideAnswer } from './inside.ts';

/** Result of a check. */
export type Verdict = 'ok' | 'warning' | 'failed' | 'not applicable';

/** Verdict of a check with its evidence. */
export interface Finding {
  readonly verdict: Verdict;
  /** Observations, one line each; at least one. Foreign texts are escaped where they are printed. */
  readonly evidence: readonly string[];
  /** Advice to the user; one line for each alternative. */
  readonly fix: string | readonly string[] | null;
  /** Repairs the problem where that is safe; resolves with one line for each action. */
  readonly repair?: () => Promise<readonly string[]>;
}

/** Check for one problem. `inspect` changes nothing. */
export interface Check {
  /** Stable identifier for programs, and for `footbridge doctor --explain`. */
  readonly id: string;
  /** Heading of the check's page: a noun phrase. */
  readonly title: string;
  /** Markdown of the check's page: the purpose of the check, the meaning of its verdicts, and what to do. */
  readonly explanation: string;
  inspect(scene: Scene): Promise<Finding> | Finding;
}

/** Result of an attempt that all checks share, or the reason for its failure. */
export type Attempt<T> =
  | ({ readonly kind: 'known' } & T)
  | { readonly kind: 'unknown'; readonly reason: string };

/** State of the machine, shared by all checks. */
export interface Scene {
  readonly os: OsName;
  /** Undefined on Windows. */
  readonly uid: number | undefined;
  readonly env: Environment;
  readonly native: Native | NativeAbsence;
  readonly configuration: Attempt<{ readonly value: Configuration }>;
  /** Folder of the endpoints in this environment. */
  readonly endpoints: Attempt<EndpointFolder>;
  /** Bridge that serves that folder. */
  readonly bridge: Attempt<{
    readonly status: ControlStatus;
    /** Undefined when the bridge did not answer. */
    readonly reach: CoreReach | undefined;
  }>;
  readonly service: Attempt<{
    readonly manager: ServiceKind;
    readonly state: ServiceStatus;
    readonly receipt: Receipt | undefined;
  }>;
  /** Folders of this environment, which are not always those of the bridge. */
  readonly folders: { readonly config: string; readonly data: string; readonly log: string };
  /** Runs a program of the system, which is killed after a few seconds. */
  readonly run: Runner;
  /** Looks into the sandbox of a process. */
  readonly inside: (pid: number) => Promise<InsideAnswer>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Check in the report. */
export interface CheckResult {
  readonly id: string;
  readonly verdict: Verdict;
  readonly evidence: readonly string[];
  readonly fix: string | null;
  /** Actions of `--fix`; absent when there were none. */
  readonly fixed?: readonly string[];
}

/**
 * Folder of grants and tokens: that of the running bridge, else that of the configuration. Undefined where it is not
 * known, and for a bridge that stores nothing.
 */
export function dataFolderOf({ bridge, configuration }: Scene): string | undefined {
  const places = bridge.kind === 'known' ? placesIn(bridge.status) : undefined;
  if (places !== undefined) return places.data ?? undefined;
  return configuration.kind === 'known' ? configuration.value.settings.dataDir : undefined;
}

export function ok(...evidence: readonly string[]): Finding {
  return { verdict: 'ok', evidence, fix: null };
}

export function warning(fix: Finding['fix'], ...evidence: readonly string[]): Finding {
  return { verdict: 'warning', evidence, fix };
}

export function failed(fix: Finding['fix'], ...evidence: readonly string[]): Finding {
  return { verdict: 'failed', evidence, fix };
}

export function notApplicable(why: string): Finding {
  return { verdict: 'not applicable', evidence: [why], fix: null };
}

/**
 * Whether the variable for one endpoint leads the commands to a folder without a bridge, so that a bridge elsewhere is
 * not known as one.
 */
export function isLedAway({ bridge, env }: Scene): boolean {
  return bridge.kind === 'unknown' && (env[ENDPOINT_VARIABLE] ?? '') !== '';
}

/** Remedy for {@link isLedAway}. */
export const LEAD_BACK = `unset ${ENDPOINT_VARIABLE}, and run footbridge doctor again`;

/** Paths of the bridge's sockets, those with rights of their own included; empty without a bridge. */
export function socketsOf(bridge: Scene['bridge']): readonly string[] {
  if (bridge.kind === 'unknown') return [];
  // An older bridge has no further endpoints in its status.
  const { endpoints, further = [] } = bridge.status as Pick<ControlStatus, 'endpoints'> &
    Partial<ControlStatus>;
  return [
    ...endpoints.filter(({ kind }) => kind === 'ipc').map(({ path }) => path),
    ...further.filter(({ state }) => state === 'serving').map(({ path }) => path),
  ];
}
