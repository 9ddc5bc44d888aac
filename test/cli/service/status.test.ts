import { describe, expect, it } from 'vitest';
import type { ServiceStatus } from '../../../service/manager.ts';
import { type Pong, tryPing } from '../../../src/cli/service/handshake.ts';
import { statusExitCode, type WholeStatus } from '../../../src/cli/service/status.ts';
import { startEmulator } from '../../../src/testing/testing.ts';
import { listenOn, temporaryFolder } from '../../helpers/sockets.ts';

function whole(state: ServiceStatus, handshake?: Pong): WholeStatus {
  const service = { manager: 'systemd', state } as const;
  if (handshake === undefined) return { service };
  return { service, bridge: { status: {} as never, reach: undefined, handshake } };
}

describe('the exit code of status', () => {
  const running = { kind: 'running' } as const;
  const absent = { kind: 'absent' } as const;
  it.each<[number, ServiceStatus, Pong?]>([
    [0, running, { kind: 'pong', ms: 1 }],
    // In the foreground, or started by something else.
    [0, absent, { kind: 'pong', ms: 1 }],
    [0, { kind: 'stopped' }, { kind: 'pong', ms: 1 }],
    [1, running, { kind: 'failed', reason: 'x' }],
    [1, absent, { kind: 'failed', reason: 'x' }],
    // The manager believes that it runs.
    [1, running],
    [1, { kind: 'starting' }],
    [3, { kind: 'stopped' }],
    [3, { kind: 'failed', reason: 'x' }],
    [3, { kind: 'unknown', reason: 'x' }],
    [4, absent],
  ])('is %i for %o and %o', (code, state, handshake) => {
    expect(statusExitCode(whole(state, handshake))).toBe(code);
  });
});

describe('the live PING', () => {
  it('receives a PONG from a bridge', async () => {
    await using bridge = await startEmulator();
    expect(await tryPing(bridge.endpoint)).toEqual({ kind: 'pong', ms: expect.any(Number) });
  });
  it('distinguishes another response from no response', async () => {
    const folder = temporaryFolder();
    const close = JSON.stringify({
      code: 1006,
      message: 'nobody is here, and this is longer than a PONG would be: at capacity',
    });
    const head = Buffer.alloc(8);
    head.writeInt32LE(2);
    head.writeInt32LE(close.length, 4);
    await listenOn(
      { path: `${folder}/refuses` },
      (socket) => void socket.end(`${head.toString('latin1')}${close}`),
    );
    expect(await tryPing(`${folder}/refuses`)).toMatchObject({
      reason: expect.stringContaining('something else'),
    });
    await listenOn({ path: `${folder}/leaves` }, (socket) => void socket.resume().end());
    expect(await tryPing(`${folder}/leaves`)).toEqual({ kind: 'failed', reason: 'the bridge hung up' });
    expect(await tryPing(`${folder}/nowhere`)).toEqual({ kind: 'failed', reason: 'nobody listens' });
  });
});
