import { describe, expect, it } from 'vitest';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import { readFiles } from '../../../../src/emulator/files/input-files.ts';
import { type Chooser, choose, userIn } from '../../../../src/emulator/interactions/player/choices.ts';
import { allOf, buttonOf, selectOf } from '../../../../src/emulator/interactions/player/component.ts';
import { fillIn } from '../../../../src/emulator/interactions/player/filled-modal.ts';
import {
  listed,
  oneText,
  quoted,
  texts,
  yesOrNo,
} from '../../../../src/emulator/interactions/player/input-values.ts';
import {
  defaultLocations,
  locationFor,
  userFor,
  withoutSigil,
} from '../../../../src/emulator/interactions/player/location.ts';
import type { Component, Modal } from '../../../../src/emulator/interactions/records.ts';

import { SettingError } from '../../../../src/emulator/kernel/errors.ts';
import type { Message } from '../../../../src/emulator/messages/records.ts';
import type { User } from '../../../../src/emulator/users/records.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { patch, worldOf } from '../../../helpers/patched.ts';

const PRIVATE = '988';
const CREW = '801';
const { fixture } = patch(defaultFixture(), {
  users: [{ id: '77', username: 'tug', bot: true }],
  private_channels: [{ id: PRIVATE, recipients: ['river', 'otter'] }],
  guilds: [{ id: ids.riverBank, roles: [{ id: CREW, name: 'crew' }], departed: [{ user: 'otter' }] }],
});
const { tables } = worldOf(fixture);
const user = tables.users.get(ids.river) as User;

function at(id: string = ids.general): Chooser {
  return { tables, user, location: locationFor(tables, user, id) };
}

/** What a refusal says, or the value. */
function outcome(of: () => unknown): unknown {
  try {
    return of();
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return error.message;
  }
}

const message = (...components: readonly object[]) => ({ id: '9', components }) as unknown as Message;
const BUTTON = { type: 2, style: 1, custom_id: 'go', label: 'Go' };
const SELECT = { type: 3, custom_id: 'pick', options: [{ label: 'One', value: '1' }] };

describe('a component of a message', () => {
  it('is found at any depth', () => {
    const nested: Component[] = [
      {
        type: 17,
        components: [{ type: 9, components: [{ type: 10 }], accessory: { type: 2, custom_id: 'a' } }],
      },
      { type: 18, component: { type: 4, custom_id: 'b' } },
    ];
    expect([...allOf(nested)].map(({ type }) => type)).toEqual([17, 9, 10, 2, 18, 4]);
  });

  const all = message(
    { type: 1, components: [BUTTON, { ...BUTTON, custom_id: 'stop', label: 'Stop', disabled: true }] },
    { type: 1, components: [SELECT, { type: 5, custom_id: 'who' }] },
    {
      type: 1,
      components: [
        { type: 2, style: 5, label: 'Site', url: 'http://a.test/' },
        { type: 2, style: 6, label: 'Buy', sku_id: '7' },
        { type: 2, style: 5, label: 'Bare' },
      ],
    },
    {
      type: 1,
      components: [
        { ...BUTTON, custom_id: 't1', label: 'Twin' },
        { ...BUTTON, custom_id: 't2', label: 'Twin' },
        { type: 2, style: 1, label: 'Mute' },
      ],
    },
  );
  it.each([
    ['go', expect.objectContaining(BUTTON)],
    ['Go', expect.objectContaining(BUTTON)],
    ['t2', expect.objectContaining({ custom_id: 't2' })],
    ['stop', '"stop" of message 9 is disabled'],
    ['Stop', '"Stop" of message 9 is disabled'],
    ['pick', '"pick" of message 9 is a select: choose from it'],
    ['Site', '"Site" of message 9 is a link to http://a.test/: no application is notified when it is opened'],
    ['Bare', '"Bare" of message 9 is a link to : no application is notified when it is opened'],
    ['Buy', '"Buy" of message 9 offers the SKU 7: start a subscription, or add an entitlement by a patch'],
    ['Mute', '"Mute" of message 9 has no custom id, so the application cannot be notified'],
    [
      'Twin',
      'message 9 has no button "Twin"; it has "go", "stop", "Site", "Buy", "Bare", "t1", "t2", "Mute"',
    ],
    [
      'nope',
      'message 9 has no button "nope"; it has "go", "stop", "Site", "Buy", "Bare", "t1", "t2", "Mute"',
    ],
  ])('is a button by the name %s: %s', (name, expected) => {
    expect(outcome(() => buttonOf(all, name))).toEqual(expected);
  });

  it.each([
    ['pick', expect.objectContaining(SELECT)],
    ['who', expect.objectContaining({ type: 5 })],
    ['go', '"go" of message 9 is a button: click it'],
    ['nope', 'message 9 has no select "nope"; it has "pick", "who"'],
  ])('is a select by the name %s: %s', (name, expected) => {
    expect(outcome(() => selectOf(all, name))).toEqual(expected);
  });

  it('is none in a message without any', () => {
    expect(outcome(() => buttonOf(message(), 'x'))).toBe('message 9 has no button "x"; it has no button');
    expect(outcome(() => selectOf({ id: '9' } as Message, 'x'))).toBe(
      'message 9 has no select "x"; it has no select',
    );
    expect(outcome(() => buttonOf(message({ type: 2, style: 1 }), 'x'))).toBe(
      'message 9 has no button "x"; it has no button',
    );
  });
});

