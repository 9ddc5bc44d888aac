import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { connectClient } from './app.ts';
import { type Control, FRAME, useAll } from './controls.ts';
import { type Opened, opened } from './opened.ts';

const APP = '300000000000000001';
const OTHER = '300000000000000002';
const missing = chromiumMissing();

/** A console at its presence view, and an app that shows an activity. */
async function showing(activity: object, clientId = APP): Promise<Opened> {
  const console = await opened();
  await show(console, activity, clientId);
  await console.view('presence');
  return console;
}

async function show({ emulator }: Opened, activity: object, clientId: string) {
  const app = await connectClient(emulator, clientId);
  onTestFinished(() => app.end());
  app.send('SET_ACTIVITY', { pid: process.pid, activity });
  expect(await app.answer('SET_ACTIVITY')).not.toHaveProperty('evt', 'ERROR');
  return app;
}

describe.skipIf(missing !== undefined)(`the presence view${missing ?? ''}`, { timeout: 120_000 }, () => {
  it('draws an activity as a chat client does, with its pictures as texts and its buttons as labels', async () => {
    const { page, complaints } = await showing({
      type: 2,
      details: 'A song',
      state: 'An artist',
      timestamps: { start: Date.now() - 3_725_000 },
      party: { id: 'boat', size: [2, 5] },
      assets: {
        large_image: 'https://pictures.example/a.png',
        large_text: 'An album',
        small_image: 'small',
      },
      buttons: [{ label: 'Listen along', url: 'https://example.com/' }],
    });
    const card = page.getByRole('article', { name: 'Presence of Harbour Example' });
    const drawn = card.getByRole('group', { name: 'What others see' });
    await drawn.waitFor();
    const texts = await drawn.locator('.note, bdi').allTextContents();
    expect(texts).toEqual([
      'Listening to',
      'An album',
      'small picture',
      'Harbour Example',
      'A song',
      'An artist (2 of 5)',
      expect.stringMatching(/^1:02:\d\d elapsed$/),
      'Listen along',
    ]);
    expect(await drawn.locator('a, button, img').count()).toBe(0);
    expect(await card.textContent()).toContain('no rule matches');
    expect(await card.textContent()).toContain('emulator');
    expect(complaints, 'nothing was loaded or refused').toEqual([]);
  });

  it('follows each change, and says why an app is shown, hidden or waiting', async () => {
    const console = await showing({ details: 'level 1' });
    const { page, emulator } = console;
    const cards = page.getByRole('article');
    const app = await show(console, { details: 'level 1' }, OTHER);
    await expect.poll(() => cards.count()).toBe(2);
    app.send('SET_ACTIVITY', { pid: process.pid, activity: { details: 'level 2' } });
    await cards.first().getByText('level 2').waitFor();
    await emulator.operations.call('presence.pause', { until: null });
    await page.getByText('Nothing is shown until you resume.').waitFor();
    expect(await cards.first().getByRole('group', { name: 'What nobody sees' }).textContent()).toContain(
      '(nobody sees it)',
    );
    expect(await cards.first().textContent()).toContain('paused until: footbridge presence resume');
    app.end();
    await expect.poll(() => cards.count()).toBe(1);
  });

  it('each of its controls works', async () => {
    const console = await showing({ details: 'level 1' });
    const { page, emulator } = console;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const list = () => emulator.operations.call('presence.list');
    await emulator.operations.call('presence.hold', {
      clientId: OTHER,
      activity: { details: 'On a walk' },
      until: null,
    });
    await page.getByText('On a walk').waitFor();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const copied = (verb: string): Control => [
      new RegExp(`^button Cop(y|ied): the command to ${verb} `),
      async () => {
        await button(`Copy: the command to ${verb} Harbour Example`).click();
        await expect
          .poll(() => page.evaluate('navigator.clipboard.readText()'))
          .toBe(`footbridge presence ${verb} ${APP}`);
      },
    ];
    const left = await useAll(page, [
      ...FRAME,
      [/^link Traffic of /, async () => {}],
      copied('hide'),
      copied('prefer'),
      [
        /^button Pause for an hour$/,
        async () => {
          const now = Date.now();
          await button('Pause for an hour').click();
          await expect.poll(async () => Number((await list()).paused) - now).toBeGreaterThan(3_599_000);
          await button('Resume').waitFor();
        },
      ],
      copied('show'),
      [
        /^button Resume$/,
        async () => {
          await button('Resume').click();
          await expect.poll(async () => (await list()).paused).toBeUndefined();
        },
      ],
      [
        /^button (Really clear\? )?Clear held presences$/,
        async () => {
          await button('Clear held presences').click();
          await button('Really clear? Clear held presences').click();
          await expect
            .poll(async () => (await list()).entries.map(({ clientId }) => clientId))
            .toEqual([APP]);
        },
      ],
    ]);
    expect(left).toEqual([]);
  });

  it('shows the texts of an app as text, fits a narrow window, and draws at most 100 cards', async () => {
    const script = '<img src=x onerror="window.hacked=1">\u202e';
    const long = 'W'.repeat(128);
    const texts = { large_image: long, large_text: long, small_text: script.repeat(3).slice(0, 128) };
    const console = await showing({ name: script, details: long, state: script, assets: texts });
    const { page, complaints } = console;
    await page.getByText(script).first().waitFor();
    await page.setViewportSize({ width: 420, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(420);
    expect(await page.locator('img, #app script').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);

    // A bridge with very many apps, one of which names itself as a command does.
    const list = await console.emulator.operations.call('presence.list');
    const entries = Array.from({ length: 1000 }, (_, at) => ({
      ...list.entries[0],
      clientId: at === 0 ? '1; rm -rf ~' : String(at),
      application: `App ${at}`,
    }));
    await page.route('**/call/presence.list', (route) => route.fulfill({ json: { ...list, entries } }));
    await page.reload();
    await page.getByText('And 900 more').waitFor();
    expect(await page.getByRole('article').count()).toBe(100);
    expect(await page.getByRole('article').first().getByRole('button').count(), 'no command to copy').toBe(0);
  });
});
