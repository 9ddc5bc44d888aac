import type { Reading } from '../api/world.ts';
import type { AnyChannel, ChannelAccess } from '../guilds/channels/channel-access.ts';
import { isPrivate } from '../guilds/channels/private-records.ts';
import { isUnicodeEmoji } from '../guilds/emoji/emoji-text.ts';
import type { ApplicationEmoji, Emoji } from '../guilds/emoji/records.ts';
import { memberOf } from '../guilds/members/membership.ts';
import type { FieldFault } from '../kernel/errors.ts';
import type { Writer } from './writer.ts';

/** Channel in which an author uses an emoji, and the author's permissions there. */
type Where = Pick<ChannelAccess<AnyChannel>, 'channel' | 'may'>;

/** Finds a custom emoji by id; undefined for an unknown emoji, and for an emoji that the author may not use. */
export type UsableEmoji = (id: string) => Emoji | ApplicationEmoji | undefined;

/**
 * Custom emoji that an author may use in a channel: those of its own application, and available emoji of its guilds
 * that its roles allow. Emoji of a guild other than the channel's need a permission. Webhooks belong to no guild and
 * may use the emoji of all guilds.
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

/** A text with unusable custom emoji replaced by their names, `:name:`. */
export function withUsableEmojis(content: string, usable: UsableEmoji): string {
  return content.replaceAll(/<a?:(\w{2,32}):(\d{1,20})>/g, (written, name: string, id: string) =>
    usable(id) === undefined ? `:${name}:` : written,
  );
}

/** Parts of a component that may contain emoji. */
interface Holder {
  readonly emoji?: { readonly id?: string | undefined; readonly name?: string | undefined } | undefined;
  readonly components?: readonly Holder[];
  readonly options?: readonly Holder[];
  readonly accessory?: Holder;
}

/** Validation errors of emoji in components: each emoji must be Unicode, or a custom emoji that the author may use. */
export function faultsOfEmojis(
  nodes: readonly object[],
  usable: UsableEmoji,
  path: readonly (string | number)[] = ['components'],
): FieldFault[] {
  return (nodes as readonly Holder[]).flatMap((one, index) => {
    const here = [...path, index];
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
