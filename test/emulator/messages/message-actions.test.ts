import { describe, expect, it } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../helpers/gateway-client.ts';
import { told } from '../../helpers/gateway-told.ts';
import { APP } from '../../helpers/platform.ts';
import { viewedPlatform } from '../../helpers/viewed.ts';

const [HIGH, SECRET] = ['600000000000000001', '892'];

async function acted(change: object = {}) {
  const platform = await viewedPlatform({
    guilds: [
      { id: ids.riverBank, channels: [{ id: SECRET, name: 'secret', type: 'text', deny: ['otter'] }] },
    ],
    commands: [{ id: '920', application: APP, name: 'tide', description: 'x' }],
    ...change,
  });
  const reactions = () =>
    [...platform.emulator.tables.reactions].map(({ emoji, user }) => [
      emoji,
      platform.emulator.user(user)?.username,
    ]);
  return { ...platform, reactions };
}

describe('a reaction of a simulated user', () => {
  it('is added once, and taken back', async () => {
    const { run, reactions } = await acted();
    expect(await run('message.react', { message: HIGH, emoji: '🌊', user: 'heron' })).toEqual({
      message: HIGH,
      emoji: '🌊',
      user: 'heron',
    });
    await run('message.react', { message: HIGH, emoji: '🌊', user: 'heron' });
    await run('message.react', { message: HIGH, emoji: '🌊' });
    expect(reactions()).toEqual([
      ['🌊', 'heron'],
      ['🌊', 'river'],
    ]);
    await run('message.unreact', { message: HIGH, emoji: '🌊', user: 'heron' });
    await run('message.unreact', { message: HIGH, emoji: '🌊', user: 'heron' });
    expect(reactions()).toEqual([['🌊', 'river']]);
  });

  it.each([
    ['an unknown message', { message: '1' }, 'there is no message "1"'],
    ['a text that is no emoji', { emoji: 'wave' }, 'Unknown Emoji (10014)'],
    ['an emoji of no guild of the user', { emoji: 'wave:99' }, 'Unknown Emoji (10014)'],
    [
      'a message of a channel that the user does not see',
      { message: '893' },
      'channel: otter does not see this channel',
    ],
  ])('is refused for %s', async (_what, args, message) => {
    const { run, reactions } = await acted({
      messages: [{ id: '893', channel: SECRET, author: 'river', content: 'x' }],
    });
    await expect(
      run('message.react', { message: HIGH, emoji: '🌊', user: 'otter', ...args }),
    ).rejects.toThrow(message);
    expect(reactions()).toEqual([]);
  });

  it('follows the permissions and the limit of the platform', async () => {
    const { run, only, emulator } = await acted();
    await only('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY');
    const react = (emoji: string, user = 'otter') => run('message.react', { message: HIGH, emoji, user });
    await expect(react('🌊')).rejects.toThrow('Missing Permissions (50013)');
    await react('🌊', 'river');
    // Adding to a reaction that is there needs no permission.
    expect(await react('🌊')).toMatchObject({ user: 'otter' });
    for (let code = 0x1f_600; emulator.tables.reactions.size < 21; code++)
      await react(String.fromCodePoint(code), 'river');
    await expect(react('⛵', 'river')).rejects.toThrow('Maximum number of reactions reached (20) (30010)');
  });

  it('is refused for an ephemeral message', async () => {
    const { run, play } = await acted();
    const { message } = await play('interaction.use', { app: APP, command: '/tide' }, () => ({
      type: 4,
      data: { content: 'For you', flags: 64 },
    }));
    await expect(run('message.react', { message: message?.id, emoji: '🌊' })).rejects.toThrow(
      'is ephemeral: nobody reacts to it',
    );
  });
});

describe('typing of a simulated user', () => {
  it('reaches the bot and other viewers', async () => {
    const platform = await acted();
    const { run, emulator } = platform;
    // The indicator ends by the clock of the emulator.
    emulator.clock.freeze();
    const client = new GatewayClient(platform.url);
    await client.identify(tokenOf(platform), { intents: 1 << 11 });
    await told(client);
    expect(await run('channel.type', { channel: 'general', user: 'heron' })).toEqual({
      channel: ids.general,
      user: 'heron',
    });
    expect((await run('channel.view', { channel: 'general' })).typing).toEqual([ids.heron]);
    expect(await told(client)).toMatchObject([
      { t: 'TYPING_START', d: { user_id: ids.heron, channel_id: ids.general } },
    ]);
  });

  it('is refused where the user may not write', async () => {
    const { run, only } = await acted();
    await expect(run('channel.type', { channel: SECRET, user: 'otter' })).rejects.toThrow(
      'channel: otter does not see',
    );
    await only('VIEW_CHANNEL');
    await expect(run('channel.type', { channel: 'general', user: 'otter' })).rejects.toThrow(
      'Missing Permissions (50013)',
    );
  });
});

