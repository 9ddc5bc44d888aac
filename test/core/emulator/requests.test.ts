import { expect, it, onTestFinished } from 'vitest';
import type { AdminCaller } from '../../../src/base/admin-operation.ts';
import { emulatorCore } from '../../../src/core/emulator/emulator-core.ts';
import { recordedHandlers } from '../../../src/core/emulator/requests/recorded.ts';
import {
  type AnswerRule,
  anybodyMayAnswer,
  requesterPid,
} from '../../../src/emulator/api/waiting-request.ts';
import { createEmulator } from '../../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { createServer } from '../../../src/server/server.ts';
import { memoryTransport } from '../../../src/transport/memory.ts';
import { AppPeer, settled } from '../../helpers/app-peer.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { recordingLogger } from '../../helpers/memory-bridge.ts';

const client_id = ids.harbourExample;
const caller = { via: 'control', pid: 7, program: '/usr/bin/node' } as const;

async function setUp(mayAnswer: AnswerRule) {
  const emulator = await createEmulator({ fixture: defaultFixture(), consent: { policy: 'ask' } });
  const transport = memoryTransport();
  const { logger, log } = recordingLogger();
  const core = emulatorCore({ emulator, mayAnswer, httpPort: 0 });
  const told: string[] = [];
  core.onRequest((event, { kind }) => told.push(`${kind} ${event}`));
  const server = await createServer({ transports: [transport], core, logger });
  onTestFinished(() => server.close());
  const app = new AppPeer(transport.connect());
  await app.handshake(client_id);
  app.request('AUTHORIZE', { client_id, scopes: ['rpc'] });
  app.request('OPEN_OVERLAY_VOICE_SETTINGS', { pid: 100 });
  await settled();
  const runAs =
    (by: AdminCaller) =>
    async (operation: string, args: object = {}): Promise<unknown> =>
      server.core.admin[operation]?.run(args, by);
  const run = runAs(caller);
  const waiting = (await run('requests.list')) as { id: string; kind: string }[];
  const decisions = () => log.filter(({ message }) => /^request (?:allowed|denied)$/.test(message));
  return { app, run, runAs, waiting, told, decisions };
}

it('authorizations and commands share one queue, and the log names who decided each request', async () => {
  const { app, run, waiting, told, decisions } = await setUp(anybodyMayAnswer);
  expect(waiting.map(({ kind }) => kind)).toEqual(['authorization', 'command']);
  const [first, second] = waiting.map(({ id }) => id);
  expect(await run('requests.approve', { id: first })).toMatchObject({ answer: 'allow' });
  expect(await run('requests.deny', { id: second })).toMatchObject({ answer: 'deny' });
  const answers = [await app.answer(), await app.answer()];
  expect(answers.find(({ cmd }) => cmd === 'AUTHORIZE')?.data.code).toHaveLength(30);
  expect(answers.find(({ cmd }) => cmd !== 'AUTHORIZE')?.evt).toBe('ERROR');
  await expect(run('requests.approve', { id: second })).rejects.toThrow(
    `No request ${second} waits any more`,
  );
  expect(told).toEqual(['authorization added', 'command added', 'authorization settled', 'command settled']);
  const who = { level: 'info', clientId: client_id, pid: 7, reason: 'by control, /usr/bin/node' };
  expect(decisions()).toEqual([
    { ...who, message: 'request allowed' },
    { ...who, message: 'request denied' },
  ]);
});

it('the history says of each request who asked, what for, how it ended and who decided', async () => {
  const { app, run, waiting } = await setUp(anybodyMayAnswer);
  expect(await run('requests.history')).toEqual([]);
  const [first, second] = waiting.map(({ id }) => id);
  await run('requests.approve', { id: first, always: true });
  await run('requests.deny', { id: second });
  app.request('OPEN_OVERLAY_VOICE_SETTINGS', { pid: 100 });
  await settled();
  const [third] = (await run('requests.list')) as { id: string }[];
  app.end();
  await settled();
  const common = { clientId: client_id, applicationName: 'Harbour Example', entrance: null };
  const by = 'control, /usr/bin/node';
  expect(await run('requests.history')).toMatchObject([
    {
      ...common,
      id: third?.id,
      kind: 'command',
      wishes: ['OPEN_OVERLAY_VOICE_SETTINGS'],
      outcome: 'withdrawn',
      always: false,
      by: 'the app left',
    },
    {
      ...common,
      id: second,
      kind: 'command',
      wishes: ['OPEN_OVERLAY_VOICE_SETTINGS'],
      outcome: 'denied',
      always: false,
      by,
    },
    {
      ...common,
      id: first,
      kind: 'authorization',
      wishes: ['rpc', 'identify'],
      outcome: 'allowed',
      always: true,
      by,
    },
  ]);
});

