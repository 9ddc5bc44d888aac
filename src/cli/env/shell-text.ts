import type { Variables } from './variables.ts';

/** Returns a statement that sets and exports a variable; any value stays one word. */
type Statement = (name: string, value: string) => string;

/** Statements by shell: `sh` covers every POSIX shell. */
const STATEMENTS = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`,
  fish: (name, value) => `set -gx ${name} '${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`,
  // PowerShell reads typographic quotes as quotes, too.
  powershell: (name, value) => `$env:${name} = '${value.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`,
} as const satisfies Readonly<Record<string, Statement>>;

/** Shells for which variables can be printed. */
export const shells = Object.keys(STATEMENTS) as (keyof typeof STATEMENTS)[];

/** Statements that set the variables in a shell, one per line; `shell` is one of {@link shells}. */
export function shellText(shell: string, variables: Variables): string {
  const statement: Statement = STATEMENTS[shell as keyof typeof STATEMENTS];
  return Object.entries(variables)
    .map(([name, value]) => `${statement(name, value)}\n`)
    .join('');
}
