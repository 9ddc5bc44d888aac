import { expect, it } from 'vitest';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';

const MESSAGES = `/channels/${ids.general}/messages`;

/** With `gull` (1) of River Bank, `crab` (2) there for a role that the bot has not, `buoy` (3) of a guild it is in. */
const withEmojis = () =>
  botPlatform({
    guilds: [
      {
        id: ids.riverBank,
        roles: [{ id: '50', name: 'Crew' }],
        emojis: [
          { id: '801', name: 'gull' },
          { id: '802', name: 'crab', roles: ['50'], animated: true },
        ],
      },
      { id: ids.harbour, members: [{ user: APP }], emojis: [{ id: '803', name: 'buoy' }] },
    ],
    application_emojis: [{ id: '804', application: APP, name: 'mine' }],
  });

const WRITTEN = '<:gull:801> <a:crab:802> <:buoy:803> <:mine:804> <:nobody:805>';

it('emojis in a text become plain names when the author may not use them, also after an edit', async () => {
  const { ask, only } = await withEmojis();
  const { body } = await ask(`POST ${MESSAGES}`, { content: WRITTEN });
  expect(body.content).toBe('<:gull:801> :crab: <:buoy:803> <:mine:804> :nobody:');
  await only('VIEW_CHANNEL', 'SEND_MESSAGES');
  const changed = await ask(`PATCH ${MESSAGES}/${body.id}`, { content: WRITTEN });
  expect(changed.body.content).toBe('<:gull:801> :crab: :buoy: <:mine:804> :nobody:');
});

it('emojis for a role are available to members with the role', async () => {
  const { ask, emulator } = await withEmojis();
  await emulator.apply({ guilds: [{ id: ids.riverBank, members: [{ user: APP, roles: ['50'] }] }] });
  expect((await ask(`POST ${MESSAGES}`, { content: '<a:crab:802>' })).body.content).toBe('<a:crab:802>');
});

it('emojis in webhook messages may be from every guild, but not from another application', async () => {
  const { ask, call } = await withEmojis();
  const { body: hook } = await ask(`POST /channels/${ids.general}/webhooks`, { name: 'tide' });
  const { body } = await call(`POST /webhooks/${hook.id}/${hook.token}?wait=true`, {
    json: { content: WRITTEN },
  });
  expect(body.content).toBe('<:gull:801> <a:crab:802> <:buoy:803> <:mine:804> :nobody:');
});

const button = (emoji: object) => ({ type: 2, style: 1, custom_id: 'x', emoji });
const row = (...components: object[]) => ({ type: 1, components });
const select = (emoji: object) => ({
  type: 3,
  custom_id: 'y',
  options: [{ label: 'a', value: 'a', emoji }],
});
const section = (emoji: object) => ({
  type: 9,
  components: [{ type: 10, content: 'x' }],
  accessory: button(emoji),
});
const poll = (emoji: object) => ({
  poll: { question: { text: 'Tide?' }, answers: [{ poll_media: { emoji } }] },
});

const WRONG = { errors: { components: {} } };
it.each([
  ['a button', (emoji: object) => ({ components: [row(button(emoji))] }), 50035, WRONG],
  ['a select', (emoji: object) => ({ components: [row(select(emoji))] }), 50035, WRONG],
  [
    'a section',
    (emoji: object) => ({ flags: 1 << 15, components: [section(emoji)] }),
    50035,
    { errors: { components: { 0: { accessory: { emoji: { id: {} } } } } } },
  ],
  ['a poll', poll, 520_004, {}],
])('emojis of %s can be used', async (_, json, code, more) => {
  const { ask, refused } = await withEmojis();
  for (const id of ['801', '803', '804']) {
    expect((await ask(`POST ${MESSAGES}`, json({ id }))).status, id).toBe(200);
  }
  expect((await ask(`POST ${MESSAGES}`, json({ name: '🌊' }))).status).toBe(200);
  for (const id of ['802', '805']) {
    const answer = await refused(`POST ${MESSAGES}`, json({ id, name: 'gull' }));
    expect(answer).toMatchObject({ status: 400, body: { code, ...more } });
  }
  for (const name of ['gull', 'gull:801']) {
    expect((await refused(`POST ${MESSAGES}`, json({ name }))).body.code).toBe(code);
  }
});

it('emojis of components are also checked when a message is edited', async () => {
  const { ask, refused } = await withEmojis();
  const { body } = await ask(`POST ${MESSAGES}`, { content: 'x' });
  const json = (id: string) => ({ components: [row(button({ id }))] });
  expect((await refused(`PATCH ${MESSAGES}/${body.id}`, json('802'))).body.code).toBe(50035);
  expect((await ask(`PATCH ${MESSAGES}/${body.id}`, json('801'))).status).toBe(200);
});

it('emojis of forum tags must be from the guild, unless the tag is unchanged', async () => {
  const { ask, refused, emulator } = await withEmojis();
  const CHANNELS = `POST /guilds/${ids.riverBank}/channels`;
  const tag = (emoji_id: string) => ({ name: 'tide', emoji_id });
  const forum = { name: 'f', type: 15 };
  const { body } = await ask(CHANNELS, {
    ...forum,
    available_tags: [tag('801')],
    default_reaction_emoji: { emoji_id: '802' },
  });
  expect(body).toMatchObject({ available_tags: [tag('801')], default_reaction_emoji: { emoji_id: '802' } });
  for (const json of [
    { available_tags: [tag('801'), tag('803')] },
    { default_reaction_emoji: { emoji_id: '804' } },
  ]) {
    expect((await refused(CHANNELS, { ...forum, ...json })).body.code).toBe(50035);
    expect((await refused(`PATCH /channels/${body.id}`, json)).body.code).toBe(50035);
  }
  await emulator.apply({ guilds: [{ id: ids.riverBank, emojis: [{ id: '801', remove: true }] }] });
  const kept = await ask(`PATCH /channels/${body.id}`, { available_tags: [tag('801')], topic: 'x' });
  expect(kept).toMatchObject({ status: 200, body: { topic: 'x' } });
});
