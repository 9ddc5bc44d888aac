import * as z from 'zod';
import { messageOf, systemCode } from '../../base/local-error.ts';
import { contentBy, readOwnChecked, warnOfDamage, writeChecked } from '../checked-file.ts';
import type { CoreOptions } from '../core-options.ts';
import { ownFile } from '../data-folder.ts';
import { written } from '../state-files.ts';

/** Far above the size of one set of tokens. */
const MAX_BYTES = 64 * 1024;

const document = () =>
  z.object({
    core: z.string(),
    clientId: z.string(),
    accessToken: z.string(),
    refreshToken: z.nullable(z.string()),
    /** Times in ms since the Unix epoch. */
    issuedAt: z.number(),
    expiresAt: z.number(),
  });

/** Tokens of the bridge's own app, with the core and the application that they are for. */
export type OwnToken = z.output<ReturnType<typeof document>>;

/** Storage of {@link OwnToken}. */
export interface TokenFile {
  load(): OwnToken | undefined;
  save(token: OwnToken): void;
  close(): void;
}

/**
 * Opens `voice.json` in the data folder, mode 0600, which only one bridge may write. A damaged file is moved aside, and one
 * that another user may have written holds no token: the user is asked again. Without a data folder the token ends with the bridge.
 * Throws `LocalError` FOOTBRIDGE_DATA_TAKEN.
 */
export async function openTokenFile(
  options: Pick<CoreOptions, 'data' | 'os' | 'logger' | 'stateFiles'>,
): Promise<TokenFile> {
  const { os, logger, stateFiles } = options;
  const file = await ownFile(options, 'voice', 'token for footbridge voice');
  let memory: OwnToken | undefined;
  const read = (path: string): OwnToken | undefined => {
    try {
      return readOwnChecked(path, {
        maxBytes: MAX_BYTES,
        uid: os.uid,
        parse: (content) => contentBy(document(), content),
        onDamaged: (damaged) => warnOfDamage(logger, damaged),
      });
    } catch (error) {
      if (systemCode(error) !== 'ENOENT')
        logger.warn({ path, reason: messageOf(error) }, 'the token for voice is not used');
      return undefined;
    }
  };
  return {
    load() {
      if (memory === undefined && file.kind !== 'nowhere') memory = read(file.path);
      return memory;
    },
    save(token) {
      memory = token;
      if (file.kind === 'ours')
        stateFiles.note(
          file.path,
          written(file.path, () => writeChecked(file.path, token)),
          logger,
        );
    },
    close() {
      if (file.kind === 'ours') file.release();
    },
  };
}
