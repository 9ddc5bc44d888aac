import { describe, expect, it } from 'vitest';
import { answer, playedPlatform } from '../../helpers/answering.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';

const MESSAGES = `/channels/${ids.general}/messages`;

const row = (...components: object[]) => ({ type: 1, components });
const button = (custom_id: string, more: object = {}) => ({
  type: 2,
  style: 1,
  label: custom_id.toUpperCase(),
  custom_id,
  ...more,
});

/** A message of the bot with components of every kind. */
async function posted(change: object = {}) {
  const platform = await playedPlatform(change);
  const { status, body } = await platform.ask(`POST ${MESSAGES}`, {
    content: 'Which boat?',
    components: [
      row(
        button('accept'),
        button('old', { disabled: true }),
        { type: 2, style: 5, label: 'Docs', url: 'https://example.com/docs' },
        { type: 2, style: 6, sku_id: '700000000000000009' },
      ),
      row({
        type: 3,
        custom_id: 'level',
        max_values: 2,
        options: [
          { label: 'Low tide', value: 'low' },
          { label: 'High tide', value: 'high' },
          { label: 'Both', value: 'none' },
        ],
      }),
      row({ type: 7, custom_id: 'who', min_values: 0, max_values: 3 }),
      row({ type: 8, custom_id: 'where', channel_types: [2] }),
      row({ type: 5, custom_id: 'off', disabled: true }),
    ],
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return { ...platform, message: body.id as string };
}

const said = (content: string, more: object = {}) => ({ type: 4, data: { content, ...more } });

describe('a user at a message', () => {
  it('clicks a button by its custom id or label, and receives the response of the application [W-3]', async () => {
    const { play, message, last } = await posted();
    const played = await play('interaction.click', { message, button: 'accept' }, () => said('Aye.'));
    expect(played).toMatchObject({
      type: 'component',
      used: 'accept',
      application: { id: APP, name: 'Harbour Example' },
      user: { id: ids.river, username: 'river' },
      channel: { id: ids.general, name: 'general' },
      state: 'answered',
      is_update: false,
      message: { content: 'Aye.', ephemeral: false },
      follow_ups: [],
    });
    expect(last()).toMatchObject({
      id: played.id,
      type: 3,
      message,
      data: { component_type: 2, custom_id: 'accept', id: expect.any(Number) },
    });
    const other = await play('interaction.click', { message, button: 'ACCEPT', user: 'otter' }, () => ({
      type: 7,
      data: { content: 'Taken.', components: [] },
    }));
    expect(other).toMatchObject({
      user: { username: 'otter' },
      is_update: true,
      message: { id: message, content: 'Taken.' },
    });
    await expect(play('interaction.click', { message, button: 'accept' })).rejects.toThrow(
      `message ${message} has no button "accept"; it has no button`,
    );
  });

  it('chooses by value, label, id or name, and the application receives resolved objects [W-3, M-4, M-5]', async () => {
    const { play, message, last } = await posted();
    const choose = async (select: string, ...values: string[]) => {
      await play('interaction.choose', { message, select, values }, () => ({ type: 6 }));
      return last();
    };
    expect(await choose('level', 'low', 'High tide')).toMatchObject({
      data: { component_type: 3, custom_id: 'level', values: ['low', 'high'] },
      resolves: {},
    });
    expect((await choose('level', 'none'))?.data).toMatchObject({ values: ['none'] });
    expect((await choose('who', 'none'))?.data).toMatchObject({ values: [] });
    expect(await choose('who', '@otter', '@everyone')).toMatchObject({
      data: { values: [ids.otter, ids.riverBank] },
      resolves: { users: [ids.otter], roles: [ids.riverBank] },
    });
    expect(await choose('where', 'Lounge')).toMatchObject({
      data: { values: [ids.lounge] },
      resolves: { channels: [ids.lounge] },
    });
  });

  it('receives an ephemeral response, which no other user can use', async () => {
    const { play, message } = await posted();
    const played = await play('interaction.click', { message, button: 'accept' }, () =>
      said('Only you.', { flags: 64, components: [row(button('again'))] }),
    );
    expect(played.message).toMatchObject({ ephemeral: true, content: 'Only you.' });
    const own = played.message?.id ?? '';
    await expect(play('interaction.click', { message: own, button: 'again', user: 'otter' })).rejects.toThrow(
      `there is no message ${own}, or not for otter: it is ephemeral for another user`,
    );
    const again = await play('interaction.click', { message: own, button: 'again' }, () => said('Twice.'));
    expect(again).toMatchObject({ state: 'answered', message: { content: 'Twice.' } });
  });

  it('waits for a deferred response and receives its follow-ups', async () => {
    const { play, message, emulator } = await posted();
    const later = await play('interaction.click', { message, button: 'accept' }, () => ({ type: 5 }));
    expect(later).toMatchObject({ state: 'deferred', is_update: false });
    const shown = await play('interaction.show', { id: later.id });
    expect(shown).toEqual(later);
    const waited = await play(
      'interaction.click',
      { message, button: 'accept', wait: 5 },
      async (interaction, platform) => {
        await answer(platform, interaction, { type: 5 });
        const path = `/webhooks/${APP}/${interaction.token}`;
        await platform.call(`PATCH ${path}/messages/@original`, { json: { content: 'Now.' } });
        await platform.call(`POST ${path}`, { json: { content: 'And more.' } });
      },
    );
    expect(waited).toMatchObject({ state: 'answered', message: { content: 'Now.' } });
    const after = await play('interaction.show', { id: waited.id });
    expect(after.follow_ups.map(({ content }) => content)).toEqual(['And more.']);
    expect(await play('interaction.list', {})).toHaveLength(emulator.tables.interactions.size);
  });

  it('receives a failed state when no response comes within 3 seconds of the emulator clock', async () => {
    const { play, message, emulator } = await posted();
    const failed = await play('interaction.click', { message, button: 'accept' }, () => {
      emulator.clock.advance(3_000);
      return undefined;
    });
    expect(failed).toMatchObject({ state: 'failed', reason: 'no answer in 3 s' });
    expect(failed.message).toBeUndefined();
  });

  it.each([
    ['click', { button: 'old' }, /^"old" of message \d+ is disabled$/],
    [
      'click',
      { button: 'Docs' },
      /is a link to https:\/\/example.com\/docs: no application is notified when it is opened$/,
    ],
    ['click', { button: 'level' }, /^"level" of message \d+ is a select: choose from it$/],
    ['click', { button: 'nope' }, /has no button "nope"; it has "accept", "old", "Docs"$/],
    ['click', { button: 'accept', user: 'nobody' }, /there is no user "nobody"/],
    ['click', { button: 'accept', user: APP }, /^user: harbour is a bot; only human users use applications$/],
    ['choose', { select: 'accept', values: ['x'] }, /is a button: click it$/],
    ['choose', { select: 'off', values: ['river'] }, /is disabled$/],
    [
      'choose',
      { select: 'nope', values: ['x'] },
      /has no select "nope"; it has "level", "who", "where", "off"$/,
    ],
    [
      'choose',
      { select: 'level', values: ['nope'] },
      /^level: has no option "nope"; choose from "low", "high", "none"$/,
    ],
    ['choose', { select: 'level', values: ['low', 'low'] }, /^level: "low" is chosen twice$/],
    ['choose', { select: 'level', values: ['low', 'high', 'none'] }, /^level: takes 1 to 2, not 3$/],
    ['choose', { select: 'level', values: [] }, /^level: takes 1 to 2, not 0$/],
    ['choose', { select: 'who', values: ['nobody'] }, /there is no user "nobody"/],
    [
      'choose',
      { select: 'where', values: ['general'] },
      /^where: there is no channel "general" of a requested type \(2\) that river sees$/,
    ],
  ])(
    'cannot use interaction.%s with %o, and the application receives nothing',
    async (name, args, reason) => {
      const { play, message, last } = await posted();
      await expect(play(`interaction.${name as 'click'}`, { message, ...args })).rejects.toThrow(reason);
      expect(last()).toBeUndefined();
    },
  );

  it('uses no component in a hidden channel, or of a message that no application wrote', async () => {
    const { play, message, emulator, last } = await posted();
    await emulator.apply({
      guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, deny: [ids.otter] }] }],
    });
    await expect(play('interaction.click', { message, button: 'accept', user: 'otter' })).rejects.toThrow(
      'channel: otter does not see #general; give another with --channel',
    );
    const { id } = emulator.messages.send(ids.general, 'hello', ids.river);
    await expect(play('interaction.click', { message: id, button: 'accept' })).rejects.toThrow(
      `message ${id} was not written by an application that can be notified of clicks`,
    );
    await expect(play('interaction.click', { message: '5', button: 'accept' })).rejects.toThrow(
      'there is no message 5',
    );
    expect(last()).toBeUndefined();
  });
});

it('an entry point that the platform answers launches an activity, and the application receives nothing [W-4]', async () => {
  const entry = { id: '900', application: APP, name: 'sail', type: 'primary_entry_point' };
  const { play, emulator, last } = await playedPlatform({
    commands: [{ ...entry, handler: 'discord_launch_activity' }],
  });
  const use = { app: APP, command: 'sail', channel: ids.general };
  await expect(play('interaction.use', use)).rejects.toThrow('has no activity');
  expect(last()).toBeUndefined();
  await emulator.apply({ url_mappings: [{ application: APP, prefix: '/', target: '127.0.0.1:5173' }] });
  const { state, instance } = await play('interaction.use', use);
  expect(state).toBe('launched');
  expect(last()?.by).toBe('platform');
  expect(emulator.activities.instance(APP, instance ?? '')?.channel).toBe(ids.general);
});
