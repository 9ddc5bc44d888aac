import * as z from 'zod';
import { expandScopes } from '../../protocol/scope.ts';
import type { Lookup } from '../api/lookup.ts';
import { APP_ARG, nameArg, noArgs, operatorOperationsFor, USER_ARG } from '../api/operator.ts';
import type { Reading } from '../api/world.ts';
import { presenceOf } from '../users/presence/statuses.ts';
import { BUILT_IN_ISSUER, builtInIdToken } from './built-in-issuer.ts';
import type { OAuth2 } from './oauth2/oauth2.ts';
import type { UserAccounts } from './user-accounts.ts';

const operation = operatorOperationsFor<{
  readonly tables: Reading;
  readonly oauth2: Pick<OAuth2, 'grants'>;
  readonly accounts: Pick<UserAccounts, 'logIn' | 'logOut' | 'loggedIn'>;
  /** A URL at which a browser signs in; undefined while no server is running. */
  signInAddress(): string | undefined;
}>();

const text = (maxLength: number) => z.string().check(z.minLength(1), z.maxLength(maxLength));

const loggedInResult = () =>
  z.object({ user: z.object({ id: z.string(), username: z.string() }), loggedIn: z.boolean() });

function loggedIn({
  lookup,
  accounts,
}: {
  readonly lookup: Lookup;
  readonly accounts: Pick<UserAccounts, 'loggedIn'>;
}) {
  const { id, username } = lookup.me();
  return { user: { id, username }, loggedIn: accounts.loggedIn() };
}

const whoIsIn = ({ user, loggedIn: isIn }: z.output<ReturnType<typeof loggedInResult>>): string =>
  isIn ? `${user.username} (${user.id}) is logged in.` : 'Nobody is logged in.';

