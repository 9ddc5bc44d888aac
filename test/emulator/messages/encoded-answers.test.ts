import { expect, it, vi } from 'vitest';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { applyPatch } from '../../../src/emulator/compose/fixture/patch.ts';
import { messageAnswer, type Viewer } from '../../../src/emulator/messages/answers.ts';
import { encodedAnswers } from '../../../src/emulator/messages/encoded-answers.ts';
import type { ApplicationWriter } from '../../../src/emulator/messages/writer.ts';
import { Random } from '../../fuzz/random.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { patch, worldOf } from '../../helpers/patched.ts';

const IDS = Array.from({ length: 12 }, (_, index) => `61000000000000000${10 + index}`);
const AUTHORS = [ids.heron, ids.otter, '77'];
const CONTENTS = [
  'a plain text',
  '',
  `hello <@${ids.otter}>`,
  'hello <@77>',
  '@everyone look',
  `<@&${ids.riverBank}> and <@!${ids.heron}>`,
  'not a mention: <@88>',
];
const CHANNEL = ids.general;
const POLL = '610000000000000050';
const poll = { question: 'x', answers: [{ id: 1, text: 'y' }], expiry: '2030-01-31T12:00:00Z' };
const DIGEST = 'a'.repeat(64);

function worldWith(change: unknown = {}) {
  const world = worldOf(patch(defaultFixture(), change).fixture);
  const apply = (more: unknown) => world.changes((writing) => applyPatch(writing, more));
  return { world, tables: world.tables, apply };
}

it('are for 10,000 messages, readers and changes what each reader would be answered without kept texts', () => {
  const bots = [ids.harbourExample, ids.lighthouse].map((id) => ({ id, bot_user: id }));
  const { world, tables, apply } = worldWith({
    applications: bots,
    users: [
      ...bots.map(({ id }) => ({ id, username: `bot${id}`, bot: true })),
      { id: '77', username: 'visitor' },
    ],
  });
  const random = new Random(7);
  const next = (below: number): number => random.int(below);
  const one = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  const message = () => ({
    id: one(IDS),
    channel: CHANNEL,
    author: one(AUTHORS.filter((id) => tables.users.has(id))),
    content: one(CONTENTS),
  });
  const existing = () => one([...tables.messages].filter(({ channel }) => channel === CHANNEL))?.id ?? '1';
  const changes: readonly (() => unknown)[] = [
    () => ({ messages: [message()] }),
    () => ({ messages: [{ ...message(), embeds: [{ title: 'a tide' }] }] }),
    () => ({
      messages: [{ ...message(), type: 19, about: { kind: 'reply', channel: CHANNEL, message: existing() } }],
    }),
    () => ({ messages: [{ ...message(), mentions: { users: [ids.heron], roles: [], everyone: false } }] }),
    () => ({ messages: [{ id: existing(), pinned: next(2) === 1 }] }),
    () => ({ messages: [{ id: POLL, channel: CHANNEL, author: ids.heron, content: '', poll }] }),
    () => ({
      poll_votes: tables.messages.has(POLL)
        ? [{ message: POLL, answer: 1, user: one([ids.otter, ids.river]) }]
        : [],
    }),
    () => ({ messages: [{ id: existing(), content: one(CONTENTS) }] }),
    () => ({ users: [{ id: one([ids.heron, ids.otter]), global_name: `name ${next(5)}` }] }),
    () => ({ users: [{ id: '77', username: 'visitor', global_name: `name ${next(5)}` }] }),
    () => ({
      reactions: [{ message: existing(), emoji: one(['🌊', '🐟']), user: one(AUTHORS.slice(0, 2)) }],
    }),
    () => ({
      attachments: [
        { id: one(['8001', '8002']), message: existing(), filename: 'a.txt', size: 1, digest: DIGEST },
      ],
    }),
    () => ({
      applications: bots.map(({ id }) => ({ id, intents: next(2) === 1 ? ['message_content'] : [] })),
    }),
  ];
  const removals: readonly (() => void)[] = [
    () => world.transaction((writing) => writing.messages.remove(existing())),
    () => world.transaction((writing) => writing.users.remove('77')),
    () =>
      world.transaction((writing) => {
        for (const reaction of [...writing.reactions])
          writing.reactions.remove(writing.reactions.keyOf(reaction));
      }),
  ];
  const address = (file: { readonly id: string }): string => `http://127.0.0.1/${file.id}`;
  const viewers = (): Viewer[] => [
    { tables, caller: undefined, address },
    ...bots.map(({ id }) => {
      const user = tables.users.get(id);
      const application = tables.applications.get(id);
      return { tables, caller: { user, application } as ApplicationWriter, address };
    }),
  ];
  let compared = 0;
  for (let step = 0; compared < 10_000; step += 1) {
    if (next(12) === 0) one(removals)();
    else apply(one(changes)());
    const rows = tables.messages.by('channel', CHANNEL).last(50);
    for (const viewer of viewers()) {
      const list = encodedAnswers(viewer, rows);
      expect(list.toString()).toBe(JSON.stringify(rows.map((row) => messageAnswer(viewer, row))));
      expect(list.length).toBe(list.toString().length);
      compared += rows.length;
    }
    if (step > 5000) throw new Error('there are too few messages');
  }
});

it('are kept while they fit, so that a second list encodes nothing again', () => {
  const { tables, apply } = worldWith();
  const viewer: Viewer = { tables, caller: undefined, address: () => '' };
  const written = (rows: Parameters<typeof encodedAnswers>[1]): number => {
    const stringify = vi.spyOn(JSON, 'stringify');
    try {
      encodedAnswers(viewer, rows);
      return stringify.mock.calls.length;
    } finally {
      stringify.mockRestore();
    }
  };
  apply({
    messages: Array.from({ length: 1400 }, (_, index) => ({
      id: String(6_200_000_000 + index),
      channel: CHANNEL,
      author: ids.heron,
      content: `${index} ${'x'.repeat(3500)}`,
    })),
  });
  const rows = [...tables.messages].filter(({ id }) => id.startsWith('62000'));
  expect([written(rows.slice(0, 50)), written(rows.slice(0, 50))]).toEqual([50, 0]);
  // All of them have more than 4 Mi characters, so the first ones are gone when the last ones come.
  expect(written(rows)).toBe(1350);
  expect([written(rows.slice(-50)), written(rows.slice(0, 50))]).toEqual([0, 50]);
});
