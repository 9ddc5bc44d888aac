import { expect, it } from 'vitest';
import type { AdminDeclaration } from '../../../src/base/admin-operation.ts';
import { adminDeclarations } from '../../../src/daemon/operations.ts';

const all: readonly AdminDeclaration<never>[] = adminDeclarations;
const names = (which: (one: AdminDeclaration<never>) => boolean): string[] =>
  all.filter(which).map(({ name }) => name);

it('every operation for the operator needs an argument, but for these', () => {
  expect(names(({ args }) => args().safeParse({}).success)).toEqual([
    'requests.list',
    'requests.history',
    'activity.doubts',
    'emulator.show',
    'emulator.settle',
    'summary',
    'emulator.missing',
    'emulator.violations',
    'emulator.export',
    'emulator.seed',
    'emulator.reset',
    'interaction.list',
    'user.view',
    'voice.get',
    'channel.list',
    'user.list',
    'user.log-in',
    'user.log-out',
    'grants.list',
    'sign-in',
    'webhooks.list',
    'gateway.sessions',
    'clock.now',
    'clock.freeze',
    'clock.run',
    'clock.lock',
    'clock.unlock',
    'clock.reset',
    'fault.list',
    'fault.remove',
    'journal.read',
    'origins.list',
    'endpoints.list',
    'endpoints.reload',
    'console.address',
    'bridge.facts',
    'record.start',
    'record.show',
    'record.stop',
    'presence.list',
    'presence.clear',
    'presence.resume',
    'presence.reload',
    'voice.show',
    'voice.change',
    'world.add',
    'world.list',
  ]);
});

it('every result has fields, but for an empty list and the whole state', () => {
  expect(names(({ result }) => result().safeParse({}).success)).toEqual(['emulator.show']);
  expect(names(({ result }) => result().safeParse([]).success)).toEqual([
    'requests.list',
    'requests.history',
    'activity.doubts',
    'emulator.missing',
    'emulator.violations',
    'interaction.commands',
    'interaction.suggest',
    'interaction.list',
    'channel.read',
    'channel.list',
    'user.list',
    'grants.list',
    'webhooks.list',
    'gateway.sessions',
    'fault.list',
    'endpoints.list',
    'endpoints.reload',
    'world.list',
  ]);
});

it('every result in a list has fields, but for a doubt', () => {
  expect(names(({ result }) => result().safeParse([{}]).success)).toEqual(['activity.doubts']);
});
