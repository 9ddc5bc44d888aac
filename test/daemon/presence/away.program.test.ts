import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faultBridge, isLinux, place } from '../../helpers/fault-bridge.ts';

const patience = { timeout: 20_000 };

it.skipIf(!isLinux)(
  'presence of a user who is away stays hidden, whatever apps send (Linux only)',
  async () => {
    const runtime = place();
    const bin = join(runtime.folder, 'bin');
    mkdirSync(bin);
    const setIdle = (isIdle: boolean, pause = 0): void => {
      const lines = [isIdle, 1_000_000, false].map((data) => `echo '${JSON.stringify({ data })}'`);
      writeFileSync(join(bin, 'busctl'), `#!/bin/sh\nsleep ${pause}\n${lines.join('\n')}\n`);
      chmodSync(join(bin, 'busctl'), 0o755);
    };
    // The first check is under way when the first app comes.
    setIdle(true, 1);
    const bridge = await faultBridge({
      runtime,
      env: { PATH: `${bin}:${process.env['PATH']}`, FOOTBRIDGE_PRESENCE_AWAY: '1m' },
      args: ['--http-port', '0', '--ws-port', 'off'],
    });
    const app = await bridge.app();
    const list = async () => {
      const { entries } = (await bridge.control.call('presence.list', {})) as {
        readonly entries: readonly Record<string, unknown>[];
      };
      return entries.map(({ state, why, shown, clients }) => ({ state, why, shown, clients }));
    };
    const away = [{ state: 'hidden', why: 'you are away (presence_away)', shown: null, clients: [] }];
    const set = async (details: string): Promise<void> => {
      app.request('SET_ACTIVITY', { pid: process.pid, activity: { details } });
      expect(await app.answer()).toMatchObject({ evt: null, data: { details } });
    };
    await set('first');
    expect(await list()).toEqual(away);
    setIdle(true);
    await set('second');
    expect(await list()).toEqual(away);
    await bridge.control.call('presence.resume', {});
    expect(await list()).toEqual(away);
    setIdle(false);
    await expect
      .poll(list, patience)
      .toMatchObject([{ state: 'shown', shown: { details: 'second' }, clients: ['emulator'] }]);
  },
  60_000,
);

it.skipIf(!isLinux)(
  'presence stays shown where nothing reports that the user is idle (Linux only)',
  async () => {
    const runtime = place();
    const bridge = await faultBridge({
      runtime,
      env: { PATH: runtime.folder, FOOTBRIDGE_PRESENCE_AWAY: '1s' },
      args: ['--http-port', '0', '--ws-port', 'off'],
    });
    const app = await bridge.app();
    app.request('SET_ACTIVITY', { pid: process.pid, activity: { details: 'on' } });
    await app.answer();
    const reason =
      'busctl is not installed. Start the bridge in a session of logind with busctl of systemd, or remove presence_away from the configuration.';
    await expect
      .poll(() => bridge.control.call('presence.list', {}), patience)
      .toMatchObject({
        entries: [{ state: 'shown' }],
        problems: [`presence_away has no effect: ${reason}`],
      });
    const warnings = bridge
      .output()
      .stderr.split('\n')
      .filter((line) => line.includes('presence_away'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(reason);
    expect((await bridge.cli(['presence'])).stdout).toContain(`presence_away has no effect: ${reason}\n`);
  },
);
