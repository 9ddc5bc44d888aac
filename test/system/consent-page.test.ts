import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { chromium, chromiumMissing } from '../helpers/chromium.ts';
import { APP, confidential, listening, post, story } from '../stories/story.ts';

const missing = chromiumMissing();
if (missing !== undefined) process.stderr.write(`skipped: the pages of OAuth 2.0 in Chromium: ${missing}\n`);

interface Opened {
  readonly emulator: TestEmulator;
  readonly context: BrowserContext;
  readonly page: Page;
  /** The application's own page, which the browser is led back to. */
  readonly back: string;
  /** Where the application sends the browser. */
  readonly address: string;
  /** What Chromium refused for the policy of a page. */
  readonly violations: readonly string[];
}

async function opened({ name = 'Harbour Example' } = {}): Promise<Opened> {
  const emulator = await story({ consent: 'ask' });
  const own = await listening((_, response) => response.writeHead(200).end('back in the application'));
  const back = `${own}/callback`;
  await confidential(emulator, { id: APP, name, secret: null, redirect_uris: [back] });
  const context = await chromium();
  const page = await context.newPage();
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) violations.push(message.text());
  });
  const query = { client_id: APP, redirect_uri: back, scope: 'identify rpc.voice.read', state: 's 1' };
  const { origin } = new URL(emulator.api);
  const address = `${origin}/oauth2/authorize?${new URLSearchParams(query).toString()}`;
  return { emulator, context, page, back, address, violations };
}

async function signIn({ emulator, page }: Opened): Promise<void> {
  const { address } = (await emulator.operations.call('sign-in')) as { readonly address: string };
  await page.goto(address);
  await page.getByRole('heading', { name: 'Signed in as river' }).waitFor();
}

async function waiting({ operations }: TestEmulator): Promise<readonly string[]> {
  const list = (await operations.call('requests.list')) as readonly { readonly id: string }[];
  return list.map(({ id }) => id);
}

/** Where the browser was led, once it is in the application again. */
async function ledBack({ page, back }: Opened): Promise<URLSearchParams> {
  await page.waitForURL(`${back}?**`);
  return new URL(page.url()).searchParams;
}

async function exchanged({ emulator, back }: Opened, code: string | null): Promise<number> {
  const form = { grant_type: 'authorization_code', code: code ?? '', redirect_uri: back };
  return (await post(emulator, '/oauth2/token', { ...form, client_id: APP, client_secret: 'x' })).status;
}

/** Run in the page: texts that are hard to read (WCAG 2.2, success criterion 1.4.3), and what stands out of the window. */
const FAULTS = `(() => {
  const light = (color) => {
    const canvas = document.createElement('canvas').getContext('2d');
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    if (element === null) return 'white';
    const { backgroundColor } = getComputedStyle(element);
    return backgroundColor === 'rgba(0, 0, 0, 0)' ? behind(element.parentElement) : backgroundColor;
  };
  const faults = [];
  for (const element of document.querySelectorAll('h1, p, li, small, code, label, button, input, select, strong')) {
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faults.push(element.tagName + ' has a contrast of ' + contrast.toFixed(2));
    const { right, left, width } = element.getBoundingClientRect();
    if (width > 0 && (right > innerWidth || left < 0)) faults.push(element.tagName + ' stands out of the window');
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push('the page is ' + scrollWidth + ' wide, the window ' + clientWidth);
  return faults;
})()`;

/** Run in the page: what has the focus, and whether that can be seen. */
const FOCUSED = `[document.activeElement.textContent, parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2]`;

