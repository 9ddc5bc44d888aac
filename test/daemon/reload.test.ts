import { expect, it } from 'vitest';
import type { Settings } from '../../src/daemon/config/settings.ts';
import { needsRestart, reloader } from '../../src/daemon/reload.ts';
import { defaultLimits } from '../../src/session/limits.ts';
import { settled } from '../helpers/app-peer.ts';
import { later } from '../helpers/fake-core.ts';
import { recordingLogger } from '../helpers/memory-bridge.ts';

it('a reload runs once at a time, and once more for all requests that came meanwhile', async () => {
  const { logger, log } = recordingLogger();
  const runs = [later(), later(), later()];
  let begun = 0;
  const reload = reloader(() => runs[begun++]?.promise ?? Promise.resolve(), logger);
  for (let i = 0; i < 5; i++) reload();
  expect(begun).toBe(1);
  runs[0]?.resolve();
  await settled();
  expect(begun).toBe(2);
  runs[1]?.reject(new Error('world.toml: me: is missing'));
  await settled();
  expect(begun).toBe(2);
  expect(log.map(({ level }) => level)).toEqual(['info', 'error']);
  expect(log[1]?.reason).toBe('world.toml: me: is missing');
  reload();
  expect(begun).toBe(3);
});

it('needsRestart names the settings that a reload cannot apply', () => {
  const settings = {
    core: 'emulator',
    fixture: null,
    consent: 'ask',
    index: 'auto',
    httpPort: 0,
    wsPort: 'off',
    wsReadyUser: false,
    nodeIpc: false,
    pacing: true,
    dataDir: '/data',
    logLevel: 'info',
    journal: true,
    limits: defaultLimits,
  } as unknown as Settings;
  expect(
    needsRestart(settings, {
      ...settings,
      fixture: '/f.toml',
      consent: 'deny',
      logLevel: 'debug',
      journal: false,
    }),
  ).toEqual([]);
  const changed = {
    ...settings,
    index: 3,
    dataDir: '/other',
    limits: { ...defaultLimits, unreadBytes: 1 },
  } as const;
  expect(needsRestart(settings, changed)).toEqual(['index', 'data_dir', 'limits.unread_bytes']);
});
