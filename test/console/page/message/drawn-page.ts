import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { onTestFinished } from 'vitest';
import { bundlePage, root } from '../../../../.ci/bundle.ts';
import { serveConsole } from '../../../../src/console/console.ts';
import type { Names } from '../../../../src/message-text/shape.ts';
import { chromium } from '../../../helpers/chromium.ts';
import { PATIENCE_MS } from '../../../helpers/patience.ts';

const MESSAGES = join(root, 'src/console/page/message');
const ENTRY = join(MESSAGES, 'drawn-in-a-test.ts');

const HOSTILE = join(root, 'test/console/page/message/hostile.js');

/** Script of the page: it draws messages that the test hands over, and notes each action with its arguments. */
const SCRIPT = `
import { h, render } from 'preact';
import { Message } from './message.ts';
import { ModalFields } from './modal.ts';
import { hostile, randomOf } from '${HOSTILE}';

const called = [];
const note = (name) => async (...args) => {
  called.push([name, ...args]);
  if (window.refusal !== undefined) throw new Error(window.refusal);
};
const actions = {
  ...Object.fromEntries(['click', 'choose', 'react', 'vote', 'reply', 'remove', 'open'].map((name) => [name, note(name)])),
  suggest: async (kind, text) => {
    called.push(['suggest', kind, text]);
    return [{ value: '1', label: 'Ada' }, { value: '2', label: 'River' }].filter(({ label }) => label.includes(text));
  },
};
const long = [];
new PerformanceObserver((list) => long.push(...list.getEntries().map(({ startTime, duration }) => [startTime, duration]))).observe({ type: 'longtask' });
const place = document.getElementById('app');
place.innerText = '';
const main = document.createElement('main');
const title = document.createElement('h1');
title.textContent = 'Messages';
const list = document.createElement('div');
main.append(title, list);
place.append(main);

window.drawn = {
  called,
  long,
  draw(messages, names, { isStatic = false, pictures = true, now = Date.UTC(2026, 0, 2, 12) } = {}) {
    const media = (url) => (pictures && !url.includes('missing') ? '/favicon.ico' : undefined);
    const all = messages.map((drawn, index) => h(Message, { key: drawn.revision, drawn, names, media, now, locale: { language: 'en', zone: 'UTC' }, actions: isStatic ? undefined : actions, isContinued: drawn.isContinued }));
    render(all, list);
  },
  async fuzz(seed, count, size) {
    const random = randomOf(seed);
    const faults = {};
    const examples = [];
    const fault = (kind, element) => {
      faults[kind] = (faults[kind] ?? 0) + 1;
      if (examples.length < 10) examples.push(kind + ' ' + (element?.outerHTML ?? '').slice(0, 300));
    };
    // Frames follow each other at once, because a run draws many; each still has its bound of characters.
    window.requestAnimationFrame = (run) => setTimeout(run, 0);
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const windows = [];
    title.tabIndex = 0;
    long.length = 0;
    for (let at = 0; at < count; at += size) {
      const messages = Array.from({ length: size }, (_, index) => hostile(random, seed + '-' + (at + index)));
      // Only the drawing is measured: neither how the messages are made nor how they are examined.
      await frame();
      const began = performance.now();
      drawn.draw(messages, { users: { 1: { name: messages[0].revision, color: 0x20a060 } }, roles: {}, channels: {} }, { pictures: false });
      while (list.querySelector('.message.waiting') !== null) await frame();
      await frame();
      windows.push([began, performance.now()]);
      if (window.pwned !== undefined) fault('script run');
      if (list.children.length !== size) fault('message missing');
      for (const one of list.querySelectorAll('.broken')) fault('not drawn', one.closest('.message'));
      for (const one of list.querySelectorAll('script, style, iframe, object, embed, link, base, meta, svg [href], [srcdoc], [style*="fixed"]')) fault('element', one);
      for (const one of list.querySelectorAll('[href], [src]')) {
        const address = new URL(one.getAttribute('href') ?? one.getAttribute('src'), location.href);
        if (!['http:', 'https:'].includes(address.protocol)) fault('address', one);
      }
      const box = list.getBoundingClientRect();
      for (const message of list.children) {
        const own = message.getBoundingClientRect();
        const clipped = getComputedStyle(message);
        if (own.left < box.left - 1 || own.right > box.right + 1) fault('message outside', message);
        for (const one of message.querySelectorAll('*')) {
          for (const { name } of one.attributes) if (name.startsWith('on')) fault('handler', one);
          const { left, right, top, bottom, width } = one.getBoundingClientRect();
          const isOutside = left < own.left - 1 || right > own.right + 1 || top < own.top - 1 || bottom > own.bottom + 1;
          if (width > 1 && isOutside && clipped.overflow !== 'clip') fault('element outside', one);
          const isControl = one.matches('button, a, input') && one.closest('.message-context') === null;
          if (isControl && (left > own.right - 1 || right < own.left + 1)) fault('control cut off', one);
        }
      }
      scrollTo(0, 0);
      const { left, top, width, height } = title.getBoundingClientRect();
      if (document.elementFromPoint(left + width / 2, top + height / 2) !== title) fault('control covered');
      if (document.documentElement.scrollWidth > innerWidth) fault('page scrolls sideways');
    }
    await frame();
    const isDrawing = ([at]) => windows.some(([from, to]) => at >= from && at < to);
    return { faults, examples, tasks: long.splice(0).filter(isDrawing).map(([, duration]) => duration) };
  },
  modal(components) {
    const change = (id, value) => called.push(['change', id, typeof value[0] === 'object' ? value.map(({ name }) => name) : value]);
    render(h(ModalFields, { components, suggest: actions.suggest, change }), list);
  },
};
`;