describe.skipIf(missing !== undefined)('the pages of OAuth 2.0 in Chromium', () => {
  it('accept an Allow in a signed-in browser, and violate no content security policy', async () => {
    const one = await opened();
    await signIn(one);
    await one.page.goto(one.address);
    await expect(one.page.getByText('This browser is not signed in').count()).resolves.toBe(0);
    await one.page.getByRole('button', { name: 'Allow' }).click();
    const answer = await ledBack(one);
    expect(answer.get('state')).toBe('s 1');
    expect(await exchanged(one, answer.get('code'))).toBe(200);
    expect(await waiting(one.emulator)).toEqual([]);
    expect(one.violations).toEqual([]);
  });

  it('wait for a terminal in any other browser, and continue by themselves', async () => {
    const one = await opened();
    await one.page.goto(one.address);
    await one.page.getByText('This browser is not signed in').waitFor();
    await one.page.getByRole('button', { name: 'Allow' }).click();
    await one.page.getByRole('heading', { name: 'Waiting for an answer' }).waitFor();
    const [id = ''] = await waiting(one.emulator);
    await one.page.getByText(`footbridge approve ${id}`).waitFor();
    expect(await one.emulator.operations.call('grants.list')).toEqual([]);
    await one.emulator.operations.call('requests.approve', { id });
    expect(await exchanged(one, (await ledBack(one)).get('code'))).toBe(200);
    expect(one.violations).toEqual([]);
  });

  it('redirect with access_denied after a Deny', async () => {
    const one = await opened();
    await signIn(one);
    await one.page.goto(one.address);
    await one.page.getByRole('button', { name: 'Deny' }).click();
    const answer = await ledBack(one);
    expect([answer.get('error'), answer.get('code'), answer.get('state')]).toEqual([
      'access_denied',
      null,
      's 1',
    ]);
    expect(await one.emulator.operations.call('grants.list')).toEqual([]);
  });

  it('add a bot to the guild that the user chooses, and end there without a redirect address', async () => {
    const one = await opened();
    await signIn(one);
    const { origin } = new URL(one.emulator.api);
    const query = new URLSearchParams({ client_id: APP, scope: 'bot', permissions: '8192' });
    await one.page.goto(`${origin}/oauth2/authorize?${query.toString()}`);
    await one.page.getByText('manage messages').waitFor();
    expect(await one.page.getByLabel('Guild').locator('option').allTextContents()).toEqual(['River Bank']);
    await one.page.getByRole('button', { name: 'Allow' }).click();
    await one.page.getByRole('heading', { name: 'Authorized' }).waitFor();
    const { guilds } = (await one.emulator.operations.call('emulator.show')) as {
      readonly guilds: readonly { readonly members: readonly { readonly user: string }[] }[];
    };
    expect(guilds[0]?.members.map(({ user }) => user)).toContain(APP);
    expect(one.violations).toEqual([]);
  });

  it('recognise browsers signed in to their own emulator, not to another one on this machine', async () => {
    const one = await opened();
    const two = await story({ consent: 'ask' });
    await confidential(two, { id: APP, name: 'Other', secret: null, redirect_uris: [one.back] });
    await signIn(one);
    const there = one.address.replace(new URL(one.emulator.api).origin, new URL(two.api).origin);
    await one.page.goto(there);
    await one.page.getByText('This browser is not signed in').waitFor();
    await signIn({ ...one, emulator: two });
    for (const address of [one.address, there]) {
      await one.page.goto(address);
      await one.page.getByRole('button', { name: 'Allow' }).waitFor();
      expect(await one.page.getByText('This browser is not signed in').count()).toBe(0);
    }
  });

  it('load in no frame, and cannot be read by a script of another page', async () => {
    const one = await opened();
    await signIn(one);
    const frames = `<iframe src="${one.address.replaceAll('&', '&amp;')}"></iframe>`;
    const evil = await listening((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(frames),
    );
    await one.page.goto(evil);
    await expect.poll(() => one.page.frames().length).toBe(2);
    await expect.poll(() => one.page.frames()[1]?.locator('body').textContent()).toContain('403: Forbidden');
    const read = await one.page.evaluate(
      (address) =>
        fetch(address, { credentials: 'include' }).then(
          () => 'read',
          () => 'refused',
        ),
      one.address,
    );
    expect(read).toBe('refused');
  });

  it('work with the keyboard alone, and mark the focused element', async () => {
    const one = await opened();
    await signIn(one);
    await one.page.goto(one.address);
    const focused = () => one.page.evaluate(FOCUSED);
    await one.page.keyboard.press('Tab');
    expect(await focused()).toEqual(['Allow', true]);
    await one.page.keyboard.press('Tab');
    expect(await focused()).toEqual(['Deny', true]);
    await one.page.keyboard.press('Shift+Tab');
    await one.page.keyboard.press('Enter');
    expect(await exchanged(one, (await ledBack(one)).get('code'))).toBe(200);
  });

  it('authorize a device after its code was typed', async () => {
    const one = await opened();
    await signIn(one);
    const client = { client_id: APP, client_secret: 'x' };
    const begun = (await (
      await post(one.emulator, '/oauth2/device/authorize', { ...client, scope: 'identify' })
    ).json()) as { readonly user_code: string; readonly device_code: string };
    await one.page.goto(`${new URL(one.emulator.api).origin}/activate`);
    await one.page.keyboard.type('AAAA-AAAA');
    await one.page.keyboard.press('Enter');
    await one.page.getByRole('alert').waitFor();
    await one.page.keyboard.type(begun.user_code.toLowerCase());
    await one.page.keyboard.press('Enter');
    await one.page.getByText('Harbour Example on a device wants to act for river').waitFor();
    await one.page.getByRole('button', { name: 'Allow' }).click();
    await one.page.getByRole('heading', { name: 'Done' }).waitFor();
    const grant = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: begun.device_code,
    };
    expect((await post(one.emulator, '/oauth2/token', { ...client, ...grant })).status).toBe(200);
    expect(one.violations).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'are readable in a narrow window and a wide one, %s',
    async (colorScheme) => {
      const one = await opened({ name: 'A'.repeat(80) });
      await one.page.emulateMedia({ colorScheme });
      const { origin } = new URL(one.emulator.api);
      const addresses = [
        one.address,
        one.address.replace(
          'scope=identify',
          'permissions=9223372036854775807&scope=bot+openid+sdk.social_layer_presence+identify',
        ),
        one.address.replace('redirect_uri=http', `redirect_uri=${'x'.repeat(300)}`),
        `${origin}/activate`,
        `${origin}/activate?user_code=AAAA-AAAA`,
      ];
      for (const width of [320, 1280]) {
        await one.page.setViewportSize({ width, height: 700 });
        for (const address of addresses) {
          await one.page.goto(address);
          expect(await one.page.evaluate(FAULTS), `${width} ${address}`).toEqual([]);
        }
        await one.page.goto(one.address);
        await one.page.getByRole('button', { name: 'Allow' }).click();
        await one.page.getByRole('heading', { name: 'Waiting for an answer' }).waitFor();
        expect(await one.page.evaluate(FAULTS)).toEqual([]);
        for (const id of await waiting(one.emulator))
          await one.emulator.operations.call('requests.deny', { id });
      }
    },
  );
});
