import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { footbridge, temporaryPlace } from './spawn.ts';

describe.each([
  ['record', (file: string) => ['record', file]],
  ['emulate', (file: string) => ['emulate', '--quiet', '--transcript', file]],
] as const)('%s', (name, lineFor) => {
  it.each([
    ['a command that is not there', [], ['no-such-command-at-all'], 127],
    ['a command that cannot be run', [], ['/'], 126],
    ['a world that cannot be read', ['--fixture', '/nowhere.toml'], ['true'], 78],
  ])('preserves an existing file in the case of %s', async (_title, options, command, code) => {
    const place = temporaryPlace();
    const [old, fresh] = [join(place.folder, 'old.ndjson'), join(place.folder, 'fresh.ndjson')];
    writeFileSync(old, 'an afternoon of work\n');
    for (const file of [old, fresh]) {
      const result = await footbridge(place, ...lineFor(file), ...options, '--', ...command);
      expect(result).toMatchObject({ code });
    }
    expect(readFileSync(old, 'utf8')).toBe('an afternoon of work\n');
    expect(existsSync(fresh)).toBe(false);
  });

  it('replaces the file when the command starts, as its help documents', async () => {
    const place = temporaryPlace();
    const file = join(place.folder, 'old.ndjson');
    writeFileSync(file, `${'an afternoon of work '.repeat(500)}\n`);
    expect((await footbridge(place, ...lineFor(file), '--', 'false')).code).toBe(1);
    expect(readFileSync(file, 'utf8')).not.toContain('afternoon');
    const help = (await footbridge(place, name, '--help')).stdout.replace(/\s+/g, ' ');
    expect(help).toContain('is replaced once the command has started');
  });
});
