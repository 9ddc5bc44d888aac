import { expect, it } from 'vitest';
import { usedPlatform } from '../../helpers/used-application.ts';

const option = (value: string, more: object = {}) => ({ label: value, value, ...more });
const options = [option('1'), option('2')];
const label = (component: object, more: object = {}) => ({ type: 18, label: 'L', component, ...more });
const row = (...components: object[]) => ({ type: 1, components });
const modal = (...components: object[]) => ({ custom_id: 'm', title: 'Modal', components });
const x = (length: number) => 'x'.repeat(length);
const many = (count: number) => Array.from({ length: count }, (_, at) => option(`${at}`));
const TEXT = { type: 4, custom_id: 'a', style: 1 };
const users = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `${at + 1}`, type: 'user' }));

/** A field in a label as it is sent, and how it is stored. */
const FIELDS: readonly (readonly [sent: object, stored: object])[] = [
  [TEXT, { ...TEXT, required: true }],
  [
    { ...TEXT, required: false, value: 'v', placeholder: 'p', min_length: 0, max_length: 1, disabled: false },
    { ...TEXT, required: false, value: 'v', placeholder: 'p', min_length: 0, max_length: 1 },
  ],
  [
    { ...TEXT, style: 2, value: x(4000), placeholder: x(100), min_length: 4000, max_length: 4000 },
    {
      ...TEXT,
      style: 2,
      value: x(4000),
      placeholder: x(100),
      min_length: 4000,
      max_length: 4000,
      required: true,
    },
  ],
  [
    { ...TEXT, value: 'ab', max_length: 2 },
    { ...TEXT, value: 'ab', max_length: 2, required: true },
  ],
  [
    { type: 3, custom_id: 'a', options },
    { type: 3, custom_id: 'a', options, required: true, min_values: 1, max_values: 1 },
  ],
  [
    { type: 3, custom_id: 'a', options, max_values: 2, min_values: 2, placeholder: x(150) },
    { type: 3, custom_id: 'a', options, max_values: 2, min_values: 2, placeholder: x(150), required: true },
  ],
  [
    {
      type: 3,
      custom_id: x(100),
      options: [option(x(100), { description: x(100), emoji: { name: '🛶' }, default: true }), ...many(24)],
      max_values: 25,
      min_values: 0,
      required: false,
    },
    {
      type: 3,
      custom_id: x(100),
      options: [option(x(100), { description: x(100), emoji: { name: '🛶' }, default: true }), ...many(24)],
      max_values: 25,
      min_values: 0,
      required: false,
    },
  ],
  ...[5, 6, 7, 8].map((type): (typeof FIELDS)[number] => [
    { type, custom_id: 'a' },
    { type, custom_id: 'a', required: true, min_values: 1, max_values: 1 },
  ]),
  [
    { type: 5, custom_id: 'a', default_values: users(25), max_values: 25 },
    { type: 5, custom_id: 'a', default_values: users(25), max_values: 25, min_values: 1, required: true },
  ],
  [
    { type: 7, custom_id: 'a', default_values: [{ id: '1', type: 'role' }, ...users(1)], max_values: 2 },
    {
      type: 7,
      custom_id: 'a',
      default_values: [{ id: '1', type: 'role' }, ...users(1)],
      max_values: 2,
      min_values: 1,
      required: true,
    },
  ],
  [
    { type: 8, custom_id: 'a', channel_types: [0, 16], default_values: [{ id: '1', type: 'channel' }] },
    {
      type: 8,
      custom_id: 'a',
      channel_types: [0, 16],
      default_values: [{ id: '1', type: 'channel' }],
      min_values: 1,
      max_values: 1,
      required: true,
    },
  ],
  [
    { type: 19, custom_id: 'a' },
    { type: 19, custom_id: 'a', required: true, min_values: 1, max_values: 1 },
  ],
  [
    {
      type: 19,
      custom_id: 'a',
      required: false,
      min_values: 0,
      max_values: 10,
      file_types: ['IMAGE', '.Pdf'],
    },
    {
      type: 19,
      custom_id: 'a',
      required: false,
      min_values: 0,
      max_values: 10,
      file_types: ['image', '.pdf'],
    },
  ],
  [
    { type: 19, custom_id: 'a', min_values: 10, max_values: 10, file_types: Array(10).fill('.png') },
    {
      type: 19,
      custom_id: 'a',
      min_values: 10,
      max_values: 10,
      file_types: Array(10).fill('.png'),
      required: true,
    },
  ],
  [
    { type: 21, custom_id: 'a', options },
    { type: 21, custom_id: 'a', options, required: true },
  ],
  [
    { type: 21, custom_id: 'a', options: many(10), required: false },
    { type: 21, custom_id: 'a', options: many(10), required: false },
  ],
  [
    { type: 22, custom_id: 'a', options: many(1) },
    { type: 22, custom_id: 'a', options: many(1), required: true, min_values: 1, max_values: 1 },
  ],
  [
    { type: 22, custom_id: 'a', options: many(10), min_values: 3 },
    { type: 22, custom_id: 'a', options: many(10), required: true, min_values: 3, max_values: 10 },
  ],
  [
    { type: 23, custom_id: 'a' },
    { type: 23, custom_id: 'a', required: false },
  ],
  [
    { type: 23, custom_id: 'a', default: true },
    { type: 23, custom_id: 'a', default: true, required: false },
  ],
];

