import { describe, expect, it } from 'vitest';
import type { LogSource, ServiceStatus } from '../../../service/manager.ts';
import { printLog, textPrinter } from '../../../src/cli/service/logs.ts';
import { fakeIo } from '../fake-io.ts';

const options = { lines: 5, follow: false };
const running: ServiceStatus = { kind: 'running' };
const absent: ServiceStatus = { kind: 'absent' };
const none: LogSource = { kind: 'none', reason: 'nothing has been logged to /x yet' };
const command = (script: string): LogSource => ({
  kind: 'command',
  argv: ['sh', '-c', script],
  hint: 'Look there.',
});

async function logs(source: LogSource, state: ServiceStatus) {
  const io = fakeIo({ PATH: process.env['PATH'] ?? '' });
  const code = await printLog(source, options, textPrinter(io), io, async () => state);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

describe('an empty service log', () => {
  it('is no failure while the service runs', async () => {
    const stderr =
      'footbridge: the service runs, and has logged nothing. There is no log: nothing has been logged to /x yet.\n';
    expect(await logs(none, running)).toEqual({ code: 0, stdout: '', stderr });
    const { code, stderr: told } = await logs(command('echo none >&2; exit 1'), running);
    expect(code).toBe(0);
    expect(told).toMatch(
      /^none\nfootbridge: the service runs, and nothing of it is in a log that you may read\. Look there\.\n$/,
    );
  });

  it('is a failure while the service does not run, and so is a log command that fails after some output', async () => {
    await expect(logs(none, absent)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_LOGS',
      message: 'There is no log: nothing has been logged to /x yet. footbridge status says what runs.',
    });
    expect(await logs(command('exit 1'), absent)).toMatchObject({
      code: 1,
      stderr: 'footbridge: Look there.\n',
    });
    expect(await logs(command('echo line; exit 1'), running)).toMatchObject({ code: 1, stdout: 'line\n' });
    expect(await logs(command('echo line'), running)).toEqual({ code: 0, stdout: 'line\n', stderr: '' });
  });
});
