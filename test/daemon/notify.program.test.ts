import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultBridge, place } from '../helpers/fault-bridge.ts';

describe('a bridge with a desktop', () => {
  /** A desktop whose notifications land in a file, an argument a line. */
  function desktop() {
    const runtime = place();
    const bin = join(runtime.folder, 'bin');
    const shown = join(runtime.folder, 'shown');
    mkdirSync(bin);
    writeFileSync(join(bin, 'notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${shown}'\n`);
    chmodSync(join(bin, 'notify-send'), 0o755);
    const env = { DISPLAY: ':0', PATH: `${bin}:${process.env['PATH']}` };
    const lines = (): string[] =>
      existsSync(shown) ? readFileSync(shown, 'utf8').trimEnd().split('\n') : [];
    return { runtime, env, lines };
  }
  const authorize = { client_id: '300000000000000001', scopes: ['rpc'] };

  it.skipIf(process.platform !== 'linux')('displays one notification per request (Linux only)', async () => {
    const { runtime, env, lines } = desktop();
    const bridge = await faultBridge({ runtime, env, args: ['--http-port', '0', '--ws-port', 'off'] });
    const app = await bridge.app();
    app.request('AUTHORIZE', authorize);
    await expect.poll(lines, { timeout: 10_000 }).toHaveLength(4);
    const [waiting] = (await bridge.control.call('requests.list')) as { id: string }[];
    expect(lines()[3]).toContain(`footbridge approve ${waiting?.id}`);
    const other = await bridge.app('300000000000000002');
    other.request('AUTHORIZE', { ...authorize, client_id: '300000000000000002' });
    await expect.poll(lines, { timeout: 10_000 }).toHaveLength(8);
  });

  it.skipIf(process.platform !== 'linux')(
    'displays no notification when notifications are off (Linux only)',
    async () => {
      const { runtime, env, lines } = desktop();
      const args = ['--http-port', '0', '--ws-port', 'off', '--notifications', 'false'];
      const bridge = await faultBridge({ runtime, env, args });
      const app = await bridge.app();
      app.request('AUTHORIZE', authorize);
      await expect.poll(() => bridge.control.call('requests.list'), { timeout: 10_000 }).toHaveLength(1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(lines()).toEqual([]);
    },
  );
});
