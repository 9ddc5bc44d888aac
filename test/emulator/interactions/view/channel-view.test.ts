import { describe, expect, it } from 'vitest';
import type { Operations } from '../../../../src/control/generated.ts';
import { messageLines } from '../../../../src/message-text/lines.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';
import { viewedPlatform } from '../../../helpers/viewed.ts';

const [DIRECT, GROUP, SECRET] = ['890', '891', '892'];

type View = Operations['channel.view']['result'];

async function viewed(change: object = {}) {
  const platform = await viewedPlatform({
    guilds: [
      {
        id: ids.riverBank,
        roles: [{ id: '780', name: 'Pilots', permissions: '0', colors: { primary_color: 0x11_80_6a } }],
        members: [{ user: 'otter', nick: 'Whiskers', roles: ['780'] }],
        channels: [{ id: SECRET, name: 'secret', type: 'text', deny: ['otter'] }],
      },
    ],
    private_channels: [
      { id: DIRECT, recipients: ['river', 'heron'] },
      { id: GROUP, type: 'group', recipients: ['river', 'heron', 'otter'], name: null },
    ],
    commands: [{ id: '920', application: APP, name: 'tide', description: 'x' }],
    ...change,
  });
  const view = (args: object = {}) => platform.run('channel.view', { channel: 'general', ...args });
  return { ...platform, view };
}

const texts = ({ messages }: View): string[] => messages.map(({ message }) => message.content);

