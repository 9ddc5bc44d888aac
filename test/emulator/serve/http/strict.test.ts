import { describe, expect, it } from 'vitest';
import { schemaNode } from '../../../../src/emulator/api/schema-node.ts';
import { operations } from '../../../../src/emulator/compose/operations.ts';
import { DEPRECATED } from '../../../../src/emulator/serve/http/strict.ts';
import { Faults } from '../../../../src/faults/faults.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP, testPlatform } from '../../../helpers/platform.ts';
import { type UsedPlatform, usedPlatform } from '../../../helpers/used-application.ts';

const GENERAL = `/channels/${ids.general}`;
const GUILD = `/guilds/${ids.riverBank}`;
const MESSAGES = `POST ${GENERAL}/messages (create_message)`;

/** A platform whose fixture is strict, and what it found, without the times. */
async function strictPlatform() {
  const platform = await usedPlatform({ strict: true });
  const found = (): readonly (readonly string[])[] =>
    platform.emulator.violations.list.map(({ rule, what, where }) => [rule, what, where]);
  return { ...platform, found };
}

type Row = readonly [what: string, request: string, json: unknown, found: readonly (readonly string[])[]];

const command = { name: 'log', description: 'The log', type: 1 };
const field = (path: string, where: string): readonly string[] => [
  'unknown-field',
  `there is no field "${path}"`,
  where,
];

const REQUESTS: readonly Row[] = [
  [
    'a good message',
    `POST ${GENERAL}/messages`,
    { content: 'a', embeds: [{ title: 't', type: 'rich' }] },
    [],
  ],
  ['an unknown field', `POST ${GENERAL}/messages`, { content: 'a', colour: 1 }, [field('colour', MESSAGES)]],
  [
    'unknown fields below',
    `POST ${GENERAL}/messages`,
    { content: 'a', embeds: [{ title: 't' }, { titel: 't', footer: { text: 'f', txt: 'f' } }] },
    [field('embeds.1.titel', MESSAGES), field('embeds.1.footer.txt', MESSAGES)],
  ],
  [
    'unknown fields that ask for nothing',
    `POST ${GENERAL}/messages`,
    { content: 'a', colour: null, hue: false, tint: 0, shade: '', tones: [] },
    [],
  ],
  [
    'a name that may be a secret',
    `POST ${GENERAL}/messages`,
    { content: 'a', 'Bot abc.def.ghi': 1 },
    [field('(name of 15 characters)', MESSAGES)],
  ],
  [
    'an unknown parameter',
    `GET ${GENERAL}/messages?limit=1&cursor=2`,
    undefined,
    [field('?cursor', `GET ${GENERAL}/messages (list_messages)`)],
  ],
  [
    'an item of a list of commands',
    `PUT /applications/${APP}/commands`,
    [command, { ...command, name: 'tide', opts: [1] }],
    [field('1.opts', `PUT /applications/${APP}/commands (bulk_set_application_commands)`)],
  ],
  [
    'an unknown route',
    'POST /channels/1/messagez',
    {},
    [['unknown-route', 'the platform has no such route', 'POST /channels/1/[hidden]']],
  ],
  [
    'a route with another method',
    `PUT ${GENERAL}/messages`,
    {},
    [['unknown-route', 'the platform has no such route; it has GET, POST', `PUT ${GENERAL}/messages`]],
  ],
  [
    'a field that is not offered',
    `POST ${GENERAL}/messages`,
    { content: 'a', shared_client_theme: { colors: ['5865F2'] } },
    [['not-offered', expect.stringMatching(/^501 /) as unknown as string, MESSAGES]],
  ],
  [
    'a deprecated field',
    `POST ${GUILD}/roles`,
    { name: 'crew', color: 255 },
    [
      [
        'deprecated',
        'the field "color" is deprecated; "colors" replaces it',
        `POST ${GUILD}/roles (create_guild_role)`,
      ],
    ],
  ],
  ['a deprecated field that asks for nothing', `POST ${GUILD}/roles`, { name: 'crew', color: 0 }, []],
  [
    'a deprecated field beside its replacement',
    `POST /applications/${APP}/commands`,
    { ...command, dm_permission: false, contexts: [0] },
    [],
  ],
  [
    'a deprecated route',
    `GET ${GENERAL}/pins`,
    undefined,
    [['deprecated', 'the route is deprecated', `GET ${GENERAL}/pins (deprecated_list_pins)`]],
  ],
  [
    'a refusal',
    'GET /users/12',
    undefined,
    [['unhandled-refusal', '404 10013 Unknown User', 'GET /users/12 (get_user)']],
  ],
  [
    'a refusal of a field',
    `POST ${GENERAL}/messages`,
    { content: 'a'.repeat(2001) },
    [
      [
        'unhandled-refusal',
        '400 50035 Invalid Form Body (content: Must be 2000 or fewer in length.)',
        MESSAGES,
      ],
    ],
  ],
];

