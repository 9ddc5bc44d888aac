import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceUnit } from '../../service/systemd-unit.ts';
import { NODE_FLAGS } from '../../src/cli/service/program.ts';
import { summarize } from '../bench/statistics.ts';
import { figure } from './figure.ts';
import { PLAIN_USER, type Sandbox, startSandbox, whyNoSandbox } from './sandbox.ts';

const PASSES = 5;
const REST_MS = 2500;
const reason = whyNoSandbox();
if (reason !== undefined) process.stderr.write(`memory at rest: skipped, ${reason}\n`);

describe.skipIf(reason !== undefined)(
  `an installed bridge at rest${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await startSandbox(PLAIN_USER);
    });
    afterAll(() => sandbox.close());

    /** What a unit takes once it has rested: only one runs at a time. */
    async function residentMiB(unit: string): Promise<number> {
      expect((await sandbox.systemctl('start', unit)).code).toBe(0);
      await delay(REST_MS);
      const pid = (await sandbox.systemctl('show', unit, '--property=MainPID', '--value')).stdout.trim();
      const { stdout } = await sandbox.run(['cat', `/proc/${pid}/status`]);
      await sandbox.systemctl('stop', unit);
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(stdout)?.[1]) / 1024;
    }

    it('uses little more memory than a bare server in the same unit', async () => {
      await sandbox.footbridge('install', '--core', 'emulator', '--no-start', '--json');
      const socket = join(sandbox.runtime, 'bare.sock');
      const argv: [string, ...string[]] = [
        process.execPath,
        ...NODE_FLAGS,
        join(sandbox.package, 'inside', 'bare.mjs'),
        socket,
      ];
      // The same directives, and nothing to wait for.
      const unit = serviceUnit({ argv, env: {}, native: false }).replace(
        /^ExecStart=/m,
        `ExecStartPre=rm -f ${socket}\nExecStart=`,
      );
      writeFileSync(join(sandbox.home, '.config/systemd/user/bare.service'), unit);
      await sandbox.systemctl('daemon-reload');

      const measured: Record<'bare' | 'footbridge', number[]> = { bare: [], footbridge: [] };
      for (let pass = 0; pass < PASSES; pass++) {
        measured.bare.push(await residentMiB('bare.service'));
        measured.footbridge.push(await residentMiB('footbridge.service'));
      }
      const bare = summarize(measured.bare);
      const { median, min, max } = summarize(measured.footbridge);
      const spread = [min, max, bare.min, bare.max].map((value) => value.toFixed(1));
      figure(
        `idle memory above a bare node:net server, median of ${PASSES} (${spread[0]}–${spread[1]} above ${spread[2]}–${spread[3]} MiB)`,
        median - bare.median,
        18,
        'MiB',
        // Memory does not depend on what else the machine does.
        20,
      );
    });
  },
);
