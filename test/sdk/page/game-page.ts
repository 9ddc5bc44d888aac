import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { bundleLibrary } from '../../../.ci/bundle.ts';
import { type StartEmulatorOptions, startEmulator, type TestEmulator } from '../../../src/testing/testing.ts';
import { chromium } from '../../helpers/chromium.ts';

export const APP = '300000000000000001';

/** Where the site leads back to. */
const CALLBACK = `<!doctype html><html lang="en"><title>Back</title><link rel="icon" href="data:,">
<script type="module">import { Client } from '/sdk/page.mjs'; Client.AnswerAuthorize();</script>`;

/** A page whose scripts have all that the SDK exports as `sdk`, and what its tests need. */
const HTML = `<!doctype html><html lang="en"><title>A game</title><link rel="icon" href="data:,">
<button id="go">Go</button>
<script type="module">
  import * as sdk from '/sdk/page.mjs';
  globalThis.sdk = sdk;
  globalThis.statusOf = (client, wanted) =>
    new Promise((resolve) => {
      if (client.GetStatus() === wanted) return resolve();
      client.SetStatusChangedCallback((status) => status === wanted && resolve());
    });
  globalThis.plays = async (api, name, settings) => {
    const client = new sdk.Client(api, 'https://web.example', settings);
    client.SetApplicationId('${APP}');
    const given = await client.GetProvisionalToken('${APP}', sdk.AuthenticationExternalAuthType.SteamSessionTicket, name);
    if (!given.result.Successful()) throw new Error(given.result.ToString());
    await client.UpdateToken(sdk.AuthorizationTokenType.Bearer, given.accessToken);
    client.Connect();
    await statusOf(client, sdk.ClientStatus.Ready);
    return client;
  };
</script>`;

/** A game that is a web page, and the emulator that it talks to. */
export interface ServedGame {
  readonly emulator: TestEmulator;
  /** Where the page lies. */
  readonly origin: string;
  readonly context: BrowserContext;
  /** Pages besides the game's, by their path. */
  readonly pages: Map<string, string>;
  /** Opens the page once more, and resolves once the SDK is there. */
  open(): Promise<OpenedGame>;
}

/** One tab. */
export interface OpenedGame {
  readonly page: Page;
  /** Runs the body of an async function in the page, which has `sdk`, and the addresses; resolves with what it returns. */
  readonly run: <T = unknown>(body: string) => Promise<T>;
  /** Uncaught errors, and errors and warnings of the console. */
  readonly complaints: readonly string[];
  /** Whom it has asked for anything. */
  readonly hosts: ReadonlySet<string>;
}

/** Starts both; they end with the test. `letIn` says whether the user let pages of the game's origin in. */
export async function served({
  letIn = true,
  redirect = true,
  ...options
}: StartEmulatorOptions & {
  readonly letIn?: boolean;
  readonly redirect?: boolean;
} = {}): Promise<ServedGame> {
  const folder = mkdtempSync(join(tmpdir(), 'fb-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await bundleLibrary(folder, { page: 'src/sdk/page.ts' });
  const pages = new Map([['/callback', CALLBACK]]);
  const origin = await serve(folder, pages);
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  const application = {
    id: APP,
    public_client: true,
    ...(redirect ? { redirect_uris: [`${origin}/callback`] } : {}),
    ...(letIn ? { rpc_origins: [origin] } : {}),
  };
  await emulator.operations.call('emulator.apply', { patch: { applications: [application] } });
  const context = await chromium();
  return {
    emulator,
    origin,
    context,
    pages,
    async open() {
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      const complaints: string[] = [];
      const hosts = new Set<string>();
      page.on('request', (request) => hosts.add(new URL(request.url()).host));
      page.on('websocket', (socket) => hosts.add(new URL(socket.url()).host));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      await page.goto(`${origin}/`);
      await page.waitForFunction('globalThis.plays !== undefined');
      const known = JSON.stringify({
        api: emulator.api,
        ws: emulator.ws,
        origin,
        site: new URL(emulator.api).origin,
        // Shows the page, whatever it is asked for.
        otherSite: origin.replace('localhost', '127.0.0.1'),
      });
      return {
        page,
        complaints,
        hosts,
        run: (body) =>
          page.evaluate(`(async ({ api, ws, origin, site, otherSite }) => { ${body} })(${known})`),
      };
    },
  };
}

/** Serves the page, and the SDK's files from a folder; resolves with their origin. */
async function serve(sdk: string, pages: ReadonlyMap<string, string>): Promise<string> {
  const server = createServer((request, response) => {
    const isScript = request.url?.endsWith('.mjs') === true;
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    const path = request.url?.split('?')[0] ?? '';
    response.end(isScript ? readFileSync(join(sdk, basename(path))) : (pages.get(path) ?? HTML));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