describe('a choice', () => {
  const listOf = (more: object = {}): Component => ({
    type: 3,
    custom_id: 'boat',
    options: [
      { label: 'Tug', value: 't' },
      { label: 't', value: 'x' },
      { label: 'Raft', value: 'r' },
    ],
    max_values: 2,
    ...more,
  });
  const of = (type: number, more: object = {}): Component => ({
    type,
    custom_id: 'who',
    max_values: 3,
    ...more,
  });
  it.each<[string, Component, readonly string[], unknown, string?]>([
    ['by value before label', listOf(), ['t'], { values: ['t'], resolves: {} }],
    ['by label', listOf(), ['Raft', 'Tug'], { values: ['r', 't'], resolves: {} }],
    ['unknown', listOf(), ['z'], 'boat: has no option "z"; choose from "t", "x", "r"'],
    ['twice', listOf(), ['r', 'Raft'], 'boat: "r" is chosen twice'],
    ['too many', listOf(), ['t', 'x', 'r'], 'boat: takes 1 to 2, not 3'],
    ['none', listOf(), ['none'], 'boat: takes 1 to 2, not 0'],
    ['none, which is enough', listOf({ min_values: 0 }), ['none'], { values: [], resolves: {} }],
    ['none, which is optional', listOf({ required: false }), ['none'], { values: [], resolves: {} }],
    [
      'none among others',
      listOf({ min_values: 0 }),
      ['none', 't'],
      'boat: has no option "none"; choose from "t", "x", "r"',
    ],
    [
      'none, which is an option',
      listOf({ options: [{ label: 'Nothing', value: 'none' }] }),
      ['none'],
      { values: ['none'], resolves: {} },
    ],
    [
      'none, which is a label',
      listOf({ options: [{ label: 'none', value: '0' }] }),
      ['none'],
      { values: ['0'], resolves: {} },
    ],
    ['too few', listOf({ min_values: 2 }), ['t'], 'boat: takes 2, not 1'],
    [
      'of users',
      of(5),
      ['@heron', ids.river],
      { values: [ids.heron, ids.river], resolves: { users: [ids.heron, ids.river] } },
    ],
    ['of nobody', of(5, { min_values: 0 }), ['none'], { values: [], resolves: {} }],
    ['of a user who left', of(5), ['otter'], 'who: otter is not in the guild'],
    [
      'of a user in private',
      of(5),
      ['otter'],
      { values: [ids.otter], resolves: { users: [ids.otter] } },
      PRIVATE,
    ],
    ['of a user elsewhere', of(5), ['heron'], 'who: heron is not in private with otter', PRIVATE],
    [
      'of roles',
      of(6),
      ['@crew', '@everyone'],
      { values: [CREW, ids.riverBank], resolves: { roles: [CREW, ids.riverBank] } },
    ],
    ['of a role by id', of(6), [CREW], { values: [CREW], resolves: { roles: [CREW] } }],
    [
      'of an unknown role',
      of(6),
      ['cook'],
      'who: "cook": the guild has no such role; give its id or exact name',
    ],
    [
      'of a role in private',
      of(6),
      ['crew'],
      'who: "crew": there are no roles in private; give its id or exact name',
      PRIVATE,
    ],
    [
      'of both',
      of(7),
      ['crew', 'heron'],
      { values: [CREW, ids.heron], resolves: { users: [ids.heron], roles: [CREW] } },
    ],
    [
      'of both in private',
      of(7),
      ['otter'],
      { values: [ids.otter], resolves: { users: [ids.otter] } },
      PRIVATE,
    ],
    [
      'of channels',
      of(8),
      ['#general', ids.lounge],
      { values: [ids.general, ids.lounge], resolves: { channels: [ids.general, ids.lounge] } },
    ],
    [
      'of a channel of a type',
      of(8, { channel_types: [2] }),
      ['Lounge'],
      { values: [ids.lounge], resolves: { channels: [ids.lounge] } },
    ],
    [
      'of a channel of another type',
      of(8, { channel_types: [2, 4] }),
      ['general'],
      'who: there is no channel "general" of a requested type (2, 4) that river sees',
    ],
    [
      'of a channel by id of another type',
      of(8, { channel_types: [2] }),
      [ids.general],
      `who: there is no channel "${ids.general}" of a requested type (2) that river sees`,
    ],
    ['of an unknown channel', of(8), ['nope'], 'who: there is no channel "nope" that river sees'],
    [
      'of a channel in private',
      of(8),
      ['general'],
      'who: there are no channels to choose from in private',
      PRIVATE,
    ],
  ])('%s', (_, select, choices, expected, location) => {
    expect(outcome(() => choose(at(location), select, choices))).toEqual(expected);
  });

  it('of a user is made by name or id', () => {
    expect(userIn(at(), 'k', '@heron')).toBe(ids.heron);
  });
});

