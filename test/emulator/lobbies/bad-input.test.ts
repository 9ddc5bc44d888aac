import { describe, expect, it } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import { everybodyMay, LOBBY, linked, lobbyPlatform } from '../../helpers/lobby-platform.ts';
import { APP } from '../../helpers/platform.ts';

const long = { a: 'x'.repeat(500), b: 'x'.repeat(499) };

describe('a refused lobby request leaves the state unchanged:', () => {
  it.each<
    [
      wrong: string,
      what: string,
      by: string | undefined,
      json: unknown,
      status: number,
      code: number,
      at?: string,
    ]
  >([
    ['metadata too long together', 'POST /lobbies', undefined, { metadata: long }, 400, 50035, 'metadata'],
    ['26 pairs', 'PATCH ', undefined, { metadata: many(26) }, 400, 50035, 'metadata'],
    ['a value that is no text', 'PATCH ', undefined, { metadata: { a: 1 } }, 400, 50035, 'metadata.a'],
    [
      'metadata of a member too long',
      'PATCH ',
      undefined,
      { members: [{ id: ids.otter }, { id: ids.heron, metadata: long }] },
      400,
      50035,
      'members.1.metadata',
    ],
    [
      'the same at once',
      'POST /members/bulk',
      undefined,
      [{ id: ids.otter, metadata: long }],
      400,
      50035,
      '0.metadata',
    ],
    ['the same alone', `PUT /members/${ids.heron}`, undefined, { metadata: long }, 400, 50035, 'metadata'],
    [
      'an unknown user among others',
      'PATCH ',
      undefined,
      { members: [{ id: ids.otter }, { id: '5' }] },
      404,
      10013,
    ],
    ['the same when it is made', 'POST /lobbies', undefined, { members: [{ id: '5' }] }, 404, 10013],
    ['a bot as a member', `PUT /members/${APP}`, undefined, {}, 403, 50001],
    [
      'an idle time too short',
      'PATCH ',
      undefined,
      { idle_timeout_seconds: 4 },
      400,
      50035,
      'idle_timeout_seconds',
    ],
    ['one too long', 'POST /lobbies', undefined, { idle_timeout_seconds: 604_801 }, 400, 50035],
    ['an empty secret', 'PUT /lobbies', 'river', { secret: '' }, 400, 50035, 'secret'],
    ['one too long', 'PUT /lobbies', 'river', { secret: 'x'.repeat(251) }, 400, 50035, 'secret'],
    [
      'metadata of the one who joins too long',
      'PUT /lobbies',
      'river',
      { secret: 'x', member_metadata: long },
      400,
      50035,
      'member_metadata',
    ],
    [
      'an address for events',
      'POST /lobbies',
      undefined,
      { override_event_webhooks_url: 'http://x/' },
      501,
      0,
    ],
    ['an empty name', `PUT /members/${ids.heron}`, undefined, { additional_name: '' }, 400, 50035],
    [
      'a name too long',
      `PUT /members/${ids.heron}`,
      undefined,
      { additional_name: 'x'.repeat(81) },
      400,
      50035,
    ],
    ['flags that nobody knows', `PUT /members/${ids.heron}`, undefined, { flags: 2 }, 400, 50035],
    ['nothing said', 'POST /messages', 'river', {}, 400, 50006],
    ['nothing but an empty text', 'POST /messages', 'river', { content: '' }, 400, 50006],
    ['4,001 characters', 'POST /messages', 'river', { content: 'x'.repeat(4001) }, 400, 50035, 'content'],
    ['26 pairs beside it', 'POST /messages', 'river', { content: 'x', metadata: many(26) }, 400, 50035],
    ['an embed', 'POST /messages', 'river', { content: 'x', embeds: [{}] }, 501, 0],
    ['a message of somebody outside', 'POST /messages', 'otter', { content: 'x' }, 403, 50001],
    ['a look of somebody outside', 'GET /messages', 'otter', undefined, 403, 50001],
    ['201 messages', 'GET /messages?limit=201', 'river', undefined, 400, 50035, 'limit'],
    ['none', 'GET /messages?limit=0', 'river', undefined, 400, 50035, 'limit'],
    ['what moderation says of no message', 'PUT /messages/5/moderation-metadata', undefined, {}, 404, 10008],
    [
      'a link by a member without the flag',
      'PATCH /channel-linking',
      'heron',
      { channel_id: ids.general },
      403,
      50013,
    ],
    ['an end of a link by one', 'PATCH /channel-linking', 'heron', {}, 403, 50013],
    ['a link by somebody outside', 'PATCH /channel-linking', 'otter', {}, 403, 50001],
    ['a link to no channel', 'PATCH /channel-linking', 'river', { channel_id: '5' }, 404, 10003],
    ['a link to a channel with voice', 'PATCH /channel-linking', 'river', { channel_id: ids.lounge }, 400, 0],
    ['a link to one out of view', 'PATCH /channel-linking', 'river', { channel_id: ids.hidden }, 403, 50001],
  ])('%s: %s', async (_, what, by, json, status, code, at) => {
    const { refused } = await lobbyPlatform();
    const answer = await refused(what, {
      ...(by === undefined ? {} : { by }),
      ...(json === undefined ? {} : { json }),
    });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    if (at === undefined) return;
    const found = at.split('.').reduce((node, key) => node?.[key], answer.body.errors);
    expect(found?._errors, JSON.stringify(answer.body)).toHaveLength(1);
  });

  it('moderation metadata for a message of another lobby', async () => {
    const { refused, emulator } = await lobbyPlatform();
    await emulator.apply({ lobbies: [{ id: '9', application: APP, members: [{ user: 'river' }] }] });
    const { id } = emulator.lobbies.send('9', ids.river, 'x');
    const answer = await refused(`PUT /messages/${id}/moderation-metadata`, { json: { action: 'hide' } });
    expect([answer.status, answer.body.code]).toEqual([404, 10008]);
  });

  it('a link that the channel, the lobby or the guild does not allow', async () => {
    const platform = await lobbyPlatform();
    const { refused, emulator } = platform;
    const link = async (): Promise<[number, string]> => {
      const { status, body } = await refused('PATCH /channel-linking', {
        by: 'river',
        json: { channel_id: ids.general },
      });
      return [status, body.message];
    };
    await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, nsfw: true }] }] });
    expect(await link()).toEqual([
      400,
      'Only a text channel that is not age-restricted can be linked to a lobby',
    ]);
    await emulator.apply({
      guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, nsfw: false }] }],
      lobbies: [{ id: '9', application: APP, linked_channel: ids.general }],
    });
    expect(await link()).toEqual([400, 'This channel is linked to another lobby']);
    await emulator.apply({
      lobbies: [
        { id: '9', remove: true },
        { id: LOBBY, made_by: 'client' },
      ],
    });
    expect(await link()).toEqual([400, 'A lobby that was made with a secret cannot be linked']);
    await emulator.apply({ guilds: [{ id: ids.riverBank, owner: 'otter' }] });
    await everybodyMay(platform, 'VIEW_CHANNEL', 'SEND_MESSAGES');
    expect(await link()).toEqual([403, 'Missing Permissions']);
  });

  it('metadata beyond the limit that lobby_metadata_limit sets', async () => {
    const { ask, refused, emulator } = await lobbyPlatform();
    await emulator.apply({ lobby_metadata_limit: 999 });
    expect((await ask('PATCH ', { json: { metadata: { a: 'x'.repeat(998) } } })).status).toBe(200);
    await refused('PATCH ', { json: { metadata: { a: 'x'.repeat(999) } } });
    await emulator.apply({ lobby_metadata_limit: 50_000 });
    expect((await ask('PATCH ', { json: { metadata: many(25, 'x'.repeat(1024)) } })).status).toBe(200);
    await refused('PATCH ', { json: { metadata: { a: 'x'.repeat(1025) } } });
  });
});

