// The two RPC clients of npm: a code of AUTHORIZE, exchanged at the token endpoint as each of them does it, and what its token is worth.
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Library, libraries, startApp } from '../interop/start-app.ts';
import { APP, post, story } from './story.ts';

const TOKEN_REVOKED = 4003;

describe.each(Object.keys(libraries) as Library[])('%s', (library) => {
  it('logs in through the token endpoint; its token is valid for HTTP until the application revokes it', async () => {
    const emulator = await story();
    const app = startApp(library, { ...process.env, ...emulator.env } as Record<string, string>);
    onTestFinished(async () => void (await app.end()));
    expect(await app.connect(APP)).toBe('river');
    const { token, user } = await app.login({ clientId: APP, scopes: ['rpc'], api: emulator.api });
    expect(user).toBe('river');
    const headers = { authorization: `Bearer ${token}` };
    const me = async () => {
      const answer = await fetch(`${emulator.api}/v10/oauth2/@me`, { headers });
      return { status: answer.status, body: (await answer.json()) as unknown };
    };
    // An authorization over RPC grants identify as well.
    expect(await me()).toMatchObject({
      status: 200,
      body: { scopes: ['rpc', 'identify'], application: { id: APP }, user: { username: 'river' } },
    });
    await post(emulator, '/oauth2/token/revoke', { token, client_id: APP });
    expect(await app.closed()).toMatchObject({ code: TOKEN_REVOKED });
    expect((await me()).status).toBe(401);
  });

  it('receives access_denied when consent is denied', async () => {
    const emulator = await story({ consent: 'deny' });
    const app = startApp(library, { ...process.env, ...emulator.env } as Record<string, string>);
    onTestFinished(async () => void (await app.end()));
    await app.connect(APP);
    await expect(app.login({ clientId: APP, scopes: ['rpc'], api: emulator.api })).rejects.toThrow(
      'access_denied',
    );
  });
});
