import { describe, expect, it, onTestFinished } from 'vitest';
import { bridgeRun } from '../../../helpers/bridge-run.ts';
import { chromiumMissing } from '../../../helpers/chromium.ts';
import { connectClient } from '../app.ts';
import { FRAME, press, useAll } from '../controls.ts';
import { opened, openedOn } from '../opened.ts';

const missing = chromiumMissing();
const APP = '300000000000000001';
const ORIGIN = 'http://localhost:4321';

describe.skipIf(missing !== undefined)(
  `each control of the console page works:${missing ?? ''}`,
  { timeout: 180_000 },
  () => {
    it('of requests, grants and web pages', async () => {
      const console = await opened();
      const { emulator, page, view, complaints } = console;
      const app = await connectClient(emulator);
      onTestFinished(() => app.end());
      const origins = async () => (await emulator.operations.call('origins.list')).origins;
      const allow = page.getByRole('form', { name: 'Allow a web page' });
      const decisions = page.getByRole('list', { name: 'List of decisions' });
      const answers = (button: string, scope: string, evt: string | null, outcome: string) => async () => {
        await view('requests');
        app.send('AUTHORIZE', { client_id: APP, scopes: [scope] });
        await press(console, `${button}: Harbour Example`);
        expect(await app.answer('AUTHORIZE')).toMatchObject({ evt });
        await page.getByText('No request waits for you.').waitFor();
        await decisions.getByRole('listitem').filter({ hasText: scope }).getByText(outcome).waitFor();
      };
      const left = await useAll(page, [
        ...FRAME,
        // The name of the program, until the status names the application.
        [/^link Traffic of (?:Harbour Example|\d+|node .*)$/, async () => {}],
        [/^button Copy: /, async () => {}],
        [/^button Deny: /, answers('Deny', 'identify', 'ERROR', 'denied')],
        [/^button Allow once: /, answers('Allow once', 'guilds', null, 'allowed once')],
        [/^button Always allow: /, answers('Always allow', 'rpc', null, 'always allowed')],
        [
          /^button Revoke the grant of /,
          async () => {
            const grants = page.getByRole('list', { name: 'List of grants' }).getByRole('listitem');
            // The scopes, and how long each grant holds.
            await grants.filter({ hasText: /guilds.*once, / }).waitFor();
            await grants.filter({ hasText: /rpc.*always, .*, allowed by \S/ }).waitFor();
            const button = grants.getByRole('button').first();
            const before = await button.boundingBox();
            await press(console, 'Revoke the grant of Harbour Example');
            // The hint is seen, below the button, which stays in its row.
            const hint = grants.getByText('Use it again to confirm, or press Escape.');
            const [at, box] = [await hint.boundingBox(), await button.boundingBox()];
            expect(box?.y).toBe(before?.y);
            expect((at?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0)).toBeCloseTo(4, 0);
            expect(at?.width).toBeGreaterThan(200);
            expect((at?.x ?? 0) + (at?.width ?? 0)).toBeCloseTo((box?.x ?? 0) + (box?.width ?? 0), 0);
            await page.keyboard.press('Escape');
            await expect.poll(() => grants.getByText('Use it again').count()).toBe(0);
            await press(console, 'Revoke the grant of Harbour Example');
            expect(await emulator.operations.call('grants.list')).toHaveLength(2);
          },
        ],
        [
          // All of an application go together.
          /^button Really revoke\? Revoke the grant of /,
          async () => {
            const asked: string[] = [];
            page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
            await press(console, 'Really revoke? Revoke the grant of Harbour Example');
            await page.getByText('No app has a permission.').waitFor();
            expect(await emulator.operations.call('grants.list')).toEqual([]);
            await page
              .getByText(/^Harbour Example: 2 grants revoked, \d+ tokens? ended, 0 connections closed\.$/)
              .waitFor();
            // The decisions are read together with the grants, so that the two never contradict each other.
            const read = asked.indexOf('/call/grants.list', asked.indexOf('/call/grants.revoke'));
            expect(asked[read + 1]).toBe('/call/requests.history');
            // The history keeps who asked and who answered, and marks what the revocation ended.
            const rows = decisions.getByRole('listitem');
            await rows
              .filter({ hasText: /rpc.* · in the console.*always allowed, revoked \d\d:\d\d:\d\d$/ })
              .waitFor();
            await rows.filter({ hasText: /guilds.*allowed once, revoked \d\d:\d\d:\d\d$/ }).waitFor();
            expect(await rows.first().textContent()).toMatch(/\d\d:\d\d:\d\d · in the consolerevoked$/);
            expect(await rows.filter({ hasText: 'asked by' }).first().textContent()).not.toContain('/');
          },
        ],
        [
          /^(field (Origin|Application)|button Allow) of Allow a web page$/,
          async () => {
            await allow.getByLabel('Origin').fill('localhost:4321');
            await allow.getByLabel('Application').fill(APP);
            await allow.getByRole('button', { name: 'Allow' }).click();
            await expect
              .poll(() => allow.getByRole('alert').textContent())
              .toContain('Write scheme://host[:port]');
            await allow.getByLabel('Origin').fill(ORIGIN);
            await allow.getByRole('button', { name: 'Allow' }).click();
            await expect.poll(origins).toEqual([{ clientId: APP, origin: ORIGIN }]);
          },
        ],
        [
          new RegExp(`^button Revoke ${ORIGIN} for ${APP}$`),
          () => press(console, `Revoke ${ORIGIN} for ${APP}`),
        ],
        [
          /^button Really revoke\? Revoke http/,
          async () => {
            await press(console, `Really revoke? Revoke ${ORIGIN} for ${APP}`);
            await expect.poll(origins).toEqual([]);
          },
        ],
        [
          /^button Allow the preset /,
          async () => {
            await press(console, 'Allow the preset streamkit');
            await expect
              .poll(async () => (await origins()).map(({ origin }) => origin))
              .toContain('https://streamkit.discord.com');
          },
        ],
        [/^button Revoke http/, async () => {}],
      ]);
      expect(left).toEqual([]);
      // The refusal of an origin is no error of the page.
      expect(complaints).toEqual([]);
    });
  },
);