it('the history has a revocation with who and where, and marks the decisions that it ends', async () => {
  const { app, run, runAs, waiting } = await setUp(anybodyMayAnswer);
  const [authorization, command] = waiting.map(({ id }) => id);
  await run('requests.approve', { id: authorization, always: true });
  await run('requests.deny', { id: command });
  const [grant] = (await run('grants.list')) as { id: string }[];
  const id = grant?.id;
  await runAs({ via: 'control', program: 'node console.js', forProcesses: [8] })('grants.revoke', { id });
  const outcomes = async () =>
    ((await run('requests.history')) as Record<string, unknown>[]).map(
      ({ wishes, outcome, by, where, revokedAt }) => [wishes, outcome, by, where, revokedAt !== null],
    );
  const revoked = [['rpc', 'identify'], 'revoked', 'control, node console.js', 'console', false];
  const overlay = ['OPEN_OVERLAY_VOICE_SETTINGS'];
  const by = 'control, /usr/bin/node';
  const first = [['rpc', 'identify'], 'allowed', by, 'control', true];
  expect(await outcomes()).toEqual([revoked, [overlay, 'denied', by, 'control', false], first]);
  // A later decision holds until the next revocation.
  await expect(run('grants.revoke', { id })).rejects.toThrow('There is no grant');
  app.request('AUTHORIZE', { client_id, scopes: ['rpc'] });
  await settled();
  const [again] = (await run('requests.list')) as { id: string }[];
  await runAs({ via: 'control', forProcesses: [8] })('requests.approve', { id: again?.id });
  const held = [['rpc', 'identify'], 'allowed', 'control', 'console', false];
  expect((await outcomes()).slice(0, 2)).toEqual([held, revoked]);
});

it('the history has the last 100 requests', async () => {
  const { app, run, waiting } = await setUp(anybodyMayAnswer);
  const deny = async (): Promise<string> => {
    const [{ id } = { id: '' }] = (await run('requests.list')) as { id: string }[];
    await run('requests.deny', { id });
    return id;
  };
  for (const { id } of waiting) await run('requests.deny', { id });
  const later: string[] = [];
  for (let time = 0; time < 99; time += 1) {
    app.request('OPEN_OVERLAY_VOICE_SETTINGS', { pid: 100 });
    await settled();
    later.push(await deny());
  }
  const history = (await run('requests.history')) as { id: string }[];
  expect(history.map(({ id }) => id)).toEqual([...later.toReversed(), waiting[1]?.id]);
});

it('a caller that the rule refuses cannot allow a request, and the request stays in the queue', async () => {
  const { run, waiting, decisions } = await setUp(({ id }, { pid }) => `${id} is not for ${pid}`);
  for (const { id } of waiting) {
    await expect(run('requests.approve', { id })).rejects.toThrow(`${id} is not for 7`);
  }
  expect(await run('requests.list')).toHaveLength(2);
  expect(decisions()).toEqual([]);
  for (const { id } of waiting) await run('requests.deny', { id });
  expect(await run('requests.list')).toEqual([]);
});

it('dialogs of one process cannot displace those of another process, whatever client ids it sends', async () => {
  const { emulator, handlersOf } = await manyAskers();
  const hoarders = Array.from({ length: 8 }, (_, i) => 100 + i);
  for (const pid of hoarders) {
    for (let i = 0; i < 12; i++) void handlersOf(pid, `${1000 + i}`).catch(() => {});
  }
  expect(emulator.requests.count('command')).toBe(64);
  void handlersOf(7, client_id).catch(() => {});
  const of = (pid: number) =>
    emulator.requests.list().filter((request) => requesterPid(request) === pid).length;
  expect([emulator.requests.count('command'), of(7), ...hoarders.map(of).sort((a, b) => a - b)]).toEqual([
    ...[64, 1, 7, 8, 8, 8, 8, 8, 8, 8],
  ]);
  // A squatter of the name takes nothing from the application itself.
  expect(emulator.requests.list().at(-1)).toMatchObject({ clientId: client_id, pid: 7 });
  emulator.requests.withdrawAll('end');
});

/** An emulator that is asked to show a dialog by any process under any name. */
async function manyAskers() {
  const emulator = await createEmulator({ fixture: defaultFixture(), consent: { policy: 'ask' } });
  onTestFinished(() => emulator.close());
  const handlersOf = async (pid: number, clientId: string): Promise<unknown> => {
    const { signal } = new AbortController();
    const credentials = { pid, uid: 1000 };
    const peer = { sessionId: `${pid}`, clientId, transport: 'ipc', credentials, signal } as const;
    const handlers = recordedHandlers(emulator, peer, 'An app');
    const call = { signal, rawArgs: {}, scopes: new Set<string>(), waitsForConsent: () => {} };
    return handlers.OPEN_OVERLAY_VOICE_SETTINGS?.({ pid: 100 }, call);
  };
  return { emulator, handlersOf };
}
