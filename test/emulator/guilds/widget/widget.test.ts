import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { STYLES, widgetPng } from '../../../../src/emulator/guilds/widget/picture.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';

describe('the widget of a guild', () => {
  it('is disabled until a request enables it, and the change is audited', async () => {
    const { ask, call, audited } = await guildPlatform(['MANAGE_GUILD']);
    expect((await ask('GET /widget')).body).toEqual({ enabled: false, channel_id: null });
    for (const name of ['widget.json', 'widget.png']) {
      const answer = await call(`GET /guilds/${ids.riverBank}/${name}`);
      expect([answer.status, answer.body.code]).toEqual([403, 50004]);
    }
    const json = { enabled: true, channel_id: ids.general };
    const headers = { 'x-audit-log-reason': 'open' };
    expect((await ask('PATCH /widget', { json, headers })).body).toEqual(json);
    expect(audited()).toMatchObject({
      action_type: 1,
      reason: 'open',
      changes: [{ key: 'widget_enabled' }, { key: 'widget_channel_id' }],
    });
    expect((await ask('GET ')).body).toMatchObject({ widget_enabled: true, widget_channel_id: ids.general });
    expect((await ask('PATCH /widget', { json: { channel_id: null } })).body).toEqual({
      enabled: true,
      channel_id: null,
    });
  });

  it('shows what its members play, and the custom status of nobody', async () => {
    const { guild, call, emulator } = await guildPlatform([]);
    await guild({ widget_enabled: true });
    const activities = [
      { type: 4, name: 'Custom Status', state: 'At sea' },
      { type: 0, name: 'Regatta' },
    ];
    await emulator.apply({ user_presences: [{ user: 'river', activities }] });
    const { members } = (await call(`GET /guilds/${ids.riverBank}/widget.json`)).body;
    expect(members[0].activity).toEqual({ name: 'Regatta' });
  });

  it('lists the online members, and the voice channels that everyone may join', async () => {
    const { guild, call, emulator } = await guildPlatform([]);
    await guild({
      widget_enabled: true,
      widget_channel: ids.general,
      members: [{ user: 'river', nick: 'Captain' }],
      channels: [{ id: ids.boat, role_overwrites: [{ role: ids.riverBank, deny: ['CONNECT'] }] }],
    });
    emulator.calls.join(ids.river, ids.lounge);
    const show = async () => (await call(`GET /guilds/${ids.riverBank}/widget.json`)).body;
    const shown = await show();
    expect(shown).toMatchObject({
      id: ids.riverBank,
      name: 'River Bank',
      instant_invite: null,
      presence_count: 2,
    });
    expect(shown.channels.map(({ id }: { id: string }) => id)).toEqual([ids.lounge]);
    expect(shown.members).toMatchObject([
      { id: '0', username: 'Captain', discriminator: '0000', status: 'online', channel_id: ids.lounge },
      { id: '1', discriminator: '0000' },
    ]);
    expect(JSON.stringify(shown.members)).not.toContain(ids.river);
    const created_at = '2026-01-01T00:00:00Z';
    await emulator.apply({
      channel_invites: [
        { code: 'short', channel: ids.general, created_at, max_age: 60 },
        { code: 'door', channel: ids.general, created_at, max_age: 0 },
      ],
    });
    expect((await show()).instant_invite).toMatch(/\/invite\/door$/);
  });

  it('has a picture in each style', async () => {
    const { guild, call, url } = await guildPlatform([]);
    await guild({ widget_enabled: true });
    for (const style of ['', ...STYLES.map((name) => `?style=${name}`)]) {
      const answer = await fetch(`${url}/v10/guilds/${ids.riverBank}/widget.png${style}`, {
        headers: { 'sec-fetch-site': 'none' },
      });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      expect(Number(answer.headers.get('content-length'))).toBe(bytes.length);
    }
    const wrong = await call(`GET /guilds/${ids.riverBank}/widget.png?style=banner9`);
    expect([wrong.status, wrong.body.code]).toEqual([400, 50035]);
    expect((await call('GET /guilds/9/widget.png')).body.code).toBe(10004);
  });

  it.each<[string, object, number, number]>([
    ['a channel of another guild', { channel_id: ids.arrivals }, 400, 50035],
    ['another type', { enabled: 'yes' }, 400, 50035],
  ])('is not changed to %s', async (_, json, status, code) => {
    const { refused } = await guildPlatform(['MANAGE_GUILD']);
    const answer = await refused('PATCH /widget', { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('requires MANAGE_GUILD', async () => {
    const { refused } = await guildPlatform([]);
    expect((await refused('GET /widget')).body.code).toBe(50013);
    expect((await refused('PATCH /widget', { json: {} })).body.code).toBe(50013);
  });
});

describe('the widget picture', () => {
  /** Its pixels, by what stands in the file. */
  const read = (guildId: string, style: (typeof STYLES)[number]) => {
    const bytes = widgetPng(guildId, style);
    const data = bytes.indexOf('IDAT');
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    const pixels = inflateSync(bytes.subarray(data + 4, data + 4 + bytes.readUInt32BE(data - 4)));
    expect(pixels.length).toBe((width + 1) * height);
    return { pixels, size: [width, height] };
  };

  it.each<[(typeof STYLES)[number], readonly [number, number]]>([
    ['shield', [123, 20]],
    ['banner1', [320, 76]],
    ['banner2', [320, 76]],
    ['banner3', [320, 116]],
    ['banner4', [320, 196]],
  ])('in the style %s has its size and depends on the guild alone', (style, size) => {
    const { pixels, ...picture } = read(ids.riverBank, style);
    expect(picture.size).toEqual(size);
    expect(pixels.equals(read(ids.riverBank, style).pixels)).toBe(true);
    expect(pixels.equals(read(ids.harbour, style).pixels)).toBe(false);
    expect(new Set(pixels)).toEqual(new Set([0, 1]));
  });
});
