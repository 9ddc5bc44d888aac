import { describe, expect, it } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import type { Script } from '../../helpers/scripted-client.ts';
import { activity, severalBridge } from '../../helpers/several-clients.ts';

const ONE = '200000000000000001';
const TWO = '200000000000000002';

/** A client that shows each activity, and refuses to clear it. */
function stubborn(requests: unknown[]): Script {
  return {
    request(session, request) {
      const { cmd, nonce, args } = request;
      requests.push(args.activity ?? null);
      if (args.activity != null) return session.answer(request, args.activity);
      session.payload({ cmd, nonce, evt: 'ERROR', data: { code: 4000, message: 'no' } });
    },
  };
}

describe('a clear that a client refuses', () => {
  it('holds for the other clients where the primary client refuses it', async () => {
    const bridge = await severalBridge();
    await bridge.client(1, ONE, stubborn([]));
    const second = await bridge.client(2, TWO);
    const app = await bridge.app();
    await app.call('SET_ACTIVITY', activity('first'));
    await eventually(() => expect(second.shown).toEqual(['first']));
    expect(await app.call('SET_ACTIVITY', activity(null))).toMatchObject({ evt: 'ERROR' });
    await eventually(() => expect(second.shown).toEqual([]));
    await app.rest();
    expect(second.shown).toEqual([]);
  });

  it('is sent again to a primary client that the user leaves out', async () => {
    const bridge = await severalBridge();
    const requests: unknown[] = [];
    await bridge.client(1, ONE, stubborn(requests));
    await bridge.client(2, TWO);
    const app = await bridge.app();
    await app.call('SET_ACTIVITY', activity('first'));
    await eventually(async () => expect((await bridge.call('upstream.list')).clients).toHaveLength(2));
    await bridge.call('upstream.only', { names: ['client-2'] });
    await eventually(() => expect(requests).toEqual([{ details: 'first' }, null, null]));
  });

  it('costs another client its connection, with which it loses the presence', async () => {
    const bridge = await severalBridge();
    await bridge.client(1, ONE);
    const requests: unknown[] = [];
    const second = await bridge.client(2, TWO, stubborn(requests));
    const app = await bridge.app();
    await app.call('SET_ACTIVITY', activity('first'));
    await eventually(() => expect(requests).toEqual([{ details: 'first' }]));
    const session = await second.session(0, 1);
    await app.call('SET_ACTIVITY', activity(null));
    await eventually(() => expect(session.socket.destroyed).toBe(true));
    expect(requests).toEqual([{ details: 'first' }, null]);
  });
});
