import { describe, expect, it } from 'vitest';
import { type BotPlatform, botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';

const GENERAL = `/channels/${ids.general}`;

/** JSON whose ids, texts in `value`, stand as the numbers that libraries of exact integers write. */
const numbered = (value: unknown): string => JSON.stringify(value).replaceAll(/"(\d+)"/g, '$1');

const send = (platform: BotPlatform, what: string, value: unknown) =>
  platform.call(what, {
    headers: { ...platform.bot(), 'content-type': 'application/json' },
    body: numbered(value),
  });

describe('an id that is a JSON number', () => {
  it('is accepted for the message of a reply, and for the messages of a bulk deletion', async () => {
    const platform = await botPlatform();
    const write = async () => (await platform.ask(`POST ${GENERAL}/messages`, { content: 'tide' })).body.id;
    const [first, second] = [await write(), await write()];
    const reply = await send(platform, `POST ${GENERAL}/messages`, {
      content: 'yes',
      message_reference: { message_id: first, channel_id: ids.general, guild_id: ids.riverBank },
      allowed_mentions: { parse: [], users: [ids.heron], roles: [ids.riverBank] },
    });
    expect(reply).toMatchObject({ status: 200, body: { message_reference: { message_id: first } } });
    const purged = await send(platform, `POST ${GENERAL}/messages/bulk-delete`, {
      messages: [first, second],
    });
    expect(purged.status).toBe(204);
    expect((await platform.ask(`GET ${GENERAL}/messages/${second}`)).status).toBe(404);
  });

  it('is accepted for a recipient, an exempt role, a parent and an overwrite', async () => {
    const platform = await botPlatform();
    const direct = await send(platform, 'POST /users/@me/channels', { recipient_id: ids.heron });
    expect(direct).toMatchObject({ status: 200, body: { recipients: [{ id: ids.heron }] } });
    const role = (await platform.ask(`POST /guilds/${ids.riverBank}/roles`, { name: 'tide' })).body.id;
    const rule = await send(platform, `POST /guilds/${ids.riverBank}/auto-moderation/rules`, {
      name: 'mud',
      event_type: 1,
      trigger_type: 1,
      trigger_metadata: { keyword_filter: ['mud'] },
      actions: [{ type: 2, metadata: { channel_id: ids.general } }],
      exempt_roles: [role],
    });
    expect(rule).toMatchObject({
      status: 200,
      body: { exempt_roles: [role], actions: [{ metadata: { channel_id: ids.general } }] },
    });
    const category = await platform.ask(`POST /guilds/${ids.riverBank}/channels`, { name: 'delta', type: 4 });
    const channel = await send(platform, `POST /guilds/${ids.riverBank}/channels`, {
      name: 'mouth',
      parent_id: category.body.id,
      permission_overwrites: [{ id: role, type: 0, allow: '0', deny: '0' }],
    });
    expect(channel).toMatchObject({
      status: 201,
      body: { parent_id: category.body.id, permission_overwrites: [{ id: role }] },
    });
  });

  it('is accepted in payload_json beside a file, and for a file that stays', async () => {
    const platform = await botPlatform();
    const { body: before } = await platform.ask(`POST ${GENERAL}/messages`, { content: 'tide' });
    const form = new FormData();
    form.set(
      'payload_json',
      numbered({ message_reference: { message_id: before.id }, attachments: [{ id: 0 }] }),
    );
    form.set('files[0]', new Blob(['high']), 'tide.txt');
    const sent = await platform.call(`POST ${GENERAL}/messages`, { headers: platform.bot(), body: form });
    expect(sent).toMatchObject({ status: 200, body: { message_reference: { message_id: before.id } } });
    const [file] = sent.body.attachments;
    const edited = await send(platform, `PATCH ${GENERAL}/messages/${sent.body.id}`, {
      attachments: [{ id: file.id }],
    });
    expect(edited).toMatchObject({ status: 200, body: { attachments: [{ id: file.id }] } });
  });

  it('may be small, and then matches no user', async () => {
    const platform = await botPlatform();
    const answer = await send(platform, `POST /guilds/${ids.riverBank}/bulk-ban`, { user_ids: ['5'] });
    expect(answer).toMatchObject({ status: 400, body: { message: 'Failed to ban users' } });
  });

  it.each(['9223372036854775808', '-400000000000000001', '40000000000000000100'])(
    'is refused when it is not a snowflake: %s',
    async (id) => {
      const platform = await botPlatform();
      const body = `{"recipient_id":${id}}`;
      const headers = { ...platform.bot(), 'content-type': 'application/json' };
      const answer = await platform.call('POST /users/@me/channels', { headers, body });
      expect(answer).toMatchObject({ status: 400, body: { code: 50035, errors: { recipient_id: {} } } });
    },
  );
});

it('a nonce of 64 bits preserves its digits, and returns its message again', async () => {
  const platform = await botPlatform();
  const nonce = '9223372036854775807';
  const write = (value: string) =>
    send(platform, `POST ${GENERAL}/messages`, { content: 'once', nonce: value, enforce_nonce: true });
  const [first, again, other] = [await write(nonce), await write(nonce), await write('9223372036854775806')];
  expect(first).toMatchObject({ status: 200, body: { nonce } });
  expect(again.body.id).toBe(first.body.id);
  expect(other.body.id).not.toBe(first.body.id);
});
