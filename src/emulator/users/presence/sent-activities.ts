import * as z from 'zod';
import type { GatewayListener } from '../../api/dispatch.ts';

/** Activity type of a custom status, whose text is in `state`. */
const CUSTOM = 4;
/** Highest activity type. The types from 0 are: playing, streaming, listening, watching, custom, competing. */
const KINDS = 5;
/** Maximum number of activities of one session. */
const MAX_ACTIVITIES = 16;
/** Scopes with which a game may set activities; one of them is enough. */
const SCOPES = ['activities.write', 'presences.write'];

/** Schema that treats an invalid value as absent. */
const lenient = <Type extends z.ZodType>(type: Type) => z.optional(type).catch(undefined);
const text = (maxLength: number) => lenient(z.string().min(1).max(maxLength));
const number = () => lenient(z.number());

const ofBot = z.object({
  name: z.string().max(128),
  type: z.int().min(0).max(KINDS),
  state: text(128),
  url: text(512),
});

const ofGame = ofBot.extend({
  state_url: text(256),
  details: text(128),
  details_url: text(256),
  timestamps: lenient(z.object({ start: number(), end: number() })),
  assets: lenient(
    z.object({
      large_image: text(313),
      large_text: text(128),
      large_url: text(256),
      small_image: text(313),
      small_text: text(128),
      small_url: text(256),
      invite_cover_image: text(313),
    }),
  ),
  party: lenient(z.object({ id: text(128), size: lenient(z.tuple([z.int().min(0), z.int().min(0)])) })),
  buttons: lenient(z.array(z.string().min(1).max(32)).max(2)),
  flags: lenient(
    z
      .int()
      .min(0)
      .max(2 ** 31 - 1),
  ),
  status_display_type: lenient(z.int().min(0).max(2)),
});

const ofParty = z.object({
  party: z.object({ id: z.string().min(1).max(128) }),
  secrets: z.object({ join: z.string().min(1).max(128) }),
});

/** Join secret of a game's first activity that has both a party and a secret. */
export function joinSecretOf(
  { kind }: Pick<GatewayListener, 'kind'>,
  sent: readonly unknown[],
): string | null {
  if (kind === 'bot') return null;
  for (const one of sent.slice(0, MAX_ACTIVITIES)) {
    const { data } = ofParty.safeParse(one);
    if (data !== undefined) return data.secrets.join;
  }
  return null;
}

/** Activities of a session, reduced to the fields that this kind of session may set. */
export function visibleActivities(
  {
    kind,
    scopes,
    application,
  }: Pick<GatewayListener, 'kind' | 'scopes'> & {
    readonly application: { readonly id: string; readonly name: string };
  },
  sent: readonly unknown[],
): readonly Readonly<Record<string, unknown>>[] {
  if (kind === 'bearer' && !SCOPES.some((scope) => scopes.includes(scope))) return [];
  const shape = kind === 'bot' ? ofBot : ofGame;
  return sent.slice(0, MAX_ACTIVITIES).flatMap((one) => {
    const { data } = shape.safeParse(one);
    if (data === undefined) return [];
    const { name, ...rest } = data;
    // Some libraries send an empty activity instead of no activity.
    if (name === '' && kind === 'bot' && data.type !== CUSTOM) return [];
    // The default name of a game's activity is the name of its application.
    const own = name === '' && kind === 'bearer' ? application.name : name;
    const activity = { ...rest, name: data.type === CUSTOM ? 'Custom Status' : own };
    // Removes fields that are undefined.
    const cleaned = JSON.parse(JSON.stringify(activity)) as Readonly<Record<string, unknown>>;
    return [kind === 'bot' ? cleaned : { ...cleaned, application_id: application.id }];
  });
}
