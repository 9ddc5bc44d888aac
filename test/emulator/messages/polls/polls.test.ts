import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';

const MESSAGES = `/channels/${ids.general}/messages`;
const answers = (...texts: string[]) => texts.map((text) => ({ poll_media: { text } }));
const POLL = { question: { text: 'Tide?' }, answers: answers('High', 'Low'), duration: 2 };

/** A poll in #general, its place, and the last message there. */
async function polled(more: object = {}) {
  const platform = await botPlatform();
  const { ask } = platform;
  const { body } = await ask(`POST ${MESSAGES}`, { poll: { ...POLL, ...more } });
  const id = body.id as string;
  return {
    ...platform,
    body,
    id,
    path: `/channels/${ids.general}/polls/${id}`,
    shown: async () => (await ask(`GET ${MESSAGES}/${id}`)).body,
    last: async () => (await ask(`GET ${MESSAGES}?limit=1`)).body[0],
  };
}

const codeOf = ({ status, body }: { readonly status: number; readonly body: { code: number } }) => [
  status,
  body.code,
];

it('a poll arrives with a message, accepts votes of users, and lists its voters', async () => {
  const { body, emulator, id, shown, ask, path } = await polled({
    answers: [...answers('High'), { poll_media: { emoji: { name: '🌊' } } }],
    allow_multiselect: true,
  });
  const expiry = Date.parse(body.timestamp) + 2 * 3_600_000;
  expect(body.poll).toMatchObject({
    question: { text: 'Tide?' },
    answers: [
      { answer_id: 1, poll_media: { text: 'High' } },
      { answer_id: 2, poll_media: { emoji: { id: null, name: '🌊' } } },
    ],
    allow_multiselect: true,
    layout_type: 1,
    results: { is_finalized: false },
  });
  expect(Date.parse(body.poll.expiry)).toBe(expiry);
  expect(emulator.polls.vote(id, ids.river, ['High', '2'])).toEqual([1, 2]);
  emulator.polls.vote(id, ids.heron, ['1']);
  expect((await shown()).poll.results.answer_counts).toEqual([
    { id: 1, count: 2, me_voted: false },
    { id: 2, count: 1, me_voted: false },
  ]);
  const voters = async (query = '') => {
    const answer = await ask(`GET ${path}/answers/1${query}`);
    return answer.body.users.map((user: { id: string }) => user.id);
  };
  const both = [ids.river, ids.heron].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  expect(await voters()).toEqual(both);
  expect(await voters('?limit=1')).toEqual(both.slice(0, 1));
  expect(await voters(`?after=${both[0]}`)).toEqual(both.slice(1));
  emulator.polls.vote(id, ids.heron, []);
  expect(await voters()).toEqual([ids.river]);
});

it('a poll ends by the clock, and a message in the channel reports the result', async () => {
  const { emulator, id, shown, last, body } = await polled();
  emulator.clock.freeze();
  emulator.polls.vote(id, ids.river, ['2']);
  emulator.polls.vote(id, ids.heron, ['2']);
  emulator.polls.vote(id, ids.otter, ['1']);
  emulator.clock.advance(2 * 3_600_000 - 60_000);
  expect((await shown()).poll.results.is_finalized).toBe(false);
  emulator.clock.advance(120_000);
  expect((await shown()).poll).toMatchObject({ expiry: body.poll.expiry, results: { is_finalized: true } });
  const told = await last();
  expect(told).toMatchObject({
    type: 46,
    author: { id: APP },
    message_reference: { channel_id: ids.general, message_id: id, guild_id: ids.riverBank },
    embeds: [{ type: 'poll_result' }],
  });
  expect(Date.parse(told.timestamp)).toBe(Date.parse(body.poll.expiry));
  const fields = told.embeds[0].fields.map(({ name, value }: { name: string; value: string }) => [
    name,
    value,
  ]);
  expect(Object.fromEntries(fields)).toEqual({
    poll_question_text: 'Tide?',
    victor_answer_votes: '2',
    total_votes: '3',
    victor_answer_id: '2',
    victor_answer_text: 'Low',
  });
  expect(() => emulator.polls.vote(id, ids.river, ['1'])).toThrow('the poll is over');
});