describe('a request in strict mode', () => {
  it.each<Row>(REQUESTS)('%s', async (_, what, json, found) => {
    const platform = await strictPlatform();
    await platform.ask(what, json);
    expect(platform.found()).toEqual(found);
  });

  it.each<Row>(REQUESTS)('%s leaves nothing behind while the mode is off', async (_, what, json) => {
    const platform = await usedPlatform();
    await platform.ask(what, json);
    expect(platform.emulator.violations.list).toEqual([]);
  });

  it('has the time of the emulator, also with a fixture that is not strict', async () => {
    const { call, bot, emulator } = await testPlatform((fixture) => fixture, { strict: true });
    emulator.clock.freeze();
    await call('GET /users/12', { headers: bot() });
    expect(emulator.violations.list).toEqual([
      {
        rule: 'unhandled-refusal',
        what: '404 10013 Unknown User',
        where: 'GET /users/12 (get_user)',
        at: new Date(emulator.clock.now()).toISOString(),
      },
    ]);
  });

  it('is no violation where a fault answered or lost the answer', async () => {
    const faults = new Faults();
    const { call, bot, emulator } = await testPlatform((fixture) => fixture, { strict: true, faults });
    const found = async (kind: 'status' | 'drop' | 'delay'): Promise<number> => {
      const effect = kind === 'status' ? { kind, status: 404 } : kind === 'drop' ? { kind } : { kind, ms: 1 };
      faults.add({ effect, where: { on: 'http' } });
      await call('GET /users/12', { headers: bot() }).catch(() => undefined);
      faults.clear();
      return emulator.violations.list.length;
    };
    expect([await found('status'), await found('drop'), await found('delay')]).toEqual([0, 0, 1]);
  });

  it('is allowed at a place or everywhere, so far and from now on', async () => {
    const { ask, emulator, found } = await strictPlatform();
    const both = async (): Promise<void> => {
      await ask('GET /users/12');
      await ask(`GET ${GENERAL}/messages/12`);
    };
    await both();
    expect(emulator.violations.allow('unhandled-refusal', 'GET /users/{id}')).toBe(1);
    await both();
    const missing = [
      'unhandled-refusal',
      '404 10008 Unknown Message',
      `GET ${GENERAL}/messages/12 (get_message)`,
    ];
    expect(found()).toEqual([missing, missing]);
    expect(emulator.violations.allow('unknown-field')).toBe(0);
    expect(emulator.violations.allow('unhandled-refusal')).toBe(2);
    await both();
    expect(found()).toEqual([]);
  });
});

describe('an interaction in strict mode', () => {
  const USED = 'the command "/tide"';
  const where = (id: string): string => `interaction ${id} of river in #general`;
  const reply = { type: 4, data: { content: 'high' } };

  it.each<
    [
      string,
      (platform: UsedPlatform, used: ReturnType<UsedPlatform['use']>) => unknown,
      readonly string[] | undefined,
    ]
  >([
    ['answered once', ({ answer }, used) => answer(used, reply), undefined],
    [
      'answered twice',
      async ({ answer }, used) => {
        await answer(used, reply);
        await answer(used, reply);
      },
      ['second-acknowledgement', '400 40060 Interaction has already been acknowledged.', 'POST'],
    ],
    [
      'not answered in time',
      ({ emulator }) => emulator.clock.advance(3000),
      ['no-answer', `${USED}: no answer in 3 s`, 'interaction'],
    ],
    [
      'deferred and never answered',
      async ({ answer, emulator }, used) => {
        await answer(used, { type: 5 });
        emulator.clock.advance(15 * 60_000);
      },
      ['no-answer', `${USED}: deferred, and not answered in 15 min`, 'interaction'],
    ],
    [
      'deferred and answered later',
      async ({ answer, hook, emulator }, used) => {
        await answer(used, { type: 5 });
        await hook(used, 'PATCH', '/messages/@original', { content: 'high' });
        emulator.clock.advance(15 * 60_000);
      },
      undefined,
    ],
    [
      'of a command that is not registered',
      ({ answer }, used) => answer(used, reply),
      ['unregistered-command', `${USED} was answered, but is not registered any longer`, 'interaction'],
    ],
  ])('%s', async (what, act, violation) => {
    const platform = await strictPlatform();
    const { body } = await platform.ask(`POST /applications/${APP}/commands`, {
      name: 'tide',
      description: 'T',
    });
    const id = what.includes('not registered') ? '920' : body.id;
    const used = platform.use({ data: { id, name: 'tide', type: 1 } });
    await act(platform, used);
    const [rule, text, place] = violation ?? [];
    const at =
      place === 'POST'
        ? `POST /interactions/${used.id}/[hidden]/callback (create_interaction_response)`
        : where(used.id);
    expect(platform.found()).toEqual(violation === undefined ? [] : [[rule, text, at]]);
  });

  it('is refused where no bot has registered the command', async () => {
    const { emulator, found } = await strictPlatform();
    const use = emulator.userActions.use(APP, { command: '/tied', values: {}, files: {} });
    await expect(use).rejects.toThrow('has registered no command "/tied"');
    expect(found()).toEqual([
      ['unregistered-command', expect.stringContaining('"/tied"'), '"/tied" of river'],
    ]);
  });
});

it('each deprecated field is a field of its operations, and so is its replacement', () => {
  const missing = DEPRECATED.flatMap(({ of, field: name, use }) => {
    const own = operations.filter(({ id }) => of.test(id));
    const text = JSON.stringify(own.map(({ body }) => body && schemaNode(body.schema, 'input')));
    // A region is replaced by a field of channels.
    const names = use === 'rtc_region' ? [name] : [name, use];
    return own.length > 0 ? names.filter((one) => !text.includes(`"${one}":`)) : [name];
  });
  expect(missing).toEqual([]);
});
