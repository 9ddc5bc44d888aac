import * as z from 'zod';
import { adminOperationsFor } from '../../../base/admin-operation.ts';
import { fixtureToToml } from '../../../emulator/compose/fixture/toml.ts';
import { SettingError } from '../../../emulator/kernel/errors.ts';
import { parseDuration } from '../../../emulator/kernel/time-text.ts';
import type { Shared } from '../app-session.ts';
import { viewState } from './state-view.ts';

const operation = adminOperationsFor<Shared>();

/** Operator operations that read the state, connected apps included. */
export const viewOperations = [
  operation({
    name: 'emulator.show',
    summary: 'The whole state, without client secrets',
    about: 'With `format` `toml` the result is `{toml}`, a fixture file; otherwise the keys of a fixture.',
    args: () => z.object({ format: z.optional(z.enum(['json', 'toml'])) }),
    result: () => z.looseObject({ toml: z.optional(z.string()) }),
    run: async (shared, { format }) =>
      format === 'toml' ? { toml: await fixtureToToml(shared.emulator.toFixture()) } : viewState(shared),
  }),
  operation({
    name: 'emulator.settle',
    summary: 'Wait until bots and apps have reacted to what has happened',
    about:
      'Timers that are due have run, clients of the gateway have read their events, requests, interactions and webhooks are answered, ' +
      'and nothing has come for `quiet`, by default 50ms. Without a bot or an app it returns at once. `within` is the longest wait of the machine, by default ' +
      '5s; then `settled` is false and `waiting` says for whom.',
    args: () => z.object({ within: z.optional(z.string()), quiet: z.optional(z.string()) }),
    result: () => z.object({ settled: z.boolean(), waiting: z.array(z.string()) }),
    run: ({ emulator, sessions }, { within = '5s', quiet = '50ms' }) =>
      emulator.settle({
        within: settleTime('within', within),
        quiet: settleTime('quiet', quiet),
        apps: sessions.size,
      }),
  }),
] as const;

/** Longest wait (ms). */
const MAX_SETTLE_MS = 60_000;

/** A duration of at most a minute in milliseconds. @throws SettingError that names the argument. */
function settleTime(key: string, text: string): number {
  const ms = parseDuration(text);
  if (ms <= MAX_SETTLE_MS) return ms;
  throw new SettingError(key, 'must be at most 60s');
}
