import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Hello } from '../../src/forward/link/hello.ts';
import { eventually } from '../helpers/eventually.ts';
import { app, echoBridge, forwarding, paths } from './forwards.ts';

/** A command with the apps: says hello, opens session 1 of process 7 with three bytes, and stays until its input ends. */
const appsCommand = (rest = 'cat > /dev/null'): string => {
  const hello = 'footbridge-forward/1 apps full "x"\\n';
  const open = '\\001\\004\\000\\000\\001\\000\\000\\000\\007\\000\\000\\000';
  const data = '\\002\\003\\000\\000\\001\\000\\000\\000abc';
  return `exec:sh -c 'printf "%b" "$0" ; ${rest}' '${hello}${open}${data}'`;
};

it('a forward from a command leads its apps to the bridge, and counts them', async () => {
  const { bridge } = paths();
  const sockets = await echoBridge(bridge);
  const begun = Date.now();
  const { forward } = await forwarding(appsCommand(), bridge);
  await eventually(() => expect(forward.status().sessions).toBe(1));
  await eventually(() => expect(sockets[0]?.bytesRead).toBe(3));
  const { since, ...status } = forward.status();
  expect(status).toEqual({ sessions: 1, why: null, lastError: null });
  expect(since).toBeGreaterThanOrEqual(begun);
  forward.close();
  await eventually(() => expect(sockets[0]?.destroyed).toBe(true));
});

it('a forward from a command that has ended says why it waits', async () => {
  const { bridge } = paths();
  await echoBridge(bridge);
  const timing = { minPauseMs: 60_000 };
  const { forward } = await forwarding(appsCommand('exit 3'), bridge, { timing });
  await eventually(() => expect(forward.status().why).not.toBeNull());
  const fault = 'exec:sh …: the command ended (exit code 3).';
  expect(forward.status()).toEqual({ sessions: 0, why: fault, since: null, lastError: fault });
});

it('a forward enters the bridge once with the rights and the name of its apps, and leaves when it ends', async () => {
  const { apps, bridge } = paths();
  const entered: unknown[] = [];
  let left = 0;
  const enter = async (rights: Hello['rights'], name: string) => {
    entered.push([rights, name]);
    return {
      path: async () => bridge,
      close: () => {
        left += 1;
      },
    };
  };
  const controller = new AbortController();
  const { forward } = await forwarding(apps, bridge, {
    enter,
    rights: 'presence',
    name: 'box',
    signal: controller.signal,
  });
  expect([entered, left, existsSync(apps)]).toEqual([[['presence', 'box']], 0, true]);
  controller.abort();
  expect([left, existsSync(apps)]).toEqual([1, false]);
  forward.close();
  expect(left).toBe(1);
});

it('a forward that cannot start leaves the bridge again', async () => {
  const { bridge } = paths();
  let left = 0;
  const enter = async () => ({
    path: async () => bridge,
    close: () => {
      left += 1;
    },
  });
  await expect(forwarding('/nowhere/at/all', bridge, { enter })).rejects.toThrow('/nowhere/at');
  expect(left).toBe(1);
});

it('an app of a forward whose command ends gets the reason', async () => {
  const { apps } = paths();
  const hello = 'footbridge-forward/1 bridge full "x"';
  const { forward } = await forwarding(apps, `exec:sh -c 'echo "$0"; cat > /dev/null' '${hello}'`);
  const one = app(apps);
  await eventually(() => expect(forward.status().sessions).toBe(1));
  forward.close();
  expect(String(await one.all)).toContain('The forward ends. Connect again later.');
  await eventually(() => expect(forward.status().sessions).toBe(0));
});
