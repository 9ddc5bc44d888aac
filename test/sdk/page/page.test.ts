import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Client, ClientStatus, ConnectionError, ErrorType } from '../../../src/sdk/index.ts';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { fences } from '../../helpers/markdown.ts';
import { until } from '../played-game.ts';
import { APP, type OpenedGame, type ServedGame, served } from './game-page.ts';

const missing = chromiumMissing();

/** Where only the page has the object: what authorizing ended with. */
interface Ended {
  readonly type: number;
  readonly text: string;
  readonly code: string;
}

/** Makes `authorize(change)` of a client with these settings, and what is done when the button is pressed. */
async function authorizing(game: OpenedGame, settings: string, site = 'site'): Promise<void> {
  await game.run(`
    globalThis.client = new sdk.Client(api, ${site}, ${settings});
    client.SetApplicationId('${APP}');
    globalThis.authorize = async () => {
      globalThis.pair = client.CreateAuthorizationCodeVerifier();
      const args = new sdk.AuthorizationArgs();
      args.SetScopes(sdk.Client.GetDefaultCommunicationScopes() + ' rpc.activities.write rpc.voice.read');
      args.SetCodeChallenge(pair.Challenge());
      const { result, code, redirectUri } = await client.Authorize(args);
      globalThis.redirectUri = redirectUri;
      return { type: result.Type(), text: result.ToString(), code };
    };
    document.querySelector('#go').onclick = () => { globalThis.ended = authorize(); };`);
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is run in the page
const REDIRECT = '{ redirectUri: `${origin}/callback` }';
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is run in the page
const ROOT = '{ redirectUri: `${origin}/` }';

describe.skipIf(missing !== undefined)(`the SDK in a page (${missing ?? 'Chromium'})`, () => {
  it('has every entry point and export that it has in Node', async () => {
    const { run } = await (await served()).open();
    expect(
      await run<string[]>(`
        const names = new Set();
        for (let one = sdk.Client.prototype; one !== Object.prototype; one = Object.getPrototypeOf(one))
          for (const name of Object.getOwnPropertyNames(one)) names.add(name);
        return [...names].sort();`),
    ).toEqual(entryPoints());
    expect(await run('return Object.keys(sdk).sort()')).toEqual(
      Object.keys(await import('../../../src/sdk/index.ts')).sort(),
    );
  });

  it('has a session, a lobby and messages, with nothing between the page and the service', async () => {
    const game = await served();
    const [river, brook] = [await game.open(), await game.open()];
    const lobby = await river.run<string>(`
      globalThis.client = await plays(api, 'emu.steam.river');
      const { result, lobbyId } = await client.CreateOrJoinLobby('tide');
      if (!result.Successful()) throw new Error(result.ToString());
      globalThis.heard = [];
      client.SetMessageCreatedCallback((id) => heard.push(client.GetMessageHandle(id)?.Content()));
      return String(lobbyId);`);
    await brook.run(`
      globalThis.client = await plays(api, 'emu.steam.brook');
      const { lobbyId } = await client.CreateOrJoinLobby('tide');
      if (String(lobbyId) !== '${lobby}') throw new Error('another lobby');
      const { result } = await client.SendLobbyMessage(lobbyId, 'Kia ora, wāhine 🐟');
      if (!result.Successful()) throw new Error(result.ToString());`);
    await river.page.waitForFunction('heard.length > 0');
    expect(await river.run('return heard')).toEqual(['Kia ora, wāhine 🐟']);
    expect(
      await river.run('return client.GetLobbyHandle(client.GetLobbyIds()[0]).LobbyMemberIds().length'),
    ).toBe(2);
    await river.run('await client.Disconnect()');
    expect([...river.complaints, ...brook.complaints]).toEqual([]);
    const { host } = new URL(game.emulator.api);
    expect([...river.hosts].sort()).toEqual([host, new URL(game.origin).host].sort());
  });

  it('restores its session after the service was killed and restarted', async () => {
    const game = await served();
    const { run, page } = await game.open();
    await run(`
      globalThis.client = await plays(api, 'emu.steam.river');
      globalThis.statuses = [];
      client.SetStatusChangedCallback((status) => statuses.push(status));
      await client.CreateOrJoinLobby('tide');`);
    await game.emulator.restart();
    await page.waitForFunction('statuses.includes(sdk.ClientStatus.Reconnecting)');
    await page.waitForFunction('client.GetStatus() === sdk.ClientStatus.Ready');
    expect(await run('return client.GetLobbyIds().length')).toBe(1);
  });

  it('joins a call that another page sees, also after the service was killed, until the call ends', async () => {
    const game = await served();
    const [river, brook] = [await game.open(), await game.open()];
    await brook.run(`
      globalThis.client = await plays(api, 'emu.steam.brook');
      globalThis.lobby = (await client.CreateOrJoinLobby('tide')).lobbyId;
      globalThis.inCall = () => client.GetLobbyHandle(lobby)?.GetCallInfoHandle();`);
    const me = await river.run<string>(`
      globalThis.client = await plays(api, 'emu.steam.river');
      const { lobbyId } = await client.CreateOrJoinLobby('tide');
      globalThis.call = client.StartCall(lobbyId);
      globalThis.statuses = [];
      call.SetStatusChangedCallback((status) => statuses.push(status));
      call.SetSelfMute(true);
      return String(client.GetCurrentUserV2().Id());`);
    await brook.page.waitForFunction('inCall() !== undefined');
    await game.emulator.restart();
    await river.page.waitForFunction(
      'statuses.length === 5 && call.GetStatus() === sdk.CallStatus.Connected',
    );
    expect(await river.run('return statuses')).toEqual([2, 3, 4, 5, 4]);
    await brook.page.waitForFunction(
      'client.GetStatus() === sdk.ClientStatus.Ready && inCall() !== undefined',
    );
    expect(
      await brook.run(`
        const info = inCall();
        return info.GetParticipants().map((id) => [String(id), info.GetVoiceStateHandle(id).SelfMute()]);`),
    ).toEqual([[me, true]]);
    expect(
      await river.run(`
        const { result } = await client.EndCall(call.GetChannelId());
        return [result.ToString(), sdk.Call.StatusToString(call.GetStatus())];`),
    ).toEqual(['Success', 'Disconnected']);
    await brook.page.waitForFunction('inCall() === undefined');
  });

  it('creates a verifier whose challenge is its SHA-256, a new one each time', async () => {
    const { run } = await (await served()).open();
    const pairs = await run<[string, string][]>(`
      const client = new sdk.Client(api, site);
      return [1, 2].map(() => client.CreateAuthorizationCodeVerifier())
        .map((pair) => [pair.Verifier(), pair.Challenge().Challenge()]);`);
    for (const [verifier, challenge] of pairs) {
      expect(verifier).toMatch(/^[\w-]{43}$/);
      expect(challenge).toBe(createHash('sha256').update(verifier).digest('base64url'));
    }
    expect(pairs[0]).not.toEqual(pairs[1]);
  });

  describe('Authorize', () => {
    it('prompts in a window of the browser, which is closed afterwards', async () => {
      const game = await served();
      const opened = await game.open();
      await authorizing(opened, REDIRECT);
      await opened.page.click('#go');
      expect(await opened.run('return ended')).toMatchObject({
        text: 'Success',
        code: expect.stringMatching(/./),
      });
      expect(
        await opened.run(`
          const { code } = await ended;
          const tokens = await client.GetToken('${APP}', code, pair.Verifier(), redirectUri);
          if (!tokens.result.Successful()) return tokens.result.ToString();
          await client.UpdateToken(sdk.AuthorizationTokenType.Bearer, tokens.accessToken);
          client.Connect();
          await statusOf(client, sdk.ClientStatus.Ready);
          return client.GetCurrentUserV2().Username();`),
      ).toBe('river');
      await until(() => game.context.pages().length === 2);
      expect(opened.complaints).toEqual([]);
    });

    it('reports that the user denied', async () => {
      const opened = await (await served({ consent: 'deny' })).open();
      await authorizing(opened, REDIRECT);
      await opened.page.click('#go');
      expect(await opened.run('return ended')).toMatchObject({
        type: ErrorType.AuthorizationFailed,
        text: expect.stringContaining('access_denied'),
        code: '',
      });
    });

    it.each([
      ['Allow', { text: 'Success', code: expect.stringMatching(/./) }],
      [
        'Deny',
        { type: ErrorType.AuthorizationFailed, text: expect.stringContaining('access_denied'), code: '' },
      ],
    ])('receives the pressed button of a window that the site isolated: %s', async (button, ended) => {
      const game = await served({ consent: 'ask' });
      const { address } = (await game.emulator.operations.call('sign-in')) as { readonly address: string };
      await (await game.context.newPage()).goto(address);
      const opened = await game.open();
      await authorizing(opened, REDIRECT);
      const [window] = await Promise.all([game.context.waitForEvent('page'), opened.page.click('#go')]);
      await window.getByRole('button', { name: button }).click();
      expect(await opened.run('return ended')).toMatchObject(ended);
      // The page that it was led to has closed it.
      await until(() => window.isClosed());
      expect(opened.complaints).toEqual([]);
    });

    it.each([
      ['closed the window', (window: Page) => window.close(), 'The window was closed without an answer'],
      [
        'brings an answer with another state',
        (window: Page, { origin }: ServedGame) =>
          window.evaluate(`location.href = '${origin}/?code=another&state=another'`),
        'State: the answer carries another one; its code is not used',
      ],
    ])('reports that the player %s', async (_what, act, text) => {
      const game = await served();
      const opened = await game.open();
      await authorizing(opened, ROOT, 'otherSite');
      const [window] = await Promise.all([game.context.waitForEvent('page'), opened.page.click('#go')]);
      await window.waitForURL(/oauth2\/authorize/);
      // Long enough to be known not to be cut off.
      await window.waitForTimeout(1500);
      await act(window, game);
      expect(await opened.run('return ended')).toMatchObject({ type: ErrorType.AuthorizationFailed, text });
    });

    it('closes its window when it is aborted', async () => {
      const game = await served();
      const opened = await game.open();
      await authorizing(opened, REDIRECT, 'otherSite');
      const [window] = await Promise.all([game.context.waitForEvent('page'), opened.page.click('#go')]);
      await window.waitForURL(/oauth2\/authorize/);
      await opened.run('client.AbortAuthorize()');
      expect(await opened.run('return ended')).toMatchObject({ type: ErrorType.Aborted });
      await until(() => window.isClosed());
    });

    it('can be aborted when the site isolated its window', async () => {
      const game = await served({ consent: 'ask' });
      const opened = await game.open();
      await authorizing(opened, REDIRECT);
      const [window] = await Promise.all([game.context.waitForEvent('page'), opened.page.click('#go')]);
      await window.waitForURL(/oauth2\/authorize/);
      await window.waitForTimeout(400);
      await opened.run('client.AbortAuthorize()');
      expect(await opened.run('return ended')).toMatchObject({ type: ErrorType.Aborted });
    });

    /** A window in which somebody pressed Allow without being signed in, and the ids of what waits for a person then. */
    const waiting = async (game: ServedGame, opened: OpenedGame) => {
      const [window] = await Promise.all([game.context.waitForEvent('page'), opened.page.click('#go')]);
      await window.getByRole('button', { name: 'Allow' }).click();
      await window.waitForURL(/authorize\/wait/);
      return { window, ids: await waitingIds(game) };
    };

    const waitingIds = async ({ emulator }: ServedGame): Promise<string[]> => {
      const requests = await emulator.operations.call('requests.list');
      return (requests as readonly { readonly id: string }[]).map(({ id }) => id);
    };

    it('prompts again after it was aborted while an isolated window was open, which is then closed', async () => {
      const game = await served({ consent: 'ask' });
      const opened = await game.open();
      await authorizing(opened, REDIRECT);
      const first = await waiting(game, opened);
      await opened.run('client.AbortAuthorize()');
      expect(await opened.run('return ended')).toMatchObject({ type: ErrorType.Aborted });
      const second = await waiting(game, opened);
      await until(() => first.window.isClosed());
      expect([first.ids.length, second.ids.length]).toEqual([1, 1]);
      expect(second.ids).not.toEqual(first.ids);
      await game.emulator.operations.call('requests.approve', { id: second.ids[0] ?? '' });
      expect(await opened.run('return ended')).toMatchObject({ text: 'Success' });
      await until(() => second.window.isClosed());
    });

    it('leaves its request pending while its window is open, and withdraws it once the window is closed', async () => {
      const game = await served({ consent: 'ask' });
      const opened = await game.open();
      await authorizing(opened, REDIRECT);
      const { window, ids } = await waiting(game, opened);
      await window.waitForTimeout(12_000);
      expect(await waitingIds(game)).toEqual(ids);
      await window.close();
      await expect.poll(() => waitingIds(game), { timeout: 20_000 }).toEqual([]);
    });

    it('reports that the browser opened no window', async () => {
      const opened = await (await served()).open();
      await authorizing(opened, REDIRECT);
      expect(await opened.run<Ended>('globalThis.open = () => null; return authorize()')).toMatchObject({
        type: ErrorType.AuthorizationFailed,
        text: 'The browser opened no window: call Authorize from a click',
      });
    });

    it.each([
      [
        'an address of another origin',
        "{ redirectUri: 'http://localhost:3000/callback' }",
        /^settings\.redirectUri: must be/,
      ],
      ['nobody to ask', '{}', /^settings\.redirectUri: is unset, and settings\.paths too/],
    ])('refuses %s', async (_what, settings, text) => {
      const opened = await (await served()).open();
      await authorizing(opened, settings);
      await opened.page.click('#go');
      expect(await opened.run('return ended')).toMatchObject({
        type: ErrorType.ValidationError,
        text: expect.stringMatching(text),
      });
    });
  });

  describe('with a chat client', () => {
    it('authorizes, shows presence and reads voice settings', async () => {
      const game = await served();
      const opened = await game.open();
      await authorizing(opened, '{ paths: [ws] }');
      // No window is needed, and so no click.
      expect(await opened.run('globalThis.ended = authorize(); return ended')).toMatchObject({
        text: 'Success',
      });
      await opened.run(`
        const { code } = await ended;
        const tokens = await client.GetToken('${APP}', code, pair.Verifier(), redirectUri);
        const { result } = await client.UpdateToken(sdk.AuthorizationTokenType.Bearer, tokens.accessToken);
        if (!result.Successful()) throw new Error(result.ToString());
        const activity = new sdk.Activity();
        activity.SetDetails('In a page');
        const shown = await client.UpdateRichPresence(activity);
        if (!shown.result.Successful()) throw new Error(shown.result.ToString());
        globalThis.volumes = [];
        client.SetVoiceSettingsUpdatedCallback((settings) => volumes.push(settings.InputVolume()));`);
      expect(await game.emulator.activities()).toMatchObject([{ activity: { details: 'In a page' } }]);
      await opened.page.waitForFunction('volumes.length > 0');
      await game.emulator.operations.call('voice.set', { key: 'input.volume', value: 42 });
      await opened.page.waitForFunction('volumes.includes(42)');
      expect(opened.complaints).toEqual([]);
      // Presence, token and callbacks are there again after a restart.
      await game.emulator.restart();
      await expect
        .poll(() => game.emulator.activities(), { timeout: 10_000 })
        .toMatchObject([{ activity: { details: 'In a page' } }]);
      await game.emulator.operations.call('voice.set', { key: 'input.volume', value: 17 });
      await opened.page.waitForFunction('volumes.includes(17)');
    });

    it('refuses an invalid address of a chat client', async () => {
      const opened = await (await served()).open();
      for (const path of ['/run/user/1000/discord-ipc-0', 'http://127.0.0.1:6463', 'ws://chat.example:6463'])
        expect(
          await opened.run(`
            try { new sdk.Client(api, site, { paths: [${JSON.stringify(path)}] }); } catch (error) { return String(error); }`),
        ).toBe('TypeError: settings.paths: must be a wss address, or ws on this machine');
    });
  });

  describe('at an origin that the user did not allow', () => {
    it('fails at once with an error of the SDK', async () => {
      const opened = await (await served({ letIn: false })).open();
      const told = await opened.run<Ended>(`
        const client = new sdk.Client(api, site, { paths: [ws] });
        client.SetApplicationId('${APP}');
        const { SteamSessionTicket } = sdk.AuthenticationExternalAuthType;
        const given = await client.GetProvisionalToken('${APP}', SteamSessionTicket, 'emu.steam.7');
        await client.UpdateToken(sdk.AuthorizationTokenType.Bearer, 'a-token-that-nobody-knows');
        const statuses = [];
        client.SetStatusChangedCallback((...status) => statuses.push(status));
        client.Connect();
        await new Promise((resolve) => setTimeout(resolve, 300));
        const voice = await client.GetVoiceSettings();
        return [given.result.Type(), voice.result.Type(), voice.result.ToString(), statuses];`);
      expect(told).toEqual([
        ErrorType.NetworkError,
        ErrorType.ClientNotReady,
        expect.stringContaining('rejected 4001'),
        [
          [ClientStatus.Connecting, ConnectionError.None, 0],
          [ClientStatus.Disconnected, ConnectionError.ConnectionFailed, 0],
        ],
      ]);
    });
  });

  it('runs the page of the guide without changes', async () => {
    const { pages, emulator, origin, context } = await served();
    const guide = readFileSync(new URL('../../../.github/guide/test-a-game.md', import.meta.url), 'utf8');
    const html = fences(guide).find(({ text }) => text.includes('importmap'))?.text ?? '';
    pages.set(
      '/readme',
      `<link rel="icon" href="data:,">${html}`.replaceAll(
        'http://127.0.0.1:6481',
        new URL(emulator.api).origin,
      ),
    );
    const page = await context.newPage();
    await page.goto(`${origin}/readme`);
    const said = page.waitForEvent('console');
    await page.click('#link');
    expect((await said).text()).toBe('river');
  });

  it('shows presence by its session when the chat client refuses the presence', async () => {
    const game = await served();
    const { run } = await game.open();
    // A chat client whose user is somebody else: the game has no token for it.
    const result = await run(`
      const client = await plays(api, 'emu.steam.river', { paths: [ws] });
      const activity = new sdk.Activity();
      activity.SetState('In the harbour');
      const { result } = await client.UpdateRichPresence(activity);
      return result.ToString();`);
    expect(result).toBe('Success');
    await until(() =>
      game.emulator
        .journal()
        .some(
          (entry) =>
            entry.kind === 'gateway' && entry.direction === 'in' && entry.text.includes('In the harbour'),
        ),
    );
  });

  it('has no token in any log line', async () => {
    const opened = await (await served()).open();
    const lines = await opened.run<string[]>(`
      const client = new sdk.Client(api, site, { paths: [ws] });
      globalThis.lines = [];
      client.AddLogCallback((line) => lines.push(line), sdk.LoggingSeverity.Verbose);
      client.SetApplicationId('${APP}');
      await client.UpdateToken(sdk.AuthorizationTokenType.Bearer, 'very-secret-token');
      client.Connect();
      await client.GetUserGuilds();
      await client.GetToken('${APP}', 'very-secret-code', 'very-secret-verifier', 'http://localhost/');
      return lines;`);
    expect(lines.length).toBeGreaterThan(0);
    expect([...lines, ...opened.complaints].join('\n')).not.toContain('very-secret');
  });

  it('names the entry point whose callback threw, in an error of the page', async () => {
    const opened = await (await served()).open();
    await opened.run(`
      const client = new sdk.Client(api, site);
      client.SetApplicationId('${APP}');
      await client.GetVoiceSettings(() => { throw 'a text'; });`);
    await until(() => opened.complaints.length > 0);
    expect(opened.complaints).toEqual(['The callback given to GetVoiceSettings threw "a text"']);
  });
});

/** Of the client in Node. */
function entryPoints(): string[] {
  const names = new Set<string>();
  for (let one: object = Client.prototype; one !== Object.prototype; one = Object.getPrototypeOf(one))
    for (const name of Object.getOwnPropertyNames(one)) names.add(name);
  return [...names].sort();
}
