import { describe, expect, it } from 'vitest';
import type { Native } from '../../../platform/native/native.ts';
import { bridgeRun } from '../../helpers/bridge-run.ts';
import { isLinux } from '../../helpers/fault-bridge.ts';

describe.skipIf(!isLinux)('a run under a service manager (Linux only)', () => {
  it('tells the manager that it serves, and that it stops', async () => {
    const said: string[] = [];
    const notify: Native['notify'] = (path, message) => {
      said.push(`${path} ${message}`);
      return { kind: 'sent' };
    };
    const run = await bridgeRun({
      env: { NOTIFY_SOCKET: '/run/notify', FOOTBRIDGE_WS_PORT: 'auto' },
      native: { notify },
    });
    const path = run.ready().endpoints.find(({ kind }) => kind === 'ipc')?.path;
    expect(said).toEqual([`/run/notify READY=1\nSTATUS=Serving ${path} on the core "emulator"`]);
    await run.stop();
    expect(said.slice(1)).toEqual(['/run/notify STOPPING=1']);
    expect(run.log().filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('logs that the manager could not be told', async () => {
    const notify: Native['notify'] = () => ({ kind: 'unsent', reason: 'full' });
    const run = await bridgeRun({ env: { NOTIFY_SOCKET: '/run/notify' }, native: { notify } });
    expect(run.log('the service manager was not told')).toEqual([
      { level: 'warn', reason: 'full', msg: 'the service manager was not told' },
    ]);
  });

  it('logs that there are no native calls to tell it with', async () => {
    const run = await bridgeRun({ env: { NOTIFY_SOCKET: '/run/notify' }, native: 'absent' });
    const text = 'the service manager cannot be told that the bridge is ready';
    expect(run.log(text)).toEqual([{ level: 'warn', reason: 'no koffi', msg: text }]);
    expect(await run.stop()).toBe('exit 0');
  });
});
