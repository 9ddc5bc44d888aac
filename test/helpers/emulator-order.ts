/** Folders of `src/emulator` in their order: a file imports only what stands in its own folder and in earlier ones. */
const ORDER = [
  'kernel',
  'schema',
  'api',
  'files',
  'users',
  'applications',
  'guilds',
  'messages',
  'interactions',
  'accounts',
  'lobbies',
  'serve',
  'compose',
] as const;

type Layer = (typeof ORDER)[number];

/** What records are checked by, which looks at no state: part of the schema, beside the records of its domain. */
const SCHEMA_LEAVES = [
  'accounts/issuer-name.ts',
  'applications/webhooks/address.ts',
  'applications/webhooks/event-types.ts',
  'guilds/events/recurrence.ts',
  'guilds/voice/rules.ts',
  'guilds/voice/settings-schema.ts',
  'guilds/voice/settings.ts',
  'interactions/activities/mapping.ts',
  'interactions/commands/definition.ts',
  'interactions/commands/faults.ts',
  'interactions/commands/file-types.ts',
  'interactions/commands/locales.ts',
  'interactions/commands/normalization.ts',
  'interactions/commands/option-faults.ts',
];

const ROOT = 'src/emulator/';

/** Imports within the emulator that point to a later folder, each as `FILE must not import FILE`. */
export function upwardImports(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  for (const [file, targets] of graph) {
    const from = layerOf(file);
    if (from === undefined) continue;
    for (const target of targets) {
      const to = layerOf(target);
      if (to !== undefined && ORDER.indexOf(to) > ORDER.indexOf(from)) {
        found.push(`${file} (${from}) must not import ${target} (${to})`);
      }
    }
  }
  return found;
}

/** Files of the emulator that stand in no folder of the order. */
export function withoutLayer(files: readonly string[]): string[] {
  return files.filter((file) => file.startsWith(ROOT) && layerOf(file) === undefined);
}

/** Undefined for a file outside the emulator. */
function layerOf(file: string): Layer | undefined {
  if (!file.startsWith(ROOT)) return undefined;
  const path = file.slice(ROOT.length);
  if (path === 'schema.ts' || path.endsWith('records.ts') || SCHEMA_LEAVES.includes(path)) return 'schema';
  return ORDER.find((layer) => path.startsWith(`${layer}/`));
}
