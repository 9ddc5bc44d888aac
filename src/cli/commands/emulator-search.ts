import { defineCommand } from '../command.ts';
import { usage } from '../parse.ts';
import { changeEmulator } from './emulator-change.ts';

const INDEX_STATES = ['not_indexed', 'indexing', 'ready'];
const SAID: Readonly<Record<string, string>> = {
  not_indexed: 'not indexed',
  indexing: 'being indexed',
  ready: 'indexed',
};

/** `footbridge emulator search-index ID STATE`. */
export const emulatorSearchIndex = defineCommand({
  name: 'emulator search-index',
  summary: 'Choose how far the index is that messages of a guild are searched by',
  group: 'emulator',
  positionals: [
    { name: 'ID', help: 'id of the guild', arity: 'one', completes: 'guilds' },
    { name: 'STATE', help: INDEX_STATES.join(', '), arity: 'one', choices: INDEX_STATES },
  ],
  options: {
    documents: { type: 'string', value: 'N', help: 'how many messages are indexed already; 0 unless given' },
  },
  json: true,
  details: [
    'While it is indexing a search answers 202 with code 110000, until another state is chosen, "emulator reset" or an import.',
    'One that is not indexed answers so once, and begins to be indexed; one that is ready answers what it finds.',
  ],
  examples: [
    ['footbridge emulator search-index 400000000000000001 indexing --documents 5', 'Hold it'],
    ['footbridge emulator search-index 400000000000000001 ready', 'Let it go'],
  ],
  run({ positionals: [id, state], values: { documents }, json }, io) {
    if (documents !== undefined && (state !== 'indexing' || !/^\d{1,9}$/.test(documents))) {
      throw usage('--documents takes a whole number, and goes with indexing.', {
        name: 'emulator search-index',
      });
    }
    return changeEmulator<{ readonly state: string; readonly documents_indexed: number }>(io, json, {
      operation: 'guild.search-index',
      args: { id, state, ...(documents === undefined ? {} : { documents: Number(documents) }) },
      say: (answer) =>
        `The messages of ${id} are ${SAID[answer.state] ?? answer.state}: ${answer.documents_indexed}.`,
    });
  },
});