describe('channel.view', () => {
  it('has the messages in the form of the HTTP API for its user, the oldest first, with names', async () => {
    const { view, run, ask } = await viewed();
    await ask(`POST /channels/${ids.general}/messages`, {
      content: `Ask <@${ids.otter}> or <@&780> in <#${SECRET}>`,
    });
    const asOtter = await view({ user: 'otter', limit: 1 });
    expect(texts(asOtter)).toEqual([`Ask <@${ids.otter}> or <@&780> in <#${SECRET}>`]);
    expect(asOtter).toMatchObject({
      viewer: { id: ids.otter, username: 'otter' },
      channel: { id: ids.general, name: 'general', type: 0, guild_id: ids.riverBank },
      users: {
        [ids.otter]: { name: 'Whiskers', color: 0x11_80_6a, avatar: `/avatars/${ids.otter}.png`, bot: false },
        [APP]: { bot: true },
      },
      roles: { '780': { name: 'Pilots', color: 0x11_80_6a } },
      typing: [],
      may: { say: true, react: true, attach: true },
      more: true,
    });
    // Whoever may not see a channel does not learn its name.
    expect(Object.keys(asOtter.channels)).toEqual([ids.general]);
    expect(Object.keys((await view({ limit: 1 })).channels).sort()).toEqual([ids.general, SECRET]);
    const all = await view();
    const [oldest] = all.messages;
    expect(texts(await view({ before: all.messages[1]?.message.id }))).toEqual([oldest?.message.content]);
    expect((await view({ before: all.messages[1]?.message.id })).more).toBe(false);
    const one = await run('message.view', {
      message: all.messages.at(-1)?.message.id,
    });
    expect(one).toMatchObject(all.messages.at(-1) ?? {});
  });

  it('says what its user reacted to and voted for', async () => {
    const { view, ask, emulator } = await viewed();
    const poll = {
      question: { text: 'When?' },
      answers: [{ poll_media: { text: 'High' } }, { poll_media: { text: 'Low' } }],
    };
    const { body } = await ask(`POST /channels/${ids.general}/messages`, { poll });
    await ask(`PUT /channels/${ids.general}/messages/${body.id}/reactions/🌊/@me`);
    emulator.polls.vote(body.id, ids.heron, ['2']);
    const seenBy = async (user: string) => {
      const { messages } = await view({ user, limit: 1 });
      const message = messages[0]?.message as unknown as {
        readonly reactions: readonly { readonly me: boolean; readonly count: number }[];
        readonly poll: {
          readonly results: { readonly answer_counts: readonly { readonly me_voted: boolean }[] };
        };
      };
      return [message.reactions[0]?.me, message.poll.results.answer_counts.map(({ me_voted }) => me_voted)];
    };
    expect(await seenBy('heron')).toEqual([false, [false, true]]);
    expect(await seenBy('harbour')).toEqual([true, [false, false]]);
  });

  it.each([
    ['an unknown channel', { channel: 'nowhere' }, 'there is no channel "nowhere"'],
    [
      'a channel that its user does not see',
      { channel: SECRET, user: 'otter' },
      'channel: otter does not see this channel',
    ],
    [
      'a private channel of others',
      { channel: DIRECT, user: 'otter' },
      'channel: otter does not see this channel',
    ],
    [
      'a private channel that nobody opened',
      { channel: '@otter', user: 'heron' },
      'channel: heron has no private channel with otter yet',
    ],
    ['an unknown user', { user: 'nobody' }, 'there is no user "nobody"'],
    ['a message id that is none', { before: 'x' }, 'channel.view: before: must be the id of a message'],
    ['too long a wait', { wait: 60_000 }, 'channel.view: wait: '],
  ])('refuses %s', async (_what, args, message) => {
    const { view } = await viewed();
    await expect(view(args)).rejects.toThrow(message);
  });

  it('follows the permissions: no history without READ_MESSAGE_HISTORY, nothing to do without the others', async () => {
    const { view, only, run } = await viewed();
    const id = (await view()).messages[0]?.message.id;
    await only('VIEW_CHANNEL', 'SEND_MESSAGES');
    const unread = await view({ user: 'otter' });
    expect(texts(unread)).toEqual([]);
    await expect(run('message.view', { message: id, user: 'otter' })).rejects.toThrow(
      'otter has no permission READ_MESSAGE_HISTORY in this channel',
    );
    expect(unread.may).toEqual({ say: true, react: false, attach: false });
    await only('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY', 'ADD_REACTIONS', 'ATTACH_FILES');
    const quiet = await view({ user: 'otter' });
    expect(texts(quiet).length).toBeGreaterThan(0);
    expect(quiet.may).toEqual({ say: false, react: true, attach: false });
  });

  it('shows an ephemeral message to one user only, and its message is not there for others', async () => {
    const { view, play, run } = await viewed();
    const answered = await play('interaction.use', { app: APP, command: '/tide' }, () => ({
      type: 4,
      data: { content: 'For your eyes', flags: 64 },
    }));
    const id = answered.message?.id;
    const own = await view();
    expect(own.messages.at(-1)).toMatchObject({ ephemeral: true, message: { id, content: 'For your eyes' } });
    expect(own.messages.at(-2)?.ephemeral).toBe(false);
    expect(texts(await view({ user: 'heron' }))).not.toContain('For your eyes');
    expect(texts(await view({ channel: GROUP }))).not.toContain('For your eyes');
    expect(await run('message.view', { message: id })).toMatchObject({
      ephemeral: true,
      message: { id },
    });
    await expect(run('message.view', { message: id, user: 'heron' })).rejects.toThrow(
      `there is no message "${id}", or not for heron: it is ephemeral for another user`,
    );
    await expect(run('message.view', { message: '1' })).rejects.toThrow('there is no message "1"');
  });

  it('shows in an ephemeral answer to a button the message of the button', async () => {
    const { play, run } = await viewed();
    const components = [{ type: 1, components: [{ type: 2, style: 1, custom_id: 'book', label: 'Book' }] }];
    const asked = await play('interaction.use', { app: APP, command: '/tide' }, () => ({
      type: 4,
      data: { content: 'Which berth?', components },
    }));
    const booked = await play('interaction.click', { message: asked.message?.id, button: 'book' }, () => ({
      type: 4,
      data: { content: 'Booked', flags: 64 },
    }));
    const drawn = await run('message.view', { message: booked.message?.id });
    const referenced_message = { id: asked.message?.id, content: 'Which berth?' };
    expect(drawn).toMatchObject({ ephemeral: true, message: { content: 'Booked', referenced_message } });
    expect(messageLines(drawn, drawn, 0).join('\n')).toContain('Which berth?');
  });

  it('names a private channel by the others in it', async () => {
    const { view } = await viewed();
    const name = async (args: object) => (await view(args)).channel.name;
    expect(await name({ channel: DIRECT })).toBe('heron');
    expect(await name({ channel: '@river', user: 'heron' })).toBe('river');
    expect(await name({ channel: GROUP, user: 'otter' })).toBe('river, heron');
  });
});

