import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { programText } from '../../platform/process/program.ts';
import { callerOf } from '../../src/daemon/control-facts.ts';
import { ownProgram } from '../../src/daemon/own-program.ts';
import { os } from '../helpers/ipc-bridge.ts';

const socket = {} as Socket;
const known = (pid: number, uid = os.uid ?? 0) =>
  callerOf({ ...os, peerOf: () => ({ kind: 'known', credentials: { pid, uid, gid: 0 } }) }, socket);

it('a caller of the control API is named by its process and program, as far as the system knows them', () => {
  const program = programText(process.pid);
  expect(known(process.pid)).toEqual({ via: 'control', pid: process.pid, program });
  expect(known(process.pid, 0)).toMatchObject({ pid: process.pid });
  expect(known(2 ** 30)).toEqual({ via: 'control', pid: 2 ** 30 });
  expect(known(0)).toEqual({ via: 'control' });
});

it('a caller of another user is refused', () => {
  const other = (os.uid ?? 0) + 12_345;
  expect(() => known(process.pid, other)).toThrow(`the caller belongs to uid ${other}`);
});

it('the program of this process is the runtime with its script', () => {
  expect(ownProgram()).toEqual([process.execPath, process.argv[1]]);
});
