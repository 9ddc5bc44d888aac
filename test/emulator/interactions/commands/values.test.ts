import { describe, expect, it } from 'vitest';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import type { CommandOption } from '../../../../src/emulator/interactions/commands/definition.ts';
import { inLocale, localeOf } from '../../../../src/emulator/interactions/commands/locales.ts';
import { valueFaults } from '../../../../src/emulator/interactions/commands/option-faults.ts';
import { readValue } from '../../../../src/emulator/interactions/commands/read-value.ts';
import { SettingError } from '../../../../src/emulator/kernel/errors.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { patch, worldOf } from '../../../helpers/patched.ts';

const CREW = '801';
const { fixture } = patch(defaultFixture(), {
  users: [{ id: '77', username: 'crew' }],
  guilds: [
    {
      id: ids.riverBank,
      roles: [
        { id: CREW, name: 'crew' },
        { id: '802', name: 'cook' },
      ],
    },
  ],
});
const { tables } = worldOf(fixture);
const option = (type: number, more: object = {}) =>
  ({ type, name: 'o', description: 'd', ...more }) as CommandOption;

function read(
  type: number,
  text: string,
  more: object = {},
  guild: string | undefined = ids.riverBank,
): unknown {
  try {
    const attach = (path: string) => `file ${path}`;
    return readValue(
      { tables, user: ids.river, attach, ...(guild === '' ? {} : { guild }) },
      option(type, more),
      text,
    );
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return error.message;
  }
}

const CHOICES = {
  choices: [
    { name: 'One', value: 1 },
    { name: '1', value: 2 },
  ],
};

