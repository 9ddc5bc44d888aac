import { describe, expect, it } from 'vitest';
import { playedPlatform } from '../../helpers/answering.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';

const PIER = '500000000000000099';
const COMMANDS = [
  { name: 'tide', description: 'How high it is' },
  {
    name: 'berth',
    description: 'Berths',
    options: [
      {
        type: 1,
        name: 'book',
        description: 'Book one',
        options: [
          { type: 3, name: 'boat', description: 'Which', required: true, autocomplete: true },
          { type: 4, name: 'nights', description: 'How many', max_value: 7 },
          { type: 6, name: 'guest', description: 'Who' },
          { type: 7, name: 'at', description: 'Where' },
          { type: 8, name: 'crew', description: 'Whose' },
          { type: 9, name: 'tell', description: 'Whom' },
          { type: 11, name: 'papers', description: 'Papers', file_types: ['.pdf', '.txt'] },
        ],
      },
    ],
  },
  { name: 'Greet', type: 2 },
  { name: 'Log', type: 3 },
];

async function registered() {
  const channels = [{ id: PIER, name: 'pier', type: 'text' }];
  const platform = await playedPlatform({ guilds: [{ id: ids.riverBank, channels }] });
  const { status, body } = await platform.ask(`PUT /applications/${APP}/commands`, COMMANDS);
  expect(status, JSON.stringify(body)).toBe(200);
  return { ...platform, commands: body as { id: string; name: string }[] };
}

const app = 'Harbour Example';
const aye = () => ({ type: 4, data: { content: 'Aye.' } });
const file = (filename: string, text: string) => ({
  filename,
  data: Buffer.from(text).toString('base64'),
});

