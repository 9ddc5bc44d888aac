// The view of channels with a bot of discord.js, and several users side by side.
import {
  ActionRowBuilder,
  ApplicationCommandOptionType,
  ButtonBuilder,
  ButtonStyle,
  Client,
  Events,
  GatewayIntentBits,
  type Interaction,
  type Message,
  MessageFlags,
  ModalBuilder,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
  UserSelectMenuBuilder,
} from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { addBot, gatewayBot } from '../../helpers/gateway-bot.ts';
import { axeViolations } from './axe.ts';
import {
  APP,
  GENERAL,
  GUILD,
  LOUNGE,
  lastOf,
  look,
  message,
  openedWithBot,
  pane,
  write,
} from './channels-bot.ts';

const missing = chromiumMissing();
/** A message of the built-in fixture. */
const HIGH = '[data-message="600000000000000001"]';

/** What the bot does with each use of it. */
async function answer(interaction: Interaction): Promise<unknown> {
  if (interaction.isAutocomplete()) {
    const typed = interaction.options.getFocused();
    const places = ['Harbour', 'Headland', 'Mouth'].filter((place) => place.startsWith(typed));
    return interaction.respond(places.map((name) => ({ name, value: name.toLowerCase() })));
  }
  if (interaction.isChatInputCommand() && interaction.commandName === 'log') {
    const words = new TextInputBuilder()
      .setCustomId('words')
      .setLabel('Words')
      .setStyle(TextInputStyle.Short);
    const modal = new ModalBuilder().setCustomId('entry').setTitle('The log');
    return interaction.showModal(
      modal.addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(words)),
    );
  }
  if (interaction.isChatInputCommand()) {
    const who = interaction.options.getUser('who')?.username ?? 'nobody';
    return interaction.reply(`${interaction.options.getString('place')} for ${who}`);
  }
  if (interaction.isModalSubmit())
    return interaction.reply(`Written: ${interaction.fields.getTextInputValue('words')}`);
  if (interaction.isButton() && interaction.customId === 'secret')
    return interaction.reply({
      content: `Only for ${interaction.user.username}`,
      flags: MessageFlags.Ephemeral,
    });
  if (interaction.isButton() && interaction.customId === 'quiet') return undefined;
  if (interaction.isButton()) return interaction.update({ content: 'Sailed', components: [] });
  if (interaction.isUserSelectMenu())
    return interaction.reply(`Crew: ${interaction.users.map(({ username }) => username).join()}`);
  if (interaction.isStringSelectMenu()) return interaction.reply(`Berth ${interaction.values.join()}`);
  return undefined;
}

/** Sends a message with every control, and a poll. */
async function show(written: Message<true>): Promise<void> {
  await written.reply(`Ahoy, ${written.author.username}`);
  await written.channel.send({
    content: 'Controls',
    embeds: [
      {
        title: 'Tide table',
        description: '**High** at noon',
        fields: ['Departure', 'Destination', 'Passengers'].map((name) => ({
          name,
          value: name,
          inline: true,
        })),
      },
    ],
    components: [
      new ActionRowBuilder<ButtonBuilder>().addComponents(
        new ButtonBuilder().setCustomId('secret').setLabel('Secret').setStyle(ButtonStyle.Secondary),
        new ButtonBuilder().setCustomId('sail').setLabel('Sail').setStyle(ButtonStyle.Primary),
        new ButtonBuilder().setCustomId('quiet').setLabel('Quiet').setStyle(ButtonStyle.Secondary),
      ),
      new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
        new StringSelectMenuBuilder()
          .setCustomId('berth')
          .setPlaceholder('Choose a berth')
          .addOptions({ label: 'Berth A', value: 'a' }, { label: 'Berth B', value: 'b' }),
      ),
      new ActionRowBuilder<UserSelectMenuBuilder>().addComponents(
        new UserSelectMenuBuilder().setCustomId('crew').setPlaceholder('Choose the crew'),
      ),
    ],
  });
  await written.channel.send({
    poll: {
      question: { text: 'When?' },
      answers: [{ text: 'High water' }, { text: 'Low water' }],
      duration: 1,
      allowMultiselect: false,
    },
  });
}

async function harbour() {
  const console = await openedWithBot();
  const intents = [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.MessageContent,
  ];
  const client = new Client({ intents, rest: { api: console.emulator.api } });
  onTestFinished(() => client.destroy());
  const faults: unknown[] = [];
  const noted = (work: Promise<unknown>): void => void work.catch((error: unknown) => faults.push(error));
  client.on(Events.InteractionCreate, (interaction) => noted(answer(interaction)));
  client.on(Events.MessageCreate, (written) => {
    if (!written.author.bot && written.content === 'ahoy' && written.inGuild()) noted(show(written));
  });
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(console.token);
  await ready;
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
        { type: ApplicationCommandOptionType.User, name: 'who', description: 'For whom' },
      ],
    },
    { name: 'log', description: 'Write in the log' },
  ]);
  return { ...console, client, faults };
}

