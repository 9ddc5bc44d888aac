import { parseUrl } from '../../../base/url.ts';
import type { Reading } from '../../api/world.ts';
import { isBefore } from '../../kernel/snowflake.ts';
import { mentionsOf } from '../mentions.ts';
import { authorIdOf, type Message } from '../records.ts';
import type { SearchQuery } from './query.ts';

/** A predicate on messages. */
export type Filter = (message: Message) => boolean;

const LINK = /https?:\/\/[^\s<>]+/gi;

/** All filters of a query except the filter for its text. A message must pass all of them. */
export function filtersOf(tables: Reading, query: SearchQuery): Filter[] {
  const filters: Filter[] = [];
  const any = <Value>(
    wanted: readonly Value[] | undefined,
    passes: (message: Message, wanted: readonly Value[]) => boolean,
  ) => {
    if (wanted !== undefined && wanted.length > 0) filters.push((message) => passes(message, wanted));
  };
  const is = (wanted: boolean | undefined, holds: Filter) => {
    if (wanted !== undefined) filters.push((message) => holds(message) === wanted);
  };
  const { min_id, max_id } = query;
  if (min_id !== undefined) filters.push(({ id }) => isBefore(min_id, id));
  if (max_id !== undefined) filters.push(({ id }) => isBefore(id, max_id));
  any(query.author_id, (message, wanted) => wanted.includes(authorIdOf(message)));
  const { author_type = [], has: having = [] } = query;
  const typeOf = ({ author }: Message): string =>
    author === null ? 'webhook' : tables.users.get(author)?.bot ? 'bot' : 'user';
  if (author_type.length > 0) {
    filters.push(combinedFilter(author_type, (word) => (message) => word === typeOf(message)));
  }
  is(query.pinned, ({ pinned }) => pinned);
  is(query.mention_everyone, (message) => mentionsOf(tables, message).everyone);
  any(query.mentions, (message, wanted) =>
    mentionsOf(tables, message).users.some((id) => wanted.includes(id)),
  );
  any(query.mentions_role_id, (message, wanted) =>
    mentionsOf(tables, message).roles.some((id) => wanted.includes(id)),
  );
  any(
    query.replied_to_message_id,
    ({ about }, wanted) => about?.kind === 'reply' && wanted.includes(about.message ?? ''),
  );
  any(query.replied_to_user_id, ({ about }, wanted) => {
    const to = about?.kind === 'reply' ? tables.messages.get(about.message ?? '') : undefined;
    return to !== undefined && wanted.includes(authorIdOf(to));
  });
  if (having.length > 0) filters.push(combinedFilter(having, (word) => has(tables, word)));
  any(query.embed_type, ({ embeds = [] }, wanted) =>
    embeds.some(({ type }) => wanted.includes(type as never)),
  );
  any(query.embed_provider, ({ embeds = [] }, wanted) =>
    embeds.some(({ provider }) =>
      wanted.includes((provider as { readonly name?: string } | undefined)?.name ?? ''),
    ),
  );
  any(query.link_hostname, ({ content }, wanted) => linksIn(content).some((host) => wanted.includes(host)));
  any(query.attachment_filename, ({ id }, wanted) =>
    [...tables.attachments.by('message', id)].some(({ filename }) =>
      wanted.some((name) => filename.includes(name)),
    ),
  );
  any(query.attachment_extension, ({ id }, wanted) =>
    [...tables.attachments.by('message', id)].some(({ filename }) =>
      wanted.some((extension) =>
        filename.toLowerCase().endsWith(`.${extension.toLowerCase().replace(/^\./, '')}`),
      ),
    ),
  );
  return filters;
}

/** Combines the filters of terms: a message must match none of the terms with `-`, and at least one of the others. */
function combinedFilter(terms: readonly string[], filterOf: (word: string) => Filter): Filter {
  const not = terms.filter((word) => word.startsWith('-')).map((word) => filterOf(word.slice(1)));
  const some = terms.filter((word) => !word.startsWith('-')).map(filterOf);
  return (message) =>
    !not.some((holds) => holds(message)) && (some.length === 0 || some.some((holds) => holds(message)));
}

/** Filter for one term of `has`. */
function has({ attachments }: Reading, word: string): Filter {
  const file =
    (type: string): Filter =>
    ({ id }) => {
      for (const { content_type } of attachments.by('message', id)) {
        if (content_type?.startsWith(type)) return true;
      }
      return false;
    };
  switch (word) {
    case 'image':
    case 'video': {
      const isAttached = file(`${word}/`);
      return (message) =>
        (message.embeds ?? []).some(({ type, [word]: part }) => type === word || part !== undefined) ||
        isAttached(message);
    }
    case 'sound':
      return file('audio/');
    case 'file':
      return ({ id }) => attachments.by('message', id).size > 0;
    case 'embed':
      return ({ embeds = [] }) => embeds.length > 0;
    case 'link':
      return ({ content }) => linksIn(content).length > 0;
    case 'poll':
      return ({ poll }) => poll !== undefined;
    case 'snapshot':
      return ({ snapshot }) => snapshot !== undefined;
    case 'sticker':
      return ({ stickers }) => stickers !== undefined;
    default:
      return () => false;
  }
}

function linksIn(content: string): string[] {
  if (!content.includes('://')) return [];
  return [...content.matchAll(LINK)].flatMap(([text]) => {
    const host = parseUrl(text)?.hostname;
    return host === undefined ? [] : [host];
  });
}
