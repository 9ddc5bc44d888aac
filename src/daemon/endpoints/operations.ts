import * as z from 'zod';
import { adminOperationsFor } from '../../base/admin-operation.ts';
import { isName, NAME_TEXT } from '../../forward/name.ts';
import { rightsFault } from '../../protocol/rights.ts';
import type { Endpoints } from './endpoints.ts';

const operation = adminOperationsFor<{
  readonly endpoints: Pick<Endpoints, 'list' | 'openPrivate' | 'reload'>;
}>();

const rights = () =>
  z.union([
    z.enum(['full', 'presence']),
    z.array(z.string().check(z.maxLength(128))).check(
      z.minLength(1),
      z.maxLength(256),
      z.refine((items: readonly string[]) => rightsFault(items) === undefined, {
        error: ({ input }) => rightsFault(input as readonly string[]),
      }),
    ),
  ]);

const facts = () =>
  z.array(
    z.object({
      name: z.string(),
      preset: z.enum(['flatpak', 'snap', 'path', 'private']),
      path: z.string(),
      rights: rights(),
      state: z.enum(['waiting', 'blocked', 'serving', 'closed']),
      why: z.nullable(z.string()),
    }),
  );

/** Operations on endpoints besides the bridge's own. */
export const endpointOperations = [
  operation({
    name: 'endpoints.list',
    summary: 'The endpoints with rights of their own, and whether each is served',
    about: '`why` tells the reason and the remedy where an endpoint is not served.',
    args: () => z.object({}),
    result: facts,
    run: ({ endpoints }) => endpoints.list(),
  }),
  operation({
    name: 'endpoints.reload',
    summary: 'Read the endpoints of the configuration file again, and serve them',
    about: 'Sessions of endpoints that did not change stay. A mistake in the file changes nothing.',
    args: () => z.object({}),
    result: facts,
    async run({ endpoints }) {
      await endpoints.reload();
      return endpoints.list();
    },
  }),
  operation({
    name: 'endpoints.open',
    summary: 'Open a private endpoint for as long as this connection stays open',
    about:
      'Call it at `POST /v1/operations/endpoints.open/hold`: the answer does not end, and the endpoint is closed when the connection is. ' +
      '`host` is the machine that the apps come from; both texts are shown where an app asks for consent.',
    args: () =>
      z.object({
        name: z.string().check(z.refine(isName, `is not ${NAME_TEXT}`)),
        rights: rights(),
        host: z.optional(z.string().check(z.regex(/^[\w.@:-]{1,128}$/))),
      }),
    result: () => z.object({ path: z.string() }),
    holds: true,
    async run({ endpoints }, { name, rights: permitted, host }, { held }) {
      if (held === undefined)
        throw new Error(
          'endpoints.open: call it so that the connection stays open: POST …/endpoints.open/hold',
        );
      const { path, close } = await endpoints.openPrivate(
        host === undefined ? name : `${name} (${host})`,
        permitted,
      );
      if (held.aborted) await close();
      else held.addEventListener('abort', () => void close(), { once: true });
      return { path };
    },
  }),
] as const;