/** Operator operations on accounts: login, grants, and external identities. */
export const accountOperations = [
  operation({
    name: 'user.list',
    summary: 'The users of the emulator',
    about:
      '`me` is true for the logged-in user, and for the user of the last log-in while nobody is logged in.',
    args: noArgs,
    result: () =>
      z.array(
        z.object({
          id: z.string(),
          username: z.string(),
          global_name: z.nullable(z.string()),
          bot: z.boolean(),
          me: z.boolean(),
          status: z.enum(['online', 'idle', 'dnd', 'offline']),
        }),
      ),
    command: {
      name: 'users',
      examples: [['users', 'Ids and names']],
      resultText: (list) => [
        ['ID', 'USERNAME', 'NAME', 'KIND'],
        ...list.map(({ id, username, global_name: name, bot, me }) => [
          id,
          username,
          name ?? '-',
          me ? 'you' : bot ? 'bot' : 'user',
        ]),
      ],
    },
    run: ({ lookup, tables }) =>
      [...tables.users].map(({ id, username, global_name, bot }) => ({
        id,
        username,
        global_name,
        bot,
        me: id === lookup.me().id,
        status: presenceOf(tables, id).status,
      })),
  }),
  operation({
    name: 'user.switch',
    summary: 'Log another user in; every session is closed',
    about: '`id` is an id or a username.',
    args: () => z.object({ id: nameArg() }),
    result: loggedInResult,
    command: {
      name: 'user switch',
      summary: 'Log another user in; every app is disconnected and comes back as that user',
      syntax: { id: { ...USER_ARG, name: 'ID' } },
      examples: [['user switch heron', 'Continue as another user']],
      resultText: whoIsIn,
    },
    run(emulator, { id }) {
      emulator.accounts.logIn(emulator.lookup.user(id).id);
      return loggedIn(emulator);
    },
  }),
  operation({
    name: 'user.log-in',
    summary: 'Log a user in; default: the previous one',
    args: () => z.object({ id: z.optional(nameArg()) }),
    result: loggedInResult,
    command: {
      name: 'user log-in',
      syntax: { id: { ...USER_ARG, name: 'ID', arity: 'optional' } },
      examples: [
        ['user log-in', 'The previous user'],
        ['user log-in heron', 'Another user'],
      ],
      resultText: whoIsIn,
    },
    run(emulator, { id }) {
      emulator.accounts.logIn(emulator.lookup.user(id).id);
      return loggedIn(emulator);
    },
  }),
  operation({
    name: 'user.log-out',
    summary: 'Log the user out; every session is closed, and none opens until a user is logged in',
    args: noArgs,
    result: loggedInResult,
    command: {
      name: 'user log-out',
      summary: 'Log the user out; every app is disconnected, and none can connect until a user is logged in',
      examples: [['user log-out', 'What does the app do without a user?']],
      resultText: whoIsIn,
    },
    run(emulator) {
      emulator.accounts.logOut();
      return loggedIn(emulator);
    },
  }),
  operation({
    name: 'grants.list',
    summary: 'Grants of apps',
    args: noArgs,
    result: () =>
      z.array(
        z.looseObject({
          id: z.string(),
          userId: z.string(),
          username: z.nullable(z.string()),
          clientId: z.string(),
          applicationName: z.nullable(z.string()),
          transport: z.string(),
          /** Two lists: the scopes that the user saw, and the same scopes with every implied scope. */
          scopes: z.array(z.string()),
          expandedScopes: z.array(z.string()),
          always: z.boolean(),
          /** Who decided: `policy`, `person`, or a deputy of the user. */
          decidedBy: z.looseObject({
            kind: z.string(),
            via: z.optional(z.string()),
            program: z.optional(z.string()),
          }),
          /** Time of the consent, in milliseconds since the Unix epoch. */
          grantedAt: z.number(),
        }),
      ),
    run: ({ oauth2, lookup }) =>
      oauth2.grants().map((grant) => ({
        ...grant,
        decidedBy: { ...grant.decidedBy },
        username: lookup.namedUser(grant.userId).username,
        applicationName: lookup.applicationName(grant.clientId),
        expandedScopes: expandScopes(grant.scopes),
      })),
  }),
  operation({
    name: 'sign-in',
    summary: 'A URL that signs a browser in, valid once',
    args: noArgs,
    result: () => z.object({ address: z.string() }),
    command: {
      name: 'sign-in',
      summary: 'Print a URL that signs a browser in, so that an Allow on a page counts there',
      examples: [['sign-in', 'Valid once, for ten minutes']],
      resultText: ({ address }) => address,
    },
    run: (emulator) => {
      const address = emulator.signInAddress();
      if (address !== undefined) return { address };
      throw new Error('The platform has no address: it runs without its HTTP port (--http-port)');
    },
  }),
  operation({
    name: 'id-token',
    summary:
      'An id_token of the built-in issuer, which every application accepts as proof of an external identity',
    about: 'Send the result as an external identity of the type OIDC.',
    args: () =>
      z.object({
        app: text(100),
        subject: text(1024),
        name: z.optional(text(32)),
        nonce: z.optional(text(1024)),
      }),
    result: () => z.object({ issuer: z.string(), id_token: z.string() }),
    command: {
      name: 'id-token',
      summary: 'Print an id_token of the built-in issuer, as proof of an external identity',
      syntax: {
        app: APP_ARG,
        subject: { name: 'SUBJECT', help: 'id of the user at the issuer' },
        name: { option: 'name', name: 'NAME', help: 'the display name that the user has there' },
        nonce: { option: 'nonce', name: 'NONCE', help: 'the nonce that the token carries' },
      },
      details: ['Good for an hour, as external_auth_token of the type OIDC.'],
      examples: [["id-token 'Harbour Example' player-7 --name Gull", 'A user of a game']],
      resultText: ({ id_token }) => id_token,
    },
    run: async ({ clock, lookup }, { app, subject, name, nonce }) => ({
      issuer: BUILT_IN_ISSUER,
      id_token: await builtInIdToken({
        subject,
        audience: lookup.application(app).id,
        name,
        nonce,
        issuedAt: Math.floor(clock.now() / 1000),
      }),
    }),
  }),
] as const;
