import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { type GuildPlatform, guildPlatform } from '../../../helpers/guild-platform.ts';
import { gif, lottie, png, stickerForm } from '../../../helpers/media-bytes.ts';
import { APP } from '../../../helpers/platform.ts';

const CREATE = ['CREATE_GUILD_EXPRESSIONS'] as const;
const headers = { 'x-audit-log-reason': 'spring%20tide' };

describe('the stickers of a guild', () => {
  it.each<[string, Buffer, number]>([
    ['a PNG', png({ width: 320, height: 320 }), 1],
    ['an APNG', png({ delays: [2500, 2500] }), 2],
    ['a GIF', gif({ frames: 2 }), 4],
  ])('are created from %s', async (_, bytes, format) => {
    const { ask, url } = await guildPlatform(CREATE);
    const { status, body } = await ask('POST /stickers', { body: stickerForm(bytes) });
    expect([status, body.format_type]).toEqual([201, format]);
    const served = await fetch(new URL(`/stickers/${body.id}.png`, url));
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('are audited with the reason, changed and deleted [N-5]', async () => {
    const { ask, audited, call, bot, guild } = await guildPlatform(CREATE);
    const form = stickerForm(png(), { description: 'A wave.' });
    const made = await ask('POST /stickers', { body: form, headers });
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'wave',
      tags: 'hello',
      type: 2,
      format_type: 1,
      description: 'A wave.',
      available: true,
      guild_id: ids.riverBank,
      user: expect.objectContaining({ id: APP }),
    });
    const { id } = made.body;
    expect(audited()).toMatchObject({ action_type: 90, target: id, reason: 'spring tide' });
    const { user: _, ...rest } = made.body;
    expect((await ask('GET /stickers')).body).toEqual([made.body]);
    expect((await ask('GET ')).body.stickers).toEqual([rest]);
    expect((await call(`GET /stickers/${id}`, { headers: bot() })).body).toEqual(rest);
    const changed = await ask(`PATCH /stickers/${id}`, { json: { name: 'swell', description: null } });
    expect(changed.body).toMatchObject({ name: 'swell', description: '', tags: 'hello' });
    expect(audited()).toMatchObject({
      action_type: 91,
      changes: [
        { key: 'name', old_value: '"wave"', new_value: '"swell"' },
        { key: 'description', old_value: '"A wave."', new_value: '""' },
      ],
    });
    expect((await ask(`DELETE /stickers/${id}`)).status).toBe(204);
    expect(audited()).toMatchObject({ action_type: 92, target: id });
    await guild({ stickers: [{ id: '971', name: 'theirs', format: 'png', user: 'otter' }] });
    for (const what of ['PATCH', 'DELETE']) {
      expect((await ask(`${what} /stickers/971`, { json: {} })).body.code).toBe(50013);
    }
  });

  it('are limited by the premium tier of the guild', async () => {
    const { ask, refused, guild } = await guildPlatform(CREATE);
    const all = Array.from({ length: 5 }, (_, at) => ({ id: `${5000 + at}`, name: 'full', format: 'png' }));
    await guild({ stickers: all });
    const answer = await refused('POST /stickers', { body: stickerForm(png()) });
    expect(answer.body).toEqual({ message: 'Maximum number of stickers reached (5)', code: 30039 });
    await guild({ premium_tier: 1 });
    expect((await ask('POST /stickers', { body: stickerForm(png()) })).status).toBe(201);
  });

  it('may be Lottie animations only when the guild is verified', async () => {
    const { ask, refused, guild } = await guildPlatform(CREATE);
    const no = await refused('POST /stickers', { body: stickerForm(lottie()) });
    expect(no.body.errors.file._errors[0].code).toBe('GUILD_FEATURE_MISSING');
    await guild({ features: ['VERIFIED'] });
    const made = await ask('POST /stickers', { body: stickerForm(lottie()) });
    expect(made).toMatchObject({ status: 201, body: { format_type: 3 } });
    for (const [bytes, code] of [
      [Buffer.from('{"v":"5"'), 170_001],
      [lottie({ layers: 'x' }), 170_001],
      [lottie({ assets: [{ id: 'a', layers: [] }, { p: 'data:image/png;base64,x' }] }), 170_002],
      [lottie({ fr: 61 }), 170_003],
      [lottie({ op: 1001 }), 170_004],
      [lottie({ w: 321 }), 170_005],
      [lottie({ fr: 0 }), 170_006],
      [lottie({ op: 151 }), 170_007],
    ] as const) {
      const answer = await refused('POST /stickers', { body: stickerForm(bytes) });
      expect(answer).toMatchObject({ status: 400, body: { code } });
    }
  });
});

