import { systemErrorText } from '../../platform/system-error-text.ts';
import type { SaveResult, Stored } from '../base/saves.ts';
import { printable } from '../base/text.ts';
import type { Logger } from '../server/options.ts';

/** Results of the last writes of this bridge's state files, for its status. */
export class StateFiles {
  readonly #reasons = new Map<string, string>();

  /** Notes the result of a write and returns it. With a logger, the first failure and the first success are logged. */
  note(path: string, result: SaveResult, logger?: Pick<Logger, 'warn' | 'info'>): SaveResult {
    const before = this.#reasons.get(path);
    if (result.kind === 'saved') {
      this.#reasons.delete(path);
      if (before !== undefined) logger?.info({ path }, 'state file written again');
    } else {
      this.#reasons.set(path, result.reason);
      if (before !== result.reason)
        logger?.warn({ path, reason: result.reason }, 'state file not written: changes end with the bridge');
    }
    return result;
  }

  /** One line for each file whose last change is not stored, with path and reason. */
  unstored(): readonly string[] {
    return [...this.#reasons.values()];
  }
}

/** Writes a file, and returns an error as the result. */
export function written(path: string, write: () => void): SaveResult {
  try {
    write();
    return { kind: 'saved' };
  } catch (error) {
    return unwritten(path, error);
  }
}

/** Result of a write that has failed with an error. */
export function unwritten(path: string, error: unknown): SaveResult {
  return { kind: 'failed', reason: `${path} cannot be written: ${systemErrorText(error)}` };
}

/** Text for the user about an answer whose change is not stored, in one line; undefined for any other answer. */
export function unstoredText(answer: unknown): string | undefined {
  const { stored, reason, comesBack } = Object(answer) as Partial<Extract<Stored, { stored: false }>>;
  return stored === false ? `not stored: ${printable(String(reason))}. ${endText(comesBack)}` : undefined;
}

function endText(comesBack: boolean | undefined): string {
  const remedy = 'Make room on that disk, or make its folder writable';
  switch (comesBack) {
    case true:
      return `${remedy}, or the next start of the bridge restores what was revoked.`;
    case false:
      return `A restart does not restore what was revoked. ${remedy}.`;
    case undefined:
      return `It holds until the bridge ends. ${remedy}.`;
  }
}
