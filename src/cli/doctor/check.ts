import type { EndpointFolder, Environment, OsName } from '../../../platform/endpoint/endpoints.ts';
import type { Native, NativeAbsence } from '../../../platform/native/native.ts';
import type { ServiceKind, ServiceStatus } from '../../../service/manager.ts';
import type { Receipt } from '../../../service/receipt.ts';
import type { ControlStatus } from '../../control/routes.ts';
import type { Configuration } from '../../daemon/config/settings.ts';
import type { CoreReach } from '../core-reach.ts';

/** What a check came to. */
export type Verdict = 'ok' | 'warning' | 'failed' | 'not applicable';

/** What a check found. */
export interface Finding {
  readonly verdict: Verdict;
  /** What was seen, one line each; at least one. Texts of others are made safe where they are printed. */
  readonly evidence: readonly string[];
  /** What a person does about it; of several ways each a line. */
  readonly fix: string | readonly string[] | null;
  /** Mends what is safe to mend; says in one line each what it did. */
  readonly repair?: () => Promise<readonly string[]>;
}

/** One thing that can be wrong. Looking changes nothing. */
export interface Check {
  /** Stable, for programs. */
  readonly id: string;
  look(scene: Scene): Promise<Finding> | Finding;
}

/** Something that was tried once for all checks, or why it could not be had. */
export type Attempt<T> =
  | ({ readonly kind: 'known' } & T)
  | { readonly kind: 'unknown'; readonly reason: string };

/** The machine as every check sees it. */
export interface Scene {
  readonly os: OsName;
  /** Undefined on Windows. */
  readonly uid: number | undefined;
  readonly env: Environment;
  readonly native: Native | NativeAbsence;
  readonly configuration: Attempt<{ readonly value: Configuration }>;
  /** Where the endpoints of this environment lie. */
  readonly endpoints: Attempt<EndpointFolder>;
  /** The bridge that serves that folder. */
  readonly bridge: Attempt<{
    readonly status: ControlStatus;
    /** Undefined when it did not say. */
    readonly reach: CoreReach | undefined;
  }>;
  readonly service: Attempt<{
    readonly manager: ServiceKind;
    readonly state: ServiceStatus;
    readonly receipt: Receipt | undefined;
  }>;
  readonly folders: { readonly config: string; readonly data: string; readonly log: string };
  /** In ms since 1970. */
  readonly now: number;
}

/** A check as it is reported. */
export interface CheckResult {
  readonly id: string;
  readonly verdict: Verdict;
  readonly evidence: readonly string[];
  readonly fix: string | null;
  /** What `--fix` did; absent where nothing was to be done. */
  readonly fixed?: readonly string[];
}

export function ok(...evidence: readonly string[]): Finding {
  return { verdict: 'ok', evidence, fix: null };
}

export function notApplicable(why: string): Finding {
  return { verdict: 'not applicable', evidence: [why], fix: null };
}
