import { ACTIVITY_TYPES } from '../../base/activity-types.ts';
import { messageOf } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import {
  MAX_PATTERN_LENGTH,
  type Pattern,
  parsePattern,
  REGEX_PREFIX,
  type RegexCompiler,
} from '../../presence/pattern.ts';
import {
  CONDITIONS,
  DROPPABLE,
  type Droppable,
  REPLACEABLE,
  type Replaceable,
  type Rule,
} from '../../presence/rule.ts';
import { Text } from '../../presence/text.ts';
import { print, tableWith, wrong } from './table.ts';

const MAX_RULES = 1000;
const MAX_NAMES = 64;
const MAX_RANK = 1000;
/** Length of a text that an app may set (UTF-16 units). */
const MAX_TEXT = 128;
const ACTIONS = ['hide', 'drop', 'replace', 'only', 'give_way_to', 'rank'] as const;
const KEYS = [...CONDITIONS, 'type', ...ACTIONS];

/**
 * Validates the `[[presence]]` of a file, whose text tells the line of each rule. Throws `LocalError` FOOTBRIDGE_CONFIG
 * with file, line, key and remedy in one line.
 */
export async function readPresence(value: unknown, path: string, text: string): Promise<readonly Rule[]> {
  if (!Array.isArray(value)) throw wrong(path, 'presence: tables [[presence]] are expected');
  if (value.length > MAX_RULES) throw wrong(path, `presence: at most ${MAX_RULES} rules are applied`);
  const tables: readonly unknown[] = value;
  const places = placesOf(tables.length, path, text);
  const compile = usesRegex(tables) ? await regexCompiler() : noRegex;
  const rules = tables.map((table, at) => readRule(table, places[at] ?? path, compile));
  checkCircles(rules);
  return rules;
}

/** The place of each table: its line, or its number where the lines cannot be told apart. */
function placesOf(count: number, path: string, text: string): readonly string[] {
  const lines = text
    .split('\n')
    .flatMap((line, index) =>
      /^\s*\[\[\s*(?:presence|"presence"|'presence')\s*\]\]/.test(line) ? [index + 1] : [],
    );
  return Array.from({ length: count }, (_, at) =>
    lines.length === count ? `${path}:${lines[at]}` : `${path}: presence ${at + 1}`,
  );
}

function usesRegex(tables: readonly unknown[]): boolean {
  return JSON.stringify(tables).includes(`"${REGEX_PREFIX}`);
}

/** The engine is loaded for the first expression only. */
async function regexCompiler(): Promise<RegexCompiler> {
  const { RE2JS } = await import('re2js');
  return (source) => {
    const compiled = RE2JS.compile(source);
    return { programSize: compiled.programSize(), test: (text) => compiled.matcher(text).find() };
  };
}

const noRegex: RegexCompiler = () => {
  throw new Error('regular expressions are not loaded');
};

function readRule(value: unknown, where: string, compile: RegexCompiler): Rule {
  const table = tableWith(KEYS, value, where);
  const pattern = (key: string, source: unknown): Pattern => {
    if (typeof source !== 'string')
      throw wrong(where, `${key}: ${print(source)} is not a text, such as "Name", "Na*" or "re:^N"`);
    try {
      return parsePattern(source, compile);
    } catch (error) {
      const shown = source.length > 60 ? `${source.slice(0, 60)}…` : source;
      throw wrong(where, `${key}: ${print(shown)}: ${messageOf(error)}`, error);
    }
  };
  const conditions = CONDITIONS.flatMap((key) =>
    table[key] === undefined ? [] : [[key, pattern(key, table[key])] as const],
  );
  const { hide, drop, replace, only, give_way_to: giveWayTo, rank } = table;
  if (!ACTIONS.some((action) => table[action] !== undefined))
    throw wrong(where, `the rule does nothing. Give one of ${ACTIONS.join(', ')}`);
  if (conditions.length === 0 && table['type'] === undefined)
    throw wrong(
      where,
      `the rule has no condition. Give one of ${CONDITIONS.join(', ')}, type; app = "*" is every app`,
    );
  if (hide !== undefined && typeof hide !== 'boolean')
    throw wrong(where, `hide: ${print(hide)} is not true or false`);
  if (rank !== undefined && !(Number.isInteger(rank) && Math.abs(Number(rank)) <= MAX_RANK))
    throw wrong(where, `rank: ${print(rank)} is not a whole number from -${MAX_RANK} to ${MAX_RANK}`);
  return {
    place: where,
    conditions,
    type: typeIn(table['type'], where),
    hide,
    drop: drop === undefined ? undefined : fieldsIn(drop, where),
    replace: replace === undefined ? undefined : textsIn(replace, where),
    only: only === undefined ? undefined : namesIn('only', only, where),
    giveWayTo:
      giveWayTo === undefined
        ? undefined
        : namesIn('give_way_to', giveWayTo, where).map((name) => pattern('give_way_to', name)),
    rank: rank as number | undefined,
  };
}

