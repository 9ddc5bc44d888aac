import { expect, it } from 'vitest';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';

const MESSAGES = `/channels/${ids.general}/messages`;
/** A text of that length, between white space that does not count. */
const wide = (length: number) => `${' '.repeat(300)}${'x'.repeat(length)}\n\t`;

it('texts of an embed are stored without the white space at their ends, which no limit counts', async () => {
  const { ask } = await botPlatform();
  const sent = {
    title: wide(256),
    description: wide(1000),
    footer: { text: wide(2048) },
    author: { name: wide(256) },
    fields: [{ name: wide(256), value: wide(1024) }],
  };
  const { status, body } = await ask(`POST ${MESSAGES}`, { embeds: [sent] });
  expect(status).toBe(200);
  expect(body.embeds).toMatchObject([
    {
      title: 'x'.repeat(256),
      description: 'x'.repeat(1000),
      footer: { text: 'x'.repeat(2048) },
      author: { name: 'x'.repeat(256) },
      fields: [{ name: 'x'.repeat(256), value: 'x'.repeat(1024) }],
    },
  ]);
});

it('all embeds of a message have at most 6,000 characters, without the white space at the ends', async () => {
  const { ask, refused } = await botPlatform();
  const embeds = (last: number) => [{ description: wide(4000) }, { description: wide(last) }];
  expect((await ask(`POST ${MESSAGES}`, { embeds: embeds(2000) })).status).toBe(200);
  const { status, body } = await refused(`POST ${MESSAGES}`, { embeds: embeds(2001) });
  expect([status, body.errors.embeds._errors[0].code]).toEqual([400, 'MAX_EMBED_SIZE_EXCEEDED']);
});

it.each([
  ['a title', { title: wide(257) }],
  ['a footer', { footer: { text: wide(2049) } }],
  ['the name of an author', { author: { name: wide(257) } }],
  ['the value of a field', { fields: [{ name: 'x', value: wide(1025) }] }],
  ['a field of white space', { fields: [{ name: ' ', value: 'x' }] }],
])('an embed is refused for %s beyond its limit', async (_, embed) => {
  const { refused } = await botPlatform();
  const { status, body } = await refused(`POST ${MESSAGES}`, { embeds: [embed] });
  expect([status, body.code]).toEqual([400, 50035]);
});
