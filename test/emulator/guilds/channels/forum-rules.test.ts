import { expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';

const GUILD = `/guilds/${ids.riverBank}`;
const REQUIRE_TAG = 16;
const PINNED = 2;
const HIDE_MEDIA_DOWNLOADS = 1 << 15;

/** A forum with a tag for everybody and one for moderators. */
async function forum(flags = 0) {
  const platform = await botPlatform();
  const { ask } = platform;
  const made = (
    await ask(`POST ${GUILD}/channels`, {
      name: 'forum',
      type: 15,
      available_tags: [{ name: 'tide' }, { name: 'decided', moderated: true }],
    })
  ).body;
  if (flags !== 0) expect((await ask(`PATCH /channels/${made.id}`, { flags })).body.flags).toBe(flags);
  const [tide, decided] = made.available_tags.map(({ id }: { id: string }) => id) as [string, string];
  const path = `POST /channels/${made.id}/threads`;
  const post = async (more: object = {}): Promise<string> =>
    (await ask(path, { name: 'Post', message: { content: 'first' }, ...more })).body.id;
  return { ...platform, id: made.id as string, tide, decided, path, post };
}

const body = (applied_tags?: readonly string[]) => ({
  name: 'Post',
  message: { content: 'first' },
  ...(applied_tags === undefined ? {} : { applied_tags }),
});

it('a forum with REQUIRE_TAG refuses a post without a tag, also from a webhook', async () => {
  const { ask, refused, id, path, tide } = await forum(REQUIRE_TAG);
  const expected = {
    status: 400,
    body: { code: 40067, message: 'A tag is required to create a forum post in this channel' },
  };
  expect(await refused(path, body())).toMatchObject(expected);
  expect(await refused(path, body([]))).toMatchObject(expected);
  expect((await ask(path, body([tide]))).status).toBe(201);
  const hook = (await ask(`POST /channels/${id}/webhooks`, { name: 'lighthouse' })).body;
  const at = `POST /webhooks/${hook.id}/${hook.token}`;
  expect(await refused(at, { content: 'x', thread_name: 'Post' })).toMatchObject(expected);
  expect((await ask(at, { content: 'x', thread_name: 'Post', applied_tags: [tide] })).status).toBe(204);
});

it('a forum with REQUIRE_TAG and only moderated tags refuses a post without MANAGE_THREADS', async () => {
  const { ask, refused, only, id, path, decided } = await forum(REQUIRE_TAG);
  await ask(`PATCH /channels/${id}`, { available_tags: [{ id: decided, name: 'decided', moderated: true }] });
  await only('VIEW_CHANNEL', 'SEND_MESSAGES');
  expect((await refused(path, body())).body.code).toBe(40066);
});

it('adding or removing a moderated tag of a post requires MANAGE_THREADS', async () => {
  const { ask, refused, only, path, post, tide, decided } = await forum();
  const id = await post({ applied_tags: [decided] });
  await only('VIEW_CHANNEL', 'SEND_MESSAGES', 'SEND_MESSAGES_IN_THREADS');
  expect((await refused(path, body([decided]))).body.code).toBe(50013);
  expect((await refused(`PATCH /channels/${id}`, { applied_tags: [] })).body.code).toBe(50013);
  const both = await ask(`PATCH /channels/${id}`, { applied_tags: [decided, tide] });
  expect(both.body.applied_tags).toEqual([decided, tide]);
});

it('a post refuses a tag that its forum does not have', async () => {
  const { ask, refused, post, tide } = await forum();
  const id = await post();
  const { status, body: answer } = await refused(`PATCH /channels/${id}`, { applied_tags: [tide, '1'] });
  expect([status, answer.code]).toEqual([400, 50035]);
  expect(answer.errors.applied_tags['1']._errors).toHaveLength(1);
  expect((await ask(`PATCH /channels/${id}`, { applied_tags: [tide] })).body.applied_tags).toEqual([tide]);
  const { id: thread } = (await ask(`POST /channels/${ids.general}/threads`, { name: 'x', type: 11 })).body;
  expect((await refused(`PATCH /channels/${thread}`, { applied_tags: [tide] })).body.code).toBe(50035);
});

it('a forum has at most one pinned post, and archiving unpins the post', async () => {
  const { ask, refused, post } = await forum();
  const [first, second] = [await post(), await post()];
  const flags = (json: object, id: string) => ask(`PATCH /channels/${id}`, json);
  expect((await flags({ flags: PINNED }, first)).body.flags).toBe(PINNED);
  expect(await refused(`PATCH /channels/${second}`, { flags: PINNED })).toMatchObject({
    status: 400,
    body: { code: 30047, message: 'Maximum number pinned threads in this channel reached (1).' },
  });
  expect((await flags({ flags: PINNED, name: 'still first' }, first)).status).toBe(200);
  expect((await flags({ archived: true }, first)).body.flags).toBe(0);
  expect((await flags({ flags: PINNED }, second)).body.flags).toBe(PINNED);
});

it('a thread of a text channel cannot be pinned', async () => {
  const { ask, refused } = await forum();
  const { id } = (await ask(`POST /channels/${ids.general}/threads`, { name: 'x', type: 11 })).body;
  expect((await refused(`PATCH /channels/${id}`, { flags: PINNED })).body.code).toBe(50024);
});

it('a pinned post does not archive itself until it is unpinned', async () => {
  const { ask, post, emulator } = await forum();
  const { clock } = emulator;
  clock.freeze();
  const id = await post({ auto_archive_duration: 60 });
  await ask(`PATCH /channels/${id}`, { flags: PINNED });
  const archived = () => emulator.tables.channels.get(id)?.thread?.archived;
  clock.advance(48 * 3_600_000);
  expect(archived()).toBe(false);
  await ask(`PATCH /channels/${id}`, { flags: 0 });
  clock.advance(3_600_000);
  expect(archived()).toBe(true);
});

it('a request sets only PINNED of the flags of a post, and only the forum flags of a forum', async () => {
  const { ask, post, id, emulator } = await forum();
  const first = await post();
  const flagsOf = (channel: string) => emulator.tables.channels.get(channel)?.flags;
  for (const flags of [REQUIRE_TAG, 32, HIDE_MEDIA_DOWNLOADS, 2 ** 31 - 1 - PINNED]) {
    expect((await ask(`PATCH /channels/${first}`, { flags })).body.flags).toBe(0);
    expect(flagsOf(first)).toBe(0);
  }
  await ask(`PATCH /channels/${first}`, { flags: 2 ** 31 - 1 });
  expect(flagsOf(first)).toBe(PINNED);
  await ask(`PATCH /channels/${id}`, { flags: 2 ** 31 - 1 });
  expect(flagsOf(id)).toBe(REQUIRE_TAG | HIDE_MEDIA_DOWNLOADS);
});

it('pinning and unpinning a post preserves its other flags', async () => {
  const { ask, post, id, emulator } = await forum();
  const first = await post();
  await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: first, flags: 32 }] }] });
  expect((await ask(`PATCH /channels/${first}`, { flags: PINNED })).body.flags).toBe(32 | PINNED);
  expect((await ask(`PATCH /channels/${first}`, { flags: 0 })).body.flags).toBe(32);
  expect(emulator.tables.channels.get(first)?.parent).toBe(id);
});
