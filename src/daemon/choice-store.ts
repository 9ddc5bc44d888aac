import * as z from 'zod';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { LocalError, systemCode } from '../base/local-error.ts';
import { type Choice, type ChoiceStore, FREE_CHOICE } from '../core/upstream/choice.ts';
import { isPattern } from '../core/upstream/client-name.ts';
import { contentBy, type DamagedFile, readOwnChecked, writeChecked } from './checked-file.ts';
import { written } from './state-files.ts';

/** Maximum size of the file in bytes. */
const MAX_BYTES = 64 * 1024;

/** Choice after a damaged file: no client shows anything, because a client that the user left out must not. */
const NOWHERE: Choice = { primary: null, only: [] };

const pattern = () => z.string().check(z.refine(isPattern, 'must be the name of a chat client'));

const document = () =>
  z.object({
    primary: z.nullable(pattern().check(z.refine((name) => !name.includes('*'), 'must be one name'))),
    only: z.nullable(z.array(pattern()).check(z.maxLength(32))),
    places: z.optional(z.record(pattern(), z.string().check(z.maxLength(4096)))),
  });

/**
 * The choice among the chat clients in a file of mode 0600; the store's user holds the lock beside the file. A damaged
 * file is moved aside, and then no client shows a presence until the user chooses again. `load` throws `LocalError`
 * FOOTBRIDGE_DATA for a path that is no regular file, and for a file that a user other than `uid` may have written.
 */
export function fileChoiceStore(
  path: string,
  uid: number | undefined,
  onDamaged: (damaged: DamagedFile) => void,
): ChoiceStore {
  return {
    load() {
      try {
        const parse = (content: unknown) => contentBy(document(), content);
        return readOwnChecked(path, { maxBytes: MAX_BYTES, uid, parse, onDamaged }) ?? NOWHERE;
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return FREE_CHOICE;
        throw new LocalError(
          'FOOTBRIDGE_DATA',
          `${path} is no choice of chat clients: ${systemErrorText(error)}. Move it away, and choose again: footbridge upstream`,
          { cause: error },
        );
      }
    },
    save: (choice) => written(path, () => writeChecked(path, choice)),
  };
}
