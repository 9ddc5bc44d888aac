// Writes COUNT lines to descriptor 2 as the daemon's log does, then ends; `held` waits for a line on stdin first.
import { LogDestination } from '../../../src/daemon/log/destination.ts';
import { jsonLogger } from '../../../src/daemon/log/logger.ts';
import { openSink } from '../../../src/daemon/log/sink.ts';

const [count = '1', held] = process.argv.slice(2);
const destination = new LogDestination(
  openSink(2, () => process.stderr),
  { droppedLine: (lost) => `lost ${lost}\n` },
);
const logger = jsonLogger('info', destination);
if (held === 'held') await new Promise((resolve) => process.stdin.once('data', resolve));
for (let line = 0; line < Number(count); line++)
  logger.info({ count: line, reason: 'x'.repeat(100) }, 'line');
await destination.flush(100);
process.stdout.write(JSON.stringify({ dropped: destination.dropped }));
process.exit(0);
