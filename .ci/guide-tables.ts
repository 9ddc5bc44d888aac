// Writes the tables of guides that are derived from declarations: settings and limits, and the keys of a fixture.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guidePath } from '../src/cli/guides.ts';
import { idleSettings } from '../src/daemon/config/idle-flags.ts';
import { limitKeys, type SettingKey, settingKeys, snakeCase } from '../src/daemon/config/keys.ts';
import { defaultSettings } from '../src/daemon/config/settings.ts';
import type { RecordKind } from '../src/emulator/kernel/state/record.ts';
import * as schemaParts from '../src/emulator/kernel/state/schema-parts.ts';
import { kinds } from '../src/emulator/schema.ts';
import { defaultLimits } from '../src/session/limits.ts';
import { root } from './bundle.ts';

/** Defaults that depend on the machine or on a checkout, as the guide describes them. */
const SPECIAL_DEFAULTS: Readonly<Record<string, string>> = {
  data_dir: '`footbridge` in `XDG_DATA_HOME`, else in `~/.local/share`',
  log_level: '`"warn"`; in a checkout `"info"`',
  journal: '`true`; `false` as a service',
  fallback: 'none',
  bridge_port: 'none',
  fixture: 'the built-in one',
};

/** The tables by guide and mark. */
const TABLES: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  configuration: { settings: settingsTable, limits: limitsTable },
  fixture: { records: recordsTable },
};

/** Writes the tables of all guides. */
export function writeGuideTables(): void {
  for (const topic of Object.keys(TABLES)) {
    const path = join(root, guidePath(topic));
    writeFileSync(path, withGuideTables(topic, readFileSync(path, 'utf8')));
  }
}

/** Returns the page with its tables updated. Throws when a pair of marks is missing. */
export function withGuideTables(topic: string, page: string): string {
  return Object.entries(TABLES[topic] ?? {}).reduce((text, [mark, table]) => {
    const [begin, end] = [`<!-- ${mark}: begin -->\n`, `<!-- ${mark}: end -->`];
    const [before, rest = ''] = text.split(begin);
    const [, after] = rest.split(end);
    if (before === undefined || after === undefined)
      throw new Error(`${topic} has no ${begin.trim()} … ${end}`);
    return `${before}${begin}${table()}${end}${after}`;
  }, page);
}

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function settingsTable(): string {
  const defaults = defaultSettings('') as Readonly<Record<string, unknown>>;
  const readers: Readonly<Record<string, string | undefined>> = idleSettings;
  const rows = Object.entries(settingKeys).map(([name, key]: [string, SettingKey]) => {
    const core = readers[name] === undefined ? '' : ` Only for the core \`${readers[name]}\`.`;
    const value = SPECIAL_DEFAULTS[name] ?? `\`${JSON.stringify(defaults[name])}\``;
    return row(`\`${name}\``, value, key.expected, `${sentence(key.about)}${core}`);
  });
  return [row('key', 'default', 'value', 'meaning'), row('---', '---', '---', '---'), ...rows].join('');
}

function limitsTable(): string {
  const rows = Object.entries(limitKeys).map(([name, key]: [string, SettingKey]) => {
    const value = defaultLimits[name as keyof typeof defaultLimits].toLocaleString('en');
    return row(
      `\`${snakeCase(name)}\``,
      value,
      key.expected.replace(/^a (?:whole )?number /, ''),
      sentence(key.about),
    );
  });
  return [row('key', 'default', 'value', 'meaning'), row('---', '---', '---', '---'), ...rows].join('');
}

function recordsTable(): string {
  const all = Object.values(kinds as Readonly<Record<string, RecordKind>>);
  const written = all.filter(({ transient }) => !transient);
  const rows = written.map((kind) => {
    if (kind.about === undefined)
      throw new Error(`the kind ${kind.name} has no "about" for the fixture guide`);
    const [needed, others] = [true, false].map((wanted) => fieldsOf(kind, wanted).join(', '));
    return row(`\`${headerOf(kind)}\``, sentence(kind.about), needed ?? '', others ?? '');
  });
  return [row('key', 'what', 'needed', 'may be there'), row('---', '---', '---', '---'), ...rows].join('');
}

/** Returns a kind of record as a fixture spells it: `me`, `[voice]`, `[[guilds.roles]]`. */
function headerOf(kind: RecordKind): string {
  if (kind.singleton) return fieldsOf(kind, false).length === 0 ? kind.name : `[${kind.name}]`;
  return `[[${pathOf(kind)}]]`;
}

function pathOf({ name, within }: RecordKind): string {
  if (within === undefined) return name;
  const above = (kinds as Readonly<Record<string, RecordKind>>)[within.kind];
  return `${above === undefined ? within.kind : pathOf(above)}.${within.as}`;
}

/** Returns the required fields of a kind, or its optional fields. */
function fieldsOf(kind: RecordKind, needed: boolean): string[] {
  return Object.entries(shapeOf(kind.schema(schemaParts)))
    .filter(([, schema]) => schema.safeParse(undefined).success !== needed)
    .map(([name]) => `\`${name}\``);
}

interface Schema {
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly def?: { readonly innerType?: Schema; readonly in?: Schema };
  safeParse(value: unknown): { readonly success: boolean };
}

/** Returns the members of an object schema, even below a default or a transform. */
function shapeOf(schema: unknown): Readonly<Record<string, Schema>> {
  const { shape, def } = schema as Schema;
  const inner = def?.innerType ?? def?.in;
  return shape ?? (inner === undefined ? {} : shapeOf(inner));
}
