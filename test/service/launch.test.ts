import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { launchDetached } from '../../service/launch.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const report =
  'echo "$PWD $GREETING $(readlink /proc/$$/fd/1) $$ $(cut -d" " -f5,6 /proc/$$/stat)" > "$0.new"; mv "$0.new" "$0"';

it.skipIf(process.platform !== 'linux')(
  'launchDetached starts a program in a session of its own, without our files (Linux only)',
  async () => {
    const path = join(temporaryFolder(), 'out');
    launchDetached(['/bin/sh', '-c', report, path], { GREETING: 'hello', PATH: process.env['PATH'] });
    const read = (): string => readFileSync(path, 'utf8');
    await eventually(() => expect(read()).toMatch(/^\/ hello \/dev\/null (\d+) \1 \1\n$/));
  },
);

it('launchDetached starts a program in our own environment and folder by default, and ignores one that does not exist', async () => {
  const path = join(temporaryFolder(), 'out');
  launchDetached(['/nowhere/at-all']);
  launchDetached(['/bin/sh', '-c', 'echo "$PATH" "$(pwd -P)" > "$0.new"; mv "$0.new" "$0"', path]);
  await eventually(() =>
    expect(readFileSync(path, 'utf8')).toBe(`${process.env['PATH']} ${process.cwd()}\n`),
  );
});
