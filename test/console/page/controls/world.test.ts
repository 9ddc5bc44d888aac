import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../../helpers/chromium.ts';
import { connectClient } from '../app.ts';
import { type Control, FRAME, press, useAll, worldOf } from '../controls.ts';
import { opened } from '../opened.ts';

const missing = chromiumMissing();
const APP = '300000000000000001';

describe.skipIf(missing !== undefined)(
  `each control of the console page works:${missing ?? ''}`,
  { timeout: 180_000 },
  () => {
    it('of users, voice and the clock', async () => {
      const console = await opened();
      const { emulator, page, view } = console;
      const app = await connectClient(emulator);
      onTestFinished(() => app.end());
      await view('requests');
      app.send('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
      await press(console, 'Always allow: Harbour Example');
      await app.answer('AUTHORIZE');
      await view('world');
      const world = () => worldOf(console);
      const unlink = page.getByRole('form', { name: 'Unlink a user from an application' });
      const join = page.getByRole('form', { name: 'Put a user into a voice channel' });
      const advance = page.getByRole('form', { name: 'Move the clock on' });
      const set = page.getByRole('form', { name: 'Set the clock' });
      const now = async () => (await emulator.clock.now()).toISOString();
      const left = await useAll(page, [
        ...FRAME,
        // The next test uses these.
        [/ of (Write a message|Let a user into a lobby)$|^button Delete /, async () => {}],
        [
          /^button Save as world.jsonl$/,
          async () => {
            const downloading = page.waitForEvent('download');
            await press(console, 'Save as world.jsonl');
            const state = readFileSync(await (await downloading).path(), 'utf8');
            expect(state).toMatch(/^\{"footbridge":"state"/);
            await page.getByText("startEmulator({ fixture: 'world.jsonl' })").waitFor();
          },
        ],
        [
          /^button Record$/,
          async () => {
            await press(console, 'Record');
            await page.getByText('Recording; steps: 0').waitFor();
            await press(console, 'End and save');
            await page.getByText('Nothing was recorded.').waitFor();
            await press(console, 'Record');
            await page.getByText('Recording; steps: 0').waitFor();
            await emulator.operations.call('channel.say', {
              channel: 'general',
              text: 'Ahoy',
              author: 'otter',
            });
            await page.getByText('Recording; steps: 1').waitFor();
            const downloading = page.waitForEvent('download');
            await press(console, 'End and save');
            const download = await downloading;
            expect(download.suggestedFilename()).toBe('scenario.toml');
            expect(readFileSync(await download.path(), 'utf8')).toBe(
              '[[scenario]]\nname = "recorded"\nstep = [\n  { as = "otter", say = "Ahoy", in = "#general" },\n]\n',
            );
            await page.getByText('footbridge emulator play scenario.toml').waitFor();
          },
        ],
        [/^button End and save$/, async () => {}],
        [
          /^button Seed$/,
          async () => {
            const asked = page.waitForResponse(/\/call\/emulator\.seed$/);
            await press(console, 'Seed');
            expect((await asked).status()).toBe(200);
          },
        ],
        [/^button Copy: /, async () => {}],
        [
          /^button Ban /,
          async () => {
            await press(console, 'Ban otter');
            expect((await world()).account_bans).toEqual([]);
          },
        ],
        [
          /^button Really ban\? Ban /,
          async () => {
            await press(console, 'Really ban? Ban otter');
            await expect.poll(async () => (await world()).account_bans).toHaveLength(1);
          },
        ],
        [
          /^button Unban /,
          async () => {
            await press(console, 'Unban otter');
            await expect.poll(async () => (await world()).account_bans).toEqual([]);
          },
        ],
        [/^choice User of Unlink/, () => unlink.getByLabel('User').selectOption({ label: 'river' })],
        [/^choice Application of Unlink/, () => unlink.getByLabel('Application').selectOption(APP)],
        [
          /^button Unlink of /,
          async () => {
            await unlink.getByRole('button', { name: 'Unlink' }).click();
            expect(await emulator.operations.call('grants.list')).toHaveLength(1);
          },
        ],
        [
          /^button Really unlink\? of /,
          async () => {
            await unlink.getByRole('button', { name: 'Really unlink?' }).click();
            await expect.poll(() => emulator.operations.call('grants.list')).toEqual([]);
          },
        ],
        [
          /^field Input volume$/,
          async () => {
            await page.getByLabel('Input volume').fill('42');
            await expect.poll(async () => (await world()).voice.input.volume).toBe(42);
          },
        ],
        [
          /^field Output volume$/,
          async () => {
            await page.getByLabel('Output volume').fill('142');
            await expect.poll(async () => (await world()).voice.output.volume).toBe(142);
          },
        ],
        ...(['Mute', 'Deafen'] as const).map(
          (name): Control => [
            new RegExp(`^button ${name}: (on|off)$`),
            async () => {
              const key = name === 'Mute' ? 'mute' : 'deaf';
              for (const on of [true, false]) {
                await press(console, `${name}: ${on ? 'off' : 'on'}`);
                await expect.poll(async () => (await world()).voice[key]).toBe(on);
              }
            },
          ],
        ),
        [
          /^button Leave: /,
          async () => {
            await press(console, 'Leave: Heron');
            await expect.poll(async () => (await world()).voice_states).toEqual([]);
          },
        ],
        [/^choice User of Put/, () => join.getByLabel('User').selectOption({ label: 'otter' })],
        [/^choice Channel of Put/, () => join.getByLabel('Channel').selectOption({ label: 'Lounge' })],
        [
          /^button Join of Put/,
          async () => {
            await join.getByRole('button', { name: 'Join' }).click();
            await expect.poll(async () => (await world()).voice_states).toHaveLength(1);
          },
        ],
        [
          /^button Speak: /,
          async () => {
            await press(console, 'Speak: Otter');
            await expect.poll(async () => (await world()).voice_states).toMatchObject([{ speaking: true }]);
          },
        ],
        [
          /^button Silence: /,
          async () => {
            await press(console, 'Silence: Otter');
            await expect.poll(async () => (await world()).voice_states).toMatchObject([{ speaking: false }]);
          },
        ],
        [/^button Freeze$/, () => press(console, 'Freeze')],
        [
          /^(field By|button Advance) of /,
          async () => {
            await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
            const before = Date.parse(await now());
            await advance.getByLabel('By').fill('2h');
            await advance.getByRole('button', { name: 'Advance' }).click();
            await expect.poll(async () => Date.parse(await now()) - before).toBe(7_200_000);
            await advance.getByLabel('By').fill('nonsense');
            await advance.getByRole('button', { name: 'Advance' }).click();
            await advance.getByRole('alert').waitFor();
          },
        ],
        [
          /^(field To|button Set) of /,
          async () => {
            await set.getByLabel('To').fill('2031-01-01T12:00:00Z');
            await set.getByRole('button', { name: 'Set' }).click();
            await expect.poll(now).toBe('2031-01-01T12:00:00.000Z');
          },
        ],
        [
          /^button Run$/,
          async () => {
            await press(console, 'Run');
            await expect.poll(async () => (await emulator.operations.call('clock.now')).frozen).toBe(false);
          },
        ],
        [
          /^button Reset$/,
          async () => {
            await press(console, 'Reset');
            await expect.poll(async () => (await emulator.operations.call('clock.now')).ahead_ms).toBe(0);
          },
        ],
        [
          /^button Switch to /,
          async () => {
            await press(console, 'Switch to heron');
            await page.getByText('Logged in: heron').waitFor();
          },
        ],
        [
          /^button Log out$/,
          async () => {
            await press(console, 'Log out');
            await expect.poll(async () => (await world()).client.logged_in).toBe(false);
          },
        ],
        [
          /^button Log in$/,
          async () => {
            await press(console, 'Log in');
            await expect.poll(async () => (await world()).client.logged_in).toBe(true);
          },
        ],
        [/^button (Allow once|Always allow|Deny): |^link [0-9a-f]{8}$/, async () => {}],
      ]);
      expect(left).toEqual([]);
    });

    it('of messages, lobbies and webhooks', async () => {
      const console = await opened();
      const { emulator, page, view } = console;
      let received = 0;
      const application = createServer((request, response) => {
        request.resume();
        received += 1;
        // The PING, and the wrong signature that comes after it.
        response.writeHead(received === 2 ? 401 : 204).end();
      });
      await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void application.close());
      const { port } = application.address() as AddressInfo;
      await emulator.operations.call('webhook.set', { app: APP, url: `http://127.0.0.1:${port}/events` });
      await view('world');
      const world = () => worldOf(console);
      const say = page.getByRole('form', { name: 'Write a message' });
      const enter = page.getByRole('form', { name: 'Let a user into a lobby' });
      const write = page.getByRole('form', { name: 'Write in a lobby' });
      const left = await useAll(page, [
        ...FRAME,
        // The test before uses these.
        [
          / of (Unlink|Put|Move|Set) |^field (In|Out)put volume|^button (Save|Seed|Record|Switch|Ban|Log|Leave|Mute|Deafen|Freeze|Reset|Speak)\b/,
          async () => {},
        ],
        [/^link [0-9a-f]{8}$/, async () => {}],
        [
          /^choice Channel of Write a message$/,
          () => say.getByLabel('Channel').selectOption({ label: 'general' }),
        ],
        [
          /^choice As of Write a message$/,
          () => say.locator('[name=author]').selectOption({ label: 'heron' }),
        ],
        [
          /^(field Text|button Say) of Write a message$/,
          async () => {
            await say.getByLabel('Text').fill('from the page');
            await say.getByRole('button', { name: 'Say' }).click();
            await expect.poll(async () => (await world()).messages.at(-1)?.content).toBe('from the page');
          },
        ],
        [
          /^button Delete the message of /,
          async () => {
            const row = page.getByRole('listitem').filter({ hasText: 'from the page' });
            await row.getByRole('button', { name: 'Delete the message of Heron' }).click();
            await row.waitFor({ state: 'detached' });
            expect((await world()).messages.map(({ content }) => content)).not.toContain('from the page');
          },
        ],
        [/^choice Application of Let/, () => enter.getByLabel('Application').selectOption(APP)],
        [/^choice User of Let/, () => enter.getByLabel('User').selectOption({ label: 'otter' })],
        [
          /^(field Secret|button Join) of Let/,
          async () => {
            await enter.getByLabel('Secret').fill('hidden-berth');
            await enter.getByRole('button', { name: 'Join' }).click();
            await expect.poll(async () => (await world()).lobbies).toMatchObject([{ members: [{}] }]);
            await page.getByText(/^Harbour Example\s+\d+, 1 member$/).waitFor();
          },
        ],
        [/^choice Lobby of Write in/, () => write.getByLabel('Lobby').selectOption({ index: 0 })],
        [/^choice As of Write in/, () => write.locator('[name=user]').selectOption({ label: 'otter' })],
        [
          /^(field Text|button Say) of Write in a lobby$/,
          async () => {
            await write.getByLabel('Text').fill('ahoy');
            await write.getByRole('button', { name: 'Say' }).click();
            await expect
              .poll(async () => (await world()).lobby_messages)
              .toMatchObject([{ content: 'ahoy' }]);
          },
        ],
        [
          /^button Delete the lobby message of /,
          async () => {
            await press(console, 'Delete the lobby message of Otter');
            await expect.poll(async () => (await world()).lobby_messages).toEqual([]);
          },
        ],
        [
          /^button Redeliver /,
          async () => {
            const before = received;
            await page
              .getByRole('button', { name: /^Redeliver / })
              .first()
              .click();
            await expect.poll(() => received).toBe(before + 1);
          },
        ],
      ]);
      expect(left).toEqual([]);
    });
  },
);
