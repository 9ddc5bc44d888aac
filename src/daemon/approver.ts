import type { ApproverRule } from '../core/core.ts';
import { type AnswerRule, requesterPid } from '../emulator/api/waiting-request.ts';

/**
 * Rule that bars a process from approving its own request, or a request of a process that started it. The rule prevents
 * mistakes and scripts, but not a hostile program (see SECURITY). `isRequester` returns whether a process is the requester
 * or one of its children.
 */
export function notTheRequester(isRequester: (pid: number, requester: number) => boolean): ApproverRule {
  return (requester, { pid, forProcesses = [], via }) => {
    // The bridge's own terminal and a button of the desktop are no process that could have made the request, and a
    // missing pid proves nothing.
    if (via === 'terminal' || requester === 0) return undefined;
    const made = `made by process ${requester}, which cannot allow it itself, nor can a process it started. `;
    if (forProcesses === 'unknown')
      return `${made}The system does not say which process your browser is. Answer it with footbridge approve.`;
    if (![pid ?? [], forProcesses].flat().some((one) => isRequester(one, requester))) return undefined;
    return `${made}Answer it from a terminal of your own.`;
  };
}

/** Applies an approver rule to requests that wait in the emulator. */
export function ofRequests(rule: ApproverRule): AnswerRule {
  return (request, by) => {
    const refusal = rule(requesterPid(request) ?? 0, by);
    return refusal === undefined ? undefined : `Request ${request.id} was ${refusal}`;
  };
}