describe('a modal', () => {
  const rule = {
    maxBytes: 4,
    takes: (types: readonly string[] | undefined, name: string) =>
      types === undefined || name.endsWith('.txt'),
  };
  const label = (component: object, id?: number) => ({
    type: 18,
    ...(id === undefined ? {} : { id }),
    label: 'L',
    component,
  });
  const fill = (component: object, values: object = {}, files: object = {}) =>
    outcome(() => {
      const filled = fillIn(
        at(),
        { components: [label(component, 3)] } as unknown as Modal,
        { values, files } as never,
        rule,
      );
      const [one] = filled.components(new Map([['f', ['55']]])) as [{ component: object }];
      return one.component;
    });
  const OPTIONS = [
    { label: 'One', value: '1' },
    { label: 'Two', value: '2', default: true },
  ];
  it.each<[string, object, object, unknown]>([
    ['a text', { type: 4 }, { f: 'hi' }, { value: 'hi' }],
    ['a text with a default', { type: 4, value: 'was' }, {}, { value: 'was' }],
    ['an empty text', { type: 4 }, {}, 'f: must be filled in'],
    ['an empty optional text', { type: 4, required: false, min_length: 3 }, {}, { value: '' }],
    [
      'a short text',
      { type: 4, min_length: 3, max_length: 5 },
      { f: 'ab' },
      'f: must have 3 to 5 characters, not 2',
    ],
    ['a text of the least length', { type: 4, min_length: 3 }, { f: 'abc' }, { value: 'abc' }],
    ['a long text', { type: 4, max_length: 2 }, { f: 'abc' }, 'f: must have 0 to 2 characters, not 3'],
    ['a text of the greatest length', { type: 4 }, { f: 'x'.repeat(4000) }, { value: 'x'.repeat(4000) }],
    ['a text beyond it', { type: 4 }, { f: 'x'.repeat(4001) }, 'f: must have 0 to 4000 characters, not 4001'],
    ['several texts', { type: 4 }, { f: ['a', 'b'] }, 'f: takes one value, but got several'],
    ['a checkbox', { type: 23 }, { f: 'yes' }, { value: true }],
    ['a checkbox as it is', { type: 23, default: true }, {}, { value: true }],
    ['a checkbox that is off', { type: 23 }, {}, { value: false }],
    ['a checkbox and a word', { type: 23 }, { f: 'maybe' }, 'f: must be true or false, not "maybe"'],
    ['a radio group', { type: 21, options: OPTIONS }, { f: 'One' }, { value: '1' }],
    ['a radio group as it is', { type: 21, options: OPTIONS }, {}, { value: '2' }],
    ['no radio', { type: 21, options: OPTIONS, required: false }, { f: 'none' }, { value: null }],
    [
      'no radio where one must be',
      { type: 21, options: OPTIONS },
      { f: 'none' },
      'f: must be chosen from "1", "2"',
    ],
    [
      'an unknown radio',
      { type: 21, options: OPTIONS },
      { f: 'z' },
      'f: has no option "z"; choose from "1", "2"',
    ],
    [
      'a radio called none',
      { type: 21, options: [{ label: 'N', value: 'none' }] },
      { f: 'none' },
      { value: 'none' },
    ],
    ['a checkbox group', { type: 22, options: OPTIONS }, { f: ['One', '2', '2'] }, { values: ['1', '2'] }],
    ['a checkbox group as it is', { type: 22, options: OPTIONS }, {}, { values: ['2'] }],
    ['an empty checkbox group', { type: 22, options: OPTIONS, min_values: 0 }, { f: 'none' }, { values: [] }],
    ['too few checkboxes', { type: 22, options: OPTIONS }, { f: 'none' }, 'f: takes 1 to 2, not 0'],
    ['a select', { type: 3, options: OPTIONS }, { f: 'One' }, { values: ['1'] }],
    ['a select as it is', { type: 3, options: OPTIONS }, {}, { values: ['2'] }],
    [
      'a select of users as it is',
      { type: 5, default_values: [{ id: ids.heron }] },
      {},
      { values: [ids.heron] },
    ],
    ['a select without a default', { type: 5, required: false }, {}, { values: [] }],
    ['an unknown field', { type: 4 }, { g: 'x' }, 'the modal has no field "g"; its fields are "f"'],
    ['a file as a text', { type: 19 }, { f: 'x' }, 'f: takes files: f=@PATH'],
    ['no file', { type: 19, required: false }, { f: 'none' }, { values: ['55'] }],
    ['too few files', { type: 19 }, {}, 'f: takes 1, not 0'],
  ])('is filled with %s', (_, field, values, expected) => {
    const got = fill({ custom_id: 'f', id: 4, ...field }, values);
    const { type } = field as { type: number };
    expect(got).toEqual(
      typeof expected === 'string' ? expected : { type, id: 4, custom_id: 'f', ...(expected as object) },
    );
  });

  it('takes files of its types and size', () => {
    const file = (filename: string, text = 'abcd') => ({
      filename,
      data: Buffer.from(text).toString('base64'),
    });
    const field = { type: 19, custom_id: 'f', file_types: ['.txt'], max_values: 2 };
    expect(fill(field, {}, { f: [file('a.txt')] })).toEqual({ type: 19, custom_id: 'f', values: ['55'] });
    expect(fill(field, {}, { f: [file('a.pdf')] })).toBe('f: does not take "a.pdf"; it takes .txt');
    expect(fill(field, {}, { f: [file('a.txt'), file('b.txt'), file('c.txt')] })).toBe(
      'f: takes 1 to 2, not 3',
    );
    expect(fill(field, {}, { f: [file('a.txt', 'x'.repeat(30))] })).toBe(
      'f: a.txt has 30 bytes, and a file has at most 4',
    );
    expect(fill(field, {}, { g: [file('a.txt')] })).toBe('the modal has no field "g"; its fields are "f"');
  });

  it('sends every field, texts and rows without what the user cannot change', () => {
    const modal = {
      components: [
        { type: 10, content: 'Read this' },
        { type: 1, id: 2, components: [{ type: 4, custom_id: 'a', label: 'A', value: 'x' }] },
        label({ type: 5, custom_id: 'b', default_values: [{ id: ids.heron }] }),
        label({ type: 7, custom_id: 'c', default_values: [{ id: ids.heron }, { id: CREW }], max_values: 2 }),
        label({ type: 19, custom_id: 'd' }),
      ],
    } as unknown as Modal;
    const files = { d: [{ filename: 'a.txt', data: 'YWI=' }] };
    const filled = fillIn(at(), modal, { values: {}, files }, rule);
    expect(filled.resolves).toEqual({ users: [ids.heron], roles: [CREW] });
    expect(
      [...filled.files].map(([key, all]) => [key, all.map(({ name, bytes }) => [name, String(bytes)])]),
    ).toEqual([['d', [['a.txt', 'ab']]]]);
    expect(filled.components(new Map())).toEqual([
      { type: 10 },
      { type: 1, id: 2, components: [{ type: 4, custom_id: 'a', value: 'x' }] },
      { type: 18, component: { type: 5, custom_id: 'b', values: [ids.heron] } },
      { type: 18, component: { type: 7, custom_id: 'c', values: [ids.heron, CREW] } },
      { type: 18, component: { type: 19, custom_id: 'd', values: [] } },
    ]);
  });
});