describe('the use of a command', () => {
  it('defaults to the logged-in user and the first channel visible to both that user and the bot [W-3]', async () => {
    const { play, last, commands } = await registered();
    const played = await play('interaction.use', { app, command: '/tide' }, aye);
    expect(played).toMatchObject({
      type: 'command',
      used: '/tide',
      user: { username: 'river' },
      channel: { id: ids.general, name: 'general' },
      state: 'answered',
      message: { content: 'Aye.' },
    });
    expect(last()).toMatchObject({
      type: 2,
      data: { id: commands.find(({ name }) => name === 'tide')?.id, name: 'tide', type: 1 },
      resolves: {},
    });
    expect(last()?.data).not.toHaveProperty('options');
  });

  it('sends the options of a subcommand with the users, roles, channels and files that they resolve to', async () => {
    const { play, last, emulator } = await registered();
    const options = {
      boat: 'Otter',
      nights: 2,
      guest: '@otter',
      at: '#general',
      crew: '@everyone',
      tell: 'heron',
      papers: '@tide.txt',
    };
    const files = { papers: file('tide.txt', 'high'), boat: file('Otter', 'not for this') };
    const played = await play(
      'interaction.use',
      { app: APP, command: '/berth book', options, files, user: 'heron', channel: 'pier' },
      aye,
    );
    expect(played).toMatchObject({
      used: '/berth book',
      user: { username: 'heron' },
      channel: { id: PIER },
    });
    const [paper] = last()?.resolves.attachments ?? [];
    expect(last()).toMatchObject({
      data: {
        name: 'berth',
        options: [
          {
            name: 'book',
            type: 1,
            options: [
              { name: 'boat', type: 3, value: 'Otter' },
              { name: 'nights', type: 4, value: 2 },
              { name: 'guest', type: 6, value: ids.otter },
              { name: 'at', type: 7, value: ids.general },
              { name: 'crew', type: 8, value: ids.riverBank },
              { name: 'tell', type: 9, value: ids.heron },
              { name: 'papers', type: 11, value: paper },
            ],
          },
        ],
      },
      resolves: { users: [ids.otter, ids.heron], roles: [ids.riverBank], channels: [ids.general] },
    });
    const kept = [...emulator.tables.ephemeral_attachments];
    expect(kept).toMatchObject([{ id: paper, filename: 'tide.txt', size: 4 }]);
  });

  it('sends a user command or a message command by its name, with its target', async () => {
    const { play, last, emulator } = await registered();
    await play('interaction.use', { app, command: 'Greet', target: '@otter' }, aye);
    expect(last()).toMatchObject({
      data: { name: 'Greet', type: 2, target_id: ids.otter },
      resolves: { users: [ids.otter] },
    });
    const { id } = emulator.messages.send(PIER, 'hello', ids.heron);
    const logged = await play('interaction.use', { app, command: 'Log', target: id }, aye);
    expect(logged.channel.id).toBe(PIER);
    expect(last()).toMatchObject({
      data: { name: 'Log', type: 3, target_id: id },
      resolves: { messages: [id] },
    });
  });

  it('offers the choices with which the application completes an option', async () => {
    const { play, last } = await registered();
    const choices = [
      { name: 'Otter, the boat', value: 'otter-1' },
      { name: 'Ottilie', value: 'Ottilie' },
    ];
    const args = { app, command: '/berth book', option: 'boat', options: { boat: 'Ot' } };
    const played = await play('interaction.autocomplete', args, () => ({ type: 8, data: { choices } }));
    expect(played).toMatchObject({ type: 'autocomplete', state: 'choices', choices });
    expect(last()).toMatchObject({
      type: 4,
      data: { options: [{ name: 'book', options: [{ name: 'boat', value: 'Ot', focused: true }] }] },
    });
    await expect(play('interaction.autocomplete', { ...args, option: 'guest' })).rejects.toThrow(
      'guest: has no autocomplete',
    );
  });

  it('works in the direct messages with the bot', async () => {
    const { play } = await registered();
    const played = await play('interaction.use', { app, command: '/tide', channel: '@harbour' }, aye);
    expect(played).toMatchObject({ channel: { name: null }, state: 'answered' });
  });

  it.each([
    [{ command: '/tied' }, /registered no command "\/tied" for this channel.*Did you mean "tide"\?$/],
    [{ command: 'tide' }, /^there is no entry point "tide"; a command is written "\/tide"/],
    [{ command: 'Greet' }, /one for users or messages needs a target$/],
    [{ command: '/tide', target: 'otter' }, /^target: "\/tide" is typed; only commands for users/],
    [{ command: '/tide', channel: 'hidden-room' }, /there is no channel "hidden-room"/],
    [{ command: '/tide', channel: 'Lounge', user: 'nobody' }, /there is no user "nobody"/],
    [{ command: '/berth' }, /name one of its subcommands book$/],
    [{ command: '/berth book' }, /^boat: is required/],
    [{ command: '/tide', options: { level: '3' } }, /has no option "level": it has none/],
    [{ command: '/berth book', options: { boat: 'x', nights: 8 } }, /^nights: must be at most 7, not 8$/],
    [{ command: '/berth book', options: { boat: ['x', 'y'] } }, /^boat: takes one value, but got several$/],
    [
      { command: '/berth book', options: { boat: 'x', papers: 'a.pdf' } },
      /^papers: takes a file: papers=@PATH$/,
    ],
    [
      {
        command: '/berth book',
        options: { boat: 'x' },
        files: { papers: { filename: 'a.pdf', problem: 'it is a folder' } },
      },
      /^papers: a.pdf cannot be read: it is a folder$/,
    ],
    [
      { command: '/berth book', options: { boat: 'x' }, files: { papers: file('a.png', 'x') } },
      /^papers: takes files of type .pdf, .txt, not "a.png"$/,
    ],
    [
      {
        command: '/berth book',
        options: { boat: 'x' },
        files: { papers: [file('a.txt', 'x'), file('b.txt', 'x')] },
      },
      /^papers: takes one file, but got several$/,
    ],
    [{ app: 'Harbor', command: '/tide' }, /There is no application "Harbor"/],
  ])('is refused with %o, and the application receives nothing', async (args, reason) => {
    const { play, last, emulator } = await registered();
    await expect(play('interaction.use', { app, ...args })).rejects.toThrow(reason);
    expect(last()).toBeUndefined();
    expect(emulator.tables.ephemeral_attachments.size).toBe(0);
  });

  it('is refused in a channel that is hidden from the user', async () => {
    const { play, last, emulator } = await registered();
    await emulator.apply({
      guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, deny: [ids.river] }] }],
    });
    await expect(play('interaction.use', { app, command: '/tide', channel: 'general' })).rejects.toThrow(
      'channel: river does not see #general',
    );
    expect(last()).toBeUndefined();
    const played = await play('interaction.use', { app, command: '/tide' }, aye);
    expect(played.channel.id).not.toBe(ids.general);
  });
});
