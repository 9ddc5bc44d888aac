import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/testing/testing.ts';
import { connectClient } from '../console/page/app.ts';

const page = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

it('README and the guide on consent state how long a request waits', async () => {
  const emulator = await startEmulator({ consent: 'ask' });
  onTestFinished(() => emulator.close());
  const app = await connectClient(emulator);
  onTestFinished(() => app.end());
  app.send('AUTHORIZE', { client_id: '300000000000000001', scopes: ['identify'] });
  const waiting = () => emulator.operations.call('requests.list');
  await expect.poll(waiting).toHaveLength(1);
  const [request] = await waiting();
  expect((request?.expiresAt ?? 0) - (request?.requestedAt ?? 0)).toBe(2 * 60 * 1000);
  for (const name of ['README.md', '.github/guide/consent.md'])
    expect(page(name)).toContain('A request waits for two minutes');
});

it('the table of exit codes names commands that exist', async () => {
  const { commandTable } = await import('../../src/cli/table.ts');
  const names = commandTable.map(({ name }) => name);
  const [, table = ''] = page('.github/guide/troubleshooting.md').split('## Exit codes');
  const [rows = ''] = table.split('\n## ');
  const commands = rows
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) =>
      [...(line.split('|').at(3) ?? '').matchAll(/`([a-z][a-z -]+)`/g)].map(([, name = '']) => name),
    );
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter((name) => !names.includes(name.replace(/ --\S+/g, '')))).toEqual([]);
});
