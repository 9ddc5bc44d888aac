import * as z from 'zod';
import { BUILT_IN_ISSUER, builtInIdToken } from '../../../emulator/accounts/built-in-issuer.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';
import { findApplication } from '../find-application.ts';

const text = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest));

/** What a person can do for those whom only a game knows. */
export function accountOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  return {
    'id-token': defineOperation({
      summary:
        'An id_token of the built-in issuer, which every application takes as proof of an external identity',
      args: () =>
        z.object({
          app: text(100),
          subject: text(1024),
          name: z.optional(text(32)),
          nonce: z.optional(text(1024)),
        }),
      run: async ({ app, subject, name, nonce }) => ({
        issuer: BUILT_IN_ISSUER,
        id_token: await builtInIdToken({
          subject,
          audience: findApplication(emulator, app).id,
          name,
          nonce,
          issuedAt: Math.floor(emulator.clock.now() / 1000),
        }),
      }),
    }),
  };
}
