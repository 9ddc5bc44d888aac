// The tables of guides: settings and limits, and the keys of a fixture.
import * as z from 'zod';
import { limitKeys, type SettingKey, settingKeys, snakeCase } from '../src/daemon/config/keys.ts';
import type { RecordKind } from '../src/emulator/kernel/state/record.ts';
import * as schemaParts from '../src/emulator/kernel/state/schema-parts.ts';
import { kinds } from '../src/emulator/schema.ts';
import { defaultLimits } from '../src/session/limits.ts';
import { code, table } from './markdown.ts';

/** Defaults that depend on the machine or on a checkout, as the guide describes them. */
const SPECIAL_DEFAULTS: Readonly<Record<string, string>> = {
  data_dir: '`footbridge` in `XDG_DATA_HOME`, else in `~/.local/share`',
  log_level: '`"warn"`; in a checkout `"info"`',
  journal: '`true`; `false` as a service',
  fallback: 'none',
  bridge_port: 'none',
  fixture: 'the built-in one',
};

const KINDS: Readonly<Record<string, RecordKind>> = kinds;
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export function settingsTable(): string {
  const rows = Object.entries(settingKeys).map(([name, { expected, about, initial, core }]) => {
    const reader = core === undefined ? '' : ` Only for the core \`${core}\`.`;
    const value = SPECIAL_DEFAULTS[name] ?? code(JSON.stringify(initial));
    return [code(name), value, expected, `${sentence(about)}${reader}`];
  });
  return table(['key', 'default', 'value', 'meaning'], rows);
}

export function limitsTable(): string {
  const rows = Object.entries(limitKeys).map(([name, key]: [string, SettingKey]) => {
    const value = defaultLimits[name as keyof typeof defaultLimits].toLocaleString('en');
    const expected = key.expected.replace(/^a (?:whole )?number /, '');
    return [code(snakeCase(name)), value, expected, sentence(key.about)];
  });
  return table(['key', 'default', 'value', 'meaning'], rows);
}

export function recordsTable(): string {
  const written = Object.values(KINDS).filter(({ transient }) => !transient);
  const rows = written.map((kind) => {
    if (kind.about === undefined) throw new Error(`the kind ${kind.name} has no "about" for the guide`);
    const [needed, others] = [fieldsOf(kind, true).join(', '), fieldsOf(kind, false).join(', ')];
    return [code(headerOf(kind)), sentence(kind.about), needed, others];
  });
  return table(['key', 'what', 'needed', 'may be there'], rows);
}

/** Returns a kind of record as a fixture spells it: `me`, `[voice]`, `[[guilds.roles]]`. */
function headerOf(kind: RecordKind): string {
  if (kind.singleton) return fieldsOf(kind, false).length === 0 ? kind.name : `[${kind.name}]`;
  return `[[${pathOf(kind)}]]`;
}

function pathOf({ name, within }: RecordKind): string {
  if (within === undefined) return name;
  const above = KINDS[within.kind];
  return `${above === undefined ? within.kind : pathOf(above)}.${within.as}`;
}

/** Returns the required fields of a kind, or its optional fields. */
function fieldsOf(kind: RecordKind, needed: boolean): string[] {
  const schema = kind.schema(schemaParts);
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties)
    .filter((name) => required.includes(name) === needed)
    .map(code);
}
