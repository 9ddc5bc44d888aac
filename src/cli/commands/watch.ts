import { defineCommand } from '../command.ts';
import { filterOption } from '../journal/entry-filter.ts';
import { followJournal } from '../journal/follow-journal.ts';
import { sessionOption } from '../journal/session-option.ts';

/** `footbridge watch`. */
export const watch = defineCommand({
  name: 'watch',
  summary: 'Print the traffic of the bridge as it happens',
  group: 'develop',
  options: { session: sessionOption, filter: filterOption },
  json: true,
  details: [
    'Frames of apps, HTTP exchanges, the gateway and webhooks, without tokens, codes and secrets. With --json one entry a line;',
    'entries that came too fast to be read are counted: {"kind":"dropped","entries":N}. It continues when the bridge starts',
    'again. A bridge that runs as a service keeps no journal unless its configuration says journal = true.',
    'Terms of a filter all hold; commas separate values of which one holds. A request whose answer decides, such as with',
    'status:error, is printed with the answer. The console has the same filter.',
  ],
  examples: [
    ['footbridge watch', 'Everything, in words'],
    ['footbridge watch --json', 'One JSON value per line, with the payloads'],
    ['footbridge watch --session 5f2c81d0', 'The traffic of one app; footbridge status has its id'],
    ["footbridge watch --filter 'status:error -cmd:PING'", 'What failed, with the request'],
  ],
  run: ({ values: { session, filter }, json }, io) => followJournal({ session, filter, json }, io),
});
