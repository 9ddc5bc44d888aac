import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bridgeVariables } from '../../../src/cli/emulate/private-bridge.ts';
import { footbridge, footbridgeCommand, startFootbridge, temporaryPlace } from '../spawn.ts';

/** A place whose temporary folders can be counted. */
function countedPlace() {
  const place = temporaryPlace();
  const temporary = join(place.folder, 't');
  mkdirSync(temporary);
  return {
    place: { ...place, env: { ...place.env, TMPDIR: temporary } },
    left: () => readdirSync(temporary).filter((name) => name.startsWith('footbridge-')),
  };
}

describe('footbridge emulate', () => {
  it('runs the command against a bridge of its own and returns its exit code', async () => {
    const { place, left } = countedPlace();
    const script = `[ "$XDG_RUNTIME_DIR" != "${place.folder}" ] && [ -S "$XDG_RUNTIME_DIR/discord-ipc-0" ] && [ -n "$FOOTBRIDGE_API" ] && exit 7`;
    const { code, stdout } = await footbridge(place, 'emulate', '--', 'sh', '-c', script);
    expect(code).toBe(7);
    expect(stdout).toBe('');
    expect(left()).toEqual([]);
  });

  it('prints the transcript to stderr, without secrets, and the output of the command to stdout', async () => {
    const { place, left } = countedPlace();
    const args = join(place.folder, 'args.json');
    writeFileSync(args, JSON.stringify({ client_id: '300000000000000001', scopes: ['identify'] }));
    const call = footbridgeCommand('call', 'AUTHORIZE', `@${args}`);
    const { code, stdout, stderr } = await footbridge(place, 'emulate', '--', ...call);
    expect(code).toBe(0);
    const { code: authorizationCode } = JSON.parse(stdout) as { code: string };
    expect(stderr).toMatch(/^#1 -> HANDSHAKE client_id=300000000000000001$/m);
    expect(stderr).toMatch(/^#1 -> AUTHORIZE nonce=[\w-]+$/m);
    expect(stderr).toMatch(/^#1 <- AUTHORIZE nonce=[\w-]+ ok$/m);
    expect(stderr).not.toContain(authorizationCode);
    expect(left()).toEqual([]);
  });

  it('keeps quiet when told to', async () => {
    const call = footbridgeCommand('call', 'SET_ACTIVITY', '{"pid":1}');
    const { stderr, code } = await footbridge(temporaryPlace(), 'emulate', '--quiet', '--', ...call);
    expect(code).toBe(0);
    expect(stderr).toBe('');
  });

  it('returns 128 and the signal that ended the command', async () => {
    const { code } = await footbridge(temporaryPlace(), 'emulate', '--', 'sh', '-c', 'kill -9 $$');
    expect(code).toBe(137);
  });

  it('passes SIGTERM on, then cleans up', async () => {
    const { place, left } = countedPlace();
    const script = 'trap "exit 5" TERM; echo started; while :; do sleep 0.05; done';
    const running = startFootbridge(place, ['emulate', '--', 'sh', '-c', script]);
    await running.stdoutWith('started');
    expect(left()).toHaveLength(1);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(5);
    expect(left()).toEqual([]);
  });

  it.each([
    [['emulate'], 64, 'COMMAND is missing'],
    [['emulate', '--consent', 'x', '--', 'true'], 64, '--consent: "x" is not one of'],
    [['emulate', '--fixture', '/nowhere', '--', 'true'], 78, '/nowhere: cannot be read: ENOENT'],
    [['emulate', '--', '/nowhere/command'], 127, 'cannot be started: ENOENT'],
    [['emulate', '--', '/'], 126, 'cannot be started: EACCES'],
  ])('ends %j with %i', async (args, exitCode, message) => {
    const { place, left } = countedPlace();
    const { code, stderr } = await footbridge(place, ...args);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(message);
    expect(left()).toEqual([]);
  });
});

describe('bridgeVariables', () => {
  const bridge = { folder: '/tmp/private', api: 'http://127.0.0.1:1/api' };

  it('leaves everything but the runtime folder as it is', () => {
    expect(bridgeVariables({ TMPDIR: '/t', TMP: '/t', TEMP: '/t', HOME: '/h' }, bridge)).toEqual({
      XDG_RUNTIME_DIR: '/tmp/private',
      FOOTBRIDGE_API: bridge.api,
    });
  });

  it("names the desktop's own sockets where they were", async () => {
    const { folder } = temporaryPlace();
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(join(folder, 'bus'), resolve));
    const env = { XDG_RUNTIME_DIR: folder, WAYLAND_DISPLAY: 'wayland-0' };
    expect(bridgeVariables(env, bridge)).toEqual({
      XDG_RUNTIME_DIR: '/tmp/private',
      FOOTBRIDGE_API: bridge.api,
      WAYLAND_DISPLAY: join(folder, 'wayland-0'),
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'bus')}`,
    });
    const named = { ...env, WAYLAND_DISPLAY: '/w', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x' };
    expect(bridgeVariables(named, bridge)).not.toHaveProperty('DBUS_SESSION_BUS_ADDRESS');
    expect(bridgeVariables(named, bridge)).not.toHaveProperty('WAYLAND_DISPLAY');
    expect(existsSync(join(folder, 'bus'))).toBe(true);
  });
});
