import * as z from 'zod';
import type { AnswerRule, Decision } from '../../../emulator/api/waiting-request.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';
import type { Shared } from '../app-session.ts';

const none = () => z.object({});
const byId = () => z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) });

/** What a person can do to what waits for them; `mayAnswer` says who may allow it. */
export function requestOperations(
  shared: Shared,
  mayAnswer: AnswerRule,
): { readonly [name: string]: AdminOperation } {
  const { emulator } = shared;
  return {
    'requests.list': defineOperation({
      summary: 'What waits for a person',
      args: none,
      run: () => emulator.requests.list(),
    }),
    'requests.approve': defineOperation({
      summary: 'Allow a waiting request',
      args: () => byId().extend({ always: z.optional(z.boolean()) }),
      run: ({ id, always }, by) => answer(shared, id, { answer: 'allow', always, by }, mayAnswer),
    }),
    'requests.deny': defineOperation({
      summary: 'Deny a waiting request',
      args: byId,
      run: ({ id }, by) => answer(shared, id, { answer: 'deny', by }, mayAnswer),
    }),
  };
}

/** Throws an Error with a plain message: nothing of this id waits, or this person may not allow it. */
function answer({ emulator, host }: Shared, id: string, decision: Decision, mayAnswer: AnswerRule): object {
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
  return { id, answer: decision.answer, applicationName: request.applicationName };
}
