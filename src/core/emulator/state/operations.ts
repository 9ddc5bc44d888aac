import * as z from 'zod';
import { adminOperationsFor } from '../../../base/admin-operation.ts';
import { fixtureToToml } from '../../../emulator/compose/fixture/toml.ts';
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
] as const;