it('a modal is stored with its defaults, and with a number for each component', async () => {
  const { use, answer, emulator } = await usedPlatform();
  const stored = async (data: object) => {
    const used = use();
    const { status, body } = await answer(used, { type: 9, data });
    expect(status, JSON.stringify([data, body])).toBe(204);
    await emulator.interactions.settled(used.id);
    return emulator.userActions.viewOf(used.id);
  };
  for (const [sent, kept] of FIELDS) {
    expect((await stored(modal(label(sent)))).modal, JSON.stringify(sent)).toEqual(
      modal(label({ ...kept, id: 2 }, { id: 1 })),
    );
  }
  const whole = {
    custom_id: x(100),
    title: x(45),
    components: [
      { type: 10, id: 2, content: x(4000) },
      row({ ...TEXT, label: x(45) }),
      label({ ...TEXT, custom_id: 'b', id: 4 }, { label: x(45), description: x(100), id: 0 }),
      label({ type: 23, custom_id: 'c', id: 2 ** 31 - 1 }),
      { type: 10, content: 'z' },
    ],
  };
  expect((await stored(whole)).modal).toEqual({
    ...whole,
    components: [
      { type: 10, id: 2, content: x(4000) },
      { type: 1, id: 1, components: [{ ...TEXT, label: x(45), id: 3, required: true }] },
      label({ ...TEXT, custom_id: 'b', id: 4, required: true }, { label: x(45), description: x(100), id: 5 }),
      label({ type: 23, custom_id: 'c', id: 2 ** 31 - 1, required: false }, { id: 6 }),
      { type: 10, id: 7, content: 'z' },
    ],
  });
});

