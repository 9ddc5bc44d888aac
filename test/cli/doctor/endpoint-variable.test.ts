import { chownSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpointVariable } from '../../../src/cli/doctor/checks/endpoint-variable.ts';
import { scriptedServer } from '../../helpers/scripted-server.ts';
import { leaveStaleSocket, temporaryFolder, uid } from '../../helpers/sockets.ts';
import { scene } from './scene.ts';

async function inspect(path: string | undefined) {
  const machine = await scene();
  return endpointVariable.inspect({ ...machine, env: { ...machine.env, FOOTBRIDGE_ENDPOINT: path } });
}

describe('the check of FOOTBRIDGE_ENDPOINT', () => {
  it('is not applicable without the variable', async () => {
    for (const path of [undefined, '']) expect((await inspect(path)).verdict).toBe('not applicable');
  });
  it('passes where a server answers, also behind a link', async () => {
    const { path, folder } = await scriptedServer((_frame, peer) => peer.send(4, {}));
    const link = join(folder, 'link');
    symlinkSync(path, link);
    for (const one of [path, link]) {
      const found = await inspect(one);
      expect(found).toMatchObject({ verdict: 'ok', fix: null });
      expect(found.evidence[0]).toMatch(new RegExp(`^${one}: .+ serves it`));
    }
  });
  it('fails with the reason and what to do where nobody can answer', async () => {
    const folder = temporaryFolder();
    const dead = join(folder, 'dead');
    await leaveStaleSocket(dead);
    for (const [path, evidence, fix] of [
      ['relative', 'which is not the absolute path of a socket', 'set the variable as it says'],
      [folder, 'which is a folder', 'set the variable as it says'],
      [join(folder, 'none'), 'no socket is there', 'unset FOOTBRIDGE_ENDPOINT'],
      [dead, 'nobody listens', 'unset FOOTBRIDGE_ENDPOINT'],
    ] as const) {
      const found = await inspect(path);
      expect(found.verdict).toBe('failed');
      expect(found.evidence.join()).toContain(evidence);
      expect(found.fix).toContain(fix);
    }
  });
  it.skipIf(uid !== 0)('fails for the socket of another user (needs root)', async () => {
    const { path } = await scriptedServer();
    chownSync(path, 12_345, 12_345);
    const found = await inspect(path);
    expect(found).toMatchObject({ verdict: 'failed', fix: 'unset FOOTBRIDGE_ENDPOINT' });
    expect(found.evidence[0]).toContain('a socket of uid 12345');
  });
  it('warns where a program listens that does not answer a PING', async () => {
    const { path } = await scriptedServer(() => {});
    expect(await inspect(path)).toMatchObject({ verdict: 'warning', fix: expect.stringContaining('unset') });
  });
});
