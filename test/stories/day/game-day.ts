// The day of a game or tool that speaks with the client over RPC, and what is looked at in each step.
import { expect } from 'vitest';
import type { TestEmulator } from '../../../src/testing/testing.ts';
import { watchPort } from '../answers.ts';
import { APP, startEmulator } from '../story.ts';
import type { Day, Steps } from './day.ts';

/** The steps of the day. */
export type GameParts = {
  /** Connects as the application. Answers the user's name, where the library tells it. */
  readonly connect: (application: string, api: string) => Promise<string | undefined>;
  /** Shows a presence with these details, a party of 1 of 4, a picture and a button. */
  readonly presence: (details: string) => Promise<void>;
  /** Takes it back. */
  readonly clear: () => Promise<void>;
  /** Asks for `rpc`, and trades the code at the platform. Answers the user's name. */
  readonly login: () => Promise<string>;
  /** Reads the voice settings. Answers whether the user is muted. */
  readonly voiceSettings: () => Promise<boolean>;
  /** Subscribes to the voice settings; resolves with true once it is told that the user is muted. */
  readonly subscribe: (change: () => Promise<void>) => Promise<boolean>;
  /** Leaves. */
  readonly leave: () => Promise<void>;
};

/** Where the day happens. */
export interface GameStage {
  readonly emulator: TestEmulator;
}

const steps: Steps<GameStage, GameParts> = {
  async connect({ emulator }, connect) {
    expect([undefined, 'river']).toContain(await connect(APP, emulator.api));
  },
  async presence({ emulator }, presence) {
    await presence('Upstream');
    const shown = async () => (await emulator.activities())[0]?.activity;
    await expect
      .poll(shown)
      .toMatchObject({ details: 'Upstream', state: 'In a boat', party: { size: [1, 4] } });
  },
  async clear({ emulator }, clear) {
    await clear();
    await expect.poll(async () => (await emulator.activities())[0]?.activity).toBeNull();
  },
  async login(_stage, login) {
    expect(await login()).toBe('river');
  },
  async voiceSettings(_stage, voiceSettings) {
    expect(await voiceSettings()).toBe(false);
  },
  async subscribe({ emulator }, subscribe) {
    const mute = async () => void (await emulator.operations.call('voice.set', { key: 'mute', value: true }));
    expect(await subscribe(mute)).toBe(true);
  },
  async leave({ emulator }, leave) {
    await leave();
    await expect.poll(() => emulator.activities()).toEqual([]);
  },
};

/** The day of a game. */
export const gameDay: Day<GameStage, GameParts> = {
  kind: 'games',
  steps,
  async open() {
    const emulator = await startEmulator();
    watchPort(Number(new URL(emulator.api).port));
    // Where libraries look for the client.
    for (const [name, value] of Object.entries(emulator.env)) process.env[name] = value;
    return { emulator };
  },
  close: ({ emulator }) => emulator.close(),
};
