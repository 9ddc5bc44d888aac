import type { Reading } from '../api/world.ts';
import type { ChannelAccess, Place } from '../guilds/channels/channel-access.ts';
import { isPrivate } from '../guilds/channels/private-records.ts';
import type { ApplicationEmoji, Emoji } from '../guilds/emoji/records.ts';
import { isUnicodeEmoji } from '../guilds/emoji/written.ts';
import { memberOf } from '../guilds/members/membership.ts';
import type { FieldFault } from '../kernel/errors.ts';
import type { Writer } from './writer.ts';

/** Where somebody shows an emoji. */
type Where = Pick<ChannelAccess<Place>, 'channel' | 'may'>;

/** Finds the custom emoji of an id that somebody may use; undefined for one that is not there or not for them. */
export type UsableEmoji = (id: string) => Emoji | ApplicationEmoji | undefined;

/**
 * The custom emoji that whoever writes may use in a channel: those of its own application, and those of guilds it is
 * in that can be used, for one of its roles; those of other guilds than the channel's by a right of their own.
 * Webhooks are in no guild: they may use those of all.
 */
export function emojisFor(tables: Reading, writer: Writer, { channel, may }: Where): UsableEmoji {
  return (id) => {
    const own = tables.application_emojis.get(id);
    if (own !== undefined) {
      const isApp = 'webhook' in writer || writer.user.bot;
      return isApp && own.application === writer.application?.id ? own : undefined;
    }
    const emoji = tables.emojis.get(id);
    if (!emoji?.available) return undefined;
    if ('webhook' in writer) return emoji;
    const member = memberOf(tables, emoji.guild, writer.user.id);
    if (member === undefined) return undefined;
    const { guild, roles } = emoji;
    if (roles.length > 0 && !roles.some((role) => role === guild || member.roles.includes(role))) {
      return undefined;
    }
    const isHere = !isPrivate(channel) && channel.guild === guild;
    return isHere || may('USE_EXTERNAL_EMOJIS') ? emoji : undefined;
  };
}

/** A text as it is sent: a custom emoji that cannot be used is its name alone, `:name:`. */
export function withUsableEmojis(content: string, usable: UsableEmoji): string {
  return content.replaceAll(/<a?:(\w{2,32}):(\d{1,20})>/g, (written, name: string, id: string) =>
    usable(id) === undefined ? `:${name}:` : written,
  );
}

/** What components may hold of this. */
interface Holder {
  readonly emoji?: { readonly id?: string | undefined; readonly name?: string | undefined } | undefined;
  readonly components?: readonly Holder[];
  readonly options?: readonly Holder[];
  readonly accessory?: Holder;
}

/** What is wrong with the emojis of components: each is one of Unicode, or one that can be used. */
export function faultsOfEmojis(
  given: readonly object[],
  usable: UsableEmoji,
  path: readonly (string | number)[] = ['components'],
): FieldFault[] {
  return (given as readonly Holder[]).flatMap((one, place) => {
    const here = [...path, place];
    const { emoji, accessory } = one;
    const key = emoji?.id === undefined ? 'name' : 'id';
    const wrong =
      emoji !== undefined && !(emoji.id === undefined ? isUnicodeEmoji(emoji.name ?? '') : usable(emoji.id));
    return [
      ...(wrong
        ? [{ path: [...here, 'emoji', key], code: 'COMPONENT_INVALID_EMOJI', message: 'Invalid emoji' }]
        : []),
      ...faultsOfEmojis(one.components ?? [], usable, [...here, 'components']),
      ...faultsOfEmojis(one.options ?? [], usable, [...here, 'options']),
      ...(accessory === undefined
        ? []
        : faultsOfEmojis([accessory], usable, here).map((fault) => ({
            ...fault,
            path: [...here, 'accessory', ...fault.path.slice(here.length + 1)],
          }))),
    ];
  });
}
