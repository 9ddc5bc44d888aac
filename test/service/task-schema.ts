import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { taskXml } from '../../service/task-xml.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

/** Holds the task against its schema: where the machine has xmllint, and in the tests of the system, which install it. */
export function describeTaskSchema(): void {
  describe('the schema of Task Scheduler', () => {
    const schema = fileURLToPath(new URL('task.xsd', import.meta.url));
    const xmllint = spawnSync('xmllint', ['--version']).status === 0;
    const validate = (xml: string): { readonly status: number | null; readonly stderr: string } => {
      const path = join(temporaryFolder(), 'task.xml');
      writeFileSync(path, `\ufeff${xml}`, 'utf16le');
      return spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, path], { encoding: 'utf8' });
    };
    const ours = (): string =>
      new TextDecoder('utf-16le').decode(
        taskXml({ userId: 'PC\\u & co', argv: ['C:\\node.exe', 'a b'], description: 'd' }),
      );

    it.skipIf(!xmllint)('finds nothing wrong (skipped: needs xmllint)', () => {
      expect(validate(ours())).toMatchObject({ status: 0 });
    });
    it.skipIf(!xmllint).each([
      ['<Command>', '<Comand>', '</Command>', '</Comand>'],
      ['InteractiveToken', 'Interactive', '', ''],
      ['<UserId>PC', '<Group>PC', 'co</UserId>', 'co</Group>'],
      ['PT1M', 'PT5S', '', ''],
      ['PT0S', '0', '', ''],
      ['<Count>10', '<Count>0', '', ''],
      ['mit/task', 'mit/tusk', '', ''],
      ['<Priority>7', '<Priority>99', '', ''],
    ])('finds what is wrong with %s as %s (skipped: needs xmllint)', (from, to, from2, to2) => {
      const text = ours().replace(from, to).replace(from2, to2);
      expect(text).not.toBe(ours());
      expect(validate(text).status).not.toBe(0);
    });
  });
}
