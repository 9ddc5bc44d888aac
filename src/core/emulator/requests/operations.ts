import * as z from 'zod';
import { adminOperationsFor } from '../../../base/admin-operation.ts';
import { storedFields } from '../../../base/saves.ts';
import { noArgs } from '../../../emulator/api/operator.ts';
import type { AnswerRule, Decision } from '../../../emulator/api/waiting-request.ts';
import type { Shared } from '../app-session.ts';
import type { RequestHistory } from './history.ts';

/** `mayAnswer` decides who may allow a waiting request. */
const operation = adminOperationsFor<
  Shared & { readonly mayAnswer: AnswerRule; readonly history: Pick<RequestHistory, 'list'> }
>();

const byId = () => z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) });
const answered = () =>
  z.object({ id: z.string(), answer: z.enum(['allow', 'deny']), applicationName: z.nullable(z.string()) });
const allowed = () => answered().extend(storedFields(z.boolean, z.string));

/** An app's authorization request, or a command that needs the user. */
const waitingRequest = () => {
  const common = {
    id: z.string(),
    clientId: z.string(),
    applicationName: z.string(),
    /** Times in milliseconds since the Unix epoch; a request that has expired is denied. */
    requestedAt: z.number(),
    expiresAt: z.number(),
    /** Milliseconds until then, by the emulator's clock, which may stand still or be ahead of the machine's. */
    expiresIn: z.number(),
  };
  return z.union([
    z.object({
      ...common,
      kind: z.literal('authorization'),
      userId: z.string(),
      scopes: z.array(z.object({ name: z.string(), description: z.string() })),
      peer: z.object({
        pid: z.optional(z.number()),
        program: z.optional(z.string()),
        sessionId: z.optional(z.string()),
        transport: z.string(),
        /** Endpoint and sandbox, of an app at an endpoint with rights of its own. */
        entrance: z.optional(z.string()),
        /** Always false: everything except transport and entrance is a claim of the operating system or the peer. */
        verified: z.literal(false),
      }),
    }),
    z.object({
      ...common,
      kind: z.literal('command'),
      cmd: z.string(),
      what: z.string(),
      details: z.array(z.string()),
      pid: z.nullable(z.number()),
      entrance: z.optional(z.string()),
    }),
  ]);
};

const endedRequest = () =>
  z.object({
    id: z.string(),
    kind: z.enum(['authorization', 'command']),
    clientId: z.string(),
    applicationName: z.string(),
    wishes: z.array(z.string()),
    program: z.nullable(z.string()),
    pid: z.nullable(z.number()),
    entrance: z.nullable(z.string()),
    outcome: z.enum(['allowed', 'denied', 'timed-out', 'withdrawn', 'revoked']),
    always: z.boolean(),
    by: z.nullable(z.string()),
    where: z.nullable(z.enum(['control', 'console', 'terminal', 'notification'])),
    revokedAt: z.nullable(z.number()),
    requestedAt: z.number(),
    endedAt: z.number(),
  });

/** Operator operations on waiting requests. */
export const requestOperations = [
  operation({
    name: 'requests.list',
    summary: 'Requests that wait for the user',
    args: noArgs,
    result: () => z.array(waitingRequest()),
    run: ({ emulator }) => {
      const now = emulator.clock.now();
      return emulator.requests
        .list()
        .map((request) => ({ ...request, expiresIn: Math.max(0, request.expiresAt - now) }));
    },
  }),
  operation({
    name: 'requests.history',
    summary: 'The last 100 requests that no longer wait and revocations, and who decided',
    about:
      '`wishes` are the requested scopes, or the command; `by` is who decided, or why nobody did; `revokedAt` is when a revocation ended it. Ends with the bridge.',
    args: noArgs,
    result: () => z.array(endedRequest()),
    run: ({ history }) => history.list(),
  }),
  operation({
    name: 'requests.approve',
    summary: 'Allow a waiting request',
    about: '`always` stores the answer for the next request.',
    args: () => byId().extend({ always: z.optional(z.boolean()) }),
    result: allowed,
    async run(shared, { id, always }, by) {
      const { request, answered } = answer(shared, id, { answer: 'allow', always, by }, shared.mayAnswer);
      // A command is allowed once, so that nothing of its answer is stored.
      if (request.kind === 'command') return { ...answered, stored: true };
      return { ...answered, ...(await shared.emulator.oauth2.lastChange()) };
    },
  }),
  operation({
    name: 'requests.deny',
    summary: 'Deny a waiting request',
    args: byId,
    result: answered,
    run: (shared, { id }, by) => answer(shared, id, { answer: 'deny', by }, shared.mayAnswer).answered,
  }),
] as const;

/**
 * Answers a waiting request. Throws an Error with a plain message if the request is unknown, or this operator may not
 * allow it.
 */
function answer({ emulator, host }: Shared, id: string, decision: Decision, mayAnswer: AnswerRule) {
  const request = emulator.requests.answer(id, decision, mayAnswer);
  if (request === undefined) {
    throw new Error(`No request ${id} waits any more; "footbridge requests" lists those that do`);
  }
  const { pid, program, via } = decision.by;
  host.log('info', decision.answer === 'allow' ? 'request allowed' : 'request denied', {
    clientId: request.clientId,
    reason: `by ${program === undefined ? via : `${via}, ${program}`}`,
    ...(pid === undefined ? {} : { pid }),
  });
  return {
    request,
    answered: { id, answer: decision.answer, applicationName: request.applicationName },
  };
}
