import { expect, it } from 'vitest';
import { withoutFloods } from '../../src/daemon/log/flood.ts';
import { jsonLogger } from '../../src/daemon/log/logger.ts';

it('T46 100,000 bad frames in a minute leave at most 64 KiB of log, and say how many were left out', async () => {
  let written = '';
  let now = 0;
  const destination = {
    write(line: string) {
      written += line;
    },
  };
  const logger = withoutFloods(jsonLogger('info', destination), () => now);
  for (let i = 0; i < 100_000; i++) {
    now = (i / 100_000) * 60_000;
    logger.warn(
      { session: `session-${i}`, clientId: String(i % 5), reason: 'Unknown opcode 9' },
      'frame refused',
    );
  }
  expect(written.length).toBeLessThanOrEqual(64 * 1024);
  expect(written).toContain('"count":');
});