it('a poll has no victor when two answers tie', async () => {
  const { emulator, id, ask, path, last } = await polled();
  emulator.polls.vote(id, ids.river, ['1']);
  emulator.polls.vote(id, ids.heron, ['2']);
  await ask(`POST ${path}/expire`);
  const names = (await last()).embeds[0].fields.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['poll_question_text', 'victor_answer_votes', 'total_votes']);
});

it('a poll is ended once by its author, and not again by the clock', async () => {
  const { emulator, ask, path, refused, shown, last, id } = await polled();
  const { status, body } = await ask(`POST ${path}/expire`);
  expect(status).toBe(200);
  expect(body.poll.results.is_finalized).toBe(true);
  expect(Date.parse(body.poll.expiry)).toBeLessThanOrEqual(emulator.clock.now());
  expect(codeOf(await refused(`POST ${path}/expire`))).toEqual([400, 520001]);
  const { id: told } = await last();
  emulator.clock.advance(10 * 3_600_000);
  expect((await last()).id).toBe(told);
  expect((await shown()).id).toBe(id);
});

it('a poll and its votes survive an export and an import, and the poll still ends', async () => {
  const { emulator, id, shown, last } = await polled();
  emulator.polls.vote(id, ids.river, ['2']);
  const exported = emulator.exportState();
  emulator.messages.remove(id);
  expect(emulator.tables.poll_votes.size).toBe(0);
  emulator.importState(exported, 'x.jsonl');
  emulator.clock.advance(3 * 3_600_000);
  expect((await shown()).poll.results).toMatchObject({
    is_finalized: true,
    answer_counts: [{ count: 0 }, { count: 1 }],
  });
  expect((await last()).type).toBe(46);
});

it('a poll is hidden from an application that may not read message content', async () => {
  const { emulator, ask } = await botPlatform({}, []);
  await emulator.apply({
    messages: [
      {
        id: '900000000000000001',
        channel: ids.general,
        content: '',
        poll: { question: 'x', answers: [{ id: 1, text: 'y' }], expiry: '2030-01-31T12:00:00Z' },
      },
    ],
  });
  expect((await ask(`GET ${MESSAGES}/900000000000000001`)).body).not.toHaveProperty('poll');
});

it('a poll can be created by a webhook', async () => {
  const { call, last } = await polled().then(async (platform) => {
    await platform.emulator.apply({
      channel_webhooks: [{ id: '900', channel: ids.general, name: 'Tide table', token: 'tide' }],
    });
    return platform;
  });
  const { body } = await call('POST /webhooks/900/tide?wait=true', { json: { poll: POLL } });
  expect(body).toMatchObject({ webhook_id: '900', poll: { question: { text: 'Tide?' } } });
  expect((await last()).id).toBe(body.id);
});

