import * as z from 'zod';
import { adminOperationsFor } from '../../base/admin-operation.ts';
import { once } from '../../base/once.ts';
import type { Voice } from './voice.ts';

/** Maximum wait of one call for a change (ms). */
const MAX_WAIT_MS = 30_000;

const toggle = () => z.optional(z.union([z.boolean(), z.literal('toggle')]));
const volume = (max: number) => z.optional(z.number().check(z.gte(0), z.lte(max)));

const view = once(() =>
  z.object({
    muted: z.boolean(),
    mutedBy: z.array(z.enum(['self', 'deafened', 'server', 'stage'])),
    deafened: z.boolean(),
    deafenedBy: z.array(z.enum(['self', 'server'])),
    mode: z.enum(['push-to-talk', 'voice-activity']),
    talking: z.boolean(),
    input: z.number(),
    output: z.number(),
    channel: z.nullable(z.object({ id: z.string(), name: z.string(), guild: z.nullable(z.string()) })),
    users: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        muted: z.boolean(),
        deafened: z.boolean(),
        volume: z.number(),
      }),
    ),
    version: z.number(),
    begun: z.number(),
  }),
);

// A schema is made once, because a key is pressed often and a schema costs more than the change itself.

const showArgs = once(() =>
  z.object({
    version: z.optional(z.int().check(z.gte(0))),
    begun: z.optional(z.number()),
    wait: z.optional(z.int().check(z.gte(0), z.lte(MAX_WAIT_MS))),
    passive: z.optional(z.boolean()),
  }),
);

const changeArgs = once(() =>
  z
    .object({
      mute: toggle(),
      deafen: toggle(),
      talk: z.optional(z.boolean()),
      mode: z.optional(z.enum(['push-to-talk', 'voice-activity'])),
      input: volume(100),
      output: volume(200),
      user: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
      volume: volume(200),
      channel: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(200)))),
    })
    .check(
      z.refine(({ user, volume: own }) => (user === undefined) === (own === undefined), {
        error: 'user and volume belong together',
      }),
    ),
);

/** Voice of this bridge, opened by the first call. */
export interface VoiceHolder {
  readonly voice: () => Promise<Voice>;
  /** Start of the bridge (ms since the Unix epoch), which tells the versions of two bridges apart. */
  readonly begun: number;
}

const operation = adminOperationsFor<VoiceHolder>();

/** Operations on the operator's voice at whatever core runs. */
export const voiceControlOperations = [
  operation({
    name: 'voice.show',
    summary: 'The state of your voice at the chat client; wait=MS waits so long for another than version',
    about:
      '`muted` is true while nobody hears you, for whatever reason; `mutedBy` names the reasons. `talking` is push to talk held ' +
      'by the bridge. `version` and `begun` are what to give back with `wait`. With `passive` you are not asked for consent ' +
      'again after you refused.',
    args: showArgs,
    result: view,
    async run({ voice, begun }, { version, begun: known, wait = 0, passive = false }) {
      const own = await voice();
      const state = await own.show({ passive, verified: wait === 0 });
      if (wait === 0 || known !== begun || version !== state.version || version !== own.version)
        return { ...state, begun };
      await own.changed(wait);
      // A change is news enough; the client is asked whether it is there where it has told nothing.
      return { ...(await own.show({ passive, verified: own.version === version })), begun };
    },
  }),
  operation({
    name: 'voice.change',
    summary: 'Mute, deafen, talk, set volumes, join or leave; answers with the state after it',
    about:
      'Each argument is optional, and setting what is set changes nothing. `mute` and `deafen` take true, false or "toggle". ' +
      'Unmuting ends the deafening, too; after the deafening the mute of before returns. `talk` holds push to talk for five ' +
      'minutes at most. `volume` is that of `user`, 0 to 200; `input` is 0 to 100, `output` 0 to 200. `channel` is an id or a ' +
      'name, null to leave.',
    args: changeArgs,
    result: view,
    async run({ voice, begun }, change) {
      const own = await voice();
      return { ...(await own.change(change)), begun };
    },
  }),
] as const;
