import { describe, expect, it } from 'vitest';
import { READING_MS } from '../../../../src/emulator/accounts/consent/reading-time.ts';
import { address, located, open, press, signIn, tokenIn } from '../../../helpers/browser-pages.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

interface Surface {
  readonly path: string;
  /** Address of a page with a request that is new. */
  readonly start: (platform: TestPlatform) => Promise<string>;
  /** Whether the last request was answered, and how. */
  readonly outcome: (platform: TestPlatform, answer: { status: number; body: string }) => string;
}

const SURFACES: readonly (readonly [string, Surface])[] = [
  [
    'the authorization page',
    {
      path: '/oauth2/authorize',
      start: () => Promise.resolve(address()),
      outcome: ({ emulator }, { status }) =>
        status !== 303 ? 'open' : emulator.oauth2.grants().length > 0 ? 'allowed' : 'denied',
    },
  ],
  [
    'the page of a device',
    {
      path: '/activate',
      start: async (platform) => {
        const form = { client_id: APP, scope: 'identify' };
        const { body } = await platform.call('POST /oauth2/device/authorize', { form });
        return `/activate?user_code=${body.user_code}`;
      },
      outcome: (_, { body }) =>
        body.includes('<h1>Done') ? 'allowed' : body.includes('<h1>Denied') ? 'denied' : 'open',
    },
  ],
];

describe.each(SURFACES)('%s', (_, { path, start, outcome }) => {
  async function shown(consent: { readonly readingMs?: number } = {}) {
    const clock = new ManualClock();
    const platform = await testPlatform(undefined, { clock, consent: { policy: 'ask', ...consent } });
    const browser = await signIn(platform);
    const page = await open(platform, await start(platform), browser);
    const pressed = async (body: string, decision: 'allow' | 'deny') => {
      const answer = await press(platform, path, { token: tokenIn(body), decision }, browser);
      // The authorization page settles where it leads.
      if (answer.status === 303) {
        const { pathname, search } = located(answer);
        await open(platform, `${pathname}${search}`, browser);
      }
      return { body: answer.body as string, outcome: outcome(platform, answer) };
    };
    return { clock, platform, page, pressed };
  }

  it('displays the request again after an early Allow, and starts the reading time again', async () => {
    const { clock, platform, page, pressed } = await shown();
    clock.advance(READING_MS - 1);
    const early = await pressed(page.body, 'allow');
    expect(early.outcome).toBe('open');
    expect(early.body).toContain('too fast');
    expect(early.body).toContain('value="allow"');
    expect(platform.emulator.requests.list()).toEqual([]);
    clock.advance(READING_MS - 1);
    const again = await pressed(early.body, 'allow');
    expect(again.outcome).toBe('open');
    clock.advance(READING_MS);
    expect((await pressed(again.body, 'allow')).outcome).toBe('allowed');
  });

  it('invalidates the form of an early Allow', async () => {
    const { clock, page, pressed } = await shown();
    await pressed(page.body, 'allow');
    clock.advance(READING_MS);
    expect((await pressed(page.body, 'allow')).body).toContain('too old, or was answered already');
  });

  it('accepts an Allow after the reading time', async () => {
    const { clock, page, pressed } = await shown();
    clock.advance(READING_MS);
    expect((await pressed(page.body, 'allow')).outcome).toBe('allowed');
  });

  it('accepts a Deny at once', async () => {
    const { page, pressed } = await shown();
    expect((await pressed(page.body, 'deny')).outcome).toBe('denied');
  });

  it('ignores time that a test adds to the emulator clock', async () => {
    const { platform, page, pressed } = await shown();
    platform.emulator.clock.advance(60_000);
    expect((await pressed(page.body, 'allow')).outcome).toBe('open');
  });

  it('hides only the Allow button during the reading time, without a script', async () => {
    const { page } = await shown();
    expect(page.body).toContain(`.later { animation: later ${READING_MS}ms step-end }`);
    expect(page.body).toMatch(/<button class="yes later"[^>]*>Allow</);
    expect(page.body).toMatch(/<button name="decision" value="deny">Deny</);
  });

  it('has no reading time when the emulator is started without one', async () => {
    const { page, pressed } = await shown({ readingMs: 0 });
    expect(page.body).not.toContain('animation');
    expect((await pressed(page.body, 'allow')).outcome).toBe('allowed');
  });
});
