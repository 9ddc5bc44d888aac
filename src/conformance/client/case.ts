import { requirementIdsOf } from '../requirements.ts';
import type { CaseFacts } from '../verdict.ts';
import type { Stage } from './stage.ts';

/** Case of the client suite. The suite is the server, in a private folder. */
export interface ClientCase extends CaseFacts {
  readonly run: (stage: Stage) => Promise<void>;
  /** True for a case about folders and files, which Windows pipes do not have. */
  readonly unixOnly: boolean;
}

/** Returns the function that declares cases for the systems with sockets and pipes, or only those with sockets. */
function declaring(unixOnly: boolean) {
  return (id: string, title: string, run: ClientCase['run']): ClientCase => {
    return { id, title, requirementIds: requirementIdsOf(id), run, unixOnly };
  };
}

export const clientCase = declaring(false);
export const unixClientCase = declaring(true);
