import type { Stage } from './stage.ts';

/** One case of the client suite: the suite is the server, in a folder of its own. */
export interface ClientCase {
  /** `section/number`; never reused for something else. */
  readonly id: string;
  readonly title: string;
  /** Ids of the requirements it judges. */
  readonly judges: readonly string[];
  readonly run: (stage: Stage) => Promise<void>;
  /** True when it is about folders and files, which the pipes of Windows have not. */
  readonly unixOnly: boolean;
}

/** Declares a case. */
export function clientCase(
  id: string,
  title: string,
  judges: readonly string[],
  run: (stage: Stage) => Promise<void>,
  { unixOnly = false }: { unixOnly?: boolean } = {},
): ClientCase {
  return { id, title, judges, run, unixOnly };
}
