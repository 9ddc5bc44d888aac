import { LocalError } from '../../base/local-error.ts';
import { amount, localTime, printable } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { daemonClient, printJson, printResult } from '../daemon-client.ts';
import { quote } from '../parse.ts';
import { storedExitCode } from '../unstored.ts';
import { entryOf, type PresenceList, unknownApp } from './entry.ts';

/** What an activity would become. */
interface Tried {
  readonly state: string;
  readonly why: string;
  readonly shown: Readonly<Record<string, unknown>> | null;
}

/** An application and an activity of it. */
export interface OwnActivity {
  readonly clientId: string;
  readonly activity: Readonly<Record<string, unknown>>;
}

/** Prints what others would see of an activity. */
export async function testActivity(
  own: OwnActivity & { readonly program?: string },
  json: boolean,
  io: Io,
): Promise<ExitCode> {
  const tried = (await daemonClient(io).call('presence.test', own)) as Tried;
  return printResult(io, json, tried, () => {
    const shown = tried.shown === null ? '' : `${printable(JSON.stringify(tried.shown))}\n`;
    return `${tried.state}: ${printable(tried.why)}\n${shown}`;
  });
}

/** Shows an activity until the command ends. */
export async function showActivity(own: OwnActivity, json: boolean, io: Io): Promise<ExitCode> {
  const held = await daemonClient(io).hold('presence.set', own);
  if (json) printJson(io, held.result);
  else io.out('Shown until this command ends; Ctrl-C ends it. --hold keeps it.\n');
  io.outClosed.addEventListener('abort', held.end, { once: true });
  await held.ended;
  io.err('footbridge: the bridge has ended, and the presence with it\n');
  return ExitCode.FAILED;
}

/** Shows an activity that stays. */
export async function holdActivity(
  own: OwnActivity & { readonly until: number | null },
  json: boolean,
  io: Io,
): Promise<ExitCode> {
  const result = await daemonClient(io).call('presence.hold', own);
  const end = own.until === null ? 'until: footbridge presence clear' : `until ${localTime(own.until)}`;
  printResult(io, json, result, () => `Shown ${end}\n`);
  return storedExitCode(io, result);
}

/** Ends held activities: those of one application, by its id or a name of the list, or every one. */
export async function clearActivities(word: string | undefined, json: boolean, io: Io): Promise<ExitCode> {
  const client = daemonClient(io);
  const clientId =
    word === undefined || isId(word)
      ? word
      : clientIdOf(word, ((await client.call('presence.list')) as PresenceList).entries);
  const result = (await client.call('presence.clear', { clientId })) as {
    readonly cleared: readonly string[];
  };
  if (word !== undefined && result.cleared.length === 0)
    throw new LocalError(
      'FOOTBRIDGE_PRESENCE',
      `No presence of ${quote(word)} is held. Without a name, every held one is cleared.`,
    );
  printResult(io, json, result, () => `Cleared ${amount(result.cleared.length, 'held presence')}\n`);
  return storedExitCode(io, result);
}

function clientIdOf(word: string, entries: PresenceList['entries']): string {
  const found = entryOf(word, entries);
  if (found === undefined) throw unknownApp(word, entries);
  return found.clientId;
}

function isId(word: string): boolean {
  return /^\d+$/.test(word);
}

/** Hides every presence until a time, null until {@link resumePresence}. */
export async function pausePresence(until: number | null, json: boolean, io: Io): Promise<ExitCode> {
  const result = await daemonClient(io).call('presence.pause', { until });
  const end = until === null ? 'until: footbridge presence resume' : `until ${localTime(until)}`;
  printResult(io, json, result, () => `Nothing is shown ${end}\n`);
  return storedExitCode(io, result);
}

/** Ends a pause. */
export async function resumePresence(json: boolean, io: Io): Promise<ExitCode> {
  const result = await daemonClient(io).call('presence.resume');
  printResult(io, json, result, () => 'Presence is shown again\n');
  return storedExitCode(io, result);
}
