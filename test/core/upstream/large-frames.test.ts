import { expect, it } from 'vitest';
import { MAX_FRAME_BYTES } from '../../../src/wire/frame.ts';
import { upstreamBridge } from '../../helpers/upstream-bridge.ts';

it('the upstream core forwards a list with all its entries', async () => {
  const friend = (i: number) => ({ type: 1, user: { id: String(i), username: 'f'.repeat(200) } });
  const relationships = Array.from({ length: 600 }, (_, i) => friend(i));
  const { app } = await upstreamBridge({ script: { request: (s, r) => s.answer(r, { relationships }) } });
  const { evt, data } = await (await app()).call('GET_RELATIONSHIPS');
  expect(evt).toBeNull();
  expect(data.relationships).toEqual(relationships);
});

it.each([400_000, MAX_FRAME_BYTES - 1000])(
  'the upstream core forwards a request and its answer of %i bytes',
  async (bytes) => {
    const { app } = await upstreamBridge({ script: { request: (s, r) => s.answer(r, r.args) } });
    const peer = await app();
    const args = { text: 'x'.repeat(bytes) };
    expect((await peer.call('GET_CHANNEL', args)).data).toEqual(args);
  },
);

it('the upstream core forwards an event of 400 kB', async () => {
  const text = 'x'.repeat(400_000);
  const { client, app } = await upstreamBridge();
  const peer = await app();
  (await client.session(0)).payload({ cmd: 'DISPATCH', data: { text }, evt: 'MESSAGE_CREATE', nonce: null });
  expect(await peer.answer()).toMatchObject({ evt: 'MESSAGE_CREATE', data: { text } });
});

it('the upstream core answers 1000 in place of a frame that would harm the official C++ library', async () => {
  const { app } = await upstreamBridge({
    script: { request: (s, r) => s.answer(r, { text: 'x'.repeat(70_000) }) },
  });
  const answer = await (await app()).call('SET_ACTIVITY', { pid: 1 });
  expect(answer).toMatchObject({ evt: 'ERROR', data: { code: 1000 } });
});
