import type { ApproverRule } from '../core/core.ts';
import { type AnswerRule, requesterPid } from '../emulator/api/waiting-request.ts';

/**
 * Who may allow what an app asked for: not the process that asks, nor one that it started. That stops mistakes and scripts,
 * not a program that means harm (see SECURITY). `isAskers` says whether a process is the one that asks, or started by it.
 */
export function notTheAsker(isAskers: (pid: number, asker: number) => boolean): ApproverRule {
  return (asker, { pid, forProcesses = [], via }) => {
    // The person at the bridge's own terminal is no process that asks, nor is a button of the desktop, and
    // no pid is no hint.
    if (via === 'terminal' || asker === 0) return undefined;
    const made = `made by process ${asker}, which cannot allow it itself, nor can a process it started. `;
    if (forProcesses === 'unknown')
      return `${made}The system does not say which process your browser is. Answer it with footbridge approve.`;
    const processes = pid === undefined ? forProcesses : [pid, ...forProcesses];
    if (!processes.some((one) => isAskers(one, asker))) return undefined;
    return `${made}Answer it from a terminal of your own.`;
  };
}

/** The same rule for what waits in the emulator. */
export function ofRequests(rule: ApproverRule): AnswerRule {
  return (request, by) => {
    const refusal = rule(requesterPid(request) ?? 0, by);
    return refusal === undefined ? undefined : `Request ${request.id} was ${refusal}`;
  };
}
