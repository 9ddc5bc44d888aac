import type { Stage } from './stage.ts';

/** One case of the client suite: the suite is the server, in a folder of its own. */
export interface ClientCase {
  /** `section/number`; never reused for something else. */
  readonly id: string;
  readonly title: string;
  /** Ids of the requirements it judges. */
  readonly judges: readonly string[];
  readonly run: (stage: Stage) => Promise<void>;
}

/** Declares a case. */
export function clientCase(
  id: string,
  title: string,
  judges: readonly string[],
  run: (stage: Stage) => Promise<void>,
): ClientCase {
  return { id, title, judges, run };
}
