// A bot of discord.js with commands, buttons, selects and modals, and a person who uses it as in the client.
import {
  ActionRowBuilder,
  type AnySelectMenuInteraction,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonStyle,
  ChannelSelectMenuBuilder,
  type ChatInputCommandInteraction,
  type Client,
  Events,
  GatewayIntentBits,
  type Interaction,
  LabelBuilder,
  MentionableSelectMenuBuilder,
  type MessageActionRowComponentBuilder,
  MessageFlags,
  ModalBuilder,
  RoleSelectMenuBuilder,
  StringSelectMenuBuilder,
  TextInputStyle,
  UserSelectMenuBuilder,
} from 'discord.js';
import { expect, it } from 'vitest';
import { botStory, GENERAL, GUILD, OTTER, PNG, played, RIVER } from './bot-world.ts';
import { botOf, loggedIn } from './gateway-bot.ts';
import { APP } from './story.ts';

const CREW = '900';

/** A bot that answers with `answer`, and the person. */
async function helm(answer: (interaction: Interaction) => Promise<unknown>) {
  const emulator = await botStory();
  const client = await loggedIn(botOf(emulator.api, [GatewayIntentBits.Guilds]));
  const faults: unknown[] = [];
  client.on(Events.InteractionCreate, (interaction) => {
    answer(interaction).catch((error: unknown) => faults.push(error));
  });
  const at = { app: APP, channel: GENERAL };
  return {
    emulator,
    client,
    faults,
    use: (command: string, more: object = {}) =>
      played(emulator, 'interaction.use', { ...at, command, ...more }),
    complete: (command: string, option: string, options: Readonly<Record<string, string>>) =>
      played(emulator, 'interaction.autocomplete', { ...at, command, option, options }),
    click: (message: string, button: string, more: object = {}) =>
      played(emulator, 'interaction.click', { message, button, ...more }),
    choose: (message: string, select: string, values: readonly string[]) =>
      played(emulator, 'interaction.choose', { message, select, values }),
    submit: (id: string, more: object) => played(emulator, 'interaction.submit', { id, ...more }),
  };
}

async function register(client: Client<true>): Promise<void> {
  const guild = await client.guilds.fetch(GUILD);
  await guild.commands.set([
    {
      name: 'tide',
      description: 'When the water is high',
      options: [
        {
          type: ApplicationCommandOptionType.String,
          name: 'place',
          description: 'Where',
          required: true,
          autocomplete: true,
        },
        { type: ApplicationCommandOptionType.Integer, name: 'days', description: 'How many', minValue: 1 },
        { type: ApplicationCommandOptionType.User, name: 'who', description: 'For whom' },
        { type: ApplicationCommandOptionType.Attachment, name: 'chart', description: 'Of the place' },
      ],
    },
    { name: 'log', description: 'Write in the log' },
    { name: 'Hail', type: ApplicationCommandType.User },
    { name: 'Bottle', type: ApplicationCommandType.Message },
  ]);
}