/** A message to draw. */
export interface Shown {
  readonly message: object;
  readonly revision: string;
  readonly ephemeral: boolean;
  readonly isContinued?: boolean;
}

/** The page of the console, under its own policy, with drawn messages instead of its views. */
export interface DrawnPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly draw: (messages: readonly Shown[], names: Names, options?: DrawOptions) => Promise<void>;
  readonly modal: (components: readonly object[]) => Promise<void>;
  /** Actions that were called since the last time that they were taken. */
  readonly called: () => Promise<unknown>;
}

export interface DrawOptions {
  /** Whether the messages have no actions. */
  readonly isStatic?: boolean;
  /** Whether the console stores the pictures. */
  readonly pictures?: boolean;
}

export async function drawnPage(): Promise<DrawnPage> {
  const folder = mkdtempSync(join(tmpdir(), 'fb-drawn-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await bundlePage(folder);
  const bundle = await rolldown({
    cwd: root,
    input: ENTRY,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? ENTRY : null),
        load: (id) => (id === ENTRY ? SCRIPT : null),
      },
    ],
  });
  await bundle.write({ file: join(folder, 'app.js') });
  const unused = (): never => {
    throw new Error('no bridge');
  };
  const served = await serveConsole(
    {
      status: unused,
      operations: unused,
      operation: unused,
      call: unused,
      doctor: unused,
      bugreport: unused,
    },
    { uid: process.getuid?.(), readFile: (name) => readFileSync(join(folder, name)) },
  );
  onTestFinished(() => served.close());
  const context = await chromium();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(served.address());
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  const run = (name: string, ...args: readonly unknown[]): Promise<unknown> =>
    page.evaluate(`drawn.${name}(...${JSON.stringify(args)})`);
  return {
    page,
    complaints,
    draw: async (messages, names, options = {}) => {
      await run('draw', messages, names, options);
      await page.locator('.message.waiting').first().waitFor({ state: 'detached' });
    },
    modal: async (components) => {
      await run('modal', components);
    },
    called: () => page.evaluate('drawn.called.splice(0)'),
  };
}
