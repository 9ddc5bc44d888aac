import { expect, it } from 'vitest';
import { socketsOf } from '../../../src/cli/doctor/check.ts';
import { furtherEndpoints } from '../../../src/cli/doctor/checks/further-endpoints.ts';
import type { FurtherEndpoint } from '../../../src/control/routes.ts';
import { running, scene } from './scene.ts';

const snap: FurtherEndpoint = {
  name: 'snap',
  preset: 'snap',
  path: '/r/snap.discord/discord-ipc-0',
  rights: 'presence',
  state: 'serving',
  why: null,
};
const flatpak: FurtherEndpoint = {
  name: 'flatpak',
  preset: 'flatpak',
  path: '/r/app/a.B/discord-ipc-0',
  rights: ['rpc.voice.read', 'GET_GUILDS'],
  state: 'waiting',
  why: '/r/app/a.B does not exist yet.',
};
const blocked: FurtherEndpoint = { ...snap, name: 'other', state: 'blocked', why: 'a link is there.' };

it('the check of further endpoints lists each with its rights, and warns of one that is blocked', async () => {
  const inspect = async (...further: FurtherEndpoint[]) =>
    furtherEndpoints.inspect(await scene({ bridge: running({ further }) }));
  expect(await inspect(snap, flatpak)).toEqual({
    verdict: 'ok',
    evidence: [
      'snap: serving at /r/snap.discord/discord-ipc-0, rights presence',
      'flatpak: waiting at /r/app/a.B/discord-ipc-0, rights rpc.voice.read GET_GUILDS: /r/app/a.B does not exist yet.',
    ],
    fix: null,
  });
  expect(await inspect(blocked)).toMatchObject({
    verdict: 'warning',
    evidence: [
      expect.stringContaining('blocked at /r/snap.discord/discord-ipc-0, rights presence: a link is there.'),
    ],
  });
  expect((await inspect()).verdict).toBe('not applicable');
  expect((await furtherEndpoints.inspect(await scene())).verdict).toBe('not applicable');
});

it('the sockets of a bridge include those that it serves with rights of their own', () => {
  const endpoints = [
    { kind: 'ipc', path: '/r/discord-ipc-0' },
    { kind: 'websocket', path: 'ws://127.0.0.1:6463' },
  ] as const;
  expect(socketsOf(running({ endpoints, further: [snap, flatpak, blocked] }))).toEqual([
    '/r/discord-ipc-0',
    '/r/snap.discord/discord-ipc-0',
  ]);
});