it('a bot of discord.js replies, defers, follows up and edits for commands with options and files [W-3]', async () => {
  const { emulator, client, use, complete, faults } = await helm(async (interaction) => {
    if (interaction.isAutocomplete()) {
      const typed = interaction.options.getFocused();
      const places = ['Harbour', 'Headland', 'Mouth'].filter((place) => place.startsWith(typed));
      return interaction.respond(places.map((name) => ({ name, value: name.toLowerCase() })));
    }
    if (interaction.isUserContextMenuCommand())
      return interaction.reply(`Ahoy ${interaction.targetUser.username}`);
    if (interaction.isMessageContextMenuCommand())
      return interaction.reply({ content: interaction.targetMessage.content, flags: MessageFlags.Ephemeral });
    if (!interaction.isChatInputCommand()) return undefined;
    return interaction.commandName === 'tide' ? tide(interaction) : log(interaction);
  });
  for (const rule of ['unregistered-command', 'second-acknowledgement'] as const)
    await emulator.operations.call('emulator.allow', { rule });
  await register(client);

  expect(await complete('/tide', 'place', { place: 'H' })).toMatchObject({
    state: 'choices',
    choices: [
      { name: 'Harbour', value: 'harbour' },
      { name: 'Headland', value: 'headland' },
    ],
  });
  const told = await use('/tide', {
    options: { place: 'harbour', days: 2, who: OTTER },
    files: { chart: { filename: 'chart.png', data: PNG.toString('base64') } },
  });
  expect(told).toMatchObject({
    state: 'answered',
    message: {
      content: `harbour for 2 days, <@${OTTER}>, chart.png of ${PNG.length}`,
      attachments: [{ filename: 'table.txt' }],
      interaction_metadata: { user: { id: RIVER } },
    },
  });
  const logged = await use('/log', { wait: 5 });
  expect(logged.message).toMatchObject({ content: 'Written', ephemeral: true });
  const later = async () => (await played(emulator, 'interaction.show', { id: logged.id })).follow_ups;
  await expect.poll(later).toMatchObject([{ content: 'And again', ephemeral: false }]);
  expect(await use('Hail', { target: OTTER })).toMatchObject({ message: { content: 'Ahoy otter' } });
  expect(await use('Bottle', { target: told.message.id })).toMatchObject({
    message: { content: told.message.content, ephemeral: true },
  });
  await expect(use('/weir')).rejects.toThrow('weir');
  await expect(use('/tide', { options: { place: 'harbour', days: 0 } })).rejects.toThrow('days');
  expect(faults).toEqual([]);

  async function tide(interaction: ChatInputCommandInteraction): Promise<void> {
    const { options } = interaction;
    const chart = options.getAttachment('chart');
    const size = (await (await fetch(chart?.url ?? '')).arrayBuffer()).byteLength;
    await interaction.reply({
      content: `${options.getString('place')} for ${options.getInteger('days')} days, ${String(options.getUser('who'))}, ${chart?.name} of ${size}`,
      files: [new AttachmentBuilder(Buffer.from('06:12 high'), { name: 'table.txt' })],
    });
    const reply = await interaction.fetchReply();
    expect([reply.interactionMetadata?.user.id, interaction.guild?.name]).toEqual([RIVER, 'River Bank']);
    // A second answer is one too many.
    interaction.replied = false;
    await expect(interaction.reply('again')).rejects.toMatchObject({ code: 40060 });
  }

  async function log(interaction: ChatInputCommandInteraction): Promise<void> {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply('Written');
    const more = await interaction.followUp('And');
    await more.edit('And again');
    await interaction.deleteReply(await interaction.followUp('And never'));
  }
});

it('buttons and every kind of select reach a bot of discord.js, which answers each [W-3]', async () => {
  const { client, use, click, choose, faults } = await helm(async (interaction) => {
    if (interaction.isChatInputCommand())
      return interaction.reply({ content: 'Choose', components: selects() });
    if (interaction.isUserContextMenuCommand())
      return interaction.reply({ content: 'Go', components: buttons() });
    if (interaction.isButton())
      return interaction.update({ content: `${interaction.user.username} pressed ${interaction.customId}` });
    if (!interaction.isAnySelectMenu()) return undefined;
    const flags = MessageFlags.Ephemeral as const;
    return interaction.reply({ content: `${interaction.customId}: ${chosen(interaction).join()}`, flags });
  });
  await register(client);
  const { message: pressed } = await use('Hail', { target: OTTER });
  expect(await click(pressed.id, 'sail')).toMatchObject({
    state: 'answered',
    message: { id: pressed.id, content: 'river pressed sail' },
  });
  await expect(click(pressed.id, 'anchor')).rejects.toThrow('anchor');
  await expect(click(pressed.id, 'absent')).rejects.toThrow('absent');

  const { message } = await use('/log');
  for (const [select, values, content] of [
    ['strings', ['low', 'high'], 'strings: low,high'],
    ['users', [OTTER], 'users: otter'],
    ['roles', [CREW], 'roles: Harbour'],
    ['channels', [GENERAL], 'channels: general'],
    ['mentionables', [OTTER, CREW], 'mentionables: otter,Harbour'],
  ] as const) {
    const shown = await choose(message.id, select, values);
    expect(shown.message).toMatchObject({ content, ephemeral: true });
  }
  expect(faults).toEqual([]);
});

