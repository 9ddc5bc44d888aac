import { describe, expect, it } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { offersStreams, STREAM_NOTICE } from '../../src/wire/streams.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { type IpcBridgeOptions, ipcBridge } from '../helpers/ipc-bridge.ts';

const REQUESTS = Array.from({ length: 12 }, (_, index) => String(index));

async function ready(options: Pick<IpcBridgeOptions, 'journal' | 'pacing'> = {}) {
  const bridge = await ipcBridge({ ...options, scopes: ['rpc'] });
  const raw = await bridge.raw();
  const app = new AppPeer(raw);
  const { data } = await app.handshake();
  /** Number of reads in which the answers to requests of one write arrive. */
  const reads = async (): Promise<number> => {
    let count = 0;
    const countRead = (): void => {
      count += 1;
    };
    raw.socket.on('data', countRead);
    const requests = REQUESTS.map((nonce) => JSON.stringify({ cmd: 'GET_GUILDS', args: {}, nonce }));
    app.write(Buffer.concat(requests.map((text) => frameBytes(Opcode.FRAME, text))));
    for (const nonce of REQUESTS) expect((await app.answer()).nonce).toBe(nonce);
    raw.socket.off('data', countRead);
    return count;
  };
  return { app, data: data as unknown, reads };
}

async function notify(app: AppPeer): Promise<void> {
  app.send(Opcode.PING, STREAM_NOTICE);
  expect(await app.next()).toEqual({ opcode: Opcode.PONG, body: JSON.parse(STREAM_NOTICE) });
}

describe('a peer that reads streams', () => {
  it.each([
    ['with the journal off', () => ({})],
    ['while the journal observes it', () => ({ journal: new Journal() })],
  ])('gets the answers of one read in one write after its notice, %s', async (_, options) => {
    const { app, data, reads } = await ready(options());
    expect(offersStreams(data)).toBe(true);
    expect(await reads()).toBe(REQUESTS.length);
    await notify(app);
    expect(await reads()).toBe(1);
    // The notice again changes nothing.
    await notify(app);
    expect(await reads()).toBe(1);
  });
  it('gets no offer from an endpoint without pacing, and its notice is a PING like any other', async () => {
    const { app, data, reads } = await ready({ pacing: false });
    expect(offersStreams(data)).toBe(false);
    await notify(app);
    expect(await reads()).toBe(1);
  });
  it('stays paced after a PING with another body', async () => {
    const { app, reads } = await ready();
    app.send(Opcode.PING, JSON.stringify('footbridge'));
    expect((await app.next())?.opcode).toBe(Opcode.PONG);
    expect(await reads()).toBe(REQUESTS.length);
  });
});