describe('a fixture with lobbies', () => {
  it.each<[string, object, string]>([
    ['a secret of a lobby of a server', { secret: 'x' }, 'lobbies[9].secret: is only for'],
    [
      'a link of one behind a secret',
      { made_by: 'client', linked_channel: ids.general },
      'lobbies[9].linked_channel: is only for',
    ],
    [
      'a link to a channel with voice',
      { linked_channel: ids.lounge },
      'names a channel without text for all ages',
    ],
    ['an unknown member', { members: [{ user: 'nobody' }] }, 'nobody'],
    ['an idle time of none', { idle_timeout_seconds: 0 }, 'lobbies[9].idle_timeout_seconds'],
  ])('refuses %s', async (_, more, reason) => {
    const { emulator } = await lobbyPlatform();
    const before = emulator.exportState();
    await expect(emulator.apply({ lobbies: [{ id: '9', application: APP, ...more }] })).rejects.toThrow(
      reason,
    );
    expect(emulator.exportState()).toBe(before);
  });

  it('refuses two lobbies with one secret or one channel', async () => {
    const platform = await lobbyPlatform();
    const { emulator } = platform;
    const made = { application: APP, made_by: 'client', secret: 'x' };
    await expect(
      emulator.apply({
        lobbies: [
          { id: '8', ...made },
          { id: '9', ...made },
        ],
      }),
    ).rejects.toThrow(/lobbies\[[89]\]\.secret/);
    await linked(platform);
    const other = { id: '9', application: APP, linked_channel: ids.general };
    await expect(emulator.apply({ lobbies: [other] })).rejects.toThrow('.linked_channel');
    // Another application has secrets of its own.
    await emulator.apply({
      lobbies: [
        { id: '8', ...made },
        { id: '9', ...made, application: ids.lighthouse },
      ],
    });
    expect(emulator.tables.lobbies.size).toBe(3);
  });
});

function many(count: number, value = 'x'): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));
}
