import { expect, it } from 'vitest';
import type { OsName } from '../../platform/endpoint/endpoints.ts';
import { selectManager } from '../../service/select.ts';

const context = {
  env: {},
  home: '/home/someone',
  uid: 1000,
  user: 'someone',
  stateFolder: '/home/someone/.local/state/footbridge',
  run: () => Promise.reject(new Error('nothing is run to select a manager')),
};

it('selectManager rejects a system without a service manager', async () => {
  await expect(selectManager('beos' as OsName, context)).rejects.toMatchObject({
    code: 'FOOTBRIDGE_NO_MANAGER',
    message:
      'Footbridge knows no service manager for beos. Start "footbridge run" in whatever way this system has.',
  });
});

it.each([
  ['darwin', 'launchd'],
  ['win32', 'task-scheduler'],
] as const)('selectManager returns the manager of %s', async (os, kind) => {
  expect((await selectManager(os, { ...context, stateFolder: '/nowhere' })).kind).toBe(kind);
});