describe('a message of a simulated user', () => {
  it('answers another one, which the bot is told', async () => {
    const { run, ask } = await acted();
    const { id } = await run('channel.say', {
      channel: 'general',
      text: 'Very',
      author: 'otter',
      reply: HIGH,
    });
    const { body } = await ask(`GET /channels/${ids.general}/messages/${id}`);
    expect(body).toMatchObject({
      type: 19,
      content: 'Very',
      message_reference: { message_id: HIGH, channel_id: ids.general },
      referenced_message: { id: HIGH },
      mentions: [{ id: ids.heron }],
    });
  });

  it.each([
    ['an unknown message', { reply: '1' }, 'reply: there is no message "1" in this channel'],
    [
      'a message of another channel',
      { reply: '600000000000000004' },
      'reply: there is no message "600000000000000004" in this channel',
    ],
    ['nothing', { text: '' }, 'channel.say: text: must not be empty'],
  ])('is refused as an answer to %s', async (_what, args, message) => {
    const { run, emulator } = await acted();
    const { size } = emulator.tables.messages;
    await expect(run('channel.say', { channel: 'general', text: 'x', ...args })).rejects.toThrow(message);
    expect(emulator.tables.messages.size).toBe(size);
  });

  it('has files, also without a text', async () => {
    const { run, only } = await acted();
    const file = { filename: 'tide table.txt', data: Buffer.from('high').toString('base64') };
    const { id } = await run('channel.say', { channel: 'general', text: '', author: 'otter', files: [file] });
    const { message } = await run('message.view', { message: id });
    expect(message['attachments']).toMatchObject([
      { filename: 'tide_table.txt', size: 4, content_type: 'text/plain' },
    ]);
    await only('VIEW_CHANNEL', 'SEND_MESSAGES', 'READ_MESSAGE_HISTORY');
    await expect(
      run('channel.say', { channel: 'general', text: 'x', author: 'otter', files: [file] }),
    ).rejects.toThrow('author: has no permission ATTACH_FILES in this channel');
    const broken = { filename: 'x.txt', problem: 'it is a folder' };
    await expect(run('channel.say', { channel: 'general', text: 'x', files: [broken] })).rejects.toThrow(
      'files: x.txt cannot be read: it is a folder',
    );
  });
});

describe('a message is deleted by a simulated user', () => {
  it('who wrote it or manages messages, and by nobody else', async () => {
    const { run, only, emulator } = await acted();
    await only('VIEW_CHANNEL', 'SEND_MESSAGES', 'READ_MESSAGE_HISTORY');
    const own = emulator.messages.send(ids.general, 'mine', ids.otter).id;
    await expect(run('message.delete', { id: own, user: 'heron' })).rejects.toThrow(
      'user: has no permission MANAGE_MESSAGES in this channel',
    );
    expect(await run('message.delete', { id: own, user: 'otter' })).toEqual({ deleted: own });
    // The owner of the guild manages everything.
    expect(await run('message.delete', { id: HIGH, user: 'river' })).toEqual({ deleted: HIGH });
    await emulator.apply({ messages: [{ id: '893', channel: SECRET, author: 'otter', content: 'x' }] });
    await expect(run('message.delete', { id: '893', user: 'otter' })).rejects.toThrow(
      'user: cannot see this channel',
    );
    expect(await run('message.delete', { id: '893' })).toEqual({ deleted: '893' });
  });

  it('whom it is ephemeral for', async () => {
    const { run, play, emulator } = await acted();
    const { message } = await play('interaction.use', { app: APP, command: '/tide' }, () => ({
      type: 4,
      data: { content: 'For you', flags: 64 },
    }));
    await expect(run('message.delete', { id: message?.id, user: 'heron' })).rejects.toThrow(
      'there is no message',
    );
    expect(emulator.tables.ephemeral_messages.size).toBe(1);
    expect(await run('message.delete', { id: message?.id, user: 'river' })).toEqual({ deleted: message?.id });
    expect(emulator.tables.ephemeral_messages.size).toBe(0);
  });
});

describe('an action on a message that has changed since', () => {
  const button = { type: 1, components: [{ type: 2, style: 1, custom_id: 'go', label: 'Go' }] };
  const select = {
    type: 1,
    components: [{ type: 3, custom_id: 'pick', options: [{ label: 'A', value: 'a' }] }],
  };

  it.each([
    ['interaction.click', 'message', { button: 'go' }],
    ['interaction.choose', 'message', { select: 'pick', values: ['a'] }],
    ['message.react', 'message', { emoji: '🌊' }],
    ['message.unreact', 'message', { emoji: '🌊' }],
    ['message.delete', 'id', { user: 'river' }],
  ] as const)('is refused: %s', async (name, key, args) => {
    const { run, ask, emulator, last } = await acted();
    const path = `/channels/${ids.general}/messages`;
    const { body } = await ask(`POST ${path}`, { content: 'Before', components: [button, select] });
    const { revision } = await run('message.view', { message: body.id });
    await ask(`PATCH ${path}/${body.id}`, { content: 'After' });
    const now = await run('message.view', { message: body.id });
    const before = emulator.exportState();
    await expect(run(name, { [key]: body.id, ...args, revision })).rejects.toMatchObject({
      status: 409,
      code: 'FOOTBRIDGE_STALE',
      message: `message ${body.id} has changed meanwhile: its revision is ${now.revision}`,
    });
    expect(emulator.exportState()).toBe(before);
    expect(last()).toBeUndefined();
  });

  it('is refused: poll.vote; and taken with the present revision', async () => {
    const { run, ask } = await acted();
    const poll = { question: { text: 'When?' }, answers: [{ poll_media: { text: 'High' } }] };
    const { body } = await ask(`POST /channels/${ids.general}/messages`, { poll });
    const vote = (revision: string) => run('poll.vote', { message: body.id, answers: ['1'], revision });
    await expect(vote('0')).rejects.toMatchObject({ code: 'FOOTBRIDGE_STALE' });
    const { revision } = await run('message.view', { message: body.id });
    expect(await vote(revision)).toEqual({ user: 'river', answers: [1] });
    // A vote of another user makes nobody's revision stale.
    await run('poll.vote', { message: body.id, answers: ['1'], user: 'heron' });
    expect(await vote(revision)).toEqual({ user: 'river', answers: [1] });
  });
});
