// discord.py of Debian: another language, and the one that asks for a gateway compressed as one stream.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { botStory, GENERAL, GUILD, OTTER, played } from '../stories/bot-world.ts';
import { APP, botToken } from '../stories/story.ts';
import { withoutPackages } from './debian.ts';

const without = withoutPackages({ 'python3-discord': '/usr/lib/python3/dist-packages/discord/__init__.py' });
const PROGRAM = fileURLToPath(new URL('discord-py-bot.py', import.meta.url));
/** It waits longer each time before it connects anew (ms). */
const PATIENCE = { timeout: 60_000 };

it.skipIf(without)(
  `discord.py logs in over zlib-stream, receives messages, and answers interactions [W-2, W-3]${without === undefined ? '' : ` (skipped: ${without})`}`,
  async () => {
    const emulator = await botStory();
    const gateway = ((await (await fetch(`${emulator.api}/v10/gateway`)).json()) as { readonly url: string })
      .url;
    const bot = spawn('/usr/bin/python3', [PROGRAM, emulator.api, gateway, botToken(), GUILD], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void bot.kill('SIGKILL'));
    const told: Readonly<Record<string, unknown>>[] = [];
    createInterface(bot.stdout).on('line', (line) => told.push(JSON.parse(line)));
    createInterface(bot.stderr).on('line', (line) => told.push({ fault: line }));
    const { operations } = emulator;
    const at = { app: APP, channel: GENERAL };

    await expect.poll(() => told, PATIENCE).toMatchObject([{ ready: 'harbour', guild: 'River Bank' }]);
    await operations.call('channel.say', { channel: GENERAL, text: 'ahoy', author: OTTER });
    await expect.poll(() => told.at(-1), PATIENCE).toEqual({ message: 'ahoy', author: 'otter' });

    const options = { place: 'Mouth', who: OTTER };
    const typed = { ...at, command: '/tide', option: 'place', options: { place: 'M' } };
    expect(await played(emulator, 'interaction.autocomplete', typed)).toMatchObject({
      choices: [{ name: 'Mouth', value: 'Mouth' }],
    });
    const used = await played(emulator, 'interaction.use', { ...at, command: '/tide', options });
    expect(used).toMatchObject({ state: 'answered', message: { content: 'Mouth for otter' } });
    const message = used.message.id;
    expect(await played(emulator, 'interaction.click', { message, button: 'Sail' })).toMatchObject({
      message: { content: 'river sails', components: [] },
    });
    const log = await played(emulator, 'interaction.use', { ...at, command: '/log' });
    const field = log.modal.components[0].components[0].custom_id as string;
    expect(
      await played(emulator, 'interaction.submit', { id: log.id, fields: { [field]: 'All well' } }),
    ).toMatchObject({ message: { content: 'Written: All well' } });

    await emulator.restart();
    await expect.poll(() => told.filter(({ ready }) => ready !== undefined), PATIENCE).toHaveLength(2);
    await operations.call('channel.say', { channel: GENERAL, text: 'back', author: OTTER });
    await expect.poll(() => told.at(-1), PATIENCE).toEqual({ message: 'back', author: 'otter' });
    expect(told.filter(({ fault }) => fault !== undefined)).toEqual([]);
  },
  180_000,
);
