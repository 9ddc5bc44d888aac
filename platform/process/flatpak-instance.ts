import { readdirSync } from 'node:fs';
import { uptime } from 'node:os';
import { linkOf, type ReadFile, readSmall } from './proc-files.ts';
import { startTicks } from './program.ts';

/** Maximum number of instances that are read; Flatpak removes the folders of ended ones now and then. */
const MAX_INSTANCES = 256;
/** Duration of a kernel tick (ms), in which the start of a process is measured. */
const TICK_MS = 10;
/** Sum of the rounding of both compared times (ms). No pid is given again within it. */
const ROUNDING_MS = 50;

/**
 * The id of the Flatpak of a process by the folder that Flatpak keeps in the runtime folder while an app runs
 * (`.flatpak/NUMBER`), which no sandboxed program can write to: the process is in the PID namespace of the instance's
 * first process, which nobody else can enter. Undefined for a PID namespace that an app made itself.
 */
export function flatpakByInstance(
  pid: number,
  runtimes: readonly string[],
  proc: string,
): string | undefined {
  const namespace = linkOf(`${proc}/${pid}/ns/pid`);
  if (namespace === undefined || namespace === linkOf(`${proc}/self/ns/pid`)) return undefined;
  for (const folder of runtimes.flatMap(instancesIn)) {
    const started = readSmall(`${folder}/bwrapinfo.json`);
    if (started === undefined || !isOf(started, namespace, proc)) continue;
    const id = idIn(readSmall(`${folder}/info`)?.text ?? '');
    if (id !== undefined) return id;
  }
  return undefined;
}

/** The folders of instances, whose names are numbers; those of apps have the names of the apps. */
function instancesIn(runtime: string): string[] {
  try {
    const names = readdirSync(`${runtime}/.flatpak`).filter((name) => /^\d{1,10}$/.test(name));
    return names.slice(0, MAX_INSTANCES).map((name) => `${runtime}/.flatpak/${name}`);
  } catch {
    return [];
  }
}

/**
 * Whether the namespace is that of the instance, and the instance runs. The folder stays when the app has ended, and
 * both its pid and the number of its namespace are then given to others. So its first process must have started before
 * the file was written.
 */
function isOf({ text, mtimeMs }: ReadFile, namespace: string, proc: string): boolean {
  const numberOf = (name: string): number =>
    Number(new RegExp(`"${name}":\\s*(\\d{1,10})\\b`).exec(text)?.[1] ?? Number.NaN);
  const child = numberOf('child-pid');
  if (namespace !== `pid:[${numberOf('pid-namespace')}]`) return false;
  const started = startTicks(child, proc);
  if (started === undefined || linkOf(`${proc}/${child}/ns/pid`) !== namespace) return false;
  const bootMs = Date.now() - uptime() * 1000;
  return bootMs + Number(started) * TICK_MS <= mtimeMs + ROUNDING_MS;
}

/** The id in `[Application] name` of a file of flatpak-metadata(5). */
function idIn(info: string): string | undefined {
  const [, group = ''] = /^\[Application\]\n((?:(?!\[).*\n?)*)/m.exec(info) ?? [];
  return /^name=([A-Za-z_][\w.-]{0,254})$/m.exec(group)?.[1];
}
