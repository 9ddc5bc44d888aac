import { describe, expect, it } from 'vitest';
import { styleFor } from '../../../src/base/style.ts';
import { allChecks } from '../../../src/cli/doctor/checks.ts';
import { pageIds, pageOf, pageText } from '../../../src/cli/doctor/explain.ts';
import { parseCommandLine } from '../../../src/cli/parse.ts';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { wordsOf } from '../../helpers/examples.ts';
import { fakeIo } from '../fake-io.ts';

async function explain(...words: readonly string[]) {
  const io = fakeIo({});
  const code = await runProgram(['doctor', '--explain', ...words], commandTable, io);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

describe('footbridge doctor --explain', () => {
  it.each(allChecks)('has a page for $id', async ({ id, title }) => {
    expect(title).toMatch(/^[A-Z][^.]{5,60}$/);
    const { text } = pageOf(id);
    // A paragraph about the check, and at least one about its remedy.
    expect(text.split('\n\n').length).toBeGreaterThanOrEqual(2);
    expect(text).not.toMatch(/^ |[ \t]$/m);
    const { code, stdout } = await explain(id);
    expect(code).toBe(0);
    expect(stdout).toBe(pageText(pageOf(id), styleFor(false)));
    expect(stdout).not.toMatch(/`|\$\{/);
  });

  it('names only commands, options and pages that exist', () => {
    const names = commandTable.map(({ name }) => name);
    for (const { id, explanation } of allChecks) {
      for (const [, page = ''] of explanation.matchAll(/[Tt]he page `([^`]+)`/g))
        expect(pageIds).toContain(page);
      for (const [, typed = ''] of explanation.matchAll(/`footbridge ([^`]+)`/g)) {
        if (!names.includes(typed))
          expect(() => parseCommandLine(wordsOf(typed), commandTable), id).not.toThrow();
      }
    }
  });

  it('prints the page as JSON with --json', async () => {
    const { code, stdout } = await explain('core', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(pageOf('core'));
  });

  it.each([
    [['endpoint'], 'Did you mean "endpoints"?'],
    [['Flatpack'], 'Did you mean "flatpak"?'],
    [['zzz'], `The ids are ${pageIds.join(', ')}.`],
    [['core', '--fix'], '--explain prints a page and checks nothing. Give it alone.'],
    [[''], 'The ids are'],
  ])('ends with 64 for %j and says what to do', async (words, hint) => {
    const { code, stdout, stderr } = await explain(...words);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain(hint);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
