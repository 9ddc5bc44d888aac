import type { Stage } from './stage.ts';

/** Case of the client suite. The suite is the server, in a private folder. */
export interface ClientCase {
  /** `section/number`; never reused for another case. */
  readonly id: string;
  readonly title: string;
  /** Ids of the tested requirements. */
  readonly requirementIds: readonly string[];
  readonly run: (stage: Stage) => Promise<void>;
  /** True for a case about folders and files, which Windows pipes do not have. */
  readonly unixOnly: boolean;
}

/** Declares a case. */
export function clientCase(
  id: string,
  title: string,
  requirementIds: readonly string[],
  run: (stage: Stage) => Promise<void>,
  { unixOnly = false }: { unixOnly?: boolean } = {},
): ClientCase {
  return { id, title, requirementIds, run, unixOnly };
}
