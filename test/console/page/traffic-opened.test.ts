import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import type { HttpArchive } from '../../../src/journal/har.ts';
import { RecordReader } from '../../../src/journal/record-reader.ts';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { addBot, botToken, gatewayBot } from '../../helpers/gateway-bot.ts';
import { GatewayConnection } from '../../helpers/gateway-connection.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { connectClient } from './app.ts';
import { axeViolations } from './axe.ts';
import { type Opened, opened } from './opened.ts';

const missing = chromiumMissing();
const APP = '300000000000000001';
const OTHER = '300000000000000002';
const GUILD = '400000000000000001';
const CHANNEL = '500000000000000002';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const openRow = (page: Page, text: string | RegExp) => rows(page).filter({ hasText: text }).last().click();
const rows = (page: Page) => page.getByRole('listbox', { name: 'Traffic', exact: true }).getByRole('option');
const row = (page: Page) => page.getByRole('complementary', { name: 'Opened row' });

/** A console with the traffic of an app that shows two activities, of which the last is refused. */
async function withApp(): Promise<Opened> {
  const console = await opened({ consent: 'allow' });
  await console.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const app = await connectClient(console.emulator);
  app.send('SET_ACTIVITY', { pid: process.pid, activity: { state: 'At sea', details: 'Sea and sea' } });
  await app.answer('SET_ACTIVITY');
  app.send('GET_GUILDS', {});
  await app.answer('GET_GUILDS');
  await console.view('traffic');
  return console;
}

const copied = (page: Page) => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
const marked = (page: Page, name: string) =>
  page.evaluate(`[...(CSS.highlights.get('${name}') ?? [])].map((place) => place.toString())`) as Promise<
    string[]
  >;
const entriesOf = async ({ emulator }: Opened): Promise<readonly JournalEntry[]> =>
  (await emulator.operations.call('journal.read', {})).entries as readonly JournalEntry[];

