import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/testing/testing.ts';

const APP = '300000000000000001';

interface Delivery {
  readonly type: string;
  readonly state: string;
  readonly attempts: readonly { readonly headers: Readonly<Record<string, string>> }[];
}

/** An application that refuses wrong signatures, and fails with every event. */
async function failing(): Promise<string> {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    asked += 1;
    response.writeHead(asked === 1 ? 204 : asked === 2 ? 401 : 500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it('one advance of the clock causes every attempt of a webhook that fails [V-1]', async () => {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  await emulator.operations.call('webhook.set', { app: APP, url: await failing() });
  await emulator.operations.call('emulator.apply', {
    patch: { entitlements: [{ id: '9', sku: '8', application: APP }] },
  });
  await emulator.clock.advance('11m');
  const sent = (await emulator.operations.call('webhooks.list')) as readonly Delivery[];
  expect(sent.map(({ type, state, attempts }) => [type, state, attempts.length])).toEqual([
    ['PING', 'delivered', 1],
    ['PING_WITH_WRONG_SIGNATURE', 'delivered', 1],
    ['ENTITLEMENT_CREATE', 'given-up', 10],
  ]);
  for (const { attempts } of sent) {
    expect(attempts[0]?.headers).toEqual({
      'X-Signature-Ed25519': expect.stringMatching(/^[0-9a-f]{128}$/),
      'X-Signature-Timestamp': expect.stringMatching(/^\d{10}$/),
    });
  }
});
