import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { connectClient } from './app.ts';
import { type Control, useAll } from './controls.ts';
import { type Opened, opened } from './opened.ts';

const missing = chromiumMissing();
const APP = '300000000000000001';

interface World {
  me: string;
  client: { logged_in: boolean };
  account_bans: object[];
  voice: { mute: boolean; deaf: boolean; input: { volume: number }; output: { volume: number } };
  voice_states: { user: string; channel: string; speaking: boolean }[];
  messages: { content: string }[];
  lobbies: { members: object[] }[];
  lobby_messages: { content: string }[];
}

const worldOf = async ({ emulator }: Opened) =>
  (await emulator.operations.call('emulator.show')) as unknown as World;

/** Uses a control that is named by its role and name. */
const press = ({ page }: Opened, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();

/** Uses a button that asks once more. */
async function pressTwice(console: Opened, name: string, question: string): Promise<void> {
  await press(console, name);
  await press(console, `${question} ${name}`);
}

/** Controls beside the view. */
const FRAME: readonly Control[] = [
  [/^link Skip to the content$/, async () => {}],
  [/^choice Theme$/, async () => {}],
  [/^link (Overview|Frames|Requests|Grants|Presence|World|Faults|Operations|Doctor)( \d+)?$/, async () => {}],
];

describe.skipIf(missing !== undefined)(
  `each control of the console page works:${missing ?? ''}`,
  { timeout: 180_000 },
  () => {
    it('around the views', async () => {
      const console = await opened();
      const { page } = console;
      const names = [
        'Frames',
        'Requests',
        'Grants',
        'Presence',
        'World',
        'Faults',
        'Operations',
        'Doctor',
        'Overview',
      ];
      const [skip, theme, links] = FRAME.map(([control]) => control);
      const left = await useAll(page, [
        [
          skip ?? /^/,
          async () => {
            await page.keyboard.press('Tab');
            await page.keyboard.press('Enter');
            await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
          },
        ],
        [
          theme ?? /^/,
          async () => {
            await page.getByLabel('Theme').selectOption('dark');
            await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
          },
        ],
        [
          links ?? /^/,
          async () => {
            for (const name of names) {
              await page.getByRole('navigation').getByRole('link', { name }).click();
              await page.getByRole('heading', { name, level: 1 }).waitFor();
            }
          },
        ],
      ]);
      expect(left).toEqual([]);
    });

    it('of the overview and the frames', async () => {
      const console = await opened();
      const { emulator, page } = console;
      const app = await connectClient(emulator);
      onTestFinished(() => app.end());
      app.send('SET_ACTIVITY', {
        pid: process.pid,
        activity: { state: 'rowing home', party: { size: [1, 2] } },
      });
      await app.answer('SET_ACTIVITY');
      const list = page.getByRole('listbox', { name: 'Traffic' });
      const entry = page.getByRole('complementary', { name: 'One entry' });
      const left = await useAll(page, [
        ...FRAME,
        [
          /^link [0-9a-f]{8}$/,
          async () => {
            await page.getByRole('region', { name: 'Connected apps' }).getByRole('link').click();
            await page.getByRole('heading', { name: 'Frames' }).waitFor();
            await expect.poll(() => page.getByLabel('Session').inputValue()).toMatch(/^[0-9a-f]{32}$/);
          },
        ],
        [
          /^choice Session$/,
          async () => {
            await page.getByLabel('Session').selectOption('');
            await fetch(`${emulator.api}/v10/users/@me`);
            await list.getByRole('option', { name: /users\/@me/ }).waitFor();
          },
        ],
        [
          /^choice Kind$/,
          async () => {
            await page.getByLabel('Kind').selectOption('rpc');
            await expect.poll(() => list.getByRole('option', { name: /users\/@me/ }).count()).toBe(0);
          },
        ],
        [
          /^field Search$/,
          async () => {
            await page.getByLabel('Search').fill('rowing');
            await expect.poll(() => list.getByRole('option').count()).toBe(2);
          },
        ],
        [
          /^option /,
          async () => {
            await list.getByRole('option').first().click();
            await expect.poll(() => entry.textContent()).toContain('"rowing home"');
          },
        ],
        [
          /^listbox Traffic$/,
          async () => {
            const first = await entry.textContent();
            await list.focus();
            await page.keyboard.press('End');
            await expect.poll(() => entry.textContent()).not.toBe(first);
            await page.keyboard.press('Home');
            await expect.poll(() => entry.textContent()).toBe(first);
          },
        ],
        [
          /^summary /,
          async () => {
            const branch = entry.locator('details').first();
            expect(await branch.evaluate((one) => (one as unknown as { open: boolean }).open)).toBe(true);
            await branch.locator('summary').first().click();
            expect(await branch.evaluate((one) => (one as unknown as { open: boolean }).open)).toBe(false);
          },
        ],
        [
          /^button Close$/,
          async () => {
            await press(console, 'Close');
            await expect.poll(() => entry.count()).toBe(0);
          },
        ],
        [
          /^button Pause$/,
          async () => {
            await press(console, 'Pause');
            app.send('SET_ACTIVITY', { pid: process.pid, activity: { state: 'rowing back' } });
            await app.answer('SET_ACTIVITY');
            await page.waitForTimeout(700);
            expect(await list.getByRole('option').count()).toBe(2);
          },
        ],
        [
          /^button Go on$/,
          async () => {
            await press(console, 'Go on');
            await expect.poll(() => list.getByRole('option').count()).toBe(4);
          },
        ],
      ]);
      expect(left).toEqual([]);
    });

    it('of the requests and the grants', async () => {
      const console = await opened();
      const { emulator, page, view, complaints } = console;
      const app = await connectClient(emulator);
      onTestFinished(() => app.end());
      const answers = (button: string, scope: string, evt: string | null) => async () => {
        await view('requests');
        app.send('AUTHORIZE', { client_id: APP, scopes: [scope] });
        await press(console, `${button}: Harbour Example`);
        expect(await app.answer('AUTHORIZE')).toMatchObject({ evt });
        await page.getByText('No request waits for you.').waitFor();
      };
      const left = await useAll(page, [
        ...FRAME,
        [/^link [0-9a-f]{8}$/, async () => {}],
        [/^button Deny: /, answers('Deny', 'identify', 'ERROR')],
        [/^button Allow once: /, answers('Allow once', 'guilds', null)],
        [/^button Always: /, answers('Always', 'rpc', null)],
        [
          /^button Revoke the grant of /,
          async () => {
            await view('grants');
            // The scopes, and how long each grant holds.
            await page.getByRole('row', { name: /guilds.* once / }).waitFor();
            await page.getByRole('row', { name: /rpc.* always / }).waitFor();
            const revoke = page.getByRole('button', {
              name: 'Revoke the grant of Harbour Example',
              exact: true,
            });
            await revoke.first().click();
            expect(await emulator.operations.call('grants.list')).toHaveLength(2);
          },
        ],
        [
          // All of an application go together.
          /^button Really revoke\? Revoke the grant of /,
          async () => {
            await press(console, 'Really revoke? Revoke the grant of Harbour Example');
            await page.getByText('No app has a permission.').waitFor();
            expect(await emulator.operations.call('grants.list')).toEqual([]);
          },
        ],
      ]);
      expect(left).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('of users, voice and the clock', async () => {
      const console = await opened();
      const { emulator, page, view } = console;
      const app = await connectClient(emulator);
      onTestFinished(() => app.end());
      await view('requests');
      app.send('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
      await press(console, 'Always: Harbour Example');
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
        [/^button (Allow once|Always|Deny): |^link [0-9a-f]{8}$/, async () => {}],
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
          / of (Unlink|Put|Move|Set) |^field (In|Out)put volume|^button (Switch|Ban|Log|Leave|Mute|Deafen|Freeze|Reset|Speak)\b/,
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

    it('of faults and the doctor', async () => {
      const console = await opened();
      const { emulator, page, view } = console;
      const add = page.getByRole('form', { name: 'Add a fault' });
      const faults = () => emulator.operations.call('fault.list');
      await view('faults');
      const left = await useAll(page, [
        ...FRAME,
        [/^choice Where of /, () => add.getByLabel('Where').selectOption({ label: 'HTTP' })],
        [/^field Command or route of /, () => add.getByLabel('Command or route').fill('GET /users/@me')],
        [/^field Times of /, () => add.getByLabel('Times').fill('3')],
        [/^field Chance of /, () => add.getByLabel('Chance').fill('0.5')],
        [
          /^(field Kind|button Add) of /,
          async () => {
            await add.getByLabel('Kind').fill('status=503');
            await add.getByRole('button', { name: 'Add' }).click();
            await expect.poll(faults).toMatchObject([{ fault: 'status=503', left: 3, probability: 0.5 }]);
            expect((await faults())[0]?.where).toContain('/users/@me');
            await add.getByLabel('Kind').fill('dorp');
            await add.getByRole('button', { name: 'Add' }).click();
            await expect.poll(() => add.getByRole('alert').textContent()).toContain('Did you mean "drop"?');
          },
        ],
        [
          /^button Remove the fault /,
          async () => {
            await press(console, 'Remove the fault f1');
            await page.getByText('There is no fault.').waitFor();
            expect(await faults()).toEqual([]);
          },
        ],
        [
          /^button Look again$/,
          async () => {
            await view('doctor');
            await page.getByText('To do: footbridge run').waitFor();
            const answered = page.waitForResponse(/\/doctor$/);
            await press(console, 'Look again');
            expect((await answered).ok()).toBe(true);
          },
        ],
      ]);
      expect(left).toEqual([]);
    });
  },
);

describe.skipIf(missing !== undefined)(`the console page${missing ?? ''}`, { timeout: 120_000 }, () => {
  it('takes a question back after Escape and after the focus leaves, and counts a double click or a held key once', async () => {
    const console = await opened();
    const { page, view } = console;
    await view('world');
    const ban = page.getByRole('button', { name: 'Ban otter', exact: true });
    const question = page.getByRole('button', { name: 'Really ban? Ban otter' });
    const bans = async () => (await worldOf(console)).account_bans;
    await ban.focus();
    await page.keyboard.press('Enter');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await ban.waitFor();
    await page.keyboard.press('Enter');
    await question.waitFor();
    await page.keyboard.press('Tab');
    await ban.waitFor();
    await ban.dblclick();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await ban.waitFor();
    // A key that is down twice without being up is held.
    for (let time = 0; time < 5; time += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await question.waitFor();
    expect(await bans()).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(bans).toHaveLength(1);
  });

  it('offers no action while the bridge is down, and says why', async () => {
    const console = await opened();
    const { emulator, page, view } = console;
    await emulator.operations.call('fault.add', { fault: 'drop', command: 'GET_GUILD' });
    const app = await connectClient(emulator);
    onTestFinished(() => app.end());
    app.send('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    await expect.poll(() => emulator.operations.call('requests.list')).toHaveLength(1);
    await page.getByRole('link', { name: 'Requests 1', exact: true }).waitFor();
    const names = ['requests', 'world', 'faults'] as const;
    for (const name of names) {
      // The view is filled when the bridge ends.
      const pageOf = name === 'requests' ? page : await page.context().newPage();
      if (pageOf !== page) await pageOf.goto(`${console.origin}/#/${name}`);
      else await view(name);
      await pageOf.locator('main button').first().waitFor();
    }
    await emulator.close();
    for (const open of page
      .context()
      .pages()
      .filter((one) => one.url().startsWith(console.origin))) {
      await open.getByText('Bridge away').waitFor();
      const controls = open.locator('main button, main input[type=range]');
      await expect
        .poll(() =>
          controls.evaluateAll((all) =>
            all.every((one) => (one as unknown as { disabled: boolean }).disabled),
          ),
        )
        .toBe(true);
      const reason = await open.locator('#why-not').textContent();
      expect(reason).not.toBe('');
      expect(await controls.first().getAttribute('title')).toBe(reason);
    }
    // A view that is opened now says nothing of lists that it has not read.
    for (const name of ['grants', 'requests', 'faults', 'world']) {
      await page.goto('about:blank');
      await page.goto(`${console.origin}/#/${name}`);
      await page.locator('main').getByRole('alert').first().waitFor();
      expect(await page.locator('main').textContent(), name).not.toMatch(
        /No app has a permission|No request waits|There is no fault|Looking/,
      );
    }
    await view('doctor');
    await press(console, 'Look again');
  });

  it('keeps the row of a long refusal as it was', async () => {
    const console = await opened();
    const { emulator, page, view } = console;
    const app = await connectClient(emulator);
    onTestFinished(() => app.end());
    await view('requests');
    app.send('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    await press(console, 'Always: Harbour Example');
    await app.answer('AUTHORIZE');
    const message = `${'Nothing of this can be stored in the folder. '.repeat(30)}${'x'.repeat(500)}`;
    await page.route(/\/call\/(grants\.revoke|user\.ban)$/, (route) =>
      route.fulfill({ status: 409, json: { code: 'FOOTBRIDGE_REFUSED', message } }),
    );
    for (const [name, button, question, row] of [
      ['grants', 'Revoke the grant of Harbour Example', 'Really revoke?', 'main tbody tr'],
      ['world', 'Ban otter', 'Really ban?', 'main .rows li:has(button[aria-label="Ban otter"])'],
    ] as const) {
      await view(name);
      await page.setViewportSize({ width: 1000, height: 800 });
      await pressTwice(console, button, question);
      const refusal = page.locator(row).getByRole('alert');
      expect(await refusal.textContent()).toBe(message);
      const box = await page.locator(row).boundingBox();
      expect(box?.height, name).toBeLessThan(220);
      const { width: wide = 0, height: high = 0 } = (await refusal.boundingBox()) ?? {};
      expect(wide, name).toBeGreaterThan(200);
      expect(high, name).toBeGreaterThan(40);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(1000);
    }
  });

  it('says what is wrong with an address, or shows a view', async () => {
    const { page, origin, complaints } = await opened();
    for (const [hash, heading] of [
      ['#/operations/no.such', 'Operations'],
      ['#/operations/..', 'Operations'],
      ['#/operations/%2e%2e', 'Overview'],
      ['#/operations/', 'Operations'],
      ['#/nothing/at/all', 'Overview'],
    ] as const) {
      await page.goto(`${origin}/${hash}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      if (/operations\/[n.]/.test(hash)) await page.getByText('This bridge has no operation').waitFor();
    }
    expect(complaints).toEqual([]);
  });
});
