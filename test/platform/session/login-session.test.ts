import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inputState, logindState, loginSession } from '../../../platform/session/login-session.ts';
import { place } from '../../helpers/fault-bridge.ts';

const line = (type: string, data: unknown): string => `${JSON.stringify({ type, data })}\n`;
const printed = (idle: boolean, since: number, locked: boolean): string =>
  line('b', idle) + line('t', since) + line('b', locked);

describe('state of logind', () => {
  it.each([
    ['active', printed(false, 1_700_000_000_000_000, false), { idleSince: null, isLocked: false }],
    ['idle', printed(true, 1_700_000_000_000_000, false), { idleSince: 1_700_000_000_000, isLocked: false }],
    ['locked', printed(false, 0, true), { idleSince: null, isLocked: true }],
    ['nothing', '', undefined],
    ['two properties', line('b', true) + line('t', 1), undefined],
    ['another type', line('s', 'true') + line('t', 1) + line('b', false), undefined],
    ['no object', 'null\n1\n[]\n', undefined],
    ['text', 'no such session\n', undefined],
  ])('%s', (_, text, state) => {
    expect(logindState(text)).toEqual(state);
  });
});

describe('time of the last input on macOS', () => {
  it.each([
    ['    | |   "HIDIdleTime" = 5000000000\n', { idleSince: 5000, isLocked: false }],
    ['"HIDIdleTime" = 0', { idleSince: 10_000, isLocked: false }],
    ['"HIDIdleTime" = "x"', undefined],
    ['', undefined],
  ])('%j', (text, state) => {
    expect(inputState(text, 10_000)).toEqual(state);
  });
});

describe.skipIf(process.platform === 'win32')('program that reports the state', () => {
  const session = (name: string, script: string | undefined, os: 'linux' | 'darwin') => {
    const { folder } = place();
    if (script !== undefined) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(folder, name), 0o755);
    }
    const found = loginSession(os, { PATH: folder });
    if (found.kind !== 'supported') throw new Error(found.reason);
    return found.current();
  };
  const REMEDY =
    'Start the bridge in a session of logind with busctl of systemd, or remove presence_away from the configuration.';

  it('is asked for the session of the user', async () => {
    const script = `case "$*" in
*"get-property org.freedesktop.login1 /org/freedesktop/login1/session/auto org.freedesktop.login1.Session IdleHint IdleSinceHint LockedHint")
printf '%s' '${printed(true, 5000, false)}';; esac`;
    await expect(session('busctl', script, 'linux')).resolves.toEqual({ idleSince: 5, isLocked: false });
  });

  it.each([
    ['is missing', undefined, `busctl is not installed. ${REMEDY}`],
    ['fails', 'echo "Failed to connect to bus" >&2; exit 1', `busctl: Failed to connect to bus. ${REMEDY}`],
    ['fails without a word', 'exit 1', `busctl: no answer. ${REMEDY}`],
    ['prints something else', 'echo yes', `logind gave no valid answer. ${REMEDY}`],
  ])('names the remedy where it %s', async (_, script, message) => {
    await expect(session('busctl', script, 'linux')).rejects.toThrow(new Error(message));
  });

  it('is ioreg on macOS', async () => {
    const before = Date.now();
    const { idleSince } = await session('ioreg', `echo '"HIDIdleTime" = 1000000000'`, 'darwin');
    expect(idleSince).toBeGreaterThanOrEqual(before - 1000);
    expect(idleSince).toBeLessThanOrEqual(Date.now() - 1000);
    const empty = session('ioreg', 'echo', 'darwin');
    await expect(empty).rejects.toThrow(
      'ioreg reports no HIDIdleTime. Remove presence_away from the configuration.',
    );
  });
});

it('Windows has no supported source', () => {
  expect(loginSession('win32', {})).toEqual({
    kind: 'unsupported',
    reason: 'this system does not report when you are idle',
  });
});
