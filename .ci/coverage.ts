// Reads src/emulator/coverage.json: the state of each statement of the platform's contract, and the tests that
// prove it; a test checks the rows. Developers write `what`, `state` and `why`. `npm run gen` fills in `tests` from the
// titles of tests, which end with the ids of rows: `it('… [U-3, R-5]')`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.ts';
import { read } from './staging.ts';

/** `ours`: the statement is implemented, but the public contract left a point open that we had to decide. */
export const STATES = ['done', 'ours', 'absent', 'planned'] as const;

export interface CoverageRow {
  /** Short form of the statement. */
  readonly what: string;
  readonly state: (typeof STATES)[number];
  /** The decision, or the reason for the state `absent` or `planned`. A statement that is `done` has none. */
  readonly why?: string;
  /** Tests that prove the statement, each as `file: title`. */
  readonly tests: readonly string[];
}

export type Coverage = Readonly<Record<string, CoverageRow>>;

/** Tests, each as `file: title`, with the rows that their titles name. */
type Naming = readonly (readonly [row: string, test: string])[];

export const COVERAGE = 'src/emulator/coverage.json';

export const readCoverage = (): Coverage => JSON.parse(read(COVERAGE)) as Coverage;

const ID = String.raw`[A-Z]-\d+(?:\.\.\d+)?`;
const NAMING = new RegExp(String.raw` \[(${ID}(?:, ${ID})*)\](?:\$\{|$)`);
/** Pattern of the title of a test or a group that is run; it does not match one that is skipped permanently. */
const TITLE = /(?:\b(?:it|test|describe)|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gs;

export function testsNaming(file: string, text: string): Naming {
  return [...text.matchAll(TITLE)].flatMap(([, , title = '']) => {
    const [, ids] = NAMING.exec(title) ?? [];
    return ids?.split(', ').map((id): [string, string] => [id, `${file}: ${title}`]) ?? [];
  });
}

export function allTestsNaming(): Naming {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .sort()
    .flatMap((file) => testsNaming(file, read(file)));
}

/** Returns the file's text with the tests that name each row: a row a line, so that changes of two rows do not conflict. */
export function coverageText(rows: Coverage, naming: Naming): string {
  const lines = Object.entries(rows).map(([id, row]) => {
    const tests = naming.filter(([named]) => named === id).map(([, test]) => test);
    return `${JSON.stringify(id)}: ${JSON.stringify({ ...row, tests: [...new Set(tests)] })}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}
