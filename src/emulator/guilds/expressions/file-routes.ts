import { anybody, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasFileStore } from '../../files/store.ts';
import { downloadOf } from '../../files/stored.ts';

const defineOperation = operationsFor<Base & HasFileStore>();

const WHERE = 'has no signature, as on the platform: only the id protects it';

/** Id in a file name such as `1.webp`. */
function idOf(filename: string): string {
  return filename.replace(/\.(?:png|jpe?g|gif|webp|avif|json)$/, '');
}

/** Routes that serve images and sounds; they are outside of the API's path. */
export const expressionFileOperations = [
  defineOperation({
    id: 'get_emoji_file',
    summary: 'Image of an emoji, such as `/emojis/1.png`.',
    route: 'GET /emojis/{filename}',
    at: 'site',
    who: [anybody],
    ours: `The address ${WHERE}. Whatever the extension, the image has the format in which it was sent.`,
    answers: { 200: null },
    handle: ({ params }, platform) => {
      const { emojis, application_emojis } = platform.world.tables;
      const id = idOf(params.filename);
      return downloadOf(platform, (emojis.get(id) ?? application_emojis.get(id))?.file);
    },
  }),
  defineOperation({
    id: 'get_sticker_file',
    summary: 'Image of a sticker, such as `/stickers/1.png`.',
    route: 'GET /stickers/{filename}',
    at: 'site',
    who: [anybody],
    ours: `The address ${WHERE}. Stickers of packs have no image here.`,
    answers: { 200: null },
    handle: ({ params }, platform) =>
      downloadOf(platform, platform.world.tables.stickers.get(idOf(params.filename))?.file),
  }),
  defineOperation({
    id: 'get_sound_file',
    summary: 'A sound of the soundboard, such as `/soundboard-sounds/1`.',
    route: 'GET /soundboard-sounds/{sound_id}',
    at: 'site',
    who: [anybody],
    ours: `The address ${WHERE}. Sounds of the fixture have no bytes here.`,
    answers: { 200: null },
    handle: ({ params }, platform) =>
      downloadOf(platform, platform.world.tables.soundboard_sounds.get(params.sound_id)?.file),
  }),
];
