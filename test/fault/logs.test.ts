import { expect, it } from 'vitest';
import { withoutFloods } from '../../src/daemon/log/flood.ts';
import { jsonLogger } from '../../src/daemon/log/logger.ts';

it('100,000 invalid frames in a minute log at most 64 KiB, with the number of omitted lines [T46]', async () => {
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
