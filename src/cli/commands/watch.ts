import { defineCommand } from '../command.ts';
import { followJournal } from '../journal/follow-journal.ts';
import { sessionOption } from '../journal/session-option.ts';

/** `footbridge watch`. */
export const watch = defineCommand({
  name: 'watch',
  summary: 'Print the traffic of the bridge as it happens',
  group: 'develop',
  options: { session: sessionOption },
  json: true,
  details: [
    'Frames of apps, HTTP exchanges, the gateway and webhooks, without tokens, codes and secrets. With --json one entry a line;',
    'entries that came too fast to be read are counted: {"kind":"dropped","entries":N}. It continues when the bridge starts',
    'again. A bridge that runs as a service keeps no journal unless its configuration says journal = true.',
  ],
  examples: [
    ['footbridge watch', 'Everything, in words'],
    ['footbridge watch --json', 'One JSON value per line, with the payloads'],
    ['footbridge watch --session 5f2c81d0', 'The traffic of one app; footbridge status has its id'],
  ],
  run: ({ values: { session }, json }, io) => followJournal({ session, json }, io),
});
