import process from 'node:process';
import { serverCases } from '../../../../src/conformance/server/cases.ts';
import type { Host } from '../../../../src/conformance/server/host.ts';
import { runServerCases } from '../../../../src/conformance/server/run.ts';
import type { Settings } from '../../../../src/conformance/settings.ts';
import { quickSettings } from './host.ts';

/** The cases that start and stop the server. */
export const exclusive = serverCases.filter((one) => one.mode === 'exclusive');

/** Settings for a server in a process of its own, which takes a moment to start. */
export const exclusiveSettings: Settings = {
  ...quickSettings,
  env: process.env,
  timeouts: { ...quickSettings.timeouts, answerMs: 1500, stopMs: 1200, caseMs: 15_000 },
};

/** These cases start their server themselves, so nothing is shared. */
const noHost: Host = {
  generation: 1,
  exit: undefined,
  lastOutput: () => '',
  context: () => Promise.reject(new Error('no shared server')),
  close: () => Promise.resolve(),
};

/** Runs the named ones of {@link exclusive} on the server that a shell command starts. */
export async function judge(command: string, ids: readonly string[], settings: Settings = exclusiveSettings) {
  const cases = exclusive.filter((one) => ids.includes(one.id));
  return await runServerCases(cases, noHost, command, settings, { onResult: () => undefined });
}
