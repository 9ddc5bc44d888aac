import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../../helpers/chromium.ts';
import { addBot, gatewayBot } from '../../../helpers/gateway-bot.ts';
import { connectClient } from '../app.ts';
import { FRAME, press, useAll } from '../controls.ts';
import { opened } from '../opened.ts';

const missing = chromiumMissing();
const APP = '300000000000000001';
const BOT = '300000000000000002';
const GUILD = '400000000000000001';

describe.skipIf(missing !== undefined)(
  `each control of the console page works:${missing ?? ''}`,
  { timeout: 180_000 },
  () => {
    it('of the overview without an app', async () => {
      const console = await opened();
      const { page, emulator, complaints } = console;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const copies = (name: string, text: string) => async () => {
        await press(console, `Copy: ${name}`);
        await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(text);
      };
      await page.getByText('No app is connected yet.').waitFor();
      const left = await useAll(page, [
        ...FRAME,
        [/^button Cop(y|ied): the address for Apps$/, copies('the address for Apps', emulator.endpoint)],
        [
          /^button Cop(y|ied): the address of the HTTP API$/,
          copies('the address of the HTTP API', emulator.api),
        ],
        [
          /^button Cop(y|ied): a request to the HTTP API$/,
          copies('a request to the HTTP API', `curl -s ${emulator.api}/v10/gateway`),
        ],
        [
          /^button Cop(y|ied): a command that connects an app$/,
          copies(
            'a command that connects an app',
            `footbridge call SET_ACTIVITY '{"pid":1,"activity":{"state":"hello"}}'`,
          ),
        ],
        [/^button Cop(y|ied): the address for Web pages$/, copies('the address for Web pages', emulator.ws)],
      ]);
      expect(left).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('of the overview with an app, a request and a refused page', async () => {
      const console = await opened();
      const { emulator, page } = console;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const app = await connectClient(emulator);
      onTestFinished(() => app.end());
      app.send('SET_ACTIVITY', { pid: process.pid, activity: { details: 'Rowing', state: 'home' } });
      await app.answer('SET_ACTIVITY');
      app.send('GET_GUILD', { guild_id: '1' });
      await app.answer('GET_GUILD');
      await fetch(`${emulator.api}/v10/users/@me`, { headers: { origin: 'http://localhost:4321' } });
      const card = page.getByRole('article', { name: 'App Harbour Example' });
      await card.getByText('Rowing').waitFor();
      const facts = async () => (await card.textContent()) ?? '';
      // The program comes with the next status, the card with the first entry.
      await expect.poll(facts).toContain(`(${process.pid})`);
      expect(await facts()).toContain(APP);
      // The handshake is an exchange, too.
      await expect.poll(facts).toMatch(/Requests3Errors1/);
      expect(await facts()).toMatch(/p50[\d.]+ msp95[\d.]+ ms/);
      expect(await facts()).toContain('GET_GUILD: 4006 ');
      // Beside the apps are figures and addresses, without a scroll, to the right edge of the page.
      await page.setViewportSize({ width: 1280, height: 800 });
      const bridge = await page.getByRole('article', { name: 'Bridge' }).boundingBox();
      const apps = await page.getByRole('region', { name: 'Apps' }).boundingBox();
      expect(bridge?.y).toBeLessThan(700);
      expect((bridge?.x ?? 0) + (bridge?.width ?? 0)).toBeGreaterThan(1240);
      expect((bridge?.x ?? 0) - (apps?.x ?? 0) - (apps?.width ?? 0)).toBeLessThan(30);
      const trips = page.getByRole('article').filter({ hasText: 'Round trip' });
      await expect.poll(() => trips.textContent()).toMatch(/p50 [\d.]+ m?s, p95 [\d.]+ m?s, \d requests?$/);
      const left = await useAll(page, [
        ...FRAME,
        [
          /^button Cop(y|ied): the command that allows it$/,
          async () => {
            await press(console, 'Copy: the command that allows it');
            await expect
              .poll(() => page.evaluate('navigator.clipboard.readText()'))
              .toBe('footbridge origins add CLIENT_ID http://localhost:4321');
          },
        ],
        [/^button Copy: (a|the address) /, async () => {}],
        [
          /^button (Allow once|Always allow|Deny): /,
          async () => {
            app.send('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
            await press(console, 'Allow once: Harbour Example');
            expect(await app.answer('AUTHORIZE')).toMatchObject({ evt: null });
            await page.getByRole('heading', { name: 'Waits for you' }).waitFor({ state: 'detached' });
          },
        ],
        [
          /^link 1 error of Harbour Example$/,
          async () => {
            await card.getByRole('link', { name: '1 error of Harbour Example' }).click();
            const rows = page.getByRole('listbox', { name: 'Traffic', exact: true }).getByRole('option');
            await rows.filter({ hasText: 'GET_GUILD' }).waitFor();
            expect(await rows.count()).toBe(1);
            await page.goBack();
            await card.waitFor();
          },
        ],
        [
          /^link Traffic of (?:Harbour Example|\d+|node .*)$/,
          async () => {
            await page.getByRole('link', { name: 'Traffic of Harbour Example' }).click();
            await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor();
            expect(new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('filter')).toBe(
              'app:"Harbour Example"',
            );
            await page.goBack();
            await card.waitFor();
          },
        ],
      ]);
      expect(left).toEqual([]);
    });

    it('of the overview with an app that has ended, and a bot', async () => {
      const { emulator, page } = await opened();
      await addBot(emulator, BOT, GUILD, []);
      await gatewayBot(emulator, BOT, () => undefined);
      await page
        .getByRole('article', { name: /^App \D/ })
        .getByText('(bot)')
        .waitFor();
      await page.getByText('connected', { exact: true }).waitFor();
      const app = await connectClient(emulator);
      const card = page.getByRole('article', { name: 'App Harbour Example' });
      await card.getByText(`(${process.pid})`).waitFor();
      app.send('GET_GUILD', { guild_id: '1' });
      await app.answer('GET_GUILD');
      app.end();
      await card.getByText(new RegExp(`ended \\d\\d:\\d\\d:\\d\\d, .*\\(${process.pid}\\)`)).waitFor();
      expect(await card.textContent()).toMatch(/Requests2Errors1GET_GUILD: 4006 /);
      // Its figures are those of all its processes.
      const again = await connectClient(emulator);
      onTestFinished(() => again.end());
      await expect.poll(() => card.textContent()).toMatch(/Requests3Errors1/);
      await expect.poll(() => card.textContent()).not.toContain('ended');
    });
  },
);
