import * as z from 'zod';
import type { GatewayListener } from '../../api/dispatch.ts';

/** Kind of activity that is a custom status, which says what it says in `state`. */
const CUSTOM = 4;
/** Kinds that there are: playing, streaming, listening, watching, custom, competing. */
const KINDS = 5;
/** Most activities that one session shows. */
const MOST = 16;
/** What a token has to allow for a game to show what its user does. */
const SCOPES = ['activities.write', 'presences.write'];

/** What is not as it should be is as if it were not there. */
const lenient = <Type extends z.ZodType>(type: Type) => z.optional(type).catch(undefined);
const text = (longest: number) => lenient(z.string().min(1).max(longest));
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

/** What lets a guest into the party that a game shows: of its first activity that has both. */
export function joinSecretOf(
  { kind }: Pick<GatewayListener, 'kind'>,
  sent: readonly unknown[],
): string | null {
  if (kind === 'bot') return null;
  for (const one of sent.slice(0, MOST)) {
    const { data } = ofParty.safeParse(one);
    if (data !== undefined) return data.secrets.join;
  }
  return null;
}

/** Activities as a session sends them, as far as it may show them: nothing of what it may not say is left. */
export function shownActivities(
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
  return sent.slice(0, MOST).flatMap((one) => {
    const { data } = shape.safeParse(one);
    if (data === undefined) return [];
    const { name, ...rest } = data;
    // Some libraries send an empty activity for none.
    if (name === '' && kind === 'bot' && data.type !== CUSTOM) return [];
    // A game that says none is called as its application.
    const own = name === '' && kind === 'bearer' ? application.name : name;
    const shown = { ...rest, name: data.type === CUSTOM ? 'Custom Status' : own };
    // JSON leaves out what is undefined.
    const said = JSON.parse(JSON.stringify(shown)) as Readonly<Record<string, unknown>>;
    return [kind === 'bot' ? said : { ...said, application_id: application.id }];
  });
}
