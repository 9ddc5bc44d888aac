import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { noContent, ok, operationsFor } from '../../api/operation.ts';
import { checkOwn } from '../../api/own-application.ts';
import type { Base, Reading } from '../../api/world.ts';
import { checkedPicture, dataUri } from '../../files/data-uri.ts';
import type { HasFileStore } from '../../files/store.ts';
import { withStored } from '../../files/stored.ts';
import { emojiAnswer, emojiShape } from './answers.ts';
import type { ApplicationEmoji } from './records.ts';
import { emojiName, MAX_EMOJI_BYTES, MAX_EMOJI_REQUEST_BYTES } from './routes.ts';

const defineOperation = operationsFor<Base & HasFileStore>();

const MAX_EMOJIS = 2000;

/** An emoji of the application. @throws ApiError 10014 for an unknown emoji. */
function emojiOf({ application_emojis }: Reading, applicationId: string, id: string): ApplicationEmoji {
  const emoji = application_emojis.get(id);
  if (emoji?.application !== applicationId) throw new ApiError('UnknownEmoji');
  return emoji;
}

const ALL = '/applications/{application_id}/emojis';
const ONE = '/applications/{application_id}/emojis/{emoji_id}';

/** Routes of an application's emoji. */
export const applicationEmojiOperations = [
  defineOperation({
    id: 'list_application_emojis',
    summary: "The emoji of the bot's own application.",
    route: `GET ${ALL}`,
    answers: { 200: z.object({ items: z.array(emojiShape) }) },
    handle: ({ caller, params }, { world: { tables } }) => {
      checkOwn(caller, params.application_id);
      const all = [...tables.application_emojis.by('application', params.application_id)];
      return ok({ items: all.map((emoji) => emojiAnswer(tables, emoji, true)) });
    },
  }),
  defineOperation({
    id: 'get_application_emoji',
    summary: 'An emoji of the application.',
    route: `GET ${ONE}`,
    answers: { 200: emojiShape },
    handle: ({ caller, params }, { world: { tables } }) => {
      checkOwn(caller, params.application_id);
      return ok(emojiAnswer(tables, emojiOf(tables, params.application_id, params.emoji_id), true));
    },
  }),
  defineOperation({
    id: 'create_application_emoji',
    summary:
      'Creates an emoji that only the bot of the application can use, everywhere and without a permission.',
    route: `POST ${ALL}`,
    body: z.object({ name: emojiName(), image: dataUri('image') }),
    maxBodyBytes: MAX_EMOJI_REQUEST_BYTES,
    answers: { 201: emojiShape },
    handle: ({ caller, params, body }, platform) => {
      checkOwn(caller, params.application_id);
      const { world, clock } = platform;
      const picture = checkedPicture(body.image, 'image', MAX_EMOJI_BYTES);
      return withStored(platform, picture, (file) => {
        const { id: application } = caller.application;
        // The application may have been deleted while the file was stored.
        if (!world.tables.applications.has(application)) throw new ApiError('UnknownApplication');
        if (world.tables.application_emojis.by('application', application).size >= MAX_EMOJIS) {
          throw new ApiError('MaximumNumberOfEmojisReached', { limit: MAX_EMOJIS });
        }
        const made = world.transaction(({ application_emojis: emojis }) =>
          emojis.insert({
            id: world.ids.next(clock.now(), (id) => emojis.has(id)),
            application,
            name: body.name,
            user: world.tables.users.has(caller.user.id) ? caller.user.id : null,
            animated: picture.animated,
            file,
          }),
        );
        return { status: 201, body: emojiAnswer(world.tables, made, true) };
      });
    },
  }),
  defineOperation({
    id: 'update_application_emoji',
    summary: 'Renames an emoji of the application.',
    route: `PATCH ${ONE}`,
    body: z.object({ name: z.optional(emojiName()) }),
    answers: { 200: emojiShape },
    handle: ({ caller, params, body }, { world }) => {
      checkOwn(caller, params.application_id);
      const { id, name } = emojiOf(world.tables, params.application_id, params.emoji_id);
      const after = world.transaction(({ application_emojis: emojis }) =>
        emojis.update(id, { name: body.name ?? name }),
      );
      return ok(emojiAnswer(world.tables, after, true));
    },
  }),
  defineOperation({
    id: 'delete_application_emoji',
    summary: 'Deletes an emoji of the application.',
    route: `DELETE ${ONE}`,
    answers: { 204: null },
    handle: ({ caller, params }, { world }) => {
      checkOwn(caller, params.application_id);
      const { id } = emojiOf(world.tables, params.application_id, params.emoji_id);
      world.transaction(({ application_emojis: emojis }) => emojis.remove(id));
      return noContent();
    },
  }),
];
