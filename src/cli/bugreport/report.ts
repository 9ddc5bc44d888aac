import { arch, homedir, hostname, release, userInfo } from 'node:os';
import { messageOf } from '../../base/local-error.ts';
import { amount } from '../../base/text.ts';
import type { ControlStatus } from '../../control/routes.ts';
import type { BridgeFacts } from '../../daemon/bridge-facts.ts';
import type { Flags } from '../../daemon/config/settings.ts';
import type { Io } from '../../daemon/io.ts';
import { isRelease, version } from '../../daemon/version.ts';
import { placesIn, unstoredIn } from '../bridge-places.ts';
import type { Scene } from '../doctor/check.ts';
import { describeFurther } from '../doctor/checks/further-endpoints.ts';
import { allChecks } from '../doctor/checks.ts';
import { runChecks } from '../doctor/run-checks.ts';
import { gatherScene } from '../doctor/scene.ts';
import { logLines } from './log-lines.ts';
import { redactor } from './redact.ts';

/** Part of a report; its lines are redacted. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Collects a report about this machine and its bridge. A part that fails contains the reason; never rejects for it. */
export async function collectReport(flags: Flags, io: Io, facts?: BridgeFacts): Promise<readonly Section[]> {
  const redact = redactor({ home: io.env['HOME'] || homedir(), user: userName(), host: hostname() });
  const scene = await gatherScene(flags, io, facts);
  const parts: readonly (readonly [
    title: string,
    lines: () => Promise<readonly string[]> | readonly string[],
  ])[] = [
    ['Versions', () => versionLines(scene)],
    ['Configuration, without values at their default', () => configurationLines(scene)],
    ['Status', () => statusLines(scene)],
    ['Result of footbridge doctor', () => doctorLines(scene)],
    ['Last lines of the log', () => logLines(io, scene)],
  ];
  const sections: Section[] = [];
  for (const [title, collect] of parts) {
    const lines = await Promise.resolve()
      .then(collect)
      .catch((error: unknown) => [`failed: ${messageOf(error)}`]);
    sections.push({ title, lines: lines.flatMap((line) => line.split('\n')).map(redact) });
  }
  return sections;
}

function versionLines({ os, native, service }: Scene): string[] {
  return [
    `footbridge ${version()}${isRelease() ? '' : ', from the sources'}`,
    `node ${process.versions.node}`,
    `${os} ${release()} ${arch()}`,
    `native calls: ${native.kind}`,
    `service manager: ${service.kind === 'known' ? service.manager : service.reason}`,
  ];
}

function configurationLines({ configuration }: Scene): string[] {
  if (configuration.kind === 'unknown') return [configuration.reason];
  const changed = configuration.value.keys.filter(({ origin }) => origin.kind !== 'default');
  const rows = changed.map(({ key, value, origin }) => `${key} = ${valueText(value)}  (${origin.kind})`);
  return rows.length === 0 ? ['every setting is at its default'] : rows;
}

/** Tables are counted only: a command in one may name a host or contain a secret. */
function valueText(value: unknown): string {
  return Array.isArray(value) ? amount(value.length, 'table') : JSON.stringify(value);
}

/** Allow-listed parts of the status: no app, user or web page is named. */
function statusLines({ bridge, service }: Scene): string[] {
  const state = service.kind === 'known' ? service.state.kind : 'unknown';
  if (bridge.kind === 'unknown') return [`service: ${state}`, bridge.reason];
  const { status, reach } = bridge;
  return [
    `service: ${state}`,
    `bridge: version ${status.version}, up ${Math.round(status.uptime)} s, ${status.rss === null ? '?' : Math.round(status.rss / 1024)} KiB, ${status.fds ?? '?'} files`,
    `core: ${status.core.name}${reach === undefined ? '' : `, ${reach.text}`}`,
    ...status.endpoints.map(({ kind, path }) => `endpoint: ${kind} ${path}`),
    ...((status as Partial<ControlStatus>).further ?? []).map((one) => `endpoint: ${describeFurther(one)}`),
    ...status.notInFrontOf.map(({ path, why }) => `not in front of: ${path}, ${why}`),
    ...Object.entries(placesIn(status) ?? {}).map(([name, path]) => `${name}: ${path ?? 'none'}`),
    ...unstoredIn(status).map((line) => `not stored: ${line}`),
    ...status.weaker.map((line) => `weaker: ${line}`),
    `sessions: ${sessionText(status)}`,
    `refused web pages: ${status.refused.length}`,
    `journal: ${status.journal === null ? 'off' : `${status.journal.entries} entries`}`,
    ...Object.entries(status.counters).map(([name, count]) => `counter: ${name} ${count}`),
  ];
}

function sessionText({ sessions }: ControlStatus): string {
  const kinds = new Map<string, number>();
  for (const { transport, state } of sessions) {
    const kind = `${transport} ${state}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'none';
}

async function doctorLines(scene: Scene): Promise<string[]> {
  const checks = await runChecks(allChecks, scene, false);
  return checks.flatMap(({ id, verdict, evidence, fix }) => [
    `${id}: ${verdict}`,
    ...evidence.map((line) => `  ${line}`),
    ...(fix === null ? [] : fix.split('\n').map((line) => `  to do: ${line}`)),
  ]);
}

/** A user without an entry in the user database has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
