import { type AnswerRule, askerOf } from '../emulator/people/request.ts';

/**
 * Who may allow a request: not the process that asks, nor one that it started. That stops mistakes and scripts, not a
 * program that means harm (see SECURITY). `isAskers` says whether a process is the one that asks, or started by it.
 */
export function notByTheAsker(isAskers: (pid: number, asker: number) => boolean): AnswerRule {
  return (request, by) => {
    const asker = askerOf(request);
    // The person at the bridge's own terminal is no process that asks, nor is a button of the desktop; and no pid is no hint.
    if (by.via === 'terminal' || !asker || by.pid === undefined || !isAskers(by.pid, asker)) return undefined;
    return (
      `Request ${request.id} was made by process ${asker}, which cannot allow it itself, nor can a process it started. ` +
      'Answer it from a terminal of your own.'
    );
  };
}
