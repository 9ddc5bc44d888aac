import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../helpers/daemon.ts';
import { rounds } from '../helpers/rounds.ts';
import { type Library, libraries, startApp } from './start-app.ts';
import { wholeSequence } from './whole-sequence.ts';

const ROUNDS = rounds({ few: 2, many: 20 });

let daemon: Daemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon?.stop();
});

describe.each(Object.keys(libraries) as Library[])('an app made with %s', (library) => {
  // Without one, an `error` event ends the app's process.
  it.each([
    ['with an error listener', true],
    ['without an error listener', false],
  ])(`completes the whole sequence ${ROUNDS} times %s`, { timeout: 120_000 }, async (_how, errorListener) => {
    const app = startApp(library, daemon.env, { errorListener });
    try {
      for (let round = 0; round < ROUNDS; round++) await wholeSequence(app, daemon, round);
      await app.settle();
    } finally {
      expect(await app.end()).toBe(0);
    }
  });
});
