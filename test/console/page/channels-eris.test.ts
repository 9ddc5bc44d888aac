// The view of channels with a bot of Eris, whose messages of other kinds are drawn and used there.
import { Agent } from 'node:https';
import { connect } from 'node:net';
import * as Eris from 'eris';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { GENERAL, look, message, openedWithBot, pane, write } from './channels-bot.ts';

const missing = chromiumMissing();

/** Eris knows no address but of TLS; the agent that it takes connects without. */
function plainAgent(api: string): Agent {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(api);
  Object.assign(agent, { createConnection: () => connect(Number(port), hostname) });
  return agent;
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(missing !== undefined)(`the view of channels${missing ?? ''}`, () => {
  it('draws what a bot of Eris sends: a file, an embed, a thread, an edit, a pin and a button', async () => {
    const console = await openedWithBot();
    const { page, complaints, emulator, token } = console;
    const { api } = emulator;
    const client = new Eris.Client(`Bot ${token}`, {
      intents: ['guilds', 'guildMessages', 'messageContent'],
      rest: { agent: plainAgent(api), domain: new URL(api).host, baseURL: '/api/v10' },
    });
    const faults: string[] = [];
    client.on('error', (error) => faults.push(String(error)));
    onTestFinished(() => client.disconnect({ reconnect: false }));
    client.on('interactionCreate', (interaction) => {
      if (!(interaction instanceof Eris.ComponentInteraction)) return;
      interaction
        .createMessage({ content: `Moored for ${interaction.member?.username}`, flags: 64 })
        .catch((error: unknown) => faults.push(String(error)));
    });
    const ready = new Promise<void>((resolve) => client.once('ready', () => resolve()));
    await client.connect();
    await ready;
    await look(console, 'river,heron');

    await client.createMessage(
      GENERAL,
      { content: 'A chart', embeds: [{ image: { url: 'attachment://chart.png' } }] },
      { name: 'chart.png', file: PNG },
    );
    const chart = message(page, 'river', 'A chart').getByRole('img', { name: 'chart.png' });
    await chart.waitFor();
    const width = `document.querySelector('img[alt="chart.png"]').decode().then(() => document.querySelector('img[alt="chart.png"]').naturalWidth)`;
    expect(await page.evaluate(width)).toBe(1);
    // The signature of the address stays away: it would load the picture anew with each change of the channel.
    expect(await chart.getAttribute('src')).toMatch(
      /^\/media\?address=http%3A%2F%2F127[\d.%A]+%2Fattachments%2F\d+%2F\d+%2Fchart\.png$/,
    );

    const sent = await client.createMessage(GENERAL, {
      content: 'Moorings',
      embeds: [{ title: 'Berths', fields: [{ name: 'Left', value: '~~2~~ 1', inline: true }] }],
      components: [{ type: 1, components: [{ type: 2, style: 3, label: 'Moor', custom_id: 'moor' }] }],
    });
    await message(page, 'heron', 'Moorings').getByText('Berths').waitFor();
    await message(page, 'heron', 'Moorings').getByRole('button', { name: 'Moor' }).click();
    await message(page, 'heron', 'Moored for heron').waitFor();
    expect(await message(page, 'river', 'Moored for heron').count()).toBe(0);

    await client.editMessage(GENERAL, sent.id, { content: 'No moorings left' });
    await message(page, 'river', 'No moorings left').first().getByText('(edited)').waitFor();
    await client.pinMessage(GENERAL, sent.id);
    await pane(page, 'river').getByText('pinned a message to this channel').waitFor();
    const thread = await client.createThreadWithMessage(GENERAL, sent.id, {
      name: 'Who gets it',
      autoArchiveDuration: 60,
    });
    await page
      .getByRole('navigation', { name: 'Channels' })
      .getByRole('button', { name: 'Who gets it' })
      .click();
    await write(page, 'heron', 'Me');
    await message(page, 'river', 'Me').first().waitFor();
    expect((await client.getMessages(thread.id, { limit: 1 }))[0]?.content).toBe('Me');
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
