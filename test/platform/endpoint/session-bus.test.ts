import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownSessionBus } from '../../../platform/endpoint/session-bus.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const uid = process.getuid?.();

async function busIn(folder: string): Promise<string> {
  const path = join(folder, 'bus');
  const server = createServer().listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return path;
}

describe.skipIf(uid === undefined)('the session bus of the current user (needs numeric user ids)', () => {
  it('is the socket in the runtime folder, or the socket that the environment names', async () => {
    const folder = temporaryFolder();
    const path = await busIn(folder);
    const address = `unix:path=${path}`;
    expect(ownSessionBus({ XDG_RUNTIME_DIR: folder }, uid)).toBe(address);
    expect(ownSessionBus({ DBUS_SESSION_BUS_ADDRESS: address }, uid)).toBe(address);
    expect(ownSessionBus({ DBUS_SESSION_BUS_ADDRESS: `${address},guid=0af` }, uid)).toBe(address);
  });

  it.each([
    ['TCP', 'tcp:host=localhost,port=1'],
    ['a command', 'unixexec:path=/bin/sh'],
    ['several', 'unix:path=/a;unix:path=/b'],
    ['an abstract name', 'unix:abstract=/tmp/dbus-x'],
    ['a launcher', 'autolaunch:'],
    ['escapes', 'unix:path=/tmp/%62us'],
    ['a path that leads from here', 'unix:path=bus'],
  ])('is not %s, whatever lies in the runtime folder', async (_what, address) => {
    const folder = temporaryFolder();
    await busIn(folder);
    const env = { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: folder };
    expect(ownSessionBus(env, uid)).toBeUndefined();
  });

  it('is neither the bus of another user, a bus in a folder that others can write to, nor a file', async () => {
    const folder = temporaryFolder();
    const env = { XDG_RUNTIME_DIR: folder };
    expect(ownSessionBus(env, uid)).toBeUndefined();
    await busIn(folder);
    expect(ownSessionBus(env, (uid ?? 0) + 1)).toBeUndefined();
    expect(ownSessionBus(env, undefined)).toBeUndefined();
    chmodSync(folder, 0o777);
    expect(ownSessionBus(env, uid)).toBeUndefined();
    // As in /tmp: only the owner of a file can move it.
    chmodSync(folder, 0o1777);
    expect(ownSessionBus(env, uid)).toBeDefined();
    const other = temporaryFolder();
    writeFileSync(join(other, 'bus'), '');
    expect(ownSessionBus({ XDG_RUNTIME_DIR: other }, uid)).toBeUndefined();
    expect(ownSessionBus({ XDG_RUNTIME_DIR: join(other, 'not there') }, uid)).toBeUndefined();
  });
});
