// What the RPC clients of npm make of each thing that goes wrong.
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { type Library, libraries, type RunningApp, startApp } from '../interop/start-app.ts';

const APP = '300000000000000001';

interface Both {
  readonly emulator: TestEmulator;
  readonly app: RunningApp;
  readonly fault: (fault: string, command?: string) => Promise<unknown>;
}

async function connected(library: Library): Promise<Both> {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const app = startApp(library, { ...process.env, ...emulator.env } as Record<string, string>);
  onTestFinished(async () => void (await app.end()));
  await app.connect(APP);
  return {
    emulator,
    app,
    fault: (fault, command = 'SET_ACTIVITY') =>
      emulator.operations.call('fault.add', { fault, command, count: 1 }),
  };
}

describe.each(Object.keys(libraries) as Library[])('an app made with %s', (library) => {
  it('waits for a delayed answer, and reads a slow one', async () => {
    const { app, fault } = await connected(library);
    for (const kind of ['delay=200', 'slow=4000']) {
      await fault(kind);
      const begun = performance.now();
      await app.setActivity(kind);
      if (kind === 'delay=200') expect(performance.now() - begun).toBeGreaterThan(195);
    }
  });
  it('rejects with the code of an error, and continues', async () => {
    const { app, fault } = await connected(library);
    await fault('error=5000');
    await expect(app.setActivity('never')).rejects.toMatchObject({ code: 5000 });
    await app.setActivity('here');
  });
  it('receives no answer that is dropped, and continues', async () => {
    const { app, fault, emulator } = await connected(library);
    await fault('drop');
    const lost = app.setActivity('lost').then(
      () => 'answered',
      () => 'rejected',
    );
    const next = app.voiceSettings().catch(() => 'refused');
    expect(await Promise.race([lost, next])).toBe('refused');
    expect(await emulator.presence(APP)).toMatchObject({ details: 'lost' });
  });
  it('is closed with the code of the fault', async () => {
    const { app, fault } = await connected(library);
    await fault('close=4002');
    const asked = app.setActivity('never').catch(() => {});
    expect(await app.closed()).toMatchObject({ code: 4002 });
    await app.end();
    await asked;
  });
});

// Both are what apps meet in the wild, and the reason why frames leave one write each otherwise.
describe('frames split in pieces, or joined in one write', () => {
  it('terminate an app made with discord-rpc, which expects a whole header in each read', async () => {
    const { app, fault } = await connected('discord-rpc');
    await fault('split');
    await expect(app.setActivity('never')).rejects.toThrow('ERR_OUT_OF_RANGE');
  });
  it('make discord-rpc lose every answer but the first', async () => {
    const outcomes: string[] = [];
    // Frames of one turn leave in one write: on a busy machine two requests may come in two turns.
    while (outcomes.at(-1) !== 'the next one' && outcomes.length < 20) {
      const { app, emulator } = await connected('discord-rpc');
      await emulator.operations.call('fault.add', { fault: 'coalesce' });
      const both = app.subscribeAll([['ACTIVITY_JOIN'], ['ACTIVITY_SPECTATE']]).then(
        () => 'answered',
        () => 'ended',
      );
      await expect.poll(() => emulator.operations.call('fault.list')).toMatchObject([{ struck: 2 }]);
      outcomes.push(await Promise.race([both, app.setActivity('after').then(() => 'the next one')]));
      await app.end();
      await both;
    }
    expect(outcomes.at(-1)).toBe('the next one');
  });
  it('do not affect @xhayper/discord-rpc', async () => {
    const { app, fault, emulator } = await connected('@xhayper/discord-rpc');
    await fault('split');
    await app.setActivity('pieces');
    await emulator.operations.call('fault.add', { fault: 'coalesce' });
    expect(await app.subscribeAll([['ACTIVITY_JOIN'], ['ACTIVITY_SPECTATE']])).toEqual([
      'answered',
      'answered',
    ]);
    expect(await emulator.operations.call('fault.list')).toMatchObject([{ struck: 2 }]);
  });
});
