import { describe, expect, it } from 'vitest';
import { Browsers } from '../../../../src/emulator/accounts/oauth2/pages/browsers.ts';
import { PendingPages } from '../../../../src/emulator/accounts/oauth2/pages/pending.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { APP, testPlatform } from '../../../helpers/platform.ts';

const MINUTE = 60_000;

/** What a browser was given by signing in. */
function signedIn(browsers: Browsers): { readonly cookie: string } {
  const [cookie = ''] = browsers.signIn(browsers.invite()) ?? [];
  return { cookie: cookie.split(';')[0] ?? '' };
}

describe('the machine clock, which no operation can set, limits', () => {
  it('sign-in addresses, signed-in browsers and forms', () => {
    const machine = new ManualClock();
    const browsers = new Browsers(machine);
    const pages = new PendingPages<string>(machine, 0);
    const [key, session, form] = [
      browsers.invite(),
      signedIn(browsers),
      pages.add('x', { kind: 'unlisted' }),
    ];
    // A wall clock that is set back by a day makes nothing last longer, and one that is set forward nothing shorter.
    for (const day of [-1, 2, -1]) {
      machine.jump(day * 1440 * MINUTE);
      expect(browsers.sessionOf(session)).toBeDefined();
      expect(pages.find(form)?.request).toBe('x');
    }
    machine.advance(10 * MINUTE);
    expect([browsers.signIn(key), pages.find(form)]).toEqual([undefined, undefined]);
    expect(browsers.sessionOf(session)).toBeDefined();
    machine.advance(12 * 60 * MINUTE);
    expect(browsers.sessionOf(session)).toBeUndefined();
  });

  it('sign-in addresses also while the emulator clock is frozen, or moved by any time', async () => {
    const machine = new ManualClock();
    const { emulator, url, call } = await testPlatform(undefined, { clock: machine });
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const signIn = (address = '') =>
      call(`GET ${new URL(url).origin}/sign-in${new URL(address).search}`, { headers });
    const [early, late] = [emulator.signInAddress(), emulator.signInAddress()];
    emulator.clock.freeze();
    emulator.clock.advance(24 * 60 * MINUTE);
    expect((await signIn(early)).status).toBe(200);
    machine.advance(10 * MINUTE);
    expect((await signIn(late)).status).toBe(400);
  });

  it('the number of prompts', async () => {
    const machine = new ManualClock();
    const { emulator } = await testPlatform(undefined, { clock: machine, consent: { policy: 'ask' } });
    emulator.clock.freeze();
    const asked = () =>
      emulator.oauth2.authorize({
        clientId: APP,
        scopes: ['identify'],
        peer: { transport: 'ipc', pid: 7 },
        signal: new AbortController().signal,
      });
    const deny = async () => {
      const refused = expect(asked()).rejects.toThrow('denied');
      const [waiting] = emulator.requests.list();
      emulator.requests.answer(waiting?.id ?? '', { answer: 'deny', by: { via: 'test' } }, () => undefined);
      await refused;
    };
    await deny();
    emulator.clock.advance(60 * MINUTE);
    await expect(asked()).rejects.toThrow('again in 15 s');
    machine.advance(15_000);
    await deny();
  });
});