describe('a refused poll request leaves the state unchanged:', () => {
  it.each([
    ['no question', { question: undefined }, 400, 50035],
    ['a question of 301 characters', { question: { text: 'x'.repeat(301) } }, 400, 50035],
    ['no answers', { answers: [] }, 400, 50035],
    ['eleven answers', { answers: answers(...Array.from({ length: 11 }, (_, n) => String(n))) }, 400, 50035],
    ['an answer of 56 characters', { answers: answers('x'.repeat(56)) }, 400, 50035],
    ['an answer of nothing', { answers: [{ poll_media: {} }] }, 400, 50035],
    ['an emoji that is none', { answers: [{ poll_media: { emoji: { name: 'x' } } }] }, 400, 520004],
    ['an emoji that nobody has', { answers: [{ poll_media: { emoji: { id: '77' } } }] }, 400, 520004],
    ['no time', { duration: 0 }, 400, 50035],
    ['769 hours', { duration: 769 }, 400, 50035],
    ['another layout', { layout_type: 2 }, 400, 50035],
    ['a question with an emoji', { question: { text: 'x', emoji: { name: '🌊' } } }, 501, 0],
  ])('a poll with %s', async (_, more, status, code) => {
    const { refused } = await botPlatform();
    expect(codeOf(await refused(`POST ${MESSAGES}`, { poll: { ...POLL, ...more } }))).toEqual([status, code]);
  });

  it('a poll without SEND_POLLS', async () => {
    const { refused, only } = await botPlatform();
    await only('VIEW_CHANNEL', 'SEND_MESSAGES');
    expect(codeOf(await refused(`POST ${MESSAGES}`, { poll: POLL }))).toEqual([403, 50013]);
  });

  it('an edit, a forward, and the end of a message without a poll or with the poll of another author', async () => {
    const { refused, id, emulator } = await polled();
    expect(codeOf(await refused(`PATCH ${MESSAGES}/${id}`, { content: 'x' }))).toEqual([400, 520003]);
    const forward = { message_reference: { type: 1, message_id: id } };
    expect(codeOf(await refused(`POST ${MESSAGES}`, forward))).toEqual([400, 50035]);
    const polls = `/channels/${ids.general}/polls`;
    expect(codeOf(await refused(`POST ${polls}/600000000000000001/expire`))).toEqual([400, 520006]);
    expect(codeOf(await refused(`POST ${polls}/1/expire`))).toEqual([404, 10008]);
    expect((await refused(`GET ${polls}/${id}/answers/3`)).status).toBe(404);
    expect((await refused(`GET ${polls}/600000000000000001/answers/1`)).status).toBe(404);
    await emulator.apply({ messages: [{ id, author: 'river' }] });
    expect(codeOf(await refused(`POST ${polls}/${id}/expire`))).toEqual([403, 50005]);
  });

  it.each([
    ['two answers where one is taken', ids.river, ['1', '2'], 'takes one answer'],
    ['an answer that is none', ids.river, ['3'], 'has no answer "3", but 1 (High), 2 (Low)'],
    ['a bot', APP, ['1'], 'bots do not vote'],
    ['nobody', '1', ['1'], 'bots do not vote'],
  ])('a vote of %s', async (_, user, given, message) => {
    const { emulator, id } = await polled();
    const before = emulator.exportState();
    expect(() => emulator.polls.vote(id, user, given)).toThrow(message);
    expect(emulator.exportState()).toBe(before);
  });
});

it('a poll refuses an emoji of another application', async () => {
  const { refused, ask, emulator } = await botPlatform();
  const own = { id: '6001', name: 'tide', file: null };
  const poll = { ...POLL, answers: [{ poll_media: { emoji: { id: '6001' } } }] };
  await emulator.apply({ application_emojis: [{ ...own, application: ids.lighthouse }] });
  expect(codeOf(await refused(`POST ${MESSAGES}`, { poll }))).toEqual([400, 520_004]);
  await emulator.apply({ application_emojis: [{ ...own, application: APP }] });
  expect((await ask(`POST ${MESSAGES}`, { poll })).status).toBe(200);
});

it('a poll in a private channel ends, too, and lists its voters', async () => {
  const { ask } = await botPlatform();
  const { body: channel } = await ask('POST /users/@me/channels', { recipient_id: ids.otter });
  const { body } = await ask(`POST /channels/${channel.id}/messages`, { poll: POLL });
  const path = `/channels/${channel.id}/polls/${body.id}`;
  expect((await ask(`GET ${path}/answers/1`)).body).toEqual({ users: [] });
  expect((await ask(`POST ${path}/expire`)).body.poll.results.is_finalized).toBe(true);
});