it('a modal is refused with every fault, its place and its sentence', async () => {
  const { use, answer } = await usedPlatform();
  const used = use();
  const b = { ...TEXT, custom_id: 'b' };
  for (const [data, errors] of [
    [
      modal(...Array.from({ length: 6 }, (_, at) => label({ ...TEXT, custom_id: `${at}` }))),
      { components: ['BASE_TYPE_BAD_LENGTH: Must be between 1 and 5 in length.'] },
    ],
    [
      modal(label(b), row(TEXT, { ...b, custom_id: 'c' })),
      {
        'components.1.components.1': [
          'COMPONENT_LAYOUT_WIDTH_EXCEEDED: The specified component exceeds the maximum width',
        ],
      },
    ],
    [
      modal(label(b), row(TEXT), label(TEXT), row(b)),
      {
        'components.2.component.custom_id': [
          'COMPONENT_CUSTOM_ID_DUPLICATED: Component custom id cannot be duplicated',
        ],
        'components.3.components.0.custom_id': [
          'COMPONENT_CUSTOM_ID_DUPLICATED: Component custom id cannot be duplicated',
        ],
      },
    ],
    [
      modal(label({ ...TEXT, id: 7 }, { id: 7 })),
      { components: ['COMPONENT_ID_DUPLICATED: Component id cannot be duplicated'] },
    ],
    [
      modal(label(TEXT, { id: 3 }), { type: 10, content: 'x', id: 3 }),
      { components: ['COMPONENT_ID_DUPLICATED: Component id cannot be duplicated'] },
    ],
    [
      modal(label(b), label({ ...TEXT, min_length: 3, max_length: 2, value: 'abc' })),
      {
        'components.1.component.min_length': [
          'NUMBER_TYPE_MAX: int value should be less than or equal to 2.',
        ],
        'components.1.component.value': ['BASE_TYPE_MAX_LENGTH: Must be 2 or fewer in length.'],
      },
    ],
    [
      modal(row({ ...TEXT, min_length: 2, max_length: 1 })),
      {
        'components.0.components.0.min_length': [
          'NUMBER_TYPE_MAX: int value should be less than or equal to 1.',
        ],
      },
    ],
    ...[3, 22].map((type) => [
      modal(label({ type, custom_id: 'a', options, max_values: 3 })),
      {
        'components.0.component.options': [
          `BASE_TYPE_BAD_LENGTH: Must be between 3 and ${type === 3 ? 25 : 10} in length.`,
        ],
      },
    ]),
    ...[3, 5, 19, 22].map((type) => [
      modal(
        label({ type, custom_id: 'a', ...(type === 3 || type === 22 ? { options } : {}), min_values: 0 }),
      ),
      {
        'components.0.component.min_values': [
          'NUMBER_TYPE_MIN: int value should be greater than or equal to 1.',
        ],
      },
    ]),
    [
      modal(label({ type: 19, custom_id: 'a', min_values: 2 })),
      {
        'components.0.component.min_values': [
          'NUMBER_TYPE_MAX: int value should be less than or equal to 1.',
        ],
      },
    ],
    [
      modal(label({ ...TEXT, id: -1, disabled: true })),
      {
        'components.0.component.id': ['NUMBER_TYPE_MIN: int value should be greater than or equal to 0.'],
        'components.0.component.disabled': [
          'MODAL_COMPONENT_DISABLED: Modals do not support disabled components',
        ],
      },
    ],
    [
      modal(label({ ...TEXT, label: 'x' })),
      {
        'components.0.component.label': [
          'COMPONENT_LABEL_NOT_ALLOWED: A text input inside of a label has no label of its own',
        ],
      },
    ],
    [
      modal(label({ type: 19, custom_id: 'a', file_types: ['.png', 'x'] })),
      {
        'components.0.component.file_types.1': [
          'BASE_TYPE_CHOICES: Value must be image, video, audio, or an extension such as .png.',
        ],
      },
    ],
  ] as readonly (readonly [object, object])[]) {
    const { status, body } = await answer(used, { type: 9, data });
    const told: Record<string, string[]> = {};
    const collect = (node: unknown, path: readonly string[]): void => {
      for (const [key, inner] of Object.entries(node as object)) {
        if (key !== '_errors') collect(inner, [...path, key]);
        else
          told[path.join('.')] = inner.map(
            (one: { code: string; message: string }) => `${one.code}: ${one.message}`,
          );
      }
    };
    collect(body.errors?.data ?? {}, []);
    expect([status, body.code, told], JSON.stringify(data)).toEqual([400, 50035, errors]);
  }
});

it('a component is refused where its type has no place', async () => {
  const { use, answer } = await usedPlatform();
  const used = use();
  const places = {
    'components.0': {
      at: (one: object) => modal(one),
      types: [2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 19, 21, 22, 23],
    },
    'components.0.components.0': {
      at: (one: object) => modal(row(one)),
      types: [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18, 19, 21, 22, 23],
    },
    'components.0.component': {
      at: (one: object) => modal(label(one)),
      types: [1, 2, 9, 10, 11, 12, 13, 14, 17, 18],
    },
  };
  for (const [path, { at, types }] of Object.entries(places)) {
    for (const type of types) {
      const { body } = await answer(used, { type: 9, data: at({ type, custom_id: 'a' }) });
      const node = path.split('.').reduce((one, key) => one?.[key], body.errors?.data);
      expect(node?._errors?.[0]?.code, `${path} ${type}`).toBe('COMPONENT_TYPE_INVALID');
    }
  }
});