describe('input', () => {
  it('is a list of texts, or one text', () => {
    expect([texts(undefined), texts(5), texts(false), texts(['a', 'b'])]).toEqual([
      [],
      ['5'],
      ['false'],
      ['a', 'b'],
    ]);
    expect([oneText('k', undefined), oneText('k', 5), oneText('k', ['a'])]).toEqual([undefined, '5', 'a']);
    expect(outcome(() => oneText('k', ['a', 'b']))).toBe('k: takes one value, but got several');
  });

  it.each([
    ...['true', 'yes', 'on', '1', 'YES'].map((text) => [text, true] as const),
    ...['false', 'no', 'off', '0', 'Off'].map((text) => [text, false] as const),
  ])('%s is %s', (text, expected) => {
    expect(yesOrNo('k', text)).toBe(expected);
  });

  it.each([
    ['a.PNG', 'image/png'],
    ['a.txt', 'text/plain; charset=utf-8'],
    ['a.gif', 'image/gif'],
    ['a.jpg', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['a.json', 'application/json'],
    ['a.mp3', 'audio/mpeg'],
    ['a.mp4', 'video/mp4'],
    ['a.ogg', 'audio/ogg'],
    ['a.pdf', 'application/pdf'],
    ['a.wav', 'audio/wav'],
    ['a.webm', 'video/webm'],
    ['a.webp', 'image/webp'],
    ['a.png.x', undefined],
    ['png', undefined],
  ])('the file %s has the type %s', (filename, type) => {
    expect(readFiles('k', [{ filename, data: 'YWI=' }], 9)).toEqual([
      { name: filename, type, bytes: Buffer.from('ab') },
    ]);
  });

  it('that is a file has its own type, a size, and may be unreadable', () => {
    const data = Buffer.from('abcd').toString('base64');
    expect(readFiles('k', [{ filename: 'a.png', content_type: 'x/y', data }], 4)[0]?.type).toBe('x/y');
    expect(outcome(() => readFiles('k', [{ filename: 'a', data: 'A'.repeat(12) }], 6))).toBe(
      'k: a has 9 bytes, and a file has at most 6',
    );
    expect(readFiles('k', [{ filename: 'a', data: 'A'.repeat(12) }], 7)).toHaveLength(1);
    expect(outcome(() => readFiles('k', [{ filename: 'n'.repeat(101), problem: 'it is gone' }], 6))).toBe(
      `k: ${'n'.repeat(100)} cannot be read: it is gone`,
    );
  });

  it('is quoted and listed within limits', () => {
    expect([quoted('x'.repeat(60)), quoted('x'.repeat(61))]).toEqual([
      `"${'x'.repeat(60)}"`,
      `"${'x'.repeat(60)}…"`,
    ]);
    const many = Array.from({ length: 26 }, (_, n) => String(n));
    expect(listed(many.slice(0, 25))).toBe(many.slice(0, 25).join(', '));
    expect(listed(many)).toBe(`${many.slice(0, 25).join(', ')} …`);
  });

  it('has names without their sign', () => {
    expect([
      withoutSigil('@a', '@'),
      withoutSigil('@', '@'),
      withoutSigil('a', '@'),
      withoutSigil('#a', '@'),
    ]).toEqual(['a', '@', 'a', '#a']);
  });
});

describe('the place of a use', () => {
  it('is a channel that the user sees', () => {
    expect(locationFor(tables, user, ids.general)).toEqual({
      id: ids.general,
      guild: ids.riverBank,
      name: '#general',
    });
    expect(locationFor(tables, user, PRIVATE)).toEqual({
      id: PRIVATE,
      guild: null,
      name: 'private with otter',
    });
    const heron = tables.users.get(ids.heron) as User;
    expect(outcome(() => locationFor(tables, heron, PRIVATE))).toBe(
      `channel: heron does not see the private channel ${PRIVATE}; give another with --channel`,
    );
    const otter = tables.users.get(ids.otter) as User;
    expect(outcome(() => locationFor(tables, otter, ids.general))).toBe(
      'channel: otter does not see #general; give another with --channel',
    );
    expect(outcome(() => locationFor(tables, user, '5'))).toBe('channel: there is no channel 5');
  });

  it('is by default shared with the bot, then private with it, then any other', () => {
    const found = [...defaultLocations(tables, user, ids.otter)].map(({ id }) => id);
    expect(found).toContain(PRIVATE);
    const own = found.indexOf(ids.general);
    expect(own).toBeGreaterThan(found.indexOf(PRIVATE));
    expect([...defaultLocations(tables, user, ids.heron)].map(({ id }) => id).slice(0, 1)).toEqual([
      ids.general,
    ]);
    expect([...defaultLocations(tables, user, ids.heron)].map(({ id }) => id)).not.toContain(PRIVATE);
  });

  it('is of a user who is no bot', () => {
    expect(userFor(tables, user, undefined)).toBe(user);
    expect(userFor(tables, user, '@heron').id).toBe(ids.heron);
    expect(outcome(() => userFor(tables, user, 'tug'))).toBe(
      'user: tug is a bot; only human users use applications',
    );
  });
});