describe('the revision of a view', () => {
  it('is the same while nothing changed, and another after each kind of change', async () => {
    const { view, ask, emulator } = await viewed();
    const { body } = await ask(`POST /channels/${ids.general}/messages`, { content: 'Tide?' });
    const revisions = [(await view()).revision];
    const changed = async (what: () => unknown): Promise<void> => {
      await what();
      revisions.push((await view()).revision);
    };
    await changed(() => ask(`PATCH /channels/${ids.general}/messages/${body.id}`, { content: 'Tide!' }));
    await changed(() => ask(`PUT /channels/${ids.general}/messages/${body.id}/reactions/🌊/@me`));
    await changed(() => ask(`POST /channels/${ids.general}/typing`));
    await changed(() => emulator.messages.send(ids.general, 'Low', ids.otter));
    await changed(() => ask(`DELETE /channels/${ids.general}/messages/${body.id}`));
    expect(new Set(revisions).size).toBe(6);
    expect((await view()).revision).toBe(revisions.at(-1));
  });

  it('of a message follows its content and its files, and neither reactions nor time', async () => {
    const { view, ask, call, bot, emulator } = await viewed();
    const form = new FormData();
    form.append('files[0]', new Blob(['tide']), 'tide.txt');
    const { body } = await call(`POST /channels/${ids.general}/messages`, { headers: bot(), body: form });
    const last = async () => (await view({ limit: 1 })).messages[0]?.revision;
    const first = await last();
    await ask(`PUT /channels/${ids.general}/messages/${body.id}/reactions/🌊/@me`);
    emulator.clock.advance(60_000);
    expect(await last()).toBe(first);
    await ask(`PATCH /channels/${ids.general}/messages/${body.id}`, { content: 'x', attachments: [] });
    expect(await last()).not.toBe(first);
  });

  it('ends a wait when it is another, and a wait without a change with the same', async () => {
    const { view, emulator } = await viewed();
    const { revision } = await view();
    const waiting = view({ after: revision, wait: 30_000 });
    emulator.messages.send(ids.general, 'News', ids.otter);
    expect(texts(await waiting).at(-1)).toBe('News');
    const now = await view();
    expect(await view({ after: now.revision, wait: 1 })).toEqual(now);
    const gone = view({ channel: SECRET, after: (await view({ channel: SECRET })).revision, wait: 30_000 });
    const refused = expect(gone).rejects.toThrow('channel: river does not see this channel');
    await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: SECRET, deny: ['river'] }] }] });
    await refused;
  });
});

describe('channel.list of a user', () => {
  it('has what the user sees and their private channels, with who talks where', async () => {
    const { run, emulator } = await viewed();
    emulator.calls.join(ids.heron, ids.lounge);
    const list = await run('channel.list', { user: 'otter' });
    expect(list.map(({ id }) => id)).not.toContain(SECRET);
    expect(list.map(({ id }) => id)).not.toContain(DIRECT);
    expect(list.at(-1)).toEqual({
      id: GROUP,
      name: 'river, heron',
      type: 'group',
      guild: null,
      guild_name: null,
      parent: null,
      position: 0,
    });
    const talkers = [{ user: ids.heron, username: 'heron', mute: true, deaf: false, speaking: false }];
    expect(list.find(({ id }) => id === ids.lounge)).toMatchObject({ guild: ids.riverBank, voice: talkers });
    const all = await run('channel.list', {});
    expect(all.map(({ id }) => id)).toContain(SECRET);
    expect(all.map(({ type }) => type)).not.toContain('group');
  });
});

describe('typing', () => {
  it('is of those who began less than ten seconds ago and wrote nothing since', async () => {
    const { view, ask, emulator } = await viewed();
    emulator.clock.freeze();
    const typing = async (user = 'river') => (await view({ user })).typing;
    await ask(`POST /channels/${ids.general}/typing`);
    expect(await typing()).toEqual([APP]);
    // Nobody sees their own indicator.
    expect(await typing('harbour')).toEqual([]);
    emulator.clock.advance(9_999);
    expect(await typing()).toEqual([APP]);
    emulator.clock.advance(1);
    expect(await typing()).toEqual([]);
    await ask(`POST /channels/${ids.general}/typing`);
    await ask(`POST /channels/${ids.general}/messages`, { content: 'Done' });
    expect(await typing()).toEqual([]);
  });
});