it.skipIf(missing !== undefined)(
  `the console page says who asks, for what, and how much of the time is left${missing ?? ''}`,
  async () => {
    const { emulator, page } = await opened();
    const app = await connectClient(emulator);
    onTestFinished(() => app.end());
    app.send('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    // The overview shows it, too.
    const card = page.getByRole('article', { name: 'Request of Harbour Example' });
    await card.waitFor();
    const text = (await card.textContent()) ?? '';
    expect(text).toContain(`pid ${process.pid}`);
    expect(text).toContain(APP);
    expect(text).toContain('identify');
    // Seconds where less than two minutes are left.
    expect(text).toMatch(/([2-9]|\d\d+) (minutes|seconds) left/);
    await expect.poll(() => page.title()).toBe('(1) Overview · Footbridge');
    // The clock of the emulator decides.
    const [before] = await emulator.operations.call('requests.list');
    await emulator.operations.call('clock.freeze');
    const [frozen] = await emulator.operations.call('requests.list');
    await page.waitForTimeout(50);
    const [later] = await emulator.operations.call('requests.list');
    expect(later?.expiresIn).toBe(frozen?.expiresIn);
    expect(frozen?.expiresIn).toBeLessThanOrEqual(before?.expiresIn ?? 0);
    await emulator.operations.call('clock.advance', { by: '2h' });
    await card.waitFor({ state: 'detached' });
    await expect.poll(() => page.title()).toBe('Overview · Footbridge');
    expect(await emulator.operations.call('requests.history')).toMatchObject([
      { applicationName: 'Harbour Example', wishes: ['identify'], outcome: 'timed-out', by: null },
    ]);
  },
);

it.skipIf(missing !== undefined)(
  `the console page pairs a client that may attach, and has no part that this core lacks${missing ?? ''}`,
  async () => {
    const run = await bridgeRun({ env: { FOOTBRIDGE_CORE: 'attach', FOOTBRIDGE_ATTACH_PORT: '0' } });
    const { page, view, complaints } = await openedOn(run.control);
    const clients = async () =>
      ((await run.control.call('attach.list')) as { readonly clients: readonly { readonly name: string }[] })
        .clients;
    await view('requests');
    const form = page.getByRole('form', { name: 'Pair a client' });
    await page.getByText('No client is paired.').waitFor();
    await form.getByLabel('Name').fill('desk');
    await form.getByRole('button', { name: 'Pair' }).click();
    await page.getByText('Give this code to desk; it works once:').waitFor();
    const code = await page
      .locator('.command')
      .filter({ has: page.getByRole('button', { name: 'Copy: the code of desk' }) })
      .locator('code')
      .textContent();
    expect(code).toMatch(/^\S{6,}$/);
    expect(await clients()).toEqual([]);
    // This core has no requests of its own.
    expect(await page.getByText('No request waits for you.').count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Grants', level: 2 }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);
