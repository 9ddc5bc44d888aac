import * as z from 'zod';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { fixtureToToml } from '../../../emulator/compose/fixture/toml.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';
import type { Shared } from '../app-session.ts';
import { showState } from './show.ts';

/** A text of 128 MiB, with its quotes escaped. */
const IMPORT_BYTES = 192 * 1024 * 1024;
/** So much may come at once, however little memory there is. */
const LEAST_IMPORT_BYTES = 1024 * 1024;
/** How often such a text is there at once: as bytes, as the text of the arguments, as the state in them, and as rows. */
const IMPORT_COPIES = 4;

const none = () => z.object({});

/** What a person can do to the state as a whole. */
export function stateOperations(shared: Shared): { readonly [name: string]: AdminOperation } {
  const { emulator } = shared;
  return {
    summary: defineOperation({
      summary: 'The logged-in user, guilds and channels',
      args: none,
      run: () => summary(emulator),
    }),
    'emulator.show': defineOperation({
      summary: 'The whole state, without client secrets',
      args: () => z.object({ format: z.optional(z.enum(['json', 'toml'])) }),
      run: async ({ format }) => {
        if (format !== 'toml') {
          return showState(shared);
        }
        return { toml: await fixtureToToml(emulator.show()) };
      },
    }),
    'emulator.missing': defineOperation({
      summary: 'What was asked for over HTTP and is not offered, with how often',
      args: none,
      run: () => [...emulator.missing()].map(([what, times]) => ({ what, times })),
    }),
    'emulator.apply': defineOperation({
      summary: 'Apply a patch; every difference sends its events',
      args: () => z.object({ patch: z.looseObject({}) }),
      run: async ({ patch }) => ({ changes: (await emulator.apply(patch)).map(describeRow) }),
    }),
    'emulator.export': defineOperation({
      summary: 'The whole state as text, with client secrets; grants and tokens are not in it',
      args: none,
      text: { says: () => emulator.transfer.parts() },
      run: () => ({ state: emulator.exportState() }),
    }),
    'emulator.import': defineOperation({
      summary: 'Become an exported state; grants and tokens stay',
      args: () => z.object({ state: z.string() }),
      get mostBytes() {
        return Math.max(LEAST_IMPORT_BYTES, Math.min(IMPORT_BYTES, emulator.transfer.free() / IMPORT_COPIES));
      },
      text: {
        takes: () => {
          const whole = emulator.transfer.take('state');
          return { ...whole, end: () => imported(emulator, whole.end()) };
        },
      },
      run: ({ state }) => imported(emulator, emulator.importState(state, 'state')),
    }),
    'emulator.reset': defineOperation({
      summary: 'Back to the fixture; grants and tokens stay',
      args: none,
      run: () => ({ changes: emulator.reset().map(describeRow) }),
    }),
  };
}

/** A row that became different, such as `users created`. */
function describeRow({ table, kind }: { readonly table: string; readonly kind: string }): string {
  return `${table} ${kind}`;
}

/** What an import answers; `lost` are files of the state that came without bytes and are not here, either. */
function imported(emulator: Emulator, changes: readonly unknown[]): object {
  const lost = emulator.transfer.missingFiles();
  return { changes: changes.length, ...(lost === 0 ? {} : { lost }) };
}

function summary(emulator: Emulator): object {
  const channels = emulator.channels();
  return {
    user: { id: emulator.me().id, username: emulator.me().username },
    loggedIn: emulator.people.loggedIn(),
    guilds: emulator.guilds().map((guild) => guild.id),
    channels: {
      text: channels.filter(({ type }) => type === 0).map(({ id }) => id),
      voice: channels.filter(({ type }) => type === 2).map(({ id }) => id),
    },
  };
}
