import { describe, expect, it } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import type { PlatformAnswer } from '../../helpers/platform.ts';
import { type UsedPlatform, usedPlatform } from '../../helpers/used-application.ts';

const V2 = 1 << 15;
const MESSAGES = `/channels/${ids.general}/messages`;

/** A message whose text displays have `length` characters together: at the top, in a section, in a container. */
function message(length: number): object {
  const text = (count: number) => ({ type: 10, content: 'x'.repeat(count) });
  const accessory = { type: 11, media: { url: 'https://example.test/tide.png' } };
  return {
    flags: V2,
    components: [
      text(1000),
      { type: 9, components: [text(1000)], accessory },
      { type: 17, components: [text(1000), text(length - 3000)] },
    ],
  };
}

/** Sends a message, and returns the answer with the name of the field that has the components. */
type Sends = (platform: UsedPlatform, sent: object) => Promise<readonly [PlatformAnswer, string?]>;

async function answered(platform: UsedPlatform, first: object = { content: 'first' }) {
  const used = platform.use();
  await platform.answer(used, { type: 4, data: first });
  return used;
}

async function webhook({ ask }: UsedPlatform): Promise<string> {
  const { body } = await ask(`POST /channels/${ids.general}/webhooks`, { name: 'Gull' });
  return `/webhooks/${body.id}/${body.token}`;
}

const ENTRY_POINTS: Readonly<Record<string, Sends>> = {
  'a message of a bot': async ({ ask }, sent) => [await ask(`POST ${MESSAGES}`, sent)],
  'an edit': async ({ ask }, sent) => {
    const { body } = await ask(`POST ${MESSAGES}`, message(3001));
    return [await ask(`PATCH ${MESSAGES}/${body.id}`, sent)];
  },
  'a webhook': async (platform, sent) => [
    await platform.call(`POST ${await webhook(platform)}?wait=true`, { json: sent }),
  ],
  "an edit of a webhook's message": async (platform, sent) => {
    const path = await webhook(platform);
    const { body } = await platform.call(`POST ${path}?wait=true`, { json: message(3001) });
    return [await platform.call(`PATCH ${path}/messages/${body.id}`, { json: sent })];
  },
  'the answer to an interaction': async (platform, sent) => [
    await platform.answer(platform.use(), { type: 4, data: sent }, '?with_response=true'),
    'data',
  ],
  'an edit of that answer': async (platform, sent) => [
    await platform.hook(await answered(platform, message(3001)), 'PATCH', '/messages/@original', sent),
  ],
  'a follow-up': async (platform, sent) => [await platform.hook(await answered(platform), 'POST', '', sent)],
};

describe.each(Object.entries(ENTRY_POINTS))('the text of all components of %s', (_, send) => {
  it('has at most 4,000 characters together', async () => {
    const platform = await usedPlatform();
    const [good] = await send(platform, message(4000));
    expect([good.status, good.body.errors]).toEqual([200, undefined]);
    const [{ status, body }, field] = await send(platform, message(4001));
    expect([status, body.code]).toEqual([400, 50035]);
    const errors = field === undefined ? body.errors : body.errors[field];
    expect(errors.components._errors).toEqual([
      {
        code: 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
        message: 'Components displayable text size exceeds maximum size of 4000',
      },
    ]);
  });
});
