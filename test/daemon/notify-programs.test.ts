import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OnRequest } from '../../src/daemon/core-options.ts';
import { notifyDesktop } from '../../src/daemon/notify.ts';
import type { WaitingRequest } from '../../src/emulator/api/waiting-request.ts';
import { isLinux } from '../helpers/fault-bridge.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const request: WaitingRequest = {
  kind: 'authorization',
  id: 'abcde',
  clientId: '300000000000000001',
  applicationName: 'Harbour',
  userId: '1',
  scopes: [{ name: 'rpc', description: 'Control' }],
  peer: { transport: 'ipc', verified: false },
  requestedAt: 0,
  expiresAt: 60_000,
};
const ABLE = '{"type":"as","data":[["body","actions"]]}';

/** A desktop made of shell scripts, each of which notes that it was called. No program of this machine is one of its. */
async function desktop(scripts: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const [bin, calls] = [join(folder, 'bin'), join(folder, 'calls')];
  mkdirSync(bin);
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $1" >> '${calls}'\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const bus = createServer().listen(join(folder, 'bus'));
  await once(bus, 'listening');
  onTestFinished(() => void bus.close());
  const decided: string[] = [];
  let now = 0;
  let tell: Parameters<OnRequest>[0] = () => {};
  let isListening = true;
  const stop = notifyDesktop({
    os: 'linux',
    env: { DISPLAY: ':0', XDG_RUNTIME_DIR: folder, PATH: bin },
    uid: process.getuid?.(),
    // Every click comes long after the text could be read.
    now: () => {
      now += 60_000;
      return now;
    },
    onRequest: (listener) => {
      tell = listener;
      return () => {
        isListening = false;
      };
    },
    decide: async (_, answer) => void decided.push(answer),
  });
  onTestFinished(stop);
  return {
    decided,
    stop,
    isListening: () => isListening,
    tell: (event: 'added' | 'settled') => tell(event, request),
    calls: (): string[] => (existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : []),
  };
}

describe.skipIf(!isLinux)('the programs of a desktop (Linux only)', () => {
  it.each([
    ['allow', 'once'],
    ['deny', 'deny'],
  ])('answer the request with "%s"', async (pressed, answer) => {
    const { tell, decided, calls } = await desktop({
      busctl: `echo '${ABLE}'`,
      'notify-send': `echo ${pressed}`,
    });
    tell('added');
    await expect.poll(() => decided).toEqual([answer]);
    expect(calls()).toEqual([
      expect.stringMatching(/^busctl --address=unix:path=/),
      'notify-send --app-name=Footbridge',
    ]);
  });

  it('are asked without buttons where the one for the buttons fails', async () => {
    const { tell, decided, calls } = await desktop({
      busctl: `echo '${ABLE}'`,
      'notify-send': '[ "$2" = "--" ]',
    });
    tell('added');
    await expect.poll(calls).toHaveLength(3);
    expect(decided).toEqual([]);
  });

  it('are not asked again once the one for notifications is missing', async () => {
    const { tell, calls } = await desktop({ busctl: 'exit 1' });
    // The first requests ask the bus, until what they ask for is known to be missing.
    const further = async () => {
      const before = calls().length;
      tell('added');
      await new Promise((resolve) => setTimeout(resolve, 50));
      return calls().length - before;
    };
    await expect.poll(further).toBe(0);
    expect(new Set(calls())).toEqual(new Set([expect.stringMatching(/^busctl /)]));
  });

  it.each(['settled', 'stop'])('are ended when the request is over (%s)', async (how) => {
    const { tell, stop, decided, calls, isListening } = await desktop({
      busctl: `echo '${ABLE}'`,
      // It prints that it was told to end, as notify-send closes its notification.
      'notify-send': `trap 'echo "ended x" >> "\${0%/bin/*}/calls"; exit 0' INT; while :; do /bin/sleep 0.01; done`,
    });
    tell('added');
    await expect.poll(calls).toHaveLength(2);
    if (how === 'stop') stop();
    else tell('settled');
    await expect.poll(calls).toHaveLength(3);
    expect(calls()[2]).toBe('ended x');
    expect([decided, isListening()]).toEqual([[], how !== 'stop']);
  });
});