function buttons() {
  const sail = new ButtonBuilder().setCustomId('sail').setLabel('Sail').setStyle(ButtonStyle.Primary);
  const anchor = new ButtonBuilder().setCustomId('anchor').setLabel('Anchor').setStyle(ButtonStyle.Danger);
  return [new ActionRowBuilder<ButtonBuilder>().addComponents(sail, anchor.setDisabled())];
}

function selects() {
  const row = new ActionRowBuilder<MessageActionRowComponentBuilder>();
  const rowOf = (select: MessageActionRowComponentBuilder) => row.setComponents(select).toJSON();
  const strings = new StringSelectMenuBuilder()
    .setCustomId('strings')
    .addOptions({ label: 'Low', value: 'low' }, { label: 'High', value: 'high' });
  return [
    rowOf(strings.setMaxValues(2)),
    rowOf(new UserSelectMenuBuilder().setCustomId('users').setMaxValues(2)),
    rowOf(new RoleSelectMenuBuilder().setCustomId('roles').setMaxValues(2)),
    rowOf(new ChannelSelectMenuBuilder().setCustomId('channels').setMaxValues(2)),
    rowOf(new MentionableSelectMenuBuilder().setCustomId('mentionables').setMaxValues(2)),
  ];
}

/** Names of what was chosen, as the library resolves them. */
function chosen(interaction: AnySelectMenuInteraction): readonly string[] {
  const named = (found: object | null) => String(Object(found).name);
  if (interaction.isUserSelectMenu()) return interaction.users.map(({ username }) => username);
  if (interaction.isRoleSelectMenu()) return interaction.roles.map(named);
  if (interaction.isChannelSelectMenu()) return interaction.channels.map(named);
  if (!interaction.isMentionableSelectMenu()) return interaction.values;
  return [...interaction.users.map(({ username }) => username), ...interaction.roles.map(named)];
}

it('a bot of discord.js reads every kind of field of a submitted modal [M-1, M-2, M-11]', async () => {
  const read: unknown[] = [];
  const { client, use, submit, faults } = await helm(async (interaction) => {
    if (interaction.isChatInputCommand()) {
      return interaction.showModal(interaction.commandName === 'log' ? texts() : choices());
    }
    if (!interaction.isModalSubmit()) return undefined;
    const { fields } = interaction;
    if (interaction.customId === 'texts') {
      read.push([
        fields.getTextInputValue('words'),
        fields.getRadioGroup('wind'),
        fields.getCheckboxGroup('sails'),
        fields.getCheckbox('sure'),
        [...(fields.getUploadedFiles('charts', true)?.values() ?? [])].map(({ name, size }) => [name, size]),
      ]);
    } else {
      read.push([
        fields.getStringSelectValues('strings'),
        fields.getSelectedUsers('users')?.map(({ username }) => username),
        fields.getSelectedRoles('roles')?.map((role) => role?.name),
        fields.getSelectedChannels('channels')?.map((channel) => channel.id),
        [...(fields.getSelectedMentionables('mentionables')?.roles.keys() ?? [])],
      ]);
    }
    return interaction.reply({ content: 'Entered', flags: MessageFlags.Ephemeral });
  });
  await register(client);

  const written = await use('/log');
  expect(written).toMatchObject({ state: 'modal', modal: { custom_id: 'texts', title: 'The log' } });
  await expect(submit(written.id, { fields: { wind: 'west' } })).rejects.toThrow('words');
  const entered = await submit(written.id, {
    fields: { words: 'All well', wind: 'west', sails: ['jib', 'main'], sure: true },
    files: { charts: [{ filename: 'bay.png', data: PNG.toString('base64') }] },
  });
  expect(entered).toMatchObject({ state: 'answered', message: { content: 'Entered', ephemeral: true } });
  expect(read).toEqual([['All well', 'west', ['jib', 'main'], true, [['bay.png', PNG.length]]]]);

  const asked = await use('/tide', { options: { place: 'harbour' } });
  await submit(asked.id, {
    fields: { strings: ['high'], users: [OTTER], roles: [CREW], channels: [GENERAL], mentionables: [CREW] },
  });
  expect(read[1]).toEqual([['high'], ['otter'], ['Harbour'], [GENERAL], [CREW]]);
  expect(faults).toEqual([]);
});

