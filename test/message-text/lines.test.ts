import { expect, test } from 'vitest';
import { messageLines } from '../../src/message-text/lines.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const NAMES = {
  users: { '1': { name: 'Ada' }, '2': { name: 'Harbour bot', bot: true } },
  roles: { '3': { name: 'crew' } },
  channels: { '4': { name: 'dock' } },
};
const BASE = {
  id: '10',
  type: 0,
  content: '',
  author: { id: '2', username: 'harbour', bot: true },
  timestamp: '2026-01-02T03:04:05.678000+00:00',
  edited_timestamp: null,
};

function body(fields: object, ephemeral = false): string {
  const [, ...lines] = messageLines({ message: { ...BASE, ...fields }, revision: '', ephemeral }, NAMES, NOW);
  return lines.join('\n');
}

test('the first line of a message names its author, its marks, its time and its id', () => {
  const message = { ...BASE, pinned: true, edited_timestamp: BASE.timestamp };
  expect(messageLines({ message, revision: '', ephemeral: false }, NAMES, NOW)).toEqual([
    'Harbour bot [bot, edited, pinned]  2026-01-02 03:04:05 UTC  10',
  ]);
});

test.each([
  [
    'text',
    { content: '**Hi** <@1> <@&3> <#4> <@9>\n> quote' },
    '  Hi @Ada @crew #dock @unknown-user\n  > quote',
  ],
  ['a relative time', { content: '<t:1767351600:R>' }, '  1 hour ago'],
  ['a masked link', { content: '[x](https://a.example)' }, '  x <https://a.example/>'],
  [
    'a command',
    { type: 20, interaction_metadata: { name: 'tide', user: { id: '1' } } },
    '  ↳ Ada used /tide',
  ],
  [
    'a command for messages',
    { type: 23, interaction_metadata: { name: 'Pin', user: { id: '1' }, target_message_id: '5' } },
    '  ↳ Ada used Pin',
  ],
  [
    'a reply',
    {
      type: 19,
      referenced_message: { ...BASE, author: { id: '1' }, content: 'When?\n- **Now ||or never||**' },
    },
    '  ↳ reply to Ada: When? • Now ▇▇▇',
  ],
  ['a reply to nothing', { type: 19, referenced_message: null }, '  ↳ reply to a message that was deleted'],
  ['a deferred answer', { flags: 128 }, '  Harbour bot is thinking…'],
  [
    'an embed',
    {
      embeds: [
        {
          title: 'Tide',
          url: 'https://a.example',
          description: '*high*',
          author: { name: 'Port' },
          fields: [{ name: 'Berth', value: '4' }],
          footer: { text: 'end' },
          image: { url: 'https://a.example/i.png' },
        },
      ],
    },
    '  │ Port\n  │ Tide <https://a.example>\n  │ high\n  │ Berth: 4\n  │ [image: https://a.example/i.png]\n  │ end',
  ],
  [
    'files and stickers',
    { attachments: [{ filename: 'a.txt', size: 2048, flags: 8 }], sticker_items: [{ name: 'Wave' }] },
    '  [spoiler file a.txt, 2.0 KiB]\n  [sticker: Wave]',
  ],
  [
    'buttons and a select',
    {
      components: [
        {
          type: 1,
          components: [
            { type: 2, style: 1, label: 'Book', emoji: { name: '⚓' } },
            { type: 2, style: 5, label: 'Docs', url: 'https://a.example', disabled: true },
          ],
        },
        { type: 1, components: [{ type: 3, options: [{ label: 'A' }, { label: 'B', default: true }] }] },
        { type: 1, components: [{ type: 8, placeholder: 'Where?' }] },
      ],
    },
    '  [⚓ Book] [Docs <https://a.example>, disabled]\n  (Make a selection ▾: A, B (chosen))\n  (Where? ▾)',
  ],
  [
    'a container',
    {
      components: [
        {
          type: 17,
          components: [
            {
              type: 9,
              components: [{ type: 10, content: '# Hi' }],
              accessory: { type: 11, media: { url: 'u' }, description: 'sea' },
            },
            { type: 14, divider: true },
            { type: 12, items: [{ media: { url: 'p.png' }, spoiler: true }] },
            { type: 13, name: 'a.zip' },
          ],
        },
      ],
    },
    '  ┃ Hi\n  ┃ [picture: sea]\n  ┃ ────────\n  ┃ [spoiler picture: p.png]\n  ┃ [file a.zip]',
  ],
  ['separators alone', { components: [{ type: 14, divider: true }, { type: 14 }] }, ''],
  [
    'a poll and reactions',
    {
      poll: {
        question: { text: 'Where?' },
        answers: [{ answer_id: 1, poll_media: { text: 'Pier', emoji: { name: '⚓' } } }],
        results: { is_finalized: true, answer_counts: [{ id: 1, count: 1, me_voted: true }] },
      },
      reactions: [
        { emoji: { name: '👍' }, count: 2, me: true },
        { emoji: { id: '7', name: 'cat' }, count: 1 },
      ],
    },
    '  Poll: Where?\n    1. ⚓ Pier – 1 vote (with yours)\n    1 vote, ended\n  Reactions: 👍 2 (with yours) · :cat: 1',
  ],
  ['a forwarded message', { message_snapshots: [{ message: { content: 'old' } }] }, '  forwarded:\n  │ old'],
  ['a thread', { thread: { name: 'Plans', message_count: 3 } }, '  Thread: Plans, messages: 3'],
  [
    'a notice of a pin',
    { type: 6 },
    '  → Harbour bot pinned a message to this channel. See all pinned messages.',
  ],
  ['an unknown type', { type: 99, content: 'x' }, '  → Harbour bot wrote a system message of type 99: x.'],
  ['control characters', { content: 'a\u001b[31m\u202e' }, '  a?[31m?'],
])('%s appears in the lines of a message', (_name, fields, expected) => {
  expect(body(fields)).toBe(expected);
});

test('an ephemeral message says that only one user sees it', () => {
  expect(body({ content: 'psst' }, true)).toBe('  psst\n  (ephemeral: nobody else sees it)');
});

test('fields of a wrong type are passed over', () => {
  const wrong = {
    content: 5,
    embeds: [null, 3, { title: [] }],
    components: 'x',
    poll: [],
    reactions: {},
    author: null,
  };
  expect(messageLines({ message: wrong, revision: '', ephemeral: false }, NAMES, NOW)[0]).toMatch(
    /^Removed user/,
  );
});

test('a tree of more components than a message can have is not printed', () => {
  const tree = (depth: number): object => ({
    type: 17,
    components: depth === 0 ? [] : [tree(depth - 1), tree(depth - 1)],
  });
  expect(body({ components: [tree(8)] })).toBe('  too many components');
  expect(body({ components: [tree(2)] })).toContain('┃ ┃ ┃');
});

test('the lines of a long message are cut, with their number', () => {
  const lines = body({ content: '\n'.repeat(999) }).split('\n');
  expect(lines).toHaveLength(400);
  expect(lines.at(-1)).toBe('  … 600 more lines');
});
