import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tokenStore } from '../../../src/cli/token/token-store.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

function place() {
  const runtime = temporaryFolder();
  const folder = join(temporaryFolder(), 'new', 'tokens');
  const clock = { now: 1_000_000 };
  const kept = tokenStore(folder, () => clock.now);
  const key = { endpoint: join(runtime, 'discord-ipc-0'), clientId: '1', scopes: ['rpc', 'identify'] };
  const files = () => readdirSync(folder).map((name) => join(folder, name));
  return { runtime, folder, clock, kept, key, files };
}

it('the token store returns a token for the same endpoint, application and scopes in any order', () => {
  const { kept, key } = place();
  expect(kept.find(key)).toBeUndefined();
  kept.put(key, 'the-token', 2_000_000);
  expect(kept.find({ ...key, scopes: ['identify', 'rpc', 'rpc'] })).toBe('the-token');
  for (const other of [{ endpoint: `${key.endpoint}1` }, { clientId: '2' }, { scopes: ['rpc'] }])
    expect(kept.find({ ...key, ...other })).toBeUndefined();
});

it('the token store writes files of mode 0600 in a folder of mode 0700', () => {
  const { kept, key, folder, files } = place();
  kept.put(key, 'the-token', 2_000_000);
  expect(files().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it('the token store returns no token that expires within a minute, and removes expired tokens at the next write', () => {
  const { kept, key, clock, files } = place();
  kept.put(key, 'short', 1_100_000);
  clock.now = 1_040_001;
  expect(kept.find(key)).toBeUndefined();
  clock.now = 1_100_000;
  kept.put({ ...key, clientId: '2' }, 'next', 2_000_000);
  expect(files()).toHaveLength(1);
});

it('the token store removes tokens of an endpoint whose folder no longer exists', () => {
  const { kept, key, runtime, files } = place();
  kept.put(key, 'the-token', 2_000_000);
  rmSync(runtime, { recursive: true });
  kept.put({ ...key, endpoint: '/discord-ipc-0' }, 'next', 2_000_000);
  expect(files().map((file) => readFileSync(file, 'utf8'))).toEqual([expect.stringContaining('"next"')]);
});

it('the token store removes all tokens, or the tokens that match', () => {
  const { kept, key } = place();
  expect(kept.forget()).toBe(0);
  for (const clientId of ['1', '2', '3']) kept.put({ ...key, clientId }, 'token', 2_000_000);
  expect(kept.forget({ clientId: '2' })).toBe(1);
  expect(kept.forget({ scopes: ['rpc'] })).toBe(0);
  expect(kept.forget({ scopes: ['identify', 'rpc'], endpoint: key.endpoint })).toBe(2);
});

it.each<[string | Buffer, string]>([
  ['', 'empty'],
  ['{"endpoint":', 'cut off'],
  ['null', 'another shape'],
  [Buffer.from([0xff, 0xfe]), 'not UTF-8'],
  ['x'.repeat(100_000), 'too large'],
])('the token store ignores a file that holds %j (%s) and replaces the file', (content, _what) => {
  const { kept, key, files } = place();
  kept.put(key, 'the-token', 2_000_000);
  const [file = ''] = files();
  writeFileSync(file, content);
  expect(kept.find(key)).toBeUndefined();
  kept.put(key, 'another', 2_000_000);
  expect(kept.find(key)).toBe('another');
});

it('the token store ignores a file that others can write to, and a file with another key', () => {
  const { kept, key, files } = place();
  kept.put(key, 'the-token', 2_000_000);
  const [file = ''] = files();
  const text = readFileSync(file, 'utf8');
  chmodSync(file, 0o666);
  expect(kept.find(key)).toBeUndefined();
  chmodSync(file, 0o600);
  expect(kept.find(key)).toBe('the-token');
  writeFileSync(file, text.replace('"clientId":"1"', '"clientId":"2"'));
  expect(kept.find(key)).toBeUndefined();
});

it('the token store leaves foreign entries in its folder', () => {
  const { kept, key, folder } = place();
  mkdirSync(join(folder, 'notes'), { recursive: true });
  writeFileSync(join(folder, 'mine.json'), '{}');
  kept.put(key, 'the-token', 2_000_000);
  expect(kept.forget()).toBe(1);
  expect(readdirSync(folder).sort()).toEqual(['mine.json', 'notes']);
});
