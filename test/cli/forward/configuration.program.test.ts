import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../src/client/index.ts';
import { createRuntime, startDaemon } from '../../helpers/daemon.ts';
import { eventually } from '../../helpers/eventually.ts';

const APP = '300000000000000001';

async function setActivity(path: string): Promise<void> {
  const client = await connect({ clientId: APP, paths: [path], reconnect: false });
  onTestFinished(() => client.close());
  await client.setActivity({ details: 'through the forward of the configuration' });
  await expect(client.request('AUTHORIZE', { client_id: APP, scopes: ['rpc'] })).rejects.toThrow(/desk/);
}

it('a forward of the configuration runs with the bridge and ends with it, after kill -9, too', async () => {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const apps = join(runtime.folder, 'apps');
  const config = join(runtime.env['XDG_CONFIG_HOME'] as string, 'footbridge');
  mkdirSync(config, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(config, 'footbridge.toml'),
    `[[forward]]\nfrom = ${JSON.stringify(apps)}\nto = "auto"\nname = "desk"\n`,
  );
  const options = { args: ['--http-port', '0', '--ws-port', 'off'], runtime };
  const first = await startDaemon(options);
  await eventually(() => setActivity(apps));
  const { forwards } = (await first.json('status')) as { forwards: unknown };
  const facts = {
    name: 'desk',
    from: apps,
    to: 'auto',
    rights: 'presence',
    state: 'running',
    why: null,
    lastError: null,
  };
  expect(forwards).toEqual([{ ...facts, since: expect.stringMatching(/^\d{4}-.*Z$/), sessions: 1 }]);
  expect((await first.cli(['status'])).stdout).toMatch(
    new RegExp(`^forward desk +${apps} to auto \\(presence\\): 1 session$`, 'm'),
  );
  await first.kill();
  await eventually(() => expect(existsSync(apps)).toBe(false));
  const second = await startDaemon(options);
  await eventually(() => setActivity(apps));
  await second.stop();
  await eventually(() => expect(existsSync(apps)).toBe(false));
});

it('a wrong forward ends the start with 78 and one line', async () => {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const config = join(runtime.env['XDG_CONFIG_HOME'] as string, 'footbridge');
  mkdirSync(config, { recursive: true, mode: 0o700 });
  writeFileSync(join(config, 'footbridge.toml'), '[[forward]]\nfrom = "stdio:"\nto = "auto"\n');
  await expect(startDaemon({ args: [], runtime })).rejects.toThrow(
    /ended with 78[\s\S]*forward 1: from: the service has no stdio:/,
  );
});
