import { join } from 'node:path';
import * as z from 'zod';
import { LocalError, systemCode } from '../../base/local-error.ts';
import { printable } from '../../base/text.ts';
import { contentBy, readChecked, writeChecked } from '../../daemon/checked-file.ts';
import { applicationFolders } from '../../daemon/config/folders.ts';
import type { Io } from '../../daemon/io.ts';
import { confirmed } from '../confirm.ts';

/** Maximum size of the file with the answers (bytes). */
const MAX_BYTES = 256 * 1024;

/** A forward with full rights that leads to or from another machine; the ends are as the command line takes them. */
export interface ApprovalRequest {
  readonly from: string;
  readonly to: string;
  /** Name of the other machine. */
  readonly host: string;
}

const document = () => z.object({ forwards: z.array(z.object({ from: z.string(), to: z.string() })) });
type Stored = z.output<ReturnType<typeof document>>['forwards'];

/**
 * Asks the operator whether a forward may have full rights, once for each pair of ends: a yes is stored. Throws
 * `LocalError` FOOTBRIDGE_FORWARD for a no, and without a terminal where no answer is stored.
 */
export async function approveFullRights(request: ApprovalRequest, io: Io): Promise<void> {
  const path = join(applicationFolders().data, 'forwards.json');
  const stored = read(path, io);
  if (stored.some(({ from, to }) => from === request.from && to === request.to)) return;
  const host = printable(request.host);
  if (!io.interactive) {
    throw new LocalError(
      'FOOTBRIDGE_FORWARD',
      `--rights full: nobody has allowed "${host}" all rights yet. Run the same command once in a terminal, or leave --rights out.`,
    );
  }
  io.err(
    `Apps of this forward get all rights: they may ask for authorization and control voice.\n` +
      `  from ${printable(request.from)}\n  to   ${printable(request.to)}\n`,
  );
  if (!(await confirmed(`Allow "${host}" all rights, now and later?`, io)))
    throw new LocalError(
      'FOOTBRIDGE_FORWARD',
      `"${host}" was not allowed all rights, so nothing is forwarded.`,
    );
  writeChecked(path, { forwards: [...stored, { from: request.from, to: request.to }] });
}

function read(path: string, io: Io): Stored {
  try {
    const stored = readChecked(path, {
      maxBytes: MAX_BYTES,
      uid: process.getuid?.(),
      parse: (content) => contentBy(document(), content).forwards,
      onDamaged: ({ movedTo, reason }) =>
        io.err(
          `footbridge: ${printable(path)}: ${printable(reason)}; it was moved to ${printable(movedTo)}\n`,
        ),
    });
    return stored ?? [];
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
