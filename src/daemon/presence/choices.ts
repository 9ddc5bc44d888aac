import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { LocalError } from '../../base/local-error.ts';
import { memorySaveResult, type SaveResult } from '../../base/saves.ts';
import { contentBy, readOwnChecked, warnOfDamage, writeChecked } from '../checked-file.ts';
import type { CoreOptions } from '../core-options.ts';
import { written } from '../state-files.ts';

/** Maximum size of the file (bytes). */
const MAX_BYTES = 1024 * 1024;
/** Maximum number of application names that are remembered. */
const MAX_NAMES = 1000;

const document = () =>
  z.object({
    /** ms since the Unix epoch; null until the user resumes. */
    paused: z.optional(z.nullable(z.number())),
    held: z.array(
      z.object({
        clientId: z.string(),
        activity: z.record(z.string(), z.unknown()),
        until: z.nullable(z.number()),
      }),
    ),
    names: z.record(z.string(), z.string()),
  });

/** A presence of the operator's own, which stays after the command has ended. */
export interface HeldPresence {
  readonly clientId: string;
  readonly activity: Readonly<Record<string, unknown>>;
  /** ms since the Unix epoch; null until it is cleared. */
  readonly until: number | null;
}

/** Choices of the operator about presence that outlive the bridge, and names of applications that clients have told. */
export interface Choices {
  readonly paused?: number | null | undefined;
  readonly held: readonly HeldPresence[];
  readonly names: Readonly<Record<string, string>>;
}

/** Stored choices. */
export interface ChoiceStore {
  readonly current: Choices;
  /** Replaces some of the choices. The change is in force, stored or not. */
  change(change: Partial<Choices>): SaveResult;
}

const EMPTY: Choices = { held: [], names: {} };

/**
 * Opens the file of choices. A damaged file may have held a pause, so presence starts paused then. Throws `LocalError`
 * FOOTBRIDGE_DATA for a file that cannot be read.
 */
export function choiceStore({
  data,
  os,
  logger,
  stateFiles,
}: Pick<CoreOptions, 'data' | 'os' | 'logger' | 'stateFiles'>): ChoiceStore {
  const path = data.kind === 'folder' ? join(data.path, 'presence.json') : undefined;
  let current = path === undefined ? EMPTY : read(path, os.uid, logger);
  return {
    get current() {
      return current;
    },
    change(change) {
      const names = Object.fromEntries(Object.entries(change.names ?? current.names).slice(-MAX_NAMES));
      current = { ...current, ...change, names };
      if (path === undefined) return memorySaveResult(data.kind === 'memory' ? data.reason : undefined);
      return stateFiles.note(
        path,
        written(path, () => writeChecked(path, current)),
        logger,
      );
    },
  };
}

function read(path: string, uid: number | undefined, logger: CoreOptions['logger']): Choices {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return EMPTY;
    const parse = (content: unknown): Choices => contentBy(document(), content);
    const choices = readOwnChecked(path, {
      maxBytes: MAX_BYTES,
      uid,
      parse,
      onDamaged: (damaged) => warnOfDamage(logger, damaged),
    });
    if (choices !== undefined) return choices;
  } catch (cause) {
    throw new LocalError(
      'FOOTBRIDGE_DATA',
      `${path} is no file of choices about presence: ${systemErrorText(cause)}. Move it away, and repeat your choices.`,
      { cause },
    );
  }
  logger.warn(
    { path },
    'presence is paused, because the damaged file may have paused it: footbridge presence resume',
  );
  return { ...EMPTY, paused: null };
}
