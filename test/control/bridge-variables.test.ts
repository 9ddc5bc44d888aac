import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bridgeVariables } from '../../src/control/bridge-variables.ts';
import { listenOn, temporaryFolder } from '../helpers/sockets.ts';

describe('bridgeVariables', () => {
  const bridge = {
    folder: '/tmp/private',
    endpoint: '/tmp/private/discord-ipc-0',
    api: 'http://127.0.0.1:1/api',
    ws: 'ws://127.0.0.1:2',
    control: '/tmp/private/footbridge-1/control.sock',
  };
  const named = {
    XDG_RUNTIME_DIR: '/tmp/private',
    FOOTBRIDGE_ENDPOINT: bridge.endpoint,
    FOOTBRIDGE_API: bridge.api,
    FOOTBRIDGE_WS: bridge.ws,
    FOOTBRIDGE_CONTROL: bridge.control,
  };

  it('sets only the runtime folder and the addresses of the bridge', () => {
    expect(bridgeVariables({ TMPDIR: '/t', TMP: '/t', TEMP: '/t', HOME: '/h' }, bridge)).toEqual(named);
  });

  it('names no world of a bridge around it', () => {
    const around = { FOOTBRIDGE_WORLD: 'lake' };
    expect(bridgeVariables(around, bridge)).toEqual({ ...named, FOOTBRIDGE_WORLD: '' });
    expect(bridgeVariables(around, { ...bridge, world: 'sea' })).toEqual({
      ...named,
      FOOTBRIDGE_WORLD: 'sea',
    });
  });

  it('omits addresses that the bridge does not offer', () => {
    const { endpoint, control } = bridge;
    expect(bridgeVariables({}, { endpoint, control, api: null, ws: '' })).toEqual({
      FOOTBRIDGE_ENDPOINT: endpoint,
      FOOTBRIDGE_CONTROL: control,
    });
  });

  it('names no sockets of the desktop that are in the folder of the bridge', async () => {
    const folder = temporaryFolder();
    await listenOn({ path: join(folder, 'bus') });
    const env = { XDG_RUNTIME_DIR: folder, WAYLAND_DISPLAY: 'wayland-0' };
    expect(bridgeVariables(env, { ...bridge, folder })).toEqual({ ...named, XDG_RUNTIME_DIR: folder });
  });

  it('names the sockets of the desktop by their original paths', async () => {
    const folder = temporaryFolder();
    await listenOn({ path: join(folder, 'bus') });
    const env = { XDG_RUNTIME_DIR: folder, WAYLAND_DISPLAY: 'wayland-0' };
    expect(bridgeVariables(env, bridge)).toEqual({
      ...named,
      WAYLAND_DISPLAY: join(folder, 'wayland-0'),
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'bus')}`,
    });
    const given = { ...env, WAYLAND_DISPLAY: '/w', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x' };
    expect(bridgeVariables(given, bridge)).not.toHaveProperty('DBUS_SESSION_BUS_ADDRESS');
    expect(bridgeVariables(given, bridge)).not.toHaveProperty('WAYLAND_DISPLAY');
    expect(existsSync(join(folder, 'bus'))).toBe(true);
  });
});