describe('the value of an option', () => {
  it.each<[number, string, object, unknown]>([
    [3, 'hi', {}, 'hi'],
    [3, 'ab', { min_length: 2, max_length: 2 }, 'ab'],
    [3, 'a', { min_length: 2 }, 'o: must be of 2 to 6000 characters, and is of 1'],
    [3, 'abc', { max_length: 2 }, 'o: must be of 0 to 2 characters, and is of 3'],
    [3, 'x'.repeat(6001), {}, 'o: must be of 0 to 6000 characters, and is of 6001'],
    [4, '-5', {}, -5],
    [4, '9007199254740991', {}, 9_007_199_254_740_991],
    [4, '9007199254740992', {}, 'o: must be a whole number, not "9007199254740992"'],
    [4, '1.5', {}, 'o: must be a whole number, not "1.5"'],
    [4, 'x1', {}, 'o: must be a whole number, not "x1"'],
    [4, '1x', {}, 'o: must be a whole number, not "1x"'],
    [4, '2', { min_value: 2, max_value: 2 }, 2],
    [4, '1', { min_value: 2 }, 'o: must be at least 2, not 1'],
    [4, '3', { max_value: 2 }, 'o: must be at most 2, not 3'],
    [10, '-1.25', {}, -1.25],
    [10, '9007199254740992', {}, 2 ** 53],
    [10, '-9007199254740992', {}, -(2 ** 53)],
    [10, '9007199254740994', {}, 'o: must be a number, not "9007199254740994"'],
    [10, '1e3', {}, 'o: must be a number, not "1e3"'],
    [10, 'x1', {}, 'o: must be a number, not "x1"'],
    [5, 'true', {}, true],
    [5, 'false', {}, false],
    [5, 'yes', {}, 'o: must be true or false, not "yes"'],
    [4, 'One', CHOICES, 1],
    [4, '1', CHOICES, 2],
    [4, '2', CHOICES, 2],
    [6, '@otter', {}, ids.otter],
    [6, `<@${ids.otter}>`, {}, ids.otter],
    [6, `<@!${ids.otter}>`, {}, ids.otter],
    [6, ids.otter, {}, ids.otter],
    [8, '@cook', {}, '802'],
    [8, '<@&802>', {}, '802'],
    [8, '@everyone', {}, ids.riverBank],
    [9, 'otter', {}, ids.otter],
    [9, 'cook', {}, '802'],
    [9, 'crew', {}, `o: "crew" is a user and a role; give the id: 77, ${CREW}`],
    [7, '#general', {}, ids.general],
    [7, `<#${ids.general}>`, {}, ids.general],
    [7, 'general', { channel_types: [0] }, ids.general],
    [7, 'general', { channel_types: [2] }, 'o: takes channels of type voice, and "general" is of type text'],
    [11, 'a.txt', {}, 'file a.txt'],
    [11, 'a.txt', { file_types: ['.txt'] }, 'file a.txt'],
    [11, 'a.pdf', { file_types: ['.txt', '.md'] }, 'o: takes files of type .txt, .md, not "a.pdf"'],
  ])('of type %i is read from %j with %j', (type, text, more, expected) => {
    expect(read(type, text, more)).toBe(expected);
  });

  it.each<[number, string, object, RegExp]>([
    [4, '3', CHOICES, /^o: must be one of One, 1, not "3"\./],
    [6, 'ottre', {}, /user "?ottre.*otter/],
    [8, 'cok', {}, /role "?cok.*cook/],
    [7, 'generl', {}, /channel "?generl.*general/],
  ])('of type %i is refused for %j', (type, text, more, reason) => {
    expect(read(type, text, more)).toMatch(reason);
  });

  it('is no role or channel in private, and no file where none can be sent', () => {
    expect(read(8, 'cook', {}, '')).toMatch(/role/);
    expect(read(7, 'general', {}, '')).toMatch(/channel/);
    expect(() => readValue({ tables, user: ids.river }, option(11), 'a.txt')).toThrow(
      'takes a file, and none can be sent here',
    );
  });
});

describe('the limits of an option', () => {
  const faults = (type: number, more: object) =>
    valueFaults(option(type, more), ['o']).map(({ path, code }) => `${path.join('.')} ${code}`);
  const choice = (value: unknown, name = 'a') => ({ name, value });
  it.each<[number, object, readonly string[]]>([
    [4, { min_value: 1, max_value: 1 }, []],
    [4, { min_value: 2, max_value: 1 }, ['o.max_value NUMBER_TYPE_MIN']],
    [4, { min_value: 1.5 }, ['o.min_value NUMBER_TYPE_COERCE']],
    [4, { max_value: 2 ** 53 }, ['o.max_value NUMBER_TYPE_COERCE']],
    [10, { min_value: -(2 ** 53), max_value: 2 ** 53 }, []],
    [10, { max_value: 2 ** 53 + 2 }, ['o.max_value NUMBER_TYPE_MAX']],
    [3, { min_length: 3, max_length: 3 }, []],
    [3, { min_length: 3, max_length: 2 }, ['o.max_length NUMBER_TYPE_MIN']],
    [3, { choices: [choice('x'.repeat(100))] }, []],
    [3, { choices: [choice('x'.repeat(101))] }, ['o.choices.0.value BASE_TYPE_MAX_LENGTH']],
    [3, { choices: [choice(5)] }, ['o.choices.0.value STRING_TYPE_CONVERT']],
    [4, { choices: [choice('5')] }, ['o.choices.0.value NUMBER_TYPE_COERCE']],
    [4, { choices: [choice(1.5)] }, ['o.choices.0.value NUMBER_TYPE_COERCE']],
    [10, { choices: [choice(2 ** 54)] }, ['o.choices.0.value NUMBER_TYPE_MAX']],
    [4, { choices: [choice(1), choice(2)] }, ['o.choices.1 APPLICATION_COMMAND_OPTIONS_NAME_INVALID']],
    [4, { choices: [choice(1), choice(2, 'b')] }, []],
    [
      4,
      { choices: [{ ...choice(1), name_localizations: { de: 'A', xx: 'B' } }] },
      ['o.choices.0.name_localizations.xx BASE_TYPE_CHOICES'],
    ],
    [4, { choices: [choice(1)], autocomplete: true }, ['o.autocomplete BASE_TYPE_CHOICES']],
    [4, { choices: [choice(1)], autocomplete: false }, []],
    [4, { choices: [], autocomplete: true }, []],
    [7, { channel_types: [0, 2] }, []],
    [
      7,
      { channel_types: [0, 99, 0] },
      ['o.channel_types.1 BASE_TYPE_CHOICES', 'o.channel_types SET_TYPE_ALREADY_CONTAINS_VALUE'],
    ],
    [3, { channel_types: [99] }, []],
  ])('of type %i with %j have the faults %j', (type, more, expected) => {
    expect(faults(type, more)).toEqual(expected);
  });
});

it.each<[number, object, string]>([
  [4, { min_value: 2, max_value: 1 }, 'int value should be greater than or equal to 2.'],
  [10, { min_value: 2, max_value: 1 }, 'float value should be greater than or equal to 2.'],
  [3, { min_length: 3, max_length: 2 }, 'int value should be greater than or equal to 3.'],
  [4, { min_value: 1.5 }, 'Value "1.5" is not int.'],
  [10, { max_value: 2 ** 54 }, 'float value should be less than or equal to 9007199254740992.'],
  [3, { choices: [{ name: 'a', value: 5 }] }, 'Could not interpret the value as string.'],
  [4, { choices: [{ name: 'a', value: 'x' }] }, 'Value "x" is not int.'],
  [10, { choices: [{ name: 'a', value: 'x'.repeat(65) }] }, `Value "${'x'.repeat(64)}" is not float.`],
  [3, { choices: [{ name: 'a', value: 'x'.repeat(101) }] }, 'Must be 100 or fewer in length.'],
  [7, { channel_types: [99] }, 'Value is none of those that can be listed here.'],
  [7, { channel_types: [0, 0] }, 'The set already contains this value'],
])('an option of type %i with %j is refused: %s', (type, more, message) => {
  expect(valueFaults(option(type, more), ['o']).map((fault) => fault.message)).toEqual([message]);
});

describe('a language', () => {
  it.each([
    [{ de: 'Flut' }, 'de', 'Flut'],
    [{ 'en-GB': 'Tide' }, 'en-US', 'Tide'],
    [{ 'en-US': 'Tide' }, 'en-GB', 'Tide'],
    [{ 'es-ES': 'Marea' }, 'es-419', 'Marea'],
    [{ 'es-419': 'Marea' }, 'es-ES', undefined],
    [{ de: 'Flut' }, 'fr', undefined],
    [{}, 'toString', undefined],
    [null, 'de', undefined],
    [undefined, 'de', undefined],
  ])('of %j in %s is %s', (translations, locale, expected) => {
    expect(inLocale(translations as never, locale)).toBe(expected);
  });

  it.each([
    [{ 'x-discord-locale': 'de', 'accept-language': 'fr' }, 'de'],
    [{ 'x-discord-locale': 'xx', 'accept-language': 'fr' }, 'fr'],
    [{ 'x-discord-locale': ['de'] }, undefined],
    [{ 'accept-language': 'xx, de;q=0.5, fr' }, 'de'],
    [{ 'accept-language': `de,${'x'.repeat(1021)}` }, 'de'],
    [{ 'accept-language': `de,${'x'.repeat(1022)}` }, undefined],
    [{ 'accept-language': ['de'] }, undefined],
    [{}, undefined],
  ])('of %j is %s', (headers, expected) => {
    expect(localeOf(headers)).toBe(expected);
  });
});
