// What became of each library's day, and the tables of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('results', import.meta.url));

/** The kinds of a day, by the heading of its table. */
const KINDS = {
  bots: 'Bots',
  webhooks: 'Webhooks',
  accounts: 'Signing in',
  games: 'Games and tools',
} as const;

/** What became of a library's day: each step works, fails, or is absent for a reason. */
export interface DayResult {
  readonly kind: keyof typeof KINDS;
  readonly library: string;
  readonly steps: Readonly<Record<string, string>>;
}

/** The file of a library's result. */
export function resultFile(library: string): string {
  return join(FOLDER, `${library.replace(/^@/, '').replaceAll(/[^a-z0-9.]+/gi, '-')}.json`);
}

/** The text of that file. */
export function resultText(result: DayResult): string {
  return `${JSON.stringify(result, undefined, 2)}\n`;
}

/** Every result that is written down. */
function readResults(): DayResult[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as DayResult);
}

/** The tables library × step. `versions` are those of the packages that have one fixed version. */
export function dayTables(results: readonly DayResult[], versions: Readonly<Record<string, string>>): string {
  const tables = Object.entries(KINDS).map(([kind, heading]) => {
    const ours = results.filter((result) => result.kind === kind);
    return ours.length === 0 ? '' : `### ${heading}\n\n${table(ours, versions)}\n${reasons(ours)}`;
  });
  return tables.filter((text) => text !== '').join('\n');
}

function table(results: readonly DayResult[], versions: Readonly<Record<string, string>>): string {
  const steps = [...new Set(results.flatMap((result) => Object.keys(result.steps)))];
  const rows = [
    ['step', ...results.map(({ library }) => titleOf(library, versions))],
    Array.from({ length: results.length + 1 }, () => '---'),
    ...steps.map((step) => [inWords(step), ...results.map((result) => cell(result.steps[step]))]),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |\n`).join('');
}

/** Such as `hang up` for `hangUp`. */
function inWords(step: string): string {
  return step.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function titleOf(library: string, versions: Readonly<Record<string, string>>): string {
  return library
    .split(' + ')
    .map((name) => (versions[name] === undefined ? name : `${name} ${versions[name]}`))
    .join(' + ');
}

function cell(state: string | undefined): string {
  if (state === 'works') return '✓';
  return state === 'fails' ? '✗' : '–';
}

function reasons(results: readonly DayResult[]): string {
  const lines = results.flatMap(({ library, steps }) => {
    const byReason = new Map<string, string[]>();
    for (const [step, state] of Object.entries(steps)) {
      if (state !== 'works' && state !== 'fails') byReason.set(state, [...(byReason.get(state) ?? []), step]);
    }
    return [...byReason].map(
      ([reason, names]) => `- ${library}: ${reason} (${names.map(inWords).join(', ')}).\n`,
    );
  });
  return lines.length === 0 ? '' : `\n– is no step of the library:\n\n${lines.join('')}`;
}

/** The tables of every result that is written down, with the versions of today. */
export function libraryTables(): string {
  const versions = { ...versionsIn('../../../package.json'), ...versionsIn('../../package.json') };
  return dayTables(readResults(), versions);
}

/** The packages of a file of npm, with their fixed versions. */
function versionsIn(path: string): Readonly<Record<string, string>> {
  const text = readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
  return (JSON.parse(text) as { readonly devDependencies: Readonly<Record<string, string>> }).devDependencies;
}