function texts(): ModalBuilder {
  const options = (...words: string[]) => words.map((value) => ({ label: value, value }));
  const label = (text: string) => new LabelBuilder().setLabel(text).setDescription(`What of the ${text}`);
  return new ModalBuilder()
    .setCustomId('texts')
    .setTitle('The log')
    .addLabelComponents(
      label('words').setTextInputComponent((input) =>
        input.setCustomId('words').setStyle(TextInputStyle.Paragraph).setMaxLength(100),
      ),
      label('wind').setRadioGroupComponent((group) =>
        group.setCustomId('wind').setOptions(options('west', 'east')),
      ),
      label('sails').setCheckboxGroupComponent((group) =>
        group
          .setCustomId('sails')
          .setOptions(options('jib', 'main', 'mizzen'))
          .setMaxValues(3),
      ),
      label('sure').setCheckboxComponent((box) => box.setCustomId('sure')),
      label('charts').setFileUploadComponent((upload) => upload.setCustomId('charts').setMaxValues(2)),
    );
}

function choices(): ModalBuilder {
  const label = (text: string) => new LabelBuilder().setLabel(text);
  return new ModalBuilder()
    .setCustomId('choices')
    .setTitle('Choose')
    .addLabelComponents(
      label('water').setStringSelectMenuComponent((select) =>
        select.setCustomId('strings').addOptions({ label: 'High', value: 'high' }),
      ),
      label('people').setUserSelectMenuComponent((select) => select.setCustomId('users')),
      label('roles').setRoleSelectMenuComponent((select) => select.setCustomId('roles')),
      label('places').setChannelSelectMenuComponent((select) => select.setCustomId('channels')),
      label('both').setMentionableSelectMenuComponent((select) => select.setCustomId('mentionables')),
    );
}

it('a bot that does not answer within 3 s fails, and an invalid modal is refused with the wrong field [W-3]', async () => {
  const { emulator, client, use, faults } = await helm(async (interaction) => {
    if (!interaction.isChatInputCommand() || interaction.commandName === 'log') return undefined;
    const modal = choices().toJSON();
    const [first] = modal.components as { component: { min_values?: number; max_values?: number } }[];
    if (first !== undefined) first.component = { ...first.component, min_values: 3, max_values: 2 };
    return interaction.showModal(modal);
  });
  await emulator.operations.call('emulator.allow', { rule: 'no-answer' });
  await register(client);
  await emulator.clock.freeze();
  const waiting = use('/log');
  await expect.poll(async () => (await played(emulator, 'interaction.list', {})) as unknown).not.toEqual([]);
  await emulator.clock.advance('3s');
  expect(await waiting).toMatchObject({ state: 'failed' });
  await emulator.clock.run();
  const wrong = use('/tide', { options: { place: 'harbour' } });
  await expect.poll(() => faults.length).toBe(1);
  expect(faults[0]).toMatchObject({
    code: 50035,
    rawError: { errors: { data: { components: { 0: { component: expect.anything() } } } } },
  });
  await emulator.clock.advance('3s');
  expect(await wrong).toMatchObject({ state: 'failed' });
});
