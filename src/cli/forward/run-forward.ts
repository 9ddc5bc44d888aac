import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { currentOs } from '../../../platform/operating-system.ts';
import { printable } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { leave, type StopRequest, untilStopped } from '../../daemon/signals.ts';
import { parseForwardEndpoint, publicText } from '../../forward/endpoint.ts';
import { type Forward, type ForwardRights, startForward } from '../../forward/forward.ts';
import { defaultName, isName, NAME_TEXT } from '../../forward/name.ts';
import { currentHost, printJson } from '../daemon-client.ts';
import { quote, usage } from '../parse.ts';
import { approveFullRights } from './approval.ts';
import { enterBridge } from './entrance.ts';
import { hostText } from './host-text.ts';

/** Options of the command as typed. */
export interface ForwardArguments {
  readonly from: string;
  readonly to: string;
  readonly rights: ForwardRights | undefined;
  readonly name: string | undefined;
  readonly json: boolean;
}

/** `footbridge forward`: forwards until a signal, or until the other end of `stdio:` has gone. */
export async function runForward(args: ForwardArguments, io: Io): Promise<number> {
  const { os } = currentHost();
  const from = parseForwardEndpoint('--from', args.from, os);
  const to = parseForwardEndpoint('--to', args.to, os);
  const command = { name: 'forward' };
  const isStdio = from.kind === 'stdio' || to.kind === 'stdio';
  if (from.kind === 'stdio' && to.kind === 'stdio')
    throw usage('--from and --to cannot both be stdio:.', command);
  if (from.kind === 'socket' && to.kind === 'socket' && resolved(from.path) === resolved(to.path))
    throw usage(`--from and --to are the same path, ${printable(from.path)}.`, command);
  if (isStdio && args.json)
    throw usage('--json prints to stdout, which stdio: needs for the sessions.', command);
  const far = from.kind === 'exec' ? from : to.kind === 'exec' ? to : undefined;
  const ends = { from: publicText(args.from), to: publicText(args.to) };
  // Other users can read the arguments of a process. The title replaces them.
  if (far !== undefined) process.title = `footbridge forward ${ends.from} ${ends.to}`;
  // The end that has stdio: was started by the other one, where the operator was asked.
  if (args.rights === 'full' && far !== undefined && from.kind !== 'stdio')
    await approveFullRights({ from: args.from, to: args.to, host: hostText(far) }, io);
  const stopped = untilStopped();
  const abort = new AbortController();
  void stopped.then(() => abort.abort());
  if (args.name !== undefined && !isName(args.name))
    throw usage(`--name: ${quote(args.name)} is not ${NAME_TEXT}.`, command);
  const { rights = 'presence' } = args;
  const report = (text: string): void => io.err(`footbridge: ${printable(text)}\n`);
  const starting = startForward({
    os: await currentOs(),
    env: io.env,
    from,
    to,
    rights,
    name: args.name ?? defaultName(from),
    enter: (granted, name) => enterBridge({ to, rights: granted, name }, io),
    report,
    signal: abort.signal,
  });
  // The bridge whose configuration has this forward has started it; without that bridge it ends.
  const orphaned = new Promise<undefined>((resolve) => {
    if (process.connected) process.once('disconnect', () => resolve(undefined));
  });
  // The channel alone must not keep this process running, which ends by itself after a failed start.
  process.channel?.unref();
  void starting.then(answerStatus, () => {});
  const forward = await Promise.race([starting, stopped, orphaned]);
  if (forward === undefined || 'signal' in forward) {
    abort.abort();
    starting.catch(() => {});
    return endSoon(forward);
  }
  if (args.json) printJson(io, { ...ends, rights });
  else if (!isStdio) {
    const text = `Forwarding ${ends.from} to ${ends.to}, rights: ${rights}. Ctrl+C ends it.`;
    io.err(`${printable(text)}\n`);
  }
  const end = await Promise.race([stopped, forward.ended, orphaned]);
  forward.close();
  if (typeof end !== 'string') return endSoon(end);
  report(`stdio: the other end ${end}.`);
  return endSoon(undefined, ExitCode.FAILED);
}

/** The path without links, as far as it exists. */
function resolved(path: string): string {
  for (const [known, rest] of [
    [path, ''],
    [dirname(path), basename(path)],
  ] as const) {
    try {
      return join(realpathSync(known), rest);
    } catch {}
  }
  return path;
}

/** Tells the bridge that has started this forward that apps can connect, and answers whenever it asks for the status. */
function answerStatus(forward: Forward): void {
  if (!process.connected) return;
  const send = (): void => void process.send?.(forward.status());
  process.on('message', send);
  send();
}

/** Ends the process after a moment for the last frames, although sockets may still be open. */
function endSoon(end: StopRequest | undefined, code: ExitCode = ExitCode.OK): number {
  const timer = setTimeout(
    () => void (end === undefined ? process.exit(code) : leave(code, end.signal)),
    LINGER_MS,
  );
  timer.unref();
  return code;
}

const LINGER_MS = 1000;