describe.skipIf(missing !== undefined)(`the view of channels${missing ?? ''}`, () => {
  it('draws what a bot of discord.js sends, and each of its controls is used there', async () => {
    const console = await harbour();
    const { page, faults, complaints, client } = console;
    await look(console, 'river,otter');
    // Two users have room side by side at the width of a small laptop.
    await page.setViewportSize({ width: 1280, height: 800 });
    const overlap =
      'document.querySelector(".channels-panes").scrollWidth - document.querySelector(".channels-panes").clientWidth';
    expect(await page.evaluate(overlap)).toBe(0);
    const heights = await page
      .locator('.person bdi')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(heights.length).toBeGreaterThan(1);
    expect(Math.max(...heights), 'no name is broken').toBeLessThan(30);

    await write(page, 'river', 'ahoy');
    await message(page, 'river', 'Ahoy, river').waitFor();
    await message(page, 'otter', 'Ahoy, river').waitFor();
    const controls = message(page, 'river', 'Tide table');
    await controls.getByText('High', { exact: true }).waitFor();
    // Fields of an embed stand beside each other as far as there is room.
    const fields = await controls
      .locator('.inline-field')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
    expect(fields).toHaveLength(3);
    expect(new Set(fields).size).toBe(2);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await controls.hover();
    await controls.getByRole('button', { name: 'Id: copy the id of the message' }).click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe(await controls.getAttribute('data-message'));

    // An ephemeral answer is for one user, however many look.
    await controls.getByRole('button', { name: 'Secret' }).click();
    await message(page, 'river', 'Only for river').waitFor();
    await message(page, 'otter', 'Tide table').getByRole('button', { name: 'Secret' }).click();
    await message(page, 'otter', 'Only for otter').waitFor();
    expect(await message(page, 'otter', 'Only for river').count()).toBe(0);
    expect(await message(page, 'river', 'Only for otter').count()).toBe(0);

    await controls.getByRole('button', { name: 'Choose a berth' }).click();
    await controls.getByRole('option', { name: 'Berth B' }).click();
    await message(page, 'otter', 'Berth b').waitFor();
    await controls.getByRole('button', { name: 'Choose the crew' }).click();
    await controls.getByRole('searchbox').fill('ott');
    await controls.getByRole('option', { name: 'Otter' }).click();
    await message(page, 'river', 'Crew: otter').waitFor();

    const poll = message(page, 'otter', 'When?');
    await poll.getByText('Low water').click();
    await poll.getByRole('button', { name: 'Vote' }).click();
    await expect
      .poll(async () => JSON.stringify((await lastPoll(console.emulator))?.answer_counts))
      .toContain('"count":1');

    await controls.getByRole('button', { name: 'Sail' }).click();
    await message(page, 'otter', 'Sailed').first().waitFor();

    // A message that goes while it is drawn.
    const channel = await client.channels.fetch(GENERAL);
    if (!channel?.isSendable()) throw new Error('no text channel');
    const sent = await channel.send('Here and gone');
    await message(page, 'river', 'Here and gone').waitFor();
    await sent.delete();
    await message(page, 'river', 'Here and gone').waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('offers the commands of bots with completion, and shows modals as dialogs', async () => {
    const console = await harbour();
    const { page, faults, complaints } = console;
    await look(console, 'river');
    await page.setViewportSize({ width: 1280, height: 500 });
    await pane(page, 'river').getByRole('textbox', { name: 'Message as river' }).fill('/ti');
    await pane(page, 'river')
      .getByRole('button', { name: /^\/tide/ })
      .click();
    const form = page.getByRole('form', { name: 'Use /tide' });
    await form.waitFor();
    // The form takes room from the messages, whose end stays in sight.
    const list = page.getByRole('log', { name: 'Messages' });
    await expect
      .poll(() => list.evaluate((box) => box.scrollHeight - box.clientHeight - Math.ceil(box.scrollTop)))
      .toBeLessThanOrEqual(0);
    expect(await list.evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
    await form.getByLabel(/^place/).fill('H');
    await form.getByRole('button', { name: 'Headland' }).click();
    await form.getByRole('button', { name: /^who/ }).click();
    await form.getByRole('option', { name: 'Otter' }).click();
    await form.getByRole('button', { name: 'Use /tide' }).click();
    await message(page, 'river', 'headland for otter').waitFor();

    await page.setViewportSize({ width: 1280, height: 800 });
    // Enter takes the marked command.
    const field = pane(page, 'river').getByRole('textbox', { name: 'Message as river' });
    await field.fill('/');
    const offered = pane(page, 'river').getByRole('list', { name: 'Commands' }).getByRole('button');
    await expect.poll(() => offered.count()).toBeGreaterThan(1);
    const marked = await offered.filter({ hasText: 'Enter' }).allTextContents();
    expect(marked).toEqual([await offered.first().textContent()]);
    await write(page, 'river', '/log');
    await page.getByRole('button', { name: 'Use /log' }).click();
    const dialog = page.getByRole('dialog', { name: 'The log' });
    await dialog.getByText(/^From .+, for river$/).waitFor();
    // The first field has the focus.
    await page.keyboard.type('All well');
    expect(await dialog.getByLabel('Words').inputValue()).toBe('All well');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await message(page, 'river', 'Written: All well').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('sends replies, reactions and typing as each user, and shows a refusal with its code beside the control', async () => {
    const console = await openedWithBot();
    const { page, emulator } = console;
    await look(console, 'river,otter');
    const high = pane(page, 'otter').locator(HIGH);
    await high.hover();
    await high.getByRole('button', { name: 'Reply' }).click();
    await write(page, 'otter', 'Very');
    await message(page, 'river', 'Very').waitFor();
    expect(await lastOf(emulator)).toMatchObject({
      type: 19,
      content: 'Very',
      author: { username: 'otter' },
    });

    await high.hover();
    await high.getByRole('button', { name: 'Add a reaction' }).click();
    await high.getByRole('button', { name: 'React with 👍' }).click();
    const seen = pane(page, 'river').locator(HIGH).getByRole('button', { name: /👍: 1/ });
    await seen.click();
    await pane(page, 'otter')
      .locator(HIGH)
      .getByRole('button', { name: /👍: 2, with yours/ })
      .waitFor();

    await pane(page, 'otter').getByRole('textbox', { name: 'Message as otter' }).fill('Well');
    await pane(page, 'river').getByText('Otter is typing…').waitFor();

    await emulator.operations.call('emulator.apply', {
      patch: {
        guilds: [
          {
            id: GUILD,
            channels: [{ id: GENERAL, user_overwrites: [{ user: 'otter', deny: ['SEND_MESSAGES'] }] }],
          },
        ],
      },
    });
    await write(page, 'otter', 'Well, then');
    await pane(page, 'otter')
      .getByRole('alert')
      .filter({ hasText: 'author: has no permission SEND_MESSAGES in this channel (FOOTBRIDGE_SETTING)' })
      .waitFor();
    await pane(page, 'otter').getByPlaceholder('otter may not write here').waitFor();
  });

  it('shows why a button was refused whose message changed or went away while it was pressed', async () => {
    const console = await openedWithBot();
    const { page, emulator, token } = console;
    const send = async (method: string, path: string, name?: string) => {
      const button = { type: 2, style: 1, label: name, custom_id: name };
      const answer = await fetch(`${emulator.api}/v10/channels/${GENERAL}/messages${path}`, {
        method,
        headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
        ...(name && {
          body: JSON.stringify({ content: name, components: [{ type: 1, components: [button] }] }),
        }),
      });
      return method === 'DELETE' ? '' : ((await answer.json()) as { readonly id: string }).id;
    };
    const id = await send('POST', '', 'Ebb');
    let meanwhile = () => send('PATCH', `/${id}`, 'Flood');
    await page.route('**/call/interaction.click', async (route) => {
      await meanwhile();
      await route.continue();
    });
    await look(console, 'river');
    const refusal = pane(page, 'river').getByRole('alert');
    await pane(page, 'river').getByRole('button', { name: 'Ebb' }).click();
    await refusal.filter({ hasText: `message ${id} has changed meanwhile` }).waitFor();
    meanwhile = () => send('DELETE', `/${id}`);
    await pane(page, 'river').getByRole('button', { name: 'Flood' }).click();
    await refusal.filter({ hasText: `there is no message ${id}` }).waitFor();
  });

  it('leads from a message to the request that made it, or to the interaction that it answers', async () => {
    const console = await openedWithBot();
    const { page, emulator, token } = console;
    const commands = [{ name: 'tide', description: 'The tide' }];
    await addBot(emulator, APP, GUILD, commands);
    await gatewayBot(emulator, APP, () => ({ type: 4, data: { content: 'High water' } }));
    await fetch(`${emulator.api}/v10/channels/${GENERAL}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'ahoy' }),
    });
    await emulator.operations.call('interaction.use', { app: APP, channel: GENERAL, command: '/tide' });
    for (const [text, names] of [
      ['ahoy', ['POST /channels/500000000000000002/messages']],
      ['High water', ['INTERACTION_CREATE', expect.stringMatching(/^POST \/interactions\/\d+\/.*callback$/)]],
    ] as const) {
      await look(console, 'river');
      await message(page, 'river', text).hover();
      await message(page, 'river', text).getByRole('link', { name: 'Traffic of the message' }).click();
      await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor();
      await expect.poll(() => page.locator('.list .row .name').allTextContents()).toEqual(names);
    }
  });

  it('lets users into voice, and shows who is there', async () => {
    const console = await openedWithBot();
    const { page, emulator } = console;
    await look(console, 'otter', LOUNGE);
    const room = page.getByRole('region', { name: 'Voice in Lounge' });
    await room.getByRole('button', { name: 'Join' }).click();
    await room.getByText('otter', { exact: true }).waitFor();
    await room.getByRole('button', { name: 'Speak', exact: true }).click();
    await room.getByText('speaks').waitFor();
    await room.getByRole('button', { name: 'Mute', exact: true }).click();
    await room.getByText('is silent, muted').last().waitFor();
    await room.getByRole('button', { name: 'Deafen', exact: true }).click();
    await room.getByRole('button', { name: 'Undeafen' }).waitFor();
    await room.getByRole('button', { name: 'Leave' }).click();
    await room.getByRole('button', { name: 'Join' }).waitFor();
    const list = await emulator.operations.call('channel.list', { user: 'otter' });
    expect(list.find(({ id }) => id === LOUNGE)?.voice?.map(({ username }) => username)).not.toContain(
      'otter',
    );
  });

  it('shows profiles with activities, what passed between platform and bot, and nothing that axe finds', async () => {
    const console = await harbour();
    const { page, emulator, complaints } = console;
    await emulator.operations.call('emulator.apply', {
      patch: {
        user_presences: [
          {
            user: 'otter',
            status: 'dnd',
            activities: [{ name: 'Tides', type: 0, details: 'Low', state: 'At sea' }],
          },
        ],
      },
    });
    await look(console, 'river,heron');
    await write(page, 'river', 'ahoy');
    await message(page, 'heron', 'Ahoy, river').waitFor();
    await page.getByRole('button', { name: /^Otter.*do not disturb/ }).click();
    for (const text of ['Playing', 'Tides', 'Low', 'At sea'])
      await page.locator('.profile').getByText(text, { exact: true }).waitFor();
    const passed = page.getByRole('region', { name: 'Between platform and bots' });
    // In the words of the traffic.
    await passed.getByText('message "ahoy" by river').first().waitFor();
    await passed
      .getByRole('link', { name: /^message "Controls" with 1 embed/ })
      .first()
      .waitFor();
    // What is no bot's is not listed, and a callback is of the channel of its interaction.
    await fetch(`${emulator.api}/v10/gateway`);
    await message(page, 'river', 'Tide table').getByRole('button', { name: 'Quiet' }).click();
    const unanswered = passed.getByRole('listitem').filter({ hasText: 'button quiet by river' });
    await unanswered.locator('.problem').getByText('no answer', { exact: true }).waitFor();
    await message(page, 'river', 'Tide table').getByRole('button', { name: 'Sail' }).click();
    const callback = passed.getByRole('link', { name: 'update of the message "Sailed"', exact: true });
    await callback.waitFor();
    await passed
      .getByRole('listitem')
      .filter({ hasText: /button sail by river ?ok, / })
      .waitFor();
    // By the begin of each, so that a request stands before the event that it caused.
    const told = ['update of the message "Sailed"', 'button sail by river'];
    await expect
      .poll(async () =>
        (await passed.getByRole('link').allTextContents()).filter((text) => told.includes(text)),
      )
      .toEqual(told);
    await passed.getByLabel('Only this channel').check();
    await callback.waitFor();
    expect(await passed.getByRole('link', { name: 'GET /gateway', exact: true }).count()).toBe(0);
    for (const theme of ['light', 'dark', 'contrast']) {
      await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`);
      expect(await axeViolations(page), theme).toEqual([]);
    }
    await page.setViewportSize({ width: 420, height: 800 });
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(420);
    await callback.click();
    await page.getByRole('complementary').getByText('The interaction that it answers').waitFor();
    expect(complaints).toEqual([]);
  });
});

async function lastPoll(emulator: Parameters<typeof lastOf>[0]) {
  const { messages } = await emulator.operations.call('channel.view', { channel: GENERAL });
  const found = messages
    .map(
      ({ message: one }) =>
        one['poll'] as { readonly results: { readonly answer_counts: object } } | undefined,
    )
    .findLast((one) => one !== undefined);
  return found?.results;
}
