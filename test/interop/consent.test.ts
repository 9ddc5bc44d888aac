import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../helpers/daemon.ts';
import { eventually } from '../helpers/eventually.ts';
import type { Login } from './apps/app.ts';
import { type Library, libraries, type RunningApp, startApp } from './start-app.ts';

const OAUTH2_ERROR = 5000;

interface Waiting {
  readonly id: string;
  readonly clientId: string;
  readonly scopes: readonly { readonly name: string }[];
}

let daemon: Daemon;
beforeAll(async () => {
  daemon = await startDaemon({ args: ['--consent', 'ask', '--http-port', '0'] });
});
afterAll(async () => {
  await daemon?.stop();
});

// Each test is an application of its own: how often one of them may ask is limited.
const newClientId = (): string => String(390_000_000_000_000_000n + BigInt(randomInt(2 ** 40)));

describe.each(Object.keys(libraries) as Library[])('an app made with %s', (library) => {
  it('logs in once the user approves on the command line', async () => {
    await withApp(library, async (app, login) => {
      const loggedIn = app.login(login);
      const request = await nextRequest();
      expect(request).toMatchObject({
        clientId: login.clientId,
        scopes: [{ name: 'rpc' }, { name: 'identify' }],
      });

      expect((await daemon.cli(['approve', request.id])).code).toBe(0);
      expect(await loggedIn).toMatchObject({ user: 'river' });
      expect(await daemon.json('requests')).toEqual([]);
    });
  });

  it('receives an OAuth 2.0 error once the user denies', async () => {
    await withApp(library, async (app, login) => {
      const failure = app.login(login).catch((error: unknown) => error);
      expect((await daemon.cli(['deny', (await nextRequest()).id])).code).toBe(0);
      expect(await failure).toMatchObject({
        code: OAUTH2_ERROR,
        message: expect.stringContaining('access_denied'),
      });
      // The session still serves what needs no grant.
      expect(await app.setActivity('Denied')).toMatchObject({ details: 'Denied' });
    });
  });

  it('leaves no pending request when it disconnects before the user decides', async () => {
    let id = '';
    let failure: Promise<unknown> = Promise.resolve();
    await withApp(library, async (app, login) => {
      failure = app.login(login).catch((error: unknown) => error);
      ({ id } = await nextRequest());
    });
    expect(await failure).toBeInstanceOf(Error);

    await expect.poll(() => daemon.json('requests'), { timeout: 10_000 }).toEqual([]);
    const late = await daemon.cli(['approve', id]);
    expect(late.code).toBe(1);
    expect(late.stderr).toContain(id);
  });
});

async function withApp(
  library: Library,
  body: (app: RunningApp, login: Login) => Promise<void>,
): Promise<void> {
  const clientId = newClientId();
  const app = startApp(library, daemon.env, { errorListener: false });
  try {
    await app.connect(clientId);
    await body(app, { clientId, scopes: ['rpc', 'identify'], api: daemon.ready.api });
  } finally {
    expect(await app.end()).toBe(0);
  }
}

/** The request that waits, as `footbridge requests` lists it. */
async function nextRequest(): Promise<Waiting> {
  return eventually(
    async () => {
      const [request] = (await daemon.json('requests')) as readonly Waiting[];
      if (request === undefined) throw new Error('no request waits for the user');
      return request;
    },
    { timeout: 10_000 },
  );
}
