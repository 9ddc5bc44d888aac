import { type AdminDeclaration, type AdminOperations, boundOperations } from '../../base/admin-operation.ts';
import type { AnswerRule } from '../../emulator/api/waiting-request.ts';
import { operatorOperations } from '../../emulator/compose/operator-operations.ts';
import { activityOperations } from './activity/operations.ts';
import type { Shared } from './app-session.ts';
import { authorizationOperations } from './authorization/operations.ts';
import type { RequestHistory } from './requests/history.ts';
import { requestOperations } from './requests/operations.ts';
import { viewOperations } from './state/operations.ts';

interface Requests {
  /** Who may allow a waiting request. */
  readonly mayAnswer: AnswerRule;
  readonly history: RequestHistory;
}

/** Operator operations that involve connected apps. */
export const sessionOperations: readonly AdminDeclaration<Shared & Requests>[] = [
  ...requestOperations,
  ...authorizationOperations,
  ...activityOperations,
  ...viewOperations,
];

/** Operator operations of the emulator, which `footbridge requests`, `approve` and `emulator …` call. */
export function operations(shared: Shared, requests: Requests): AdminOperations {
  return {
    ...boundOperations(operatorOperations, shared.emulator),
    ...boundOperations(sessionOperations, { ...shared, ...requests }),
  };
}
