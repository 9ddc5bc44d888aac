import { describe, expect, it, vi } from 'vitest';
import { CLIENT_ID } from '../../helpers/app-peer.ts';
import { attachBridge } from '../../helpers/attach-bridge.ts';
import { PlainWebSocket } from '../../helpers/plain-web-socket.ts';

const activity = {
  state: 'In a test',
  timestamps: { start: 1_700_000_000 },
  buttons: [{ label: 'Look', url: 'https://example.test/' }],
  instance: true,
};
const shown = {
  ...activity,
  application_id: CLIENT_ID,
  type: 0,
  flags: 1,
  timestamps: { start: 1_700_000_000_000 },
  buttons: ['Look'],
  metadata: { button_urls: ['https://example.test/'] },
};
/** Without buttons, which do not go together with secrets. */
const joinable = { state: 'open', party: { id: 'party', size: [1, 2] }, secrets: { join: 'SECRET' } };

describe('the presence bridge', () => {
  it('sends a consumer the activities of apps, as arRPC does', async () => {
    const { app, bridgeUrl } = await attachBridge({ bridgePort: 0 });
    const consumer = new PlainWebSocket(bridgeUrl());
    await consumer.opened();
    const [one, two] = [await app(), await app()];
    expect(await one.call('SET_ACTIVITY', { pid: 7, activity })).toMatchObject({
      data: { ...shown, name: '' },
    });
    expect(await consumer.next()).toEqual({ activity: shown, pid: 7, socketId: '0' });
    await two.call('SET_ACTIVITY', { pid: 8, activity: { state: 'two' } });
    expect(await consumer.next()).toMatchObject({ activity: { state: 'two' }, pid: 8, socketId: '1' });
    expect(await one.call('SET_ACTIVITY', { pid: 7 })).toMatchObject({ data: null });
    expect(await consumer.next()).toEqual({ activity: null, pid: 7, socketId: '0' });
    two.end();
    expect(await consumer.next()).toEqual({ activity: null, pid: 8, socketId: '1' });
  });

  it('sends a late consumer the current state, and nothing of it to the others', async () => {
    const { app, bridgeUrl } = await attachBridge({ bridgePort: 0 });
    const early = new PlainWebSocket(bridgeUrl());
    await early.opened();
    const [one, two] = [await app(), await app()];
    await one.call('SET_ACTIVITY', { pid: 1, activity: { state: 'one' } });
    await two.call('SET_ACTIVITY', { pid: 2, activity: { state: 'two' } });
    await two.call('SET_ACTIVITY', { pid: 2, activity: null });
    for (let i = 0; i < 3; i++) await early.next();
    const late = new PlainWebSocket(bridgeUrl(), 'https://discord.com');
    expect(await late.next()).toMatchObject({ activity: { state: 'one' }, socketId: '0' });
    await one.call('SET_ACTIVITY', { pid: 1, activity: { state: 'next' } });
    expect(await early.next()).toMatchObject({ activity: { state: 'next' } });
    expect(await late.next()).toMatchObject({ activity: { state: 'next' } });
  });

  it.each([
    [false, undefined],
    [true, { join: 'SECRET' }],
  ])('forwards secrets: %s', async (bridgeSecrets, secrets) => {
    const { app, bridgeUrl } = await attachBridge({ bridgePort: 0, bridgeSecrets });
    const consumer = new PlainWebSocket(bridgeUrl());
    await consumer.opened();
    await (await app()).call('SET_ACTIVITY', { pid: 1, activity: joinable });
    const { activity: told } = (await consumer.next()) as { activity: { secrets?: object; party: object } };
    expect(told.party).toEqual(joinable.party);
    expect(told.secrets).toEqual(secrets);
  });

  it('refuses a foreign page', async () => {
    const { bridgeUrl } = await attachBridge({ bridgePort: 0 });
    expect(await new PlainWebSocket(bridgeUrl(), 'https://evil.example').opened()).toBe(false);
  });

  it('closes a consumer that sends too much or does not read, and no other', async () => {
    const { app, bridgeUrl, log } = await attachBridge({ bridgePort: 0 });
    const talker = new PlainWebSocket(bridgeUrl());
    await talker.opened();
    talker.send('x'.repeat(2000));
    expect((await talker.closed()).code).toBe(1009);
    const [deaf, good] = [new PlainWebSocket(bridgeUrl()), new PlainWebSocket(bridgeUrl())];
    await Promise.all([deaf.opened(), good.opened()]);
    deaf.stopReading();
    const peer = await app();
    // As long as an activity can be, and six bytes for each of its characters.
    const [text, image] = ['\u0001'.repeat(128), '\u0001'.repeat(313)];
    const assets = { large_image: image, large_text: text, small_image: image, small_text: text };
    const activity = {
      name: text,
      state: text,
      details: text,
      assets: { ...assets, invite_cover_image: image },
    };
    let told = 0;
    await vi.waitUntil(
      async () => {
        await peer.call('SET_ACTIVITY', { pid: 1, activity });
        await good.next();
        told += 1;
        return log.some(({ reason }) => reason === 'it does not read');
      },
      { timeout: 25_000, interval: 0 },
    );
    expect(told).toBeGreaterThan(20);
    await peer.call('SET_ACTIVITY', { pid: 1, activity: { state: 'still there' } });
    expect(await good.next()).toMatchObject({ activity: { state: 'still there' } });
  });
});
