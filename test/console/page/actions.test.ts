import { expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { connectClient } from './app.ts';
import { opened } from './opened.ts';

const missing = chromiumMissing();
const APP = '300000000000000001';

/** Script of a page: notes on the document in which state the buttons of a request appear. */
const NOTE_FIRST_BUTTONS = `
  const observer = new MutationObserver(() => {
    const buttons = [...document.querySelectorAll('article.request button')];
    if (buttons.length === 0) return;
    observer.disconnect();
    const states = buttons.map(({ textContent, disabled }) => textContent + ': ' + (disabled ? 'waits' : 'ready'));
    document.documentElement.dataset.appeared = states.join(', ');
  });
  observer.observe(document.body, { childList: true, subtree: true });
`;

it.skipIf(missing !== undefined)(
  `the console page lists connected apps, and traffic as it arrives${missing ?? ''}`,
  async () => {
    const { emulator, page, view, complaints } = await opened();
    const app = await connectClient(emulator);
    onTestFinished(() => app.end());
    await expect.poll(() => page.getByRole('table').textContent()).toContain(`(${process.pid})`);
    await expect.poll(() => page.getByRole('table').textContent()).toContain(APP);
    await view('frames');
    const list = page.getByRole('listbox', { name: 'Traffic' });
    app.send('SET_ACTIVITY', { pid: process.pid, activity: { state: 'rowing home' } });
    await page
      .getByRole('option', { name: /SET_ACTIVITY/ })
      .first()
      .waitFor();
    await page.getByLabel('Search').fill('rowing');
    await expect.poll(() => list.getByRole('option').count()).toBe(2);
    await list.getByRole('option').first().click();
    const opens = page.getByRole('complementary', { name: 'One entry' });
    await expect.poll(() => opens.textContent()).toContain('"rowing home"');
    await page.getByLabel('Kind').selectOption('http');
    await page.getByText('No traffic matches yet.').waitFor();
    await page.getByLabel('Search').fill('');
    await fetch(`${emulator.api}/v10/users/@me`);
    await list.getByRole('option', { name: /GET \/api\/v10\/users\/@me.*401/ }).waitFor();
    expect(complaints).toEqual([]);
  },
);

it.skipIf(missing !== undefined)(
  'the console page denies a request, allows it once or always, and revokes a grant',
  async () => {
    const { emulator, page, view, complaints } = await opened();
    const app = await connectClient(emulator);
    onTestFinished(() => app.end());
    await view('requests');
    const ask = (scope: string) => app.send('AUTHORIZE', { client_id: APP, scopes: [scope] });
    ask('identify');
    const request = page.getByRole('article', { name: 'Request of Harbour Example' });
    await expect.poll(() => request.textContent()).toContain('See your user name');
    await page.getByRole('button', { name: 'Deny: Harbour Example' }).click();
    expect(await app.answer('AUTHORIZE')).toMatchObject({ evt: 'ERROR' });
    await page.getByText('No request waits for you.').waitFor();
    ask('guilds');
    await page.getByRole('button', { name: 'Allow once: Harbour Example' }).click();
    expect(await app.answer('AUTHORIZE')).toMatchObject({ evt: null });
    await page.getByText('No request waits for you.').waitFor();
    ask('rpc');
    await page.getByRole('button', { name: 'Always: Harbour Example' }).click();
    expect(await app.answer('AUTHORIZE')).toMatchObject({ evt: null });
    await view('grants');
    const revoke = page.getByRole('button', { name: 'Revoke the grant of Harbour Example' });
    await revoke.first().waitFor();
    // All of an application go together.
    await revoke.first().click();
    await page.getByText('No app has a permission.').waitFor();
    expect(await emulator.operations.call('grants.list')).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

it.skipIf(missing !== undefined)(
  'the console page enables Deny at once, and the Allow buttons after a delay',
  async () => {
    const { emulator, page, view } = await opened();
    const app = await connectClient(emulator);
    onTestFinished(() => app.end());
    await view('requests');
    // The state in which the buttons appear, however slow this test is.
    await page.evaluate(NOTE_FIRST_BUTTONS);
    app.send('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    await page.getByRole('article', { name: 'Request of Harbour Example' }).waitFor();
    expect(await page.evaluate('document.documentElement.dataset.appeared')).toBe(
      'Allow once: waits, Always: waits, Deny: ready',
    );
    await page.getByRole('button', { name: 'Allow once: Harbour Example' }).click();
    expect(await app.answer('AUTHORIZE')).toMatchObject({ evt: null });
  },
);

it.skipIf(missing !== undefined)(
  'the console page changes users, voice, messages, lobbies and the clock',
  async () => {
    const { emulator, page, view, complaints } = await opened();
    const show = async () =>
      (await emulator.operations.call('emulator.show')) as {
        me: string;
        client: { logged_in: boolean };
        account_bans: object[];
        voice: { mute: boolean; input: { volume: number } };
        voice_states: { user: string; channel: string; speaking: boolean }[];
        messages: { content: string }[];
        lobbies: object[];
        lobby_messages: object[];
      };
    await view('world');
    await page.getByRole('button', { name: 'Ban otter' }).click();
    await page.getByRole('button', { name: 'Unban otter' }).waitFor();
    expect((await show()).account_bans).toHaveLength(1);
    await page.getByRole('button', { name: 'Unban otter' }).click();
    await page.getByRole('button', { name: 'Ban otter' }).waitFor();
    await page.getByRole('button', { name: 'Mute: off' }).click();
    await page.getByRole('button', { name: 'Mute: on' }).waitFor();
    expect((await show()).voice.mute).toBe(true);
    await page.getByLabel('Input volume').fill('42');
    await expect.poll(async () => (await show()).voice.input.volume).toBe(42);
    await page.getByRole('button', { name: 'Leave: Heron' }).click();
    await expect.poll(async () => (await show()).voice_states).toEqual([]);
    const join = page.getByRole('form', { name: 'Put a user into a voice channel' });
    await join.getByLabel('User').selectOption({ label: 'otter' });
    await join.getByLabel('Channel').selectOption({ label: 'Lounge' });
    await join.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('button', { name: 'Speak: Otter' }).click();
    await page.getByRole('button', { name: 'Silence: Otter' }).waitFor();
    expect((await show()).voice_states).toMatchObject([{ speaking: true }]);
    const say = page.getByRole('form', { name: 'Write a message' });
    await say.getByLabel('Text').fill('from the page');
    await say.getByRole('button', { name: 'Say' }).click();
    await expect.poll(async () => (await show()).messages.at(-1)?.content).toBe('from the page');
    const lobby = page.getByRole('form', { name: 'Let a user into a lobby' });
    await lobby.getByLabel('Secret').fill('hidden-berth');
    await lobby.getByRole('button', { name: 'Join' }).click();
    const inLobby = page.getByRole('form', { name: 'Write in a lobby' });
    await inLobby.getByLabel('Text').fill('ahoy');
    await inLobby.getByRole('button', { name: 'Say' }).click();
    await expect.poll(async () => (await show()).lobby_messages).toHaveLength(1);
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    const before = (await emulator.clock.now()).getTime();
    const advance = page.getByRole('form', { name: 'Move the clock on' });
    await advance.getByLabel('By').fill('2h');
    await advance.getByRole('button', { name: 'Advance' }).click();
    await expect.poll(async () => (await emulator.clock.now()).getTime() - before).toBe(7_200_000);
    await advance.getByLabel('By').fill('nonsense');
    await advance.getByRole('button', { name: 'Advance' }).click();
    await advance.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Switch to heron' }).click();
    await page.getByText('Logged in: heron').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect.poll(async () => (await show()).client.logged_in).toBe(false);
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
  },
);

it.skipIf(missing !== undefined)(
  'the console page adds and removes faults, and lists the verdicts of doctor',
  async () => {
    const { emulator, page, view } = await opened();
    await view('faults');
    const form = page.getByRole('form', { name: 'Add a fault' });
    await form.getByLabel('Kind').fill('delay=50');
    await form.getByLabel('Command or route').fill('GET_GUILDS');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('cell', { name: 'delay=50' }).waitFor();
    await form.getByLabel('Kind').fill('dorp');
    await form.getByRole('button', { name: 'Add' }).click();
    await expect.poll(() => form.getByRole('alert').textContent()).toContain('Did you mean "drop"?');
    await page.getByRole('button', { name: 'Remove the fault f1' }).click();
    await page.getByText('There is no fault.').waitFor();
    expect(await emulator.operations.call('fault.list')).toEqual([]);
    await view('doctor');
    await page.getByText('To do: footbridge run').waitFor();
  },
);

it.skipIf(missing !== undefined)('the console page continues after a restart of the bridge', async () => {
  const { emulator, page, view } = await opened();
  await view('frames');
  await emulator.restart();
  const app = await connectClient(emulator);
  onTestFinished(() => app.end());
  await page.getByRole('listbox').getByRole('option', { name: /READY/ }).first().waitFor();
  await page.getByText('Bridge up, core emulator').waitFor();
});
