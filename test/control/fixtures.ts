import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import type { AdminOperations } from '../../src/base/admin-operation.ts';
import type { ControlStatus } from '../../src/control/routes.ts';
import { type ControlOptions, controlServer } from '../../src/control/server.ts';
import { type AdminCaller, defineOperation } from '../../src/core/core.ts';

/** A status as a daemon without apps gives it. */
export const status: ControlStatus = {
  version: '1.2.3',
  pid: 7,
  uptime: 5,
  executable: '/usr/bin/node',
  core: { name: 'fake', api: null, details: [] },
  notInFrontOf: [],
  places: { config: null, data: null, log: null },
  unstored: [],
  weaker: [],
  endpoints: [{ kind: 'ipc', path: '/run/discord-ipc-0' }],
  further: [],
  forwards: [],
  sessions: [],
  refused: [],
  journal: null,
  counters: { accepted: 0 },
  rss: 1,
  fds: null,
};

/** Operations of a core that does nothing but answer, refuse and break. `calls` keeps what reached `echo`. */
export function fakeOperations() {
  const calls: { readonly args: unknown; readonly caller: AdminCaller }[] = [];
  const operations: AdminOperations = {
    'thing.echo': defineOperation({
      summary: 'Says it again',
      args: () => z.strictObject({ word: z.string().max(8), times: z.int().optional() }),
      run: (args, caller) => {
        calls.push({ args, caller });
        return { ...args };
      },
    }),
    'thing.large': defineOperation({
      summary: 'Takes much',
      args: () => z.object({ text: z.string() }),
      maxBytes: 2 * 1024 * 1024,
      run: ({ text }) => text.length,
    }),
    'thing.said': defineOperation({
      summary: 'Says much',
      args: () => z.object({}),
      text: {
        outputs: function* () {
          for (let part = 0; part < 100; part += 1) yield `${'ä'.repeat(4096)}\n`;
        },
      },
      run: () => null,
    }),
    'thing.taken': defineOperation({
      summary: 'Takes much, but no x',
      args: () => z.object({}),
      text: {
        takes: () => {
          let size = 0;
          return {
            write: (part) => {
              size += part.length;
              if (part.includes('x')) throw new Error('There is an x');
            },
            end: () => ({ size }),
            discard: () => calls.push({ args: 'discarded', caller: { via: 'control' } }),
          };
        },
      },
      run: () => null,
    }),
    'thing.held': defineOperation({
      summary: 'Lives as long as the connection',
      args: () => z.object({ word: z.string() }),
      holds: true,
      run: ({ word }, caller) => {
        if (word === 'no') throw new Error('There is no such word');
        caller.held?.addEventListener('abort', () => calls.push({ args: `end of ${word}`, caller }));
        return { word, isHeld: caller.held !== undefined };
      },
    }),
    nothing: defineOperation({ summary: 'Does nothing', args: () => z.object({}), run: () => undefined }),
    refuse: defineOperation({
      summary: 'Refuses',
      args: () => z.object({}),
      run: () => {
        throw new Error('There is no such thing');
      },
    }),
    'refuse.code': defineOperation({
      summary: 'Refuses with a code of ours',
      args: () => z.object({}),
      run: () => Promise.reject(Object.assign(new Error('mute: not that'), { code: 'FOOTBRIDGE_SETTING' })),
    }),
    'refuse.disk': defineOperation({
      summary: 'Refuses with a code of the system',
      args: () => z.object({}),
      run: () => Promise.reject(Object.assign(new Error('disk full'), { code: 'ENOSPC' })),
    }),
    breaks: defineOperation({
      summary: 'Breaks',
      args: () => z.object({}),
      run: () => {
        throw new TypeError('canary of the inside');
      },
    }),
  };
  return { operations, calls };
}

/** A control API on a socket of its own. */
export async function startControl(more: Partial<ControlOptions> = {}) {
  const fake = fakeOperations();
  const defects: unknown[] = [];
  const server = controlServer({
    status: () => Promise.resolve(status),
    operations: fake.operations,
    mayAllow: () => undefined,
    identify: () => ({ via: 'control', pid: 42, program: '/bin/test' }),
    onDefect: (error) => defects.push(error),
    ...more,
  });
  const folder = mkdtempSync(join(tmpdir(), 'fb-control-'));
  const socketPath = join(folder, 's');
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
  return { ...fake, defects, server, socketPath };
}