describe('a guild sticker request is refused:', () => {
  it.each<[string, number, number, (platform: GuildPlatform) => ReturnType<GuildPlatform['refused']>]>([
    ['a file above 512 KiB', 400, 50045, sent(png({ filler: 512 * 1024 }))],
    ['a picture that is too wide', 400, 50046, sent(png({ width: 321 }))],
    ['a file of another kind', 400, 50046, sent(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))],
    ['a text', 400, 50046, sent(Buffer.from('wave'))],
    ['an animation of more than 5 seconds', 400, 170_007, sent(png({ delays: [2500, 2501] }))],
    ['a name that is too short', 400, 50035, sent(png(), { name: 'w' })],
    ['a name that is too long', 400, 50035, sent(png(), { name: 'w'.repeat(31) })],
    ['a description of one character', 400, 50035, sent(png(), { description: 'w' })],
    ['tags that are too long', 400, 50035, sent(png(), { tags: 'w'.repeat(201) })],
    ['JSON', 400, 50035, ({ refused }) => refused('POST /stickers', { json: { name: 'wave', tags: 'x' } })],
    [
      'no file',
      400,
      50035,
      ({ refused }) => refused('POST /stickers', { body: formOf({ name: 'wave', tags: 'x' }) }),
    ],
    ['no tags', 400, 50035, ({ refused }) => refused('POST /stickers', { body: formOf({ name: 'wave' }) })],
    ['no right', 403, 50013, (platform) => platform.may().then(() => sent(png())(platform))],
    ['a sticker that is none', 404, 10060, ({ refused }) => refused('GET /stickers/1')],
    ['a change of none', 404, 10060, ({ refused }) => refused('PATCH /stickers/1', { json: {} })],
    ['a removal of none', 404, 10060, ({ refused }) => refused('DELETE /stickers/1')],
  ])('%s: %i %i', async (_, status, code, ask) => {
    expect(await ask(await guildPlatform(CREATE))).toMatchObject({ status, body: { code } });
  });
});

function sent(bytes: Buffer, fields: Readonly<Record<string, string>> = {}) {
  return ({ refused }: GuildPlatform) => refused('POST /stickers', { body: stickerForm(bytes, fields) });
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

describe('the sticker routes', () => {
  it('return the packs of the fixture, with stickers in order of sort_value', async () => {
    const { call, bot, emulator } = await guildPlatform([]);
    expect((await call('GET /sticker-packs')).body).toEqual({ sticker_packs: [] });
    await emulator.apply({
      sticker_packs: [
        {
          id: '972',
          sku: '973',
          name: 'Waves',
          stickers: [
            { id: '974', name: 'swell', format: 'lottie', sort_value: 2 },
            { id: '975', name: 'foam', format: 'apng', sort_value: 1 },
          ],
        },
      ],
    });
    const { body } = await call('GET /sticker-packs/972', { headers: bot() });
    expect(body).toMatchObject({ sku_id: '973', name: 'Waves', description: '' });
    expect(body.stickers.map(({ name }: { name: string }) => name)).toEqual(['foam', 'swell']);
    expect((await call('GET /sticker-packs')).body).toEqual({ sticker_packs: [body] });
    expect((await call('GET /stickers/974', { headers: bot() })).body).toEqual(body.stickers[1]);
    expect((await call('GET /sticker-packs/1', { headers: bot() })).body.code).toBe(10061);
  });

  it('report a guild sticker as unknown to a bot outside the guild', async () => {
    const { call, bot, emulator } = await guildPlatform([]);
    await emulator.apply({
      guilds: [{ id: ids.harbour, stickers: [{ id: '971', name: 'x', format: 'png' }] }],
    });
    expect((await call('GET /stickers/971', { headers: bot() })).body.code).toBe(10060);
  });
});