function typeIn(value: unknown, where: string): number | undefined {
  if (value === undefined) return undefined;
  const names = Object.keys(ACTIVITY_TYPES);
  if (typeof value === 'string' && names.includes(value))
    return (ACTIVITY_TYPES as Readonly<Record<string, number>>)[value];
  throw wrong(where, `type: ${print(value)} is not one of ${names.join(', ')}`);
}

function fieldsIn(value: unknown, where: string): readonly Droppable[] {
  return namesIn('drop', value, where).map((field) => {
    const known = DROPPABLE.find((name) => name === field);
    if (known !== undefined) return known;
    const hint = didYouMean(field, DROPPABLE) || ` Known are ${DROPPABLE.join(', ')}.`;
    throw wrong(where, `drop: ${print(field)} is no field of an activity.${hint}`);
  });
}

function textsIn(value: unknown, where: string): Rule['replace'] {
  const table = tableWith(REPLACEABLE, value, `${where}: replace`);
  return Object.fromEntries(
    Object.entries(table).map(([field, text]) => {
      const min = field === 'name' ? 1 : 2;
      if (typeof text === 'string' && text.length >= min && text.length <= MAX_TEXT)
        return [field as Replaceable, text];
      throw wrong(
        where,
        `replace.${field}: ${print(text)} is not a text of ${min} to ${MAX_TEXT} characters`,
      );
    }),
  );
}

function namesIn(key: string, value: unknown, where: string): readonly string[] {
  const isList =
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_NAMES &&
    value.every(
      (name) => typeof name === 'string' && name.trim() !== '' && name.length <= MAX_PATTERN_LENGTH,
    );
  if (isList) return value as string[];
  throw wrong(where, `${key}: ${print(value)} is not a list of 1 to ${MAX_NAMES} names, such as ["Name"]`);
}

/** Refuses rules whose apps, named exactly, give way to each other in a circle: none of them would come first. */
function checkCircles(rules: readonly Rule[]): void {
  const edges = rules.flatMap((rule) => {
    const [, app] = rule.conditions.find(([condition]) => condition === 'app') ?? [];
    if (app?.kind !== 'exact') return [];
    return (rule.giveWayTo ?? []).flatMap((other) =>
      other.kind === 'exact' && !other.matches(new Text(app.source))
        ? [{ rule, from: app.source, to: other.source }]
        : [],
    );
  });
  const next = new Map<string, typeof edges>();
  for (const edge of edges) {
    const name = edge.from.toLowerCase();
    next.set(name, [...(next.get(name) ?? []), edge]);
  }
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (done.has(name)) return;
    for (const { rule, from, to } of next.get(name) ?? []) {
      const target = to.toLowerCase();
      if (target === name || path.includes(target)) {
        const circle = [...path.slice(path.indexOf(target)), name].filter(
          (one, at, all) => all.indexOf(one) === at,
        );
        throw wrong(
          rule.place,
          `give_way_to: ${circle.map(print).join(' and ')} give way to each other, so none of them would come first. Remove ${print(to)} from the rule for ${print(from)}`,
        );
      }
      visit(target, [...path, name]);
    }
    done.add(name);
  };
  for (const name of next.keys()) visit(name, []);
}
