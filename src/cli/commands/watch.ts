import { defineCommand } from '../command.ts';
import { followJournal } from '../journal/follow-journal.ts';
import { sessionOption } from '../journal/session-option.ts';

/** `footbridge watch`. */
export const watch = defineCommand({
  name: 'watch',
  summary: 'Print what passes the bridge, as it passes',
  group: 'develop',
  options: { session: sessionOption },
  json: true,
  details: [
    'Frames of apps, HTTP exchanges, the gateway and webhooks, without tokens, codes and secrets. With --json one entry a line;',
    'what came faster than it could be read is counted: {"kind":"dropped","entries":N}. It goes on when the bridge starts',
    'again. A bridge that runs as a service keeps no journal unless its configuration says journal = true.',
  ],
  examples: [
    ['footbridge watch', 'Everything, in words'],
    ['footbridge watch --json', 'One JSON value a line, with what was said'],
    ['footbridge watch --session 5f2c81d0', 'What one app says and hears; footbridge status has its id'],
  ],
  run: ({ values: { session }, json }, io) => followJournal({ session, json }, io),
});
