import { open, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { lstatOf } from '../../../platform/files/inode.ts';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { LocalError, systemCode } from '../../base/local-error.ts';
import type { Bugreport } from '../../console/backend.ts';
import type { BridgeFacts } from '../../daemon/bridge-facts.ts';
import type { Flags } from '../../daemon/config/settings.ts';
import type { Io } from '../../daemon/io.ts';
import { printResult } from '../daemon-client.ts';
import { collectReport, type Section } from './report.ts';

/** Options of `footbridge bugreport`. */
export interface BugreportOptions {
  readonly flags: Flags;
  /** Path of the report; undefined for a new name in the working directory. */
  readonly output: string | undefined;
  readonly json: boolean;
}

/** Runs `footbridge bugreport`: writes one file, and prints its path and its parts. */
export async function runBugreport({ flags, output, json }: BugreportOptions, io: Io): Promise<number> {
  const now = new Date();
  const path = resolve(output ?? nameFor(now));
  // The report takes a few seconds, so a name that is taken is reported before.
  if (lstatOf(path) !== undefined) throw failure(path, 'EEXIST');
  const sections = await collectReport(flags, io);
  const text = reportText(sections, now);
  await writeNewFile(path, text);
  const parts = sections.map(({ title, lines }) => ({ title, lines: lines.length }));
  const bytes = Buffer.byteLength(text);
  return printResult(io, json, { path, bytes, parts }, () => resultText(path, bytes, parts));
}

/** The report as a text; with `facts` about the bridge that has them. */
export async function bugreportOf(flags: Flags, io: Io, facts?: BridgeFacts): Promise<Bugreport> {
  const now = new Date();
  return { name: nameFor(now), text: reportText(await collectReport(flags, io, facts), now) };
}

/** Writes a file that did not exist, for its owner alone, and removes it again when that fails. */
async function writeNewFile(path: string, text: string): Promise<void> {
  // `wx` refuses an existing file and a link of any kind.
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw failure(path, error);
  });
  try {
    // The mode is set again, because the umask may have removed bits.
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw failure(path, error);
  } finally {
    await file.close();
  }
}

function failure(path: string, cause: unknown): LocalError {
  const isTaken = cause === 'EEXIST' || systemCode(cause) === 'EEXIST';
  const reason = isTaken
    ? 'there is a file already, and it is not overwritten'
    : `the report cannot be written: ${systemErrorText(cause)}`;
  return new LocalError('FOOTBRIDGE_INPUT', `${path}: ${reason}. Name another with --out.`, { cause });
}

function reportText(sections: readonly Section[], now: Date): string {
  const head = [
    `Footbridge bug report, ${now.toISOString()}`,
    'The home folder is written as ~, the names of user and host as [user] and [host], possible secrets as [hidden].',
    'Read it before you pass it on: it names programs and folders of this machine.',
  ];
  const body = sections.map(({ title, lines }) => `## ${title}\n\n${lines.join('\n')}\n`);
  return `${head.join('\n')}\n\n${body.join('\n')}`;
}

function resultText(path: string, bytes: number, parts: readonly { title: string; lines: number }[]): string {
  const rows = parts.map(({ title, lines }) => `  ${title} (${lines} ${lines === 1 ? 'line' : 'lines'})`);
  return [
    `Wrote ${path} (${bytes} bytes), which only you can read:`,
    ...rows,
    'Read it before you pass it on: it names programs and folders of this machine.',
    '',
  ].join('\n');
}

/** Name of a new file, such as `footbridge-bugreport-20261126-213000.txt`. */
function nameFor(now: Date): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `footbridge-bugreport-${stamp}.txt`;
}