describe.skipIf(missing !== undefined)(
  `the opened row of the console${missing ?? ''}`,
  { timeout: 120_000 },
  () => {
    it('has the request beside the answer, in three forms, with times in words', async () => {
      const { page } = await withApp();
      await openRow(page, 'GET_GUILDS');
      const request = page.getByRole('region', { name: 'Request' });
      const answer = page.getByRole('region', { name: 'Answer' });
      await row(page).getByText('Result 4006').waitFor();
      expect(
        await row(page)
          .getByText(/^(just now|\d+ seconds? ago), at \d\d:\d\d/)
          .count(),
      ).toBe(1);
      await request.getByText('"GET_GUILDS"').waitFor();
      await answer.getByText('4006').waitFor();
      await button(page, 'Table').click();
      expect(await answer.getByRole('row').filter({ hasText: 'data.code' }).textContent()).toBe(
        'data.code4006',
      );
      await button(page, 'Raw').click();
      expect(JSON.parse((await request.locator('pre').textContent()) ?? '')).toMatchObject({
        cmd: 'GET_GUILDS',
      });
      expect(await button(page, 'Raw').getAttribute('aria-pressed')).toBe('true');
      await button(page, 'Tree').click();
      await button(page, 'Close').click();
      expect(await row(page).count()).toBe(0);
    });

    it('is searched with next and previous, and each place is marked', async () => {
      const { page } = await withApp();
      await openRow(page, 'SET_ACTIVITY');
      const field = page.getByRole('searchbox', { name: 'Search in the content' });
      await field.fill('SEA');
      const state = row(page).getByRole('group', { name: 'Search in the content' }).getByRole('status');
      await expect.poll(() => state.textContent()).toMatch(/^1 of \d+$/);
      const count = Number((await state.textContent())?.split(' ').at(-1));
      expect(await marked(page, 'found')).toEqual(
        Array.from({ length: count }, () => expect.stringMatching(/^sea$/i) as string),
      );
      expect(await marked(page, 'found-current')).toHaveLength(1);
      await button(page, 'Next place').click();
      await expect.poll(() => state.textContent()).toBe(`2 of ${count}`);
      await button(page, 'Previous place').click();
      await button(page, 'Previous place').click();
      await expect.poll(() => state.textContent()).toBe(`${count} of ${count}`);
      await field.press('Enter');
      await expect.poll(() => state.textContent()).toBe(`1 of ${count}`);
      await field.press('Shift+Enter');
      await expect.poll(() => state.textContent()).toBe(`${count} of ${count}`);
      // A folded part opens for the place in it.
      await page.evaluate(`for (const one of document.querySelectorAll('.side details')) one.open = false`);
      await button(page, 'Next place').click();
      await expect
        .poll(() => page.evaluate(`document.querySelector('.side details[open]') !== null`))
        .toBe(true);
      await field.fill('nothing has this');
      await expect.poll(() => state.textContent()).toBe('Nothing found');
      expect(await marked(page, 'found')).toEqual([]);
      expect(await button(page, 'Next place').isDisabled()).toBe(true);
    });

    it('is copied as JSON, as footbridge call and as curl', async () => {
      const console = await withApp();
      const { page, emulator } = console;
      await openRow(page, 'GET_GUILDS');
      await button(page, 'Copy as JSON: the whole row').click();
      await expect.poll(() => copied(page)).toContain('4006');
      expect(JSON.parse(await copied(page))).toMatchObject([
        { kind: 'frame', text: { cmd: 'GET_GUILDS' } },
        { kind: 'frame', text: { evt: 'ERROR' } },
      ]);
      await button(page, 'Copy as footbridge call: the request').click();
      await expect
        .poll(() => copied(page))
        .toBe(`footbridge call GET_GUILDS '{}' --scopes rpc --client-id ${APP}`);
      await button(page, 'Copy: Answer').click();
      await expect.poll(() => copied(page)).toContain('"evt": "ERROR"');
      const copy = button(page, 'Copy: Answer');
      const width = async () => (await copy.boundingBox())?.width;
      const before = (await width()) ?? 0;
      await copy.click();
      await button(page, 'Copied: Answer').waitFor();
      expect((await button(page, 'Copied: Answer').boundingBox())?.width).toBeGreaterThanOrEqual(before);
      const note = /^The copy has/;
      expect(await row(page).getByText(note).count()).toBe(0);
      await fetch(`${emulator.api}/v10/channels/${CHANNEL}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"content":5}',
      });
      await openRow(page, 'POST');
      expect(await row(page).getByText(note).textContent()).toBe(
        'The copy has no body, because the journal did not keep it.',
      );
      await fetch(`${emulator.api}/v10/users/@me`, { headers: { authorization: `Bot ${botToken(APP)}` } });
      await openRow(page, '/users/@me');
      await button(page, 'Copy as curl: the request').click();
      await expect.poll(() => copied(page)).toContain('curl -X GET');
      const curl = await copied(page);
      expect(curl).toContain(`${emulator.api}/v10/users/@me`);
      expect(curl).toContain('"Authorization: Bot $TOKEN"');
      expect(curl).not.toContain(botToken(APP));
    });

    it('is sent again, and the view goes to the new row', async () => {
      const console = await withApp();
      const { page } = console;
      await openRow(page, 'SET_ACTIVITY');
      await button(page, 'Resend').click();
      await row(page).getByText('sent by hand', { exact: true }).waitFor();
      const sent = (await entriesOf(console)).filter(
        (entry) => 'byHand' in entry && entry.kind === 'frame' && entry.text.includes('At sea'),
      );
      await row(page)
        .getByText(new RegExp(`^Numbers? ${sent[0]?.seq}`))
        .waitFor();
      expect(await page.getByRole('option').filter({ hasText: 'by hand' }).count()).toBeGreaterThan(0);
      // The address of the row is kept until another is opened.
      expect(page.url()).toContain(`entry=${sent[0]?.seq}`);
      await page.reload();
      await row(page).getByText('sent by hand', { exact: true }).waitFor();
      await openRow(page, 'GET_GUILDS');
      expect(page.url()).not.toContain('entry=');
    });

    it('is edited and sent, and a refusal stays beside the button', async () => {
      const console = await withApp();
      const { page } = console;
      await openRow(page, 'SET_ACTIVITY');
      await button(page, 'Edit and resend').click();
      const form = page.getByRole('form', { name: 'Edit and resend' });
      const args = form.getByLabel('Arguments');
      expect(JSON.parse(await args.inputValue())).toMatchObject({ activity: { state: 'At sea' } });
      await args.fill('{');
      await button(page, 'Send').click();
      await form.getByRole('alert').waitFor();
      await args.fill(JSON.stringify({ pid: process.pid, activity: { state: 'Ashore' } }));
      await button(page, 'Send').click();
      await row(page).getByText('sent by hand', { exact: true }).waitFor();
      await row(page).getByText('"Ashore"').first().waitFor();
      expect(await form.count()).toBe(0);
      await openRow(page, 'GET_GUILDS');
      await button(page, 'Resend').click();
      await row(page).getByRole('alert').filter({ hasText: 'GET_GUILDS needs rpc' }).waitFor();
      await button(page, 'Edit and resend').click();
      await form.getByText(/^Refused as it is: GET_GUILDS needs the scope rpc/).waitFor();
      await button(page, 'Cancel').click();
      expect(await form.count()).toBe(0);
    });

    it('opens and marks what the answer refuses, and shows its value', async () => {
      const console = await opened({ consent: 'allow' });
      const { page, emulator } = console;
      const app = await connectClient(emulator);
      const timestamps = { start: 'yesterday' };
      app.send('SET_ACTIVITY', { pid: process.pid, activity: { state: 'At sea', timestamps } });
      await app.answer('SET_ACTIVITY');
      await addBot(emulator, APP, GUILD, []);
      await fetch(`${emulator.api}/v10/channels/${CHANNEL}/messages`, {
        method: 'POST',
        headers: { authorization: `Bot ${botToken(APP)}`, 'content-type': 'application/json' },
        body: '{"embeds":[{"title":"Tide","color":"red"}]}',
      });
      await console.view('traffic');
      const request = page.getByRole('region', { name: 'Request' });
      const wrong = request.locator('.leaf').filter({ has: page.locator('.remark') });
      await openRow(page, 'SET_ACTIVITY');
      await wrong.waitFor();
      expect(await wrong.textContent()).toMatch(/^start "yesterday" .*number/);
      expect(await wrong.isVisible()).toBe(true);
      await button(page, 'Table').click();
      await request
        .getByRole('row')
        .filter({ hasText: 'args.activity.timestamps.start' })
        .getByText(/number/)
        .waitFor();
      await button(page, 'Tree').click();
      await page.keyboard.press('Escape');
      const post = rows(page).filter({ hasText: `POST /channels/${CHANNEL}/messages` });
      expect(await post.locator('.detail').textContent()).toMatch(/^embeds\.0\.color: .*int/);
      await post.click();
      await row(page).getByText('Result 400 Bad Request').waitFor();
      expect(await wrong.textContent()).toMatch(/^color "red" .*int/);
      expect(await wrong.isVisible()).toBe(true);
    });

    it('of a request over HTTP is edited by method, path and body', async () => {
      const console = await opened({ consent: 'allow' });
      const { page, emulator } = console;
      await addBot(emulator, APP, GUILD, []);
      await fetch(`${emulator.api}/v10/channels/${CHANNEL}/messages`, {
        method: 'POST',
        headers: { authorization: `Bot ${botToken(APP)}`, 'content-type': 'application/json' },
        body: '{"content":"Low tide"}',
      });
      await console.view('traffic');
      await openRow(page, `/channels/${CHANNEL}/messages`);
      await row(page).getByText('Harbour Example').waitFor();
      await row(page)
        .getByText(/^\d+ headers$/)
        .first()
        .click();
      await row(page).getByText('Bot [hidden]').waitFor();
      await button(page, 'Edit and resend').click();
      const form = page.getByRole('form', { name: 'Edit and resend' });
      await form.getByLabel('Body').fill('{"content":"High tide"}');
      await button(page, 'Send').click();
      await row(page).getByText('sent by hand', { exact: true }).waitFor();
      await row(page).getByText('"High tide"').first().waitFor();
      await button(page, 'Edit and resend').click();
      await form.getByLabel('Method').selectOption('GET');
      await form.getByLabel('Path').fill(`/api/v10/channels/${CHANNEL}`);
      await form.getByLabel('Body').fill('');
      await button(page, 'Send').click();
      await row(page).getByText(`GET /api/v10/channels/${CHANNEL}`, { exact: true }).first().waitFor();
      expect(JSON.stringify(await entriesOf(console))).not.toContain(botToken(APP));
    });

    it('of an event has the event in words', async () => {
      const { page, emulator, view } = await opened({ consent: 'allow' });
      await addBot(emulator, APP, GUILD, []);
      const bot = new GatewayConnection(emulator.api);
      onTestFinished(() => bot.socket.terminate());
      await bot.identify(botToken(APP), { intents: 1 });
      await view('traffic');
      const event = rows(page).filter({ hasText: 'GUILD_CREATE' });
      await expect.poll(() => event.locator('.detail').first().textContent()).toMatch(/^guild \w+/);
    });

    it('of an interaction leads to the request that answered it, and back', async () => {
      const console = await opened({ consent: 'allow' });
      const { page, emulator } = console;
      await addBot(emulator, APP, GUILD, [{ name: 'tide', description: 'How high it is' }]);
      await gatewayBot(emulator, APP, () => ({ type: 4, data: { content: 'Low.' } }));
      await emulator.operations.call('interaction.use', { app: APP, command: '/tide' });
      await fetch(`${emulator.api}/v10/channels/${CHANNEL}/messages`, {
        method: 'POST',
        headers: { authorization: `Bot ${botToken(APP)}`, 'content-type': 'application/json' },
        body: '{"content":"Low tide"}',
      });
      await console.view('traffic');
      const detail = (name: string) => rows(page).filter({ hasText: name }).locator('.detail').textContent();
      await rows(page).filter({ hasText: '/callback' }).waitFor();
      expect(await detail('INTERACTION_CREATE')).toMatch(/^\/tide by \w+$/);
      expect(await detail('/callback')).toBe('message "Low."');
      expect(await detail(`POST /channels/${CHANNEL}/messages`)).toBe('message "Low tide"');
      const asked = rows(page).filter({ hasText: 'INTERACTION_CREATE' });
      await expect.poll(() => asked.locator('.result').textContent()).toBe('ok');
      expect(await asked.locator('.ms').textContent()).toMatch(/^[\d.]+ m?s$/);
      await openRow(page, 'INTERACTION_CREATE');
      await page.getByRole('link', { name: 'The request that answered it' }).click();
      await row(page)
        .getByRole('heading', { name: /^POST .*\/interactions\/\d+\// })
        .waitFor();
      for (const name of ['Resend', 'Edit and resend'])
        expect(await button(page, name).isDisabled()).toBe(true);
      await row(page).getByText('An interaction is answered once.').waitFor();
      expect(await button(page, 'Copy as curl: the request').count()).toBe(0);
      await row(page)
        .getByText(/^\/tide by \w+$/)
        .waitFor();
      // Beside an opened row there is no place for name and summary.
      expect(await asked.locator('.detail').isVisible()).toBe(true);
      expect(await asked.locator('.name').isVisible()).toBe(false);
      await page.getByRole('link', { name: 'The interaction that it answers' }).click();
      await row(page).getByRole('heading', { name: 'INTERACTION_CREATE' }).waitFor();
    });

    it('of an interaction that its bot does not answer is an error, without another entry', async () => {
      const console = await opened({ consent: 'allow' });
      const { page, emulator } = console;
      await addBot(emulator, APP, GUILD, [{ name: 'tide', description: 'How high it is' }]);
      await gatewayBot(emulator, APP, () => undefined);
      await console.view('traffic');
      const use = emulator.operations.call('interaction.use', { app: APP, command: '/tide' });
      await page.getByRole('combobox', { name: 'Filter' }).fill('status:error');
      await rows(page).filter({ hasText: 'INTERACTION_CREATE' }).filter({ hasText: 'no answer' }).waitFor();
      await use;
      await openRow(page, 'INTERACTION_CREATE');
      await row(page).getByText('The bot did not answer within 3 seconds.').waitFor();
    });

    it('of an authorization leads to the grant', async () => {
      const console = await opened({ consent: 'allow' });
      const { page, emulator } = console;
      const other = await connectClient(emulator, OTHER);
      other.send('AUTHORIZE', { client_id: OTHER, scopes: ['guilds'] });
      await other.answer('AUTHORIZE');
      const app = await connectClient(emulator);
      app.send('AUTHORIZE', { client_id: APP, scopes: ['rpc'] });
      await app.answer('AUTHORIZE');
      await console.view('traffic');
      await openRow(page, 'AUTHORIZE');
      expect(await button(page, 'Resend').isDisabled()).toBe(true);
      await row(page).getByText('AUTHORIZE gives rights to the session that sends it').waitFor();
      await page.getByRole('link', { name: 'Grants and decisions of the app' }).click();
      await page.getByRole('heading', { name: 'Requests and grants', level: 1 }).waitFor();
      expect(page.url()).toContain(`#/requests?app=${APP}`);
      // Of that application only.
      const listed = page.getByRole('list', { name: 'List of grants' }).getByRole('listitem');
      await listed.filter({ hasText: 'rpc' }).waitFor();
      expect(await listed.count()).toBe(1);
      await page.getByRole('link', { name: 'Show all' }).click();
      await listed.filter({ hasText: 'guilds' }).waitFor();
    });

    it('of the end of a connection leads to the revocation that caused it, and back', async () => {
      const console = await opened();
      const { page, emulator } = console;
      const app = await connectClient(emulator);
      app.send('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
      await console.view('requests');
      await button(page, 'Allow once: Harbour Example').click();
      const { data } = (await app.answer('AUTHORIZE')) as { readonly data: { readonly code: string } };
      const exchange = await fetch(`${emulator.api}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: APP,
          client_secret: 'any',
          grant_type: 'authorization_code',
          code: data.code,
        }),
      });
      app.send('AUTHENTICATE', (await exchange.json()) as object);
      await app.answer('AUTHENTICATE');
      const [grant] = await emulator.operations.call('grants.list');
      await emulator.operations.call('grants.revoke', { id: grant?.id ?? '' });
      await console.view('traffic');
      await openRow(page, 'CLOSE');
      await page.getByRole('link', { name: 'Grants and decisions of the app' }).click();
      const decisions = page.getByRole('list', { name: 'List of decisions' }).getByRole('listitem');
      await decisions
        .first()
        .getByText(/^revoked · /)
        .waitFor();
      await decisions
        .last()
        .getByText(/^allowed once, revoked/)
        .waitFor();
      await decisions.first().getByRole('link', { name: 'closed connections' }).click();
      await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor();
      await expect.poll(() => page.locator('.list .row .name').allTextContents()).toEqual(['CLOSE']);
    });

    it('is downloaded with all that is filtered, as JSON lines and as an archive', async () => {
      const console = await withApp();
      const { page } = console;
      await page.goto(`${console.origin}/#/traffic?filter=${encodeURIComponent('cmd:GET_GUILDS')}`);
      await expect.poll(() => rows(page).count()).toBe(1);
      const saved = async (name: string): Promise<string> => {
        const download = page.waitForEvent('download');
        await button(page, name).click();
        return readFileSync((await (await download).path()) ?? '', 'utf8');
      };
      const reader = new RecordReader('traffic.ndjson');
      reader.write(await saved('Download JSON lines'));
      const { core, entries } = reader.end();
      expect(core).toBe('emulator');
      expect(entries.map((entry) => entry.kind === 'frame' && entry.direction)).toEqual(['in', 'out']);
      const { log } = JSON.parse(await saved('Download HAR')) as HttpArchive;
      expect(log.entries).toMatchObject([{ _webSocketMessages: [{ type: 'send' }, { type: 'receive' }] }]);
      expect(console.complaints).toEqual([]);
    });

    it.each(['auto', 'contrast'])(
      'has no axe violation in each form and while it is edited, in the theme %s',
      async (theme) => {
        const { page } = await withApp();
        await page.getByLabel('Theme').selectOption(theme);
        await openRow(page, 'SET_ACTIVITY');
        await page.keyboard.press('s');
        await page.keyboard.type('sea');
        await button(page, 'Resend').click();
        await row(page).getByText('sent by hand', { exact: true }).waitFor();
        await page.keyboard.press('e');
        await page.getByRole('form', { name: 'Edit and resend' }).waitFor();
        for (const form of ['Table', 'Raw', 'Tree']) {
          await button(page, form).click();
          expect(await axeViolations(page), form).toEqual([]);
        }
        await page.setViewportSize({ width: 420, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(420);
      },
    );

    it('of a recorded file is read only, and marked as such', async () => {
      const console = await withApp();
      const { page } = console;
      const folder = temporaryFolder();
      const file = join(folder, 'talk.ndjson');
      const entry = (seq: number, more: object) => JSON.stringify({ seq, at: seq, session: 's', ...more });
      const hostile = '<img src=x onerror=alert(1)>';
      const frame = {
        kind: 'frame',
        direction: 'in',
        opcode: 1,
        text: JSON.stringify({ cmd: hostile, nonce: '1', args: { access_token: 'kept0secret' } }),
      };
      const deep = {
        kind: 'frame',
        direction: 'out',
        opcode: 1,
        text: `{"cmd":"DEEP","data":${'['.repeat(9000)}${']'.repeat(9000)}}`,
      };
      const webhook = { kind: 'webhook', application: '42', type: 'PING', url: 'http://127.0.0.1/' };
      writeFileSync(
        file,
        `${[entry(1, { kind: 'connect', over: 'ipc' }), entry(2, frame), entry(3, deep), entry(4, webhook)].join('\n')}\n`,
      );
      const choose = page.getByLabel('Open a recorded file');
      await choose.setInputFiles(file);
      await page.getByText('Recorded file talk.ndjson').waitFor();
      await expect.poll(() => rows(page).count()).toBe(4);
      for (const name of ['DEEP', 'PING', hostile]) {
        await openRow(page, name);
        await row(page).getByRole('heading', { level: 2 }).filter({ hasText: name }).waitFor();
        expect(
          await row(page)
            .getByRole('button', { name: /resend/i })
            .count(),
        ).toBe(0);
        for (const form of ['Table', 'Raw', 'Tree']) await button(page, form).click();
        await button(page, 'Copy as JSON: the whole row').click();
      }
      expect(await page.content()).not.toContain('kept0secret');
      expect(await page.locator('main img').count()).toBe(0);
      writeFileSync(file, 'nothing\n');
      await choose.setInputFiles(file);
      await page.getByRole('alert').filter({ hasText: 'talk.ndjson: is no record of Footbridge.' }).waitFor();
      await button(page, 'Back to the bridge').click();
      await openRow(page, 'GET_GUILDS');
      expect(await button(page, 'Resend').count()).toBe(1);
      expect(console.complaints).toEqual([]);
    });
  },
);
