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

it('says so where there is no manager', async () => {
  await expect(selectManager('beos' as OsName, context)).rejects.toMatchObject({
    code: 'FOOTBRIDGE_NO_MANAGER',
    message: expect.stringContaining('beos'),
  });
});

it.each([
  ['darwin', 'launchd'],
  ['win32', 'task-scheduler'],
] as const)('takes the manager of %s', async (os, kind) => {
  expect((await selectManager(os, { ...context, stateFolder: '/nowhere' })).kind).toBe(kind);
});
