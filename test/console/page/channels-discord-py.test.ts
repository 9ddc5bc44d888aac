// The view of channels with a bot of discord.py, in its own process.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { withoutPackages } from '../../system/debian.ts';
import { GUILD, look, message, openedWithBot, pane, write } from './channels-bot.ts';

const without = withoutPackages({ 'python3-discord': '/usr/lib/python3/dist-packages/discord/__init__.py' });
const missing = chromiumMissing() ?? (without === undefined ? undefined : ` (skipped: ${without})`);
const PROGRAM = fileURLToPath(new URL('../../system/discord-py-bot.py', import.meta.url));
/** Python takes its time to load (ms). */
const PATIENCE = { timeout: 60_000 };

describe.skipIf(missing !== undefined)(`the view of channels${missing ?? ''}`, () => {
  it('uses the commands, the button and the modal of a bot of discord.py', async () => {
    const { page, complaints, emulator, token, origin } = await openedWithBot();
    const { url } = (await (await fetch(`${emulator.api}/v10/gateway`)).json()) as { readonly url: string };
    const bot = spawn('/usr/bin/python3', [PROGRAM, emulator.api, url, token, GUILD], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void bot.kill('SIGKILL'));
    const told: Readonly<Record<string, unknown>>[] = [];
    createInterface(bot.stdout).on('line', (line) => told.push(JSON.parse(line)));
    createInterface(bot.stderr).on('line', (line) => told.push({ fault: line }));
    await expect.poll(() => told, PATIENCE).toMatchObject([{ ready: 'harbour' }]);
    await look({ page, origin }, 'river,otter');

    await write(page, 'otter', 'ahoy');
    await expect.poll(() => told.at(-1)).toEqual({ message: 'ahoy', author: 'otter' });

    await pane(page, 'river').getByRole('textbox', { name: 'Message as river' }).fill('/tide');
    await pane(page, 'river')
      .getByRole('button', { name: /^\/tide/ })
      .click();
    const form = page.getByRole('form', { name: 'Use /tide' });
    await form.getByLabel(/^place/).fill('M');
    await form.getByRole('button', { name: 'Mouth' }).click();
    await form.getByRole('button', { name: /^who/ }).click();
    await form.getByRole('option', { name: 'Otter' }).click();
    await form.getByRole('button', { name: 'Use /tide' }).click();
    await message(page, 'otter', 'Mouth for otter').getByRole('button', { name: 'Sail' }).click();
    await message(page, 'river', 'otter sails').waitFor();

    await write(page, 'river', '/log');
    await page.getByRole('button', { name: 'Use /log' }).click();
    const dialog = page.getByRole('dialog', { name: 'The log' });
    await dialog.getByLabel(/^Words/).fill('All well');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await message(page, 'otter', 'Written: All well').waitFor();
    expect(told.filter(({ fault }) => fault !== undefined)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
