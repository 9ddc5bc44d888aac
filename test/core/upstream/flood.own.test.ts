import { expect, it, onTestFinished, vi } from 'vitest';
import { Opcode } from '../../../src/wire/codes.ts';
import { asAnswer } from '../../helpers/app-peer.ts';
import { concatBytes, frameBytes } from '../../helpers/frame-bytes.ts';
import { upstreamBridge } from '../../helpers/upstream-bridge.ts';

it('the bridge serves other apps while a client floods one app with events, and loses none [T68]', async () => {
  const EVENTS = 20_000;
  /** Frames that are taken from an upstream in a second. */
  const PACE = 5000;
  /** More frames of this size than 64 KiB hold. */
  const CHUNK = 2000;
  // A second passes when the test says so; from the start, because this clock begins at 0.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
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
  const heard: unknown[] = [];
  const hear = async (): Promise<number> => {
    heard.push(...(await flooded.rest()).map((event) => asAnswer(event).data.n));
    return heard.length;
  };
  for (let seconds = 0; heard.length < EVENTS; seconds++) {
    const before = heard.length;
    await vi.waitUntil(async () => (await hear()) >= Math.min(before + PACE, EVENTS), { timeout: 20_000 });
    // The other app has the bridge to itself: with nothing held back the whole flood would be here by the last answer.
    for (let call = 0; call < 20; call++)
      expect(await other.call('GET_GUILDS')).toMatchObject({ data: 'ok' });
    // What one chunk of the socket brings beyond the pace has been read already.
    expect((await hear()) - before).toBeLessThan(PACE + CHUNK);
    expect(seconds).toBeLessThan(EVENTS / PACE);
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(heard).toEqual(Array.from({ length: EVENTS }, (_, n) => n));
});
