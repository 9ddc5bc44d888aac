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

/** A new runtime whose configuration has this text. */
function configured(text: (folder: string) => string) {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const config = join(runtime.env['XDG_CONFIG_HOME'] as string, 'footbridge');
  mkdirSync(config, { recursive: true, mode: 0o700 });
  writeFileSync(join(config, 'footbridge.toml'), text(runtime.folder));
  return runtime;
}

it('a forward of the configuration runs with the bridge and ends with it, after kill -9, too', async () => {
  const runtime = configured(
    (folder) => `[[forward]]\nfrom = "${folder}/apps"\nto = "auto"\nname = "desk"\n`,
  );
  const apps = join(runtime.folder, 'apps');
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

it('a forward that cannot start says why, and starts once it can', async () => {
  const runtime = configured(
    (folder) => `[[forward]]
from = "${folder}/missing/apps"
to = "auto"

[[forward]]
from = "${folder}/apps"
to = "exec:sh -c 'exit 127'"
name = "desk"
`,
  );
  const daemon = await startDaemon({ args: ['--http-port', '0', '--ws-port', 'off'], runtime });
  const missing = join(runtime.folder, 'missing');
  const facts = async () => ((await daemon.json('status')) as { forwards: unknown[] }).forwards;
  await eventually(async () =>
    expect(await facts()).toMatchObject([
      { lastError: expect.stringContaining(missing) },
      { lastError: expect.stringContaining('exit code 127') },
    ]),
  );
  mkdirSync(missing, { mode: 0o700 });
  await eventually(async () => expect(await facts()).toMatchObject([{ state: 'running' }, {}]));
  await daemon.stop();
});

it('a wrong forward ends the start with 78 and one line', async () => {
  const runtime = configured(() => '[[forward]]\nfrom = "stdio:"\nto = "auto"\n');
  await expect(startDaemon({ args: [], runtime })).rejects.toThrow(
    /ended with 78[\s\S]*forward 1: from: the service has no stdio:/,
  );
});
