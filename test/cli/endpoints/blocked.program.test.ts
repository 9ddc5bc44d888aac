import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addEndpoint } from '../../../src/cli/endpoints/endpoints.ts';
import { createRuntime, startDaemon } from '../../helpers/daemon.ts';
import { fakeIo } from '../fake-io.ts';

it('an endpoint that the bridge cannot serve is added with exit code 2 and the obstacle on stderr', async () => {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const file = join(runtime.folder, 'footbridge.toml');
  writeFileSync(file, '');
  const args = ['--config', file, '--http-port', '0', '--ws-port', 'off'];
  const daemon = await startDaemon({ runtime, args });
  onTestFinished(async () => void (await daemon.stop()));

  mkdirSync(join(runtime.folder, 'box'), { mode: 0o700 });
  const path = join(runtime.folder, 'box/discord-ipc-0');
  writeFileSync(path, 'in the way');
  const add = async (name: string, at: string, json: boolean) => {
    const io = fakeIo(daemon.env);
    const code = await addEndpoint({ name, path: at }, file, json, io);
    return { code, stderr: io.stderr(), stdout: io.stdout() };
  };
  const blocked = await add('box', path, true);
  expect(blocked.code).toBe(2);
  expect(blocked.stderr).toMatch(
    /^footbridge: box is not served: [^\n]+ is taken: [^\n]+ Stop or move [^\n]+\n$/,
  );
  expect(JSON.parse(blocked.stdout)).toMatchObject({ endpoints: [{ name: 'box', state: 'blocked' }] });
  expect(await add('free', join(runtime.folder, 'free/discord-ipc-0'), false)).toMatchObject({
    code: 0,
    stderr: '',
  });
});

it('an endpoint in a file that the running bridge does not read is a finding, with the command for the other file', async () => {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const [read, other] = ['read.toml', 'other.toml'].map((name) => join(runtime.folder, name));
  for (const file of [read, other]) writeFileSync(file ?? '', '');
  const args = ['--config', read ?? '', '--http-port', '0', '--ws-port', 'off'];
  const daemon = await startDaemon({ runtime, args });
  onTestFinished(async () => void (await daemon.stop()));
  const io = fakeIo(daemon.env);
  const table = { name: 'games', preset: 'snap', client: 'some-game' };
  expect(await addEndpoint(table, other, false, io)).toBe(2);
  expect(io.stdout()).toBe(`Added "games" to ${other}.\n`);
  expect(io.stderr()).toBe(
    `footbridge: nothing changes now: the running bridge reads ${read}. For that one: footbridge endpoints add snap --name games --client some-game --config ${read}\n`,
  );
  expect(readFileSync(other ?? '', 'utf8')).toContain('games');
  expect((await daemon.cli(['doctor'])).stdout).toContain(`file: ${read}`);
  expect(await daemon.json('config', 'show')).toMatchObject({ running: { config: read } });
});
