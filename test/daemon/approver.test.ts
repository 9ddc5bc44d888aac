import { describe, expect, it } from 'vitest';
import { notTheRequester, ofRequests } from '../../src/daemon/approver.ts';
import type { WaitingRequest } from '../../src/emulator/api/waiting-request.ts';

const ASKER = 100;
const CHILD = 101;

const rule = ofRequests(notTheRequester((pid, asker) => pid === asker || (pid === CHILD && asker === ASKER)));
const waiting = { id: 'abcde', clientId: '42', applicationName: 'App', requestedAt: 0, expiresAt: 1 };
const authorization = (pid: number | undefined): WaitingRequest => ({
  ...waiting,
  kind: 'authorization',
  userId: '1',
  scopes: [],
  peer: { transport: 'ipc', pid, verified: false },
});
const command = (pid: number | null): WaitingRequest => ({
  ...waiting,
  kind: 'command',
  cmd: 'OPEN_MESSAGE',
  what: 'open a message',
  details: [],
  pid,
});

describe('a request', () => {
  it.each([
    ['an authorization', authorization(ASKER)],
    ['a command', command(ASKER)],
  ])(
    'for %s cannot be allowed by its requester, nor by a process that the requester started',
    (_what, request) => {
      for (const pid of [ASKER, CHILD]) {
        expect(rule(request, { via: 'control', pid })).toBe(
          `Request abcde was made by process ${ASKER}, which cannot allow it itself, nor can a process it started. Answer it from a terminal of your own.`,
        );
      }
    },
  );
  it.each([{ via: 'control', pid: 7 }, { via: 'control' }, { via: 'terminal', pid: ASKER }])(
    'can be allowed by %j',
    (by) => {
      for (const request of [authorization(ASKER), command(ASKER)]) expect(rule(request, by)).toBeUndefined();
    },
  );
  it('without a known requester can be allowed by any caller', () => {
    for (const request of [authorization(undefined), command(null), command(0)]) {
      expect(rule(request, { via: 'control', pid: CHILD })).toBeUndefined();
    }
  });
  it.each([
    ['the process that asks', [7, ASKER]],
    ['one that it started', [CHILD]],
    ['somebody whom the system does not name', 'unknown'],
  ] as const)('cannot be allowed by any caller on behalf of %s', (_who, forProcesses) => {
    for (const request of [authorization(ASKER), command(ASKER)]) {
      for (const by of [
        { via: 'control', pid: 7, forProcesses },
        { via: 'control', forProcesses },
      ])
        expect(rule(request, by)).toContain(`was made by process ${ASKER}`);
      // Nor does it help to come for somebody else.
      expect(rule(request, { via: 'control', pid: ASKER, forProcesses: [7] })).toContain('cannot allow it');
      expect(rule(request, { via: 'control', pid: 7, forProcesses: [8, 9] })).toBeUndefined();
    }
    expect(rule(command(null), { via: 'control', forProcesses })).toBeUndefined();
  });
});

it('a request cannot be allowed in a browser of an unknown process, and the message names another way', () => {
  expect(rule(command(ASKER), { via: 'control', forProcesses: 'unknown' })).toBe(
    `Request abcde was made by process ${ASKER}, which cannot allow it itself, nor can a process it started. The system does not say which process your browser is. Answer it with footbridge approve.`,
  );
  expect(rule(command(ASKER), { via: 'notification', pid: ASKER })).toContain('cannot allow it itself');
});
