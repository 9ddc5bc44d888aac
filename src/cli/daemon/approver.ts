import type { OperationTable } from '../../control/routes.ts';
import type { AdminCaller, AdminOperation } from '../../core/core.ts';
import type { WaitingRequest } from '../../core/emulator/emulator-core.ts';
import type { Logger } from '../../server/options.ts';

/** What the check needs of its surroundings. */
export interface ApproverOptions {
  readonly logger: Logger;
  /** Whether a process is the one that asks, or started by it. */
  readonly isAskers: (pid: number, asker: number) => boolean;
}

/**
 * Puts a check before `requests.approve`: a process cannot allow what it asks for itself, nor can a process that it
 * started. That stops mistakes and scripts, not a program that means harm (see SECURITY). Each decision is logged.
 */
export function checkedApprovals(operations: OperationTable, options: ApproverOptions): OperationTable {
  const checked: Record<string, AdminOperation> = { ...operations };
  for (const [name, decision] of [
    ['requests.approve', 'request allowed'],
    ['requests.deny', 'request denied'],
  ] as const) {
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (operation === undefined) continue;
    checked[name] = {
      ...operation,
      run: async (args: { readonly id: string }, caller) => {
        const request = await waitingRequest(operations, args.id, caller);
        if (name === 'requests.approve' && request !== undefined) refuseItself(request, caller, options);
        const answer: unknown = await operation.run(args, caller);
        if (request !== undefined) options.logger.info(decisionFields(request, caller), decision);
        return answer;
      },
    };
  }
  return checked;
}

async function waitingRequest(
  operations: OperationTable,
  id: string,
  caller: AdminCaller,
): Promise<WaitingRequest | undefined> {
  const list = (await operations['requests.list']?.run({}, caller)) as readonly WaitingRequest[] | undefined;
  return list?.find((request) => request.id === id);
}

function refuseItself(request: WaitingRequest, caller: AdminCaller, { isAskers }: ApproverOptions): void {
  const asker = request.kind === 'authorization' ? request.peer.pid : request.pid;
  // The person at the bridge's own terminal is no process that asks; and no pid is no hint.
  if (caller.via === 'terminal' || !asker || caller.pid === undefined) return;
  if (!isAskers(caller.pid, asker)) return;
  throw new Error(
    `Request ${request.id} was made by process ${asker}, which cannot allow it itself, nor can a process it started. ` +
      'Answer it from a terminal of your own.',
  );
}

function decisionFields(request: WaitingRequest, { pid, program, via }: AdminCaller) {
  const by = program === undefined ? via : `${via}, ${program}`;
  return { clientId: request.clientId, reason: `by ${by}`, ...(pid === undefined ? {} : { pid }) };
}
