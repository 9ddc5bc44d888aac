import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { adminDeclarations } from '../../../src/daemon/operations.ts';
import { fakeIo } from '../../cli/fake-io.ts';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { examplesOf, isWhole, wordsOf } from '../../helpers/examples.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { type Opened, opened } from './opened.ts';

const missing = chromiumMissing();
const APP = '300000000000000001';
const ID = '1461234567890123456';
const page = { clientId: APP, origin: 'http://localhost:3000' };
const member = { lobby: ID, user: 'otter' };

/** Examples of operations that no example of a command calls. */
const FURTHER: Readonly<Record<string, object>> = {
  'activity.doubts': {},
  'channel.view': { channel: 'general', limit: 5 },
  'bridge.facts': {},
  'clock.skip': { within: '1m' },
  'emulator.apply': { patch: { client: { locale: 'de' } } },
  'emulator.export': {},
  'emulator.import': { state: '{}' },
  'emulator.missing': {},
  'emulator.settle': { within: '2s' },
  'emulator.show': { format: 'toml' },
  'endpoints.list': {},
  'endpoints.open': { name: 'deck', rights: 'presence' },
  'endpoints.reload': {},
  'event.interest': { id: ID, user: 'otter', on: true },
  'fault.remove': {},
  'file.read': { address: '/avatars/200000000000000001.png' },
  'gateway.cut': { app: APP },
  'gateway.reconnect': { app: APP },
  'gateway.sessions': {},
  'journal.read': { limit: 5, kinds: ['frame', 'http'] },
  'interaction.suggest': { channel: 'general', kind: 'user' },
  'lobby.delete-message': { id: ID },
  'lobby.edit-message': { id: ID, text: 'Hello again' },
  'lobby.join': { app: APP, secret: 'berth', user: 'otter' },
  'lobby.join-call': member,
  'lobby.leave': member,
  'lobby.leave-call': member,
  'lobby.say': { ...member, text: 'Hello' },
  'message.delete': { id: ID },
  'message.view': { message: ID },
  'message.edit': { id: ID, text: 'Hello again' },
  'message.picture': { message: ID, theme: 'dark', width: 480 },
  'origins.add': page,
  'origins.remove': page,
  'overlay.set': { pid: 1, enabled: true },
  'presence.set': { clientId: APP, activity: { details: 'On a walk' } },
  'record.show': {},
  'record.start': {},
  'record.stop': { name: 'a ticket' },
  'requests.history': {},
  'world.add': { name: 'checkout', consent: 'allow' },
  'world.endpoint': { name: 'checkout' },
  'world.list': {},
  'world.show': { name: 'checkout' },
  summary: {},
};

/** Operations whose answers wait until somebody has answered the prompt of the bridge's own app. */
const PROMPTING = ['voice.change', 'voice.show'];

/** Arguments with which the examples of commands call operations: the first example of each operation. */
async function examplesOfCommands(): Promise<ReadonlyMap<string, object>> {
  const runtime = temporaryFolder();
  const folder = join(runtime, `footbridge-${process.getuid?.()}`);
  mkdirSync(folder, { mode: 0o700 });
  const found = new Map<string, object>();
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
    void text(request).then((body) => {
      if (request.method === 'POST' && !found.has(name)) found.set(name, JSON.parse(body) as object);
      response.writeHead(400).end('{"code":"FOOTBRIDGE_NOTED","message":"noted"}');
    });
  });
  server.listen(join(folder, 'control.sock'));
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const isHere = ({ group, name }: { group: string; name: string }): boolean =>
    ['emulator', 'consent'].includes(group) && name !== 'watch';
  for (const [, example] of examplesOf((one) => isHere(one.command) && !isWhole(one))) {
    await runProgram(wordsOf(example.line), commandTable, fakeIo({ XDG_RUNTIME_DIR: runtime }));
  }
  return found;
}

