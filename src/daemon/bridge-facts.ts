import * as z from 'zod';
import { ENDPOINT_VARIABLE, type Environment } from '../../platform/endpoint/endpoints.ts';
import { adminOperationsFor } from '../base/admin-operation.ts';
import { settingVariables } from './config/check-variables.ts';
import type { applicationFolders } from './config/folders.ts';
import type { Flags } from './config/settings.ts';

/** How a bridge was started, for `doctor` in another process whose environment may differ. */
export interface BridgeFacts {
  /** Variables that lead to its folders, its endpoint and its settings. */
  readonly variables: Readonly<Record<string, string>>;
  /** Its folders, and the options of `footbridge run`; null for a bridge inside another program. */
  readonly started: {
    readonly folders: ReturnType<typeof applicationFolders>;
    readonly flags: Flags;
  } | null;
}

/** Variables of folders and of the endpoint; the home folder is the same in every environment of a user. */
const PLACE_VARIABLES = [
  ...['XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'],
  ...['TMPDIR', 'TMP', 'TEMP', 'APPDATA', 'LOCALAPPDATA', 'FLATPAK_SYSTEM_DIR'],
  ENDPOINT_VARIABLE,
];

/** The facts of a bridge of this environment. */
export function bridgeFacts(env: Environment, started: BridgeFacts['started'] | undefined): BridgeFacts {
  const names = [...PLACE_VARIABLES, ...settingVariables(), 'HOME'];
  const variables = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return { variables: Object.fromEntries(variables), started: started ?? null };
}

/** This environment, with the variables of a bridge in the place of its own. */
export function environmentOf({ variables }: BridgeFacts, env: Environment): Environment {
  const replaced = new Set([...PLACE_VARIABLES, ...settingVariables()]);
  const own = Object.entries(env).filter(([name]) => !replaced.has(name));
  return { ...Object.fromEntries(own), ...variables };
}

const operation = adminOperationsFor<{ readonly facts: BridgeFacts }>();

/** Operations on the bridge itself. */
export const bridgeOperations = [
  operation({
    name: 'bridge.facts',
    summary: 'The variables, folders and options with which the bridge was started',
    about:
      '`started` is null for a bridge inside another program. Only variables that a bridge reads are listed.',
    args: () => z.object({}),
    result: () =>
      z.object({
        variables: z.record(z.string(), z.string()),
        started: z.nullable(
          z.object({
            folders: z.object({ config: z.string(), data: z.string(), log: z.string() }),
            flags: z.record(z.string(), z.union([z.string(), z.literal(true)])),
          }),
        ),
      }),
    run: ({ facts: { variables, started } }) => ({
      variables,
      started: started && { folders: started.folders, flags: definedFlags(started.flags) },
    }),
  }),
] as const;

function definedFlags(flags: Flags): Record<string, string | true> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
