import { expect, it } from 'vitest';
import { Opcode } from '../../../src/wire/codes.ts';
import { concatBytes, frameBytes } from '../../helpers/frame-bytes.ts';
import { upstreamBridge } from '../../helpers/upstream-bridge.ts';

it('T68 leaves time for others when a client floods one app with events, and loses none', async () => {
  const EVENTS = 20_000;
  const { app } = await upstreamBridge({
    script: {
      request(session, request) {
        session.answer(request, 'ok');
        if (request.cmd !== 'FLOOD') return;
        const event = (n: number): Uint8Array =>
          frameBytes(Opcode.FRAME, JSON.stringify({ cmd: 'DISPATCH', data: { n }, evt: 'X', nonce: null }));
        session.socket.write(concatBytes(...Array.from({ length: EVENTS }, (_, n) => event(n))));
      },
    },
  });
  const [flooded, other] = [await app(), await app()];
  expect(await flooded.call('FLOOD')).toMatchObject({ data: 'ok' });
  const begun = performance.now();
  const slowest = { ms: 0 };
  let reading = true;
  const calls = (async () => {
    while (reading) {
      const before = performance.now();
      expect(await other.call('GET_GUILDS')).toMatchObject({ data: 'ok' });
      slowest.ms = Math.max(slowest.ms, performance.now() - before);
    }
  })();
  for (let n = 0; n < EVENTS; n++) expect((await flooded.answer()).data.n).toBe(n);
  reading = false;
  await calls;
  // 5,000 a second: the rest waited in the socket.
  expect(performance.now() - begun).toBeGreaterThan(1500);
  expect(slowest.ms).toBeLessThan(1000);
});
