import { expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';
import { APP } from '../../../helpers/platform.ts';

const ALL = `/applications/${APP}/commands`;
const FERRY = { name: 'ferry', description: 'When it leaves.' };
const option = (more: object = {}) => ({ type: 3, name: 'pier', description: 'Which one.', ...more });
const inside = (...options: object[]) => ({ ...FERRY, options });
const choices = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}`, value: 'x' }));
const options = (count: number) => Array.from({ length: count }, (_, index) => option({ name: `o${index}` }));
const sub = (...inner: object[]) => option({ type: 1, name: 'sub', options: inner });
const group = (...inner: object[]) => option({ type: 2, name: 'group', options: inner });
/** Of 7,920 characters and those of the description. */
const large = (rest: number) => {
  const words = (count: number) => 'x'.repeat(count);
  const full = Array.from({ length: 4 }, (_, index) =>
    option({
      type: 1,
      name: `sub${index}`,
      description: words(index === 0 ? 15 : 96),
      options: Array.from({ length: 19 }, (_, place) =>
        option({ name: `opt${place + 10}`, description: words(95) }),
      ),
    }),
  );
  return { name: 'f', description: words(rest), options: full };
};

/** A command, where it is wrong, and the word of the platform for it. */
const WRONG: readonly (readonly [string, object, string, string])[] = [
  ['no name', { description: 'x' }, 'name', 'BASE_TYPE_REQUIRED'],
  ['a long name', { ...FERRY, name: 'x'.repeat(33) }, 'name', 'BASE_TYPE_BAD_LENGTH'],
  ['a name with a space', { ...FERRY, name: 'the ferry' }, 'name', 'STRING_TYPE_REGEX'],
  ['a name in capitals', { ...FERRY, name: 'Ferry' }, 'name', 'APPLICATION_COMMAND_INVALID_NAME'],
  [
    'a translation in capitals',
    { ...FERRY, name_localizations: { de: 'Fähre' } },
    'name_localizations.de',
    'APPLICATION_COMMAND_INVALID_NAME',
  ],
  [
    'an empty translation',
    { ...FERRY, name_localizations: { de: '' } },
    'name_localizations.de',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'a language that is none',
    { ...FERRY, name_localizations: { xx: 'x' } },
    'name_localizations.xx',
    'BASE_TYPE_CHOICES',
  ],
  [
    'a description in no language',
    { ...FERRY, description_localizations: { xx: 'x' } },
    'description_localizations.xx',
    'BASE_TYPE_CHOICES',
  ],
  ['no description', { name: 'ferry' }, 'description', 'BASE_TYPE_REQUIRED'],
  ['an empty description', { name: 'ferry', description: '' }, 'description', 'BASE_TYPE_BAD_LENGTH'],
  [
    'a long description',
    { name: 'ferry', description: 'x'.repeat(101) },
    'description',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'a description for users',
    { ...FERRY, type: 2 },
    'description',
    'APPLICATION_COMMAND_INVALID_DESCRIPTION',
  ],
  [
    'options for messages',
    { name: 'x', type: 3, options: [option()] },
    'options',
    'APPLICATION_COMMAND_INVALID_OPTIONS',
  ],
  ['a kind that is none', { ...FERRY, type: 5 }, 'type', 'BASE_TYPE_CHOICES'],
  ['a handler that is none', { ...FERRY, handler: 3 }, 'handler', 'BASE_TYPE_CHOICES'],
  [
    'permissions that are none',
    { ...FERRY, default_member_permissions: 'x' },
    'default_member_permissions',
    'PERMISSION_TYPE_INVALID',
  ],
  [
    'permissions beyond all',
    { ...FERRY, default_member_permissions: '18014398509481984' },
    'default_member_permissions',
    'PERMISSION_TYPE_INVALID',
  ],
  ['no context', { ...FERRY, contexts: [] }, 'contexts', 'BASE_TYPE_BAD_LENGTH'],
  ['a context twice', { ...FERRY, contexts: [1, 1] }, 'contexts', 'SET_TYPE_ALREADY_CONTAINS_VALUE'],
  ['a context that is none', { ...FERRY, contexts: [3] }, 'contexts.0', 'BASE_TYPE_CHOICES'],
  [
    'an installation that is none',
    { ...FERRY, integration_types: [2] },
    'integration_types.0',
    'BASE_TYPE_CHOICES',
  ],
  ['26 options', inside(...options(26)), 'options', 'BASE_TYPE_MAX_LENGTH'],
  ['an option without a type', inside(option({ type: undefined })), 'options.0.type', 'BASE_TYPE_REQUIRED'],
  ['an option of no type', inside(option({ type: 12 })), 'options.0.type', 'BASE_TYPE_CHOICES'],
  [
    'an option in capitals',
    inside(option({ name: 'Pier' })),
    'options.0.name',
    'APPLICATION_COMMAND_INVALID_NAME',
  ],
  ['an option with a sign', inside(option({ name: 'pi.er' })), 'options.0.name', 'STRING_TYPE_REGEX'],
  [
    'an option without a description',
    inside(option({ description: undefined })),
    'options.0.description',
    'BASE_TYPE_REQUIRED',
  ],
  [
    'a name of two options',
    inside(option(), option()),
    'options.1',
    'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
  ],
  [
    'a translation that another has',
    inside(option(), option({ name: 'dock', name_localizations: { de: 'pier' } })),
    'options.1',
    'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
  ],
  [
    'a required one behind another',
    inside(option(), option({ name: 'dock', required: true })),
    'options.1',
    'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
  ],
  [
    'a required one in a subcommand',
    inside(sub(option(), option({ name: 'dock', required: true }))),
    'options.0.options.1',
    'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
  ],
  [
    'a subcommand beside an option',
    inside(option(), sub()),
    'options.1',
    'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
  ],
  [
    'an option beside a group',
    inside(group(sub()), option()),
    'options.1',
    'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
  ],
  ['a group in a group', inside(group(group())), 'options.0.options.0.type', 'BASE_TYPE_CHOICES'],
  ['an option in a group', inside(group(option())), 'options.0.options.0.type', 'BASE_TYPE_CHOICES'],
  ['a group in a subcommand', inside(sub(group())), 'options.0.options.0.type', 'BASE_TYPE_CHOICES'],
  [
    'a subcommand in a subcommand',
    inside(group(sub(sub()))),
    'options.0.options.0.options.0.type',
    'BASE_TYPE_CHOICES',
  ],
  ['26 subcommands', inside(group(...options(26))), 'options.0.options', 'BASE_TYPE_MAX_LENGTH'],
  ['26 choices', inside(option({ choices: choices(26) })), 'options.0.choices', 'BASE_TYPE_MAX_LENGTH'],
  [
    'a choice without a name',
    inside(option({ choices: [{ value: 'x' }] })),
    'options.0.choices.0.name',
    'BASE_TYPE_REQUIRED',
  ],
  [
    'a choice without a value',
    inside(option({ choices: [{ name: 'x' }] })),
    'options.0.choices.0.value',
    'BASE_TYPE_REQUIRED',
  ],
  [
    'a number to choose as a text',
    inside(option({ choices: [{ name: 'x', value: 1 }] })),
    'options.0.choices.0.value',
    'STRING_TYPE_CONVERT',
  ],
  [
    'a text to choose as a number',
    inside(option({ type: 10, choices: [{ name: 'x', value: '1' }] })),
    'options.0.choices.0.value',
    'NUMBER_TYPE_COERCE',
  ],
  [
    'half a number to choose',
    inside(option({ type: 4, choices: [{ name: 'x', value: 0.5 }] })),
    'options.0.choices.0.value',
    'NUMBER_TYPE_COERCE',
  ],
  [
    'a long text to choose',
    inside(option({ choices: [{ name: 'x', value: 'x'.repeat(101) }] })),
    'options.0.choices.0.value',
    'BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a choice in no language',
    inside(option({ choices: [{ name: 'x', value: 'x', name_localizations: { xx: 'x' } }] })),
    'options.0.choices.0.name_localizations.xx',
    'BASE_TYPE_CHOICES',
  ],
  [
    'a name of two choices',
    inside(option({ choices: [...choices(1), ...choices(1)] })),
    'options.0.choices.1',
    'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
  ],
  [
    'choices to complete',
    inside(option({ autocomplete: true, choices: choices(1) })),
    'options.0.autocomplete',
    'BASE_TYPE_CHOICES',
  ],
  [
    'a range that ends before it begins',
    inside(option({ type: 4, min_value: 3, max_value: 2 })),
    'options.0.max_value',
    'NUMBER_TYPE_MIN',
  ],
  [
    'half a least number',
    inside(option({ type: 4, min_value: 0.5 })),
    'options.0.min_value',
    'NUMBER_TYPE_COERCE',
  ],
  [
    'a number beyond 2^53',
    inside(option({ type: 10, max_value: 1e17 })),
    'options.0.max_value',
    'NUMBER_TYPE_MAX',
  ],
  ['a text of less than none', inside(option({ min_length: -1 })), 'options.0.min_length', 'NUMBER_TYPE_MIN'],
  [
    'a text of more than 6,000',
    inside(option({ max_length: 6001 })),
    'options.0.max_length',
    'NUMBER_TYPE_MAX',
  ],
  [
    'lengths that end before they begin',
    inside(option({ min_length: 3, max_length: 2 })),
    'options.0.max_length',
    'NUMBER_TYPE_MIN',
  ],
  [
    'a channel of no type',
    inside(option({ type: 7, channel_types: [99] })),
    'options.0.channel_types.0',
    'BASE_TYPE_CHOICES',
  ],
  [
    'a type of channel twice',
    inside(option({ type: 7, channel_types: [0, 0] })),
    'options.0.channel_types',
    'SET_TYPE_ALREADY_CONTAINS_VALUE',
  ],
  [
    '11 file types',
    inside(option({ type: 11, file_types: Array.from({ length: 11 }, (_, index) => `.x${index}`) })),
    'options.0.file_types',
    'BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a file type without a dot',
    inside(option({ type: 11, file_types: ['pdf'] })),
    'options.0.file_types.0',
    'BASE_TYPE_CHOICES',
  ],
  [
    'a file type twice',
    inside(option({ type: 11, file_types: ['.pdf', '.PDF'] })),
    'options.0.file_types',
    'SET_TYPE_ALREADY_CONTAINS_VALUE',
  ],
  ['8,001 characters', large(81), '', 'APPLICATION_COMMAND_TOO_LARGE'],
];

/** The codes of an answer by the path that they stand at. */
function codesIn(errors: unknown, path = ''): string[] {
  return Object.entries(errors as Record<string, unknown>).flatMap(([key, inner]) =>
    key === '_errors'
      ? (inner as { code: string }[]).map(({ code }) => `${path} ${code}`)
      : codesIn(inner, path === '' ? key : `${path}.${key}`),
  );
}

it('an invalid command is refused at the faulty field, and nothing is registered [L-2, M-12, R-7]', async () => {
  const { call, bot, emulator } = await guildPlatform([]);
  const headers = bot();
  // The account of the bot is there from its first request on.
  await call(`GET ${ALL}`, { headers });
  const before = emulator.exportState();
  for (const [wrong, json, path, code] of WRONG) {
    const one = await call(`POST ${ALL}`, { headers, json });
    expect([one.status, one.body.code], wrong).toEqual([400, 50035]);
    expect(codesIn(one.body.errors), wrong).toEqual([`${path} ${code}`]);
    const all = await call(`PUT ${ALL}`, { headers, json: [FERRY, json] });
    expect(codesIn(all.body.errors), wrong).toEqual([`${path === '' ? '1' : `1.${path}`} ${code}`]);
  }
  expect(emulator.exportState() === before).toBe(true);
});

it('a command may have 25 options of 25 choices, and 8,000 characters in its longest language [L-2]', async () => {
  const { call, bot } = await guildPlatform([]);
  const headers = bot();
  const full = inside(...options(25).map((one) => ({ ...one, choices: choices(25) })));
  expect((await call(`POST ${ALL}`, { headers, json: full })).status).toBe(201);
  expect((await call(`POST ${ALL}`, { headers, json: large(80) })).status).toBe(201);
  const longer = { ...large(80), name_localizations: { de: 'fä' } };
  const { body } = await call(`POST ${ALL}`, { headers, json: longer });
  expect(codesIn(body.errors)).toEqual([' APPLICATION_COMMAND_TOO_LARGE']);
});

it.each([['-'], ["o'clock"], ['fähre'], ['フェリー'], ['เรือ'], ['नाव'], ['ferry_2']])(
  'a command may have the name %s',
  async (name) => {
    const { call, bot } = await guildPlatform([]);
    expect((await call(`POST ${ALL}`, { headers: bot(), json: { ...FERRY, name } })).status).toBe(201);
  },
);

it('a command is refused in a guild that the application was not added to [R-8]', async () => {
  const { call, bot, emulator } = await guildPlatform([]);
  const path = `/applications/${APP}/guilds/${ids.harbour}/commands`;
  await emulator
    .apply({ guilds: [{ id: ids.harbour, members: [{ user: APP, remove: true }] }] })
    .catch(() => undefined);
  expect((await call(`POST ${path}`, { headers: bot(), json: FERRY })).body).toMatchObject({ code: 50001 });
  await emulator.apply({ command_installs: [{ application: APP, owner: ids.harbour }] });
  expect((await call(`POST ${path}`, { headers: bot(), json: FERRY })).status).toBe(201);
});

it.each([
  [
    'a name in capitals',
    { name: 'Ferry' },
    'commands[9].name: is not as the platform has it: Command name is invalid',
  ],
  ['no description', { description: '' }, 'commands[9].description: is not as the platform has it'],
  [
    'a required option behind another',
    { options: [option(), option({ name: 'dock', required: true })] },
    'commands[9].options[1]: is not as the platform has it: Required options must be placed',
  ],
  [
    'an option of no type',
    { options: [option({ type: 'word' })] },
    'commands[9].options[0].type: must be one of',
  ],
  ['an option with a word too many', { options: [option({ requird: true })] }, 'unknown key "requird"'],
  ['a name that another has', { id: '8' }, 'commands[8].name: has an entry already'],
] as const)('a patch refuses a command with %s', async (_, more, message) => {
  const { emulator } = await guildPlatform([]);
  const given = { id: '9', application: APP, ...FERRY };
  await emulator.apply({ commands: [given] });
  const before = emulator.exportState();
  await expect(emulator.apply({ commands: [{ ...given, ...more }] })).rejects.toThrow(message);
  expect(emulator.exportState() === before).toBe(true);
});

const LOCALES =
  'id, da, de, en-GB, en-US, es-ES, es-419, fr, hr, it, lt, hu, nl, no, pl, pt-BR, ro, fi, sv-SE, vi, tr, cs, el, bg, ru, uk, hi, th, zh-CN, ja, zh-TW, ko, ar, he';

it('the refusal of a command says what is wrong, in the words of the platform', async () => {
  const { call, bot } = await guildPlatform([]);
  const pier = option();
  const named = (name: string, more: object = {}) => option({ name, ...more });
  const among = (values: string) => `Value must be one of {${values}}.`;
  const name = (text: string) => `Option name ${text} is already used in these options`;
  const rows: readonly (readonly [command: object, messages: readonly string[]])[] = [
    [{ ...FERRY, name: 'the ferry' }, ['name: String value did not match validation regex.']],
    [{ ...FERRY, name: 'Ferry' }, ['name: Command name is invalid']],
    [
      { ...FERRY, name_localizations: { de: 'Ü', fr: 'a b', da: 'ok' } },
      [
        'name_localizations.de: Command name is invalid',
        'name_localizations.fr: String value did not match validation regex.',
      ],
    ],
    [{ ...FERRY, name_localizations: { xx: 'x' } }, [`name_localizations.xx: ${among(LOCALES)}`]],
    [{ name: 'ferry', description: '' }, ['description: Must be between 1 and 100 in length.']],
    [{ ...FERRY, type: 3 }, ['description: Context menu commands cannot have description']],
    [{ name: 'x', type: 2, options: [pier] }, ['options: Context menu commands cannot have options']],
    [{ ...FERRY, contexts: [] }, ['contexts: Must be between 1 and 3 in length.']],
    [{ ...FERRY, contexts: [0, 3] }, [`contexts.1: ${among('0, 1, 2')}`]],
    [{ ...FERRY, contexts: [0, 1, 0] }, ['contexts: The set already contains this value']],
    [{ ...FERRY, integration_types: [] }, ['integration_types: Must be between 1 and 2 in length.']],
    [{ ...FERRY, integration_types: [0, 2] }, [`integration_types.1: ${among('0, 1')}`]],
    [
      inside(pier, sub()),
      ['options.1: Sub-command and sub-command group option types are mutually exclusive to all other types'],
    ],
    [inside(group(pier)), [`options.0.options.0.type: ${among('1')}`]],
    [inside(sub(sub())), [`options.0.options.0.type: ${among('3, 4, 5, 6, 7, 8, 9, 10, 11')}`]],
    [
      inside(pier, named('dock', { required: true })),
      ['options.1: Required options must be placed before non-required options'],
    ],
    // Each required one behind another, also where one that is not follows.
    [
      inside(named('a', { required: true }), pier, named('dock', { required: true }), named('z')),
      ['options.2: Required options must be placed before non-required options'],
    ],
    [inside(named('a', { required: true }), pier), []],
    [inside(pier, named('dock'), pier), [`options.2: ${name('pier')}`]],
    [inside(named('dock', { name_localizations: { de: 'dock' } }), pier), []],
    [inside(named('dock', { name_localizations: { de: 'pier' } }), pier), [`options.0: ${name('pier')}`]],
    [
      inside(
        named('a', { name_localizations: { de: 'x' } }),
        named('b', { name_localizations: { de: 'x' } }),
      ),
      [`options.1: ${name('x')}`],
    ],
    [
      inside(
        named('a', { name_localizations: { de: 'x' } }),
        named('b', { name_localizations: { fr: 'x' } }),
      ),
      [],
    ],
    [
      inside(option({ choices: [...choices(1), { name: '1', value: 'y' }, ...choices(1)] })),
      ['options.0.choices.2: Choice name 0 is already used in these choices'],
    ],
    [
      inside(option({ choices: [{ name: 'a', value: 'b', name_localizations: { de: 'c', xx: 'd' } }] })),
      [`options.0.choices.0.name_localizations.xx: ${among(LOCALES)}`],
    ],
    [
      inside(option({ autocomplete: true, choices: choices(1) })),
      [
        `options.0.autocomplete: ${among('false').slice(0, -1)}: an option with choices has nothing to complete.`,
      ],
    ],
    [
      inside(option({ type: 11, file_types: ['.pdf', 'word'] })),
      ['options.0.file_types.1: Value is none of those that can be listed here.'],
    ],
    [large(81), [': Command exceeds maximum size (8000)']],
    // The size counts only where nothing else is wrong.
    [{ ...large(81), contexts: [] }, ['contexts: Must be between 1 and 3 in length.']],
    [{ ...FERRY, type: 9 }, [`type: ${among('1, 2, 3, 4')}`]],
    [{ ...FERRY, handler: 3 }, [`handler: ${among('1, 2')}`]],
    [
      { ...FERRY, default_member_permissions: '01' },
      ['default_member_permissions: Value is no set of permissions.'],
    ],
    [{ ...FERRY, options: options(26) }, ['options: Must be 25 or fewer in length.']],
    [{ ...FERRY, description: 'x'.repeat(101) }, ['description: Must be between 1 and 100 in length.']],
  ];
  const messages = (errors: object, path: readonly string[] = []): string[] =>
    Object.entries(errors).flatMap(([key, inner]) =>
      key === '_errors'
        ? inner.map(({ message }: { message: string }) => `${path.join('.')}: ${message}`)
        : messages(inner, [...path, key]),
    );
  for (const [json, expected] of rows) {
    const { status, body } = await call(`PUT ${ALL}`, { headers: bot(), json: [json] });
    expect(status, JSON.stringify([json, body])).toBe(expected.length === 0 ? 200 : 400);
    const found = messages(body.errors?.[0] ?? {});
    expect([...found].sort(), JSON.stringify(json)).toEqual([...expected].sort());
  }
  const guild = `/applications/${APP}/guilds/${ids.riverBank}/commands`;
  const launch = { name: 'Launch', type: 4, description: 'Play.' };
  const { body } = await call(`POST ${guild}`, { headers: bot(), json: launch });
  expect(messages(body.errors)).toEqual([`type: ${among('1, 2, 3')}`]);
});