/** Text that a user types for a value. */
function typed(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Fills in the form of an operation. Fails for an argument without a field. */
async function fill(view: Page, name: string, args: object): Promise<void> {
  const form = view.getByRole('form', { name, exact: true });
  await form.waitFor();
  const whole = form.locator('[name="arguments"]');
  if ((await whole.count()) > 0) return whole.fill(JSON.stringify(args));
  for (const [key, value] of Object.entries(args)) {
    const field = form.locator(`[name="${key}"]`);
    if ((await field.evaluate((one) => (one as unknown as { tagName: string }).tagName)) === 'SELECT')
      await field.selectOption(typed(value));
    else await field.fill(typed(value));
  }
}

/** Runs the operation of the view, and returns the arguments that the page sent with the code of a refusal. */
async function run({ page: view, origin }: Opened, name: string): Promise<{ sent: unknown; code: string }> {
  const answered = view.waitForResponse(`${origin}/call/${name}`);
  await view.getByRole('button', { name: 'Run', exact: true }).click();
  const response = await answered;
  const isDone = response.ok() && response.headers()['footbridge-refused'] === undefined;
  const { code = '' } = (isDone ? {} : await response.json()) as { code?: string };
  // A refusal stands beside the button, a result below it.
  await (isDone
    ? view.getByRole('status', { name: 'Result' })
    : view.getByRole('form').getByRole('alert')
  ).waitFor();
  return { sent: response.request().postDataJSON(), code };
}

describe.skipIf(missing !== undefined)(`the operations of the console page${missing ?? ''}`, () => {
  it('open one by one when chosen, and send the example as it was typed', { timeout: 300_000 }, async () => {
    const console = await opened({ consent: 'ask' });
    const { page: view } = console;
    const examples = new Map([...Object.entries(FURTHER), ...(await examplesOfCommands())]);
    await console.view('operations');
    const list = view.getByRole('region', { name: 'List of operations' });
    await list.getByRole('link').first().waitFor();
    const names = (await list.locator('a strong').allTextContents()).sort();
    // No bridge in a test serves the console.
    const declared = adminDeclarations
      .map(({ name }) => name as string)
      .filter((name) => name !== 'console.address');
    expect(names).toEqual(declared.sort());
    for (const name of names.filter((one) => !PROMPTING.includes(one))) {
      const example = examples.get(name);
      expect(example, `an example of ${name}`).toBeDefined();
      await view.getByRole('searchbox', { name: 'Search operations' }).fill(name);
      await list
        .getByRole('link')
        .filter({ has: view.getByText(name, { exact: true }) })
        .first()
        .click();
      await view.getByRole('heading', { name, level: 2, exact: true }).waitFor();
      await fill(view, name, example ?? {});
      const { sent, code } = await run(console, name);
      expect(sent, name).toEqual(example);
      // The operation itself may refuse what its world does not have.
      expect(
        ['FOOTBRIDGE_ARGUMENTS', 'FOOTBRIDGE_INTERNAL', 'FOOTBRIDGE_UNKNOWN_OPERATION'],
        name,
      ).not.toContain(code);
    }
  });

  it('are found by words, show their command line, and come to the top when used', async () => {
    const console = await opened();
    const { page: view, complaints } = console;
    await view.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await console.view('operations');
    const list = view.getByRole('region', { name: 'List of operations' });
    const search = view.getByRole('searchbox', { name: 'Search operations' });
    await list.getByRole('link').first().waitFor();
    expect((await list.getByRole('heading').allTextContents())[0]).toBe('Interactions');
    await view.keyboard.press('/');
    await view.keyboard.type('emulator clock freeze');
    await expect.poll(() => list.locator('a strong').allTextContents()).toEqual(['clock.freeze']);
    await search.fill('nothing has these words');
    await view.getByText('No operation has these words.').waitFor();
    await search.fill('');
    await list.getByRole('link', { name: 'voice.set' }).click();
    const form = view.getByRole('form', { name: 'voice.set' });
    await form.locator('[name=key]').fill('mute');
    await form.locator('[name=value]').fill('true or false');
    const copy = view.getByRole('button', { name: 'Copy: the command line of voice.set' });
    await copy.click();
    await expect
      .poll(() => view.evaluate('navigator.clipboard.readText()'))
      .toBe("footbridge emulator voice set mute 'true or false'");
    await form.locator('[name=value]').fill('true');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await view.getByRole('status', { name: 'Result' }).waitFor();
    expect(await view.getByRole('button', { name: 'Copy: the result' }).count()).toBe(1);
    await view.reload();
    await list.getByRole('link').first().waitFor();
    expect((await list.getByRole('heading').allTextContents())[0]).toBe('Used last');
    expect((await list.locator('a strong').allTextContents())[0]).toBe('voice.set');
    expect(complaints).toEqual([]);
  });
});
