import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkedApprovals } from '../../../src/cli/daemon/approver.ts';
import { type AdminCaller, defineOperation } from '../../../src/core/core.ts';
import { recordingLogger } from '../../helpers/memory-bridge.ts';

const ASKER = 100;
const CHILD = 101;

function setUp(
  request: object = { kind: 'authorization', id: 'abcde', clientId: '42', peer: { pid: ASKER } },
) {
  const answered: string[] = [];
  const answer = (name: string) =>
    defineOperation({
      summary: name,
      args: () => z.object({ id: z.string() }),
      run: ({ id }) => {
        answered.push(`${name} ${id}`);
        return { id };
      },
    });
  const { logger, log } = recordingLogger();
  const operations = checkedApprovals(
    {
      'requests.list': defineOperation({ summary: 'list', args: () => z.object({}), run: () => [request] }),
      'requests.approve': answer('approve'),
      'requests.deny': answer('deny'),
      other: answer('other'),
    },
    { logger, isAskers: (pid, asker) => pid === asker || (pid === CHILD && asker === ASKER) },
  );
  const run = async (name: string, caller: AdminCaller, id = 'abcde') =>
    operations[name]?.run({ id } as never, caller);
  return { run, answered, log };
}

describe('requests.approve', () => {
  it.each([ASKER, CHILD])(
    'is refused to process %i, which asks or was started by the one that does',
    async (pid) => {
      const { run, answered } = setUp();
      await expect(run('requests.approve', { via: 'control', pid })).rejects.toThrow(`process ${ASKER}`);
      expect(answered).toEqual([]);
    },
  );
  it.each<AdminCaller>([{ via: 'control', pid: 7 }, { via: 'control' }, { via: 'terminal', pid: ASKER }])(
    'is open to %j',
    async (caller) => {
      const { run, answered } = setUp();
      await run('requests.approve', caller);
      expect(answered).toEqual(['approve abcde']);
    },
  );
  it('looks at commands that wait, too, and asks nobody without a pid', async () => {
    const command = { kind: 'command', id: 'abcde', clientId: '42', pid: ASKER };
    await expect(setUp(command).run('requests.approve', { via: 'control', pid: CHILD })).rejects.toThrow();
    const { run, answered } = setUp({ ...command, pid: null });
    await run('requests.approve', { via: 'control', pid: CHILD });
    expect(answered).toHaveLength(1);
  });
});

it('every decision on a waiting request is logged with who made it', async () => {
  const { run, log } = setUp();
  await run('requests.approve', { via: 'control', pid: 7, program: '/usr/bin/node' });
  await run('requests.deny', { via: 'control', pid: ASKER });
  await run('requests.deny', { via: 'control', pid: 7 }, 'other');
  await run('other', { via: 'control', pid: ASKER });
  expect(log).toEqual([
    {
      level: 'info',
      message: 'request allowed',
      clientId: '42',
      pid: 7,
      reason: 'by control, /usr/bin/node',
    },
    { level: 'info', message: 'request denied', clientId: '42', pid: ASKER, reason: 'by control' },
  ]);
});
