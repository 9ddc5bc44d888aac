import { parseUrl } from '../../../platform/url.ts';
import { mentionsOf } from '../messages/mentions.ts';
import type { Message } from '../messages/records.ts';
import type { Reading } from '../world.ts';
import type { SearchQuery } from './query.ts';

/** Says whether a message is searched for. */
type Filter = (message: Message) => boolean;

const LINK = /https?:\/\/[^\s<>]+/gi;

/** The filters of a query besides its text: a message has to pass all of them. */
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
  if (min_id !== undefined) filters.push(({ id }) => BigInt(id) > BigInt(min_id));
  if (max_id !== undefined) filters.push(({ id }) => BigInt(id) < BigInt(max_id));
  any(query.author_id, ({ author }, wanted) => wanted.includes(author));
  any(query.author_type, ({ author }, wanted) => {
    const type = tables.users.get(author)?.bot ? 'bot' : 'user';
    return passesWords(wanted, (word) => word === type);
  });
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
    ({ about }, wanted) => about?.kind === 'reply' && wanted.includes(about.message),
  );
  any(
    query.replied_to_user_id,
    ({ about }, wanted) =>
      about?.kind === 'reply' && wanted.includes(tables.messages.get(about.message)?.author ?? ''),
  );
  any(query.has, (message, wanted) => passesWords(wanted, (word) => has(tables, message, word)));
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

/** With `-` none of those may hold; of the others one has to. */
function passesWords(words: readonly string[], holds: (word: string) => boolean): boolean {
  const not = words.filter((word) => word.startsWith('-')).map((word) => word.slice(1));
  const some = words.filter((word) => !word.startsWith('-'));
  return !not.some(holds) && (some.length === 0 || some.some(holds));
}

function has(tables: Reading, { id, content, embeds, snapshot }: Message, word: string): boolean {
  const files = () => [...tables.attachments.by('message', id)];
  const ofType = (type: string) => files().some(({ content_type }) => content_type?.startsWith(`${type}/`));
  switch (word) {
    case 'image':
    case 'video':
      return (
        ofType(word) || (embeds ?? []).some(({ type, [word]: shown }) => type === word || shown !== undefined)
      );
    case 'sound':
      return ofType('audio');
    case 'file':
      return tables.attachments.by('message', id).size > 0;
    case 'embed':
      return embeds !== undefined && embeds.length > 0;
    case 'link':
      return linksIn(content).length > 0;
    case 'snapshot':
      return snapshot !== undefined;
    default:
      // Nothing here has stickers or polls.
      return false;
  }
}

function linksIn(content: string): string[] {
  if (!content.includes('://')) return [];
  return [...content.matchAll(LINK)].flatMap(([text]) => {
    const host = parseUrl(text)?.hostname;
    return host === undefined ? [] : [host];
  });
}
