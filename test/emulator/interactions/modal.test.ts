import { expect, it } from 'vitest';
import { usedPlatform } from '../../helpers/used-application.ts';

const options = [
  { label: 'One', value: '1' },
  { label: 'Two', value: '2' },
];
const TEXT = { type: 4, custom_id: 'a', style: 1 };
const STRINGS = { type: 3, custom_id: 'a', options };
const FILES = { type: 19, custom_id: 'a' };
const RADIO = { type: 21, custom_id: 'a', options };
const BOXES = { type: 22, custom_id: 'a', options };
const BOX = { type: 23, custom_id: 'a' };
const label = (component: object) => ({ type: 18, label: 'Label', component });
const row = (...components: object[]) => ({ type: 1, components });
const modal = (...components: object[]) => ({ custom_id: 'm', title: 'Modal', components });
const many = (count: number) => Array.from({ length: count }, (_, i) => ({ label: `${i}`, value: `${i}` }));

/** What is wrong, the modal, where it says so and with which leaf. */
const ROWS: readonly (readonly [string, object, string, string])[] = [
  ['M-13: no id', { title: 'x', components: [label(TEXT)] }, 'custom_id', 'BASE_TYPE_REQUIRED'],
  [
    'M-13: a long id',
    { ...modal(label(TEXT)), custom_id: 'x'.repeat(101) },
    'custom_id',
    'BASE_TYPE_BAD_LENGTH',
  ],
  ['M-13: an empty title', { ...modal(label(TEXT)), title: '' }, 'title', 'BASE_TYPE_BAD_LENGTH'],
  ['M-13: a long title', { ...modal(label(TEXT)), title: 'x'.repeat(46) }, 'title', 'BASE_TYPE_BAD_LENGTH'],
  ['M-13: nothing in it', modal(), 'components', 'BASE_TYPE_BAD_LENGTH'],
  [
    'M-13: six at the top',
    modal(...Array.from({ length: 6 }, (_, i) => label({ ...TEXT, custom_id: `${i}` }))),
    'components',
    'BASE_TYPE_BAD_LENGTH',
  ],
  ['M-1: no component', modal({ type: 18, label: 'x' }), 'components.0.component', 'BASE_TYPE_REQUIRED'],
  [
    'M-1: a long label',
    modal({ ...label(TEXT), label: 'x'.repeat(46) }),
    'components.0.label',
    'BASE_TYPE_BAD_LENGTH',
  ],
  ['M-1: no label', modal({ type: 18, component: TEXT }), 'components.0.label', 'BASE_TYPE_REQUIRED'],
  [
    'M-1: a long description',
    modal({ ...label(TEXT), description: 'x'.repeat(101) }),
    'components.0.description',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'M-1: a button in a label',
    modal(label({ type: 2, style: 1, custom_id: 'a', label: 'x' })),
    'components.0.component',
    'COMPONENT_TYPE_INVALID',
  ],
  [
    'M-1: a type that nobody knows',
    modal(label({ type: 99 })),
    'components.0.component.type',
    'UNION_TYPE_CHOICES',
  ],
  [
    'M-2: an empty label of its own',
    modal(label({ ...TEXT, label: '' })),
    'components.0.component.label',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'M-2: a label of its own',
    modal(label({ ...TEXT, label: 'x' })),
    'components.0.component.label',
    'COMPONENT_LABEL_NOT_ALLOWED',
  ],
  [
    'M-3: a text that says nothing',
    modal({ type: 10, content: '' }),
    'components.0.content',
    'BASE_TYPE_BAD_LENGTH',
  ],
  ['M-4: a select at the top', modal(STRINGS), 'components.0', 'COMPONENT_TYPE_INVALID'],
  ['M-4: a select in a row', modal(row(STRINGS)), 'components.0.components.0', 'COMPONENT_TYPE_INVALID'],
  [
    'M-5: nothing required of what is',
    modal(label({ ...STRINGS, min_values: 0 })),
    'components.0.component.min_values',
    'NUMBER_TYPE_MIN',
  ],
  [
    'M-5: more at least than at most',
    modal(label({ type: 5, custom_id: 'a', min_values: 3, max_values: 2 })),
    'components.0.component.min_values',
    'NUMBER_TYPE_MAX',
  ],
  [
    'M-5: 26 options',
    modal(label({ ...STRINGS, options: many(26) })),
    'components.0.component.options',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'M-5: more than there are',
    modal(label({ ...STRINGS, max_values: 3 })),
    'components.0.component.options',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'M-5: max_values of 26',
    modal(label({ type: 6, custom_id: 'a', max_values: 26 })),
    'components.0.component.max_values',
    'NUMBER_TYPE_MAX',
  ],
  [
    'M-5: a long placeholder',
    modal(label({ ...STRINGS, placeholder: 'x'.repeat(151) })),
    'components.0.component.placeholder',
    'BASE_TYPE_MAX_LENGTH',
  ],
  [
    'M-5: an option twice',
    modal(label({ ...STRINGS, options: [options[0], options[0]] })),
    'components.0.component.options.1.value',
    'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
  ],
  [
    'M-5: too many by default',
    modal(
      label({
        type: 7,
        custom_id: 'a',
        default_values: [
          { id: '1', type: 'user' },
          { id: '2', type: 'role' },
        ],
      }),
    ),
    'components.0.component.default_values',
    'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES',
  ],
  [
    'M-5: a role among users',
    modal(label({ type: 5, custom_id: 'a', default_values: [{ id: '1', type: 'role' }] })),
    'components.0.component.default_values.0.type',
    'BASE_TYPE_CHOICES',
  ],
  ...[TEXT, STRINGS, FILES, RADIO, BOXES, BOX, ...[5, 6, 7, 8].map((type) => ({ type, custom_id: 'a' }))].map(
    (component): (typeof ROWS)[number] => [
      `M-6, R-6: disabled, of type ${component.type}`,
      modal(label({ ...component, disabled: true })),
      'components.0.component.disabled',
      'MODAL_COMPONENT_DISABLED',
    ],
  ),
  [
    'M-6, R-6: disabled in a row',
    modal(row({ ...TEXT, label: 'x', disabled: true })),
    'components.0.components.0.disabled',
    'MODAL_COMPONENT_DISABLED',
  ],
  [
    'M-7: two in a row',
    modal(row(TEXT, { ...TEXT, custom_id: 'b' })),
    'components.0.components.1',
    'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
  ],
  ['M-7: an empty row', modal(row()), 'components.0.components', 'BASE_TYPE_BAD_LENGTH'],
  [
    'M-8: one option',
    modal(label({ ...RADIO, options: many(1) })),
    'components.0.component.options',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'M-8: eleven options',
    modal(label({ ...RADIO, options: many(11) })),
    'components.0.component.options',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'M-8: two by default',
    modal(label({ ...RADIO, options: options.map((one) => ({ ...one, default: true })) })),
    'components.0.component.options',
    'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES',
  ],
  [
    'M-9: no option',
    modal(label({ ...BOXES, options: [] })),
    'components.0.component.options',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'M-9: max_values of 11',
    modal(label({ ...BOXES, max_values: 11 })),
    'components.0.component.max_values',
    'NUMBER_TYPE_MAX',
  ],
  ['M-10: no id', modal(label({ type: 23 })), 'components.0.component.custom_id', 'BASE_TYPE_REQUIRED'],
  [
    'M-11, L-3: at most none',
    modal(label({ ...FILES, max_values: 0 })),
    'components.0.component.max_values',
    'NUMBER_TYPE_MIN',
  ],
  [
    'M-11, L-3: at most eleven',
    modal(label({ ...FILES, max_values: 11 })),
    'components.0.component.max_values',
    'NUMBER_TYPE_MAX',
  ],
  [
    'M-11, L-3: none of what is required',
    modal(label({ ...FILES, min_values: 0 })),
    'components.0.component.min_values',
    'NUMBER_TYPE_MIN',
  ],
  [
    'M-12: a type of file that is none',
    modal(label({ ...FILES, file_types: ['png'] })),
    'components.0.component.file_types.0',
    'BASE_TYPE_CHOICES',
  ],
  [
    'M-12: eleven types of files',
    modal(label({ ...FILES, file_types: Array(11).fill('.png') })),
    'components.0.component.file_types',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'M-13: an id twice',
    modal(label(TEXT), label(BOX)),
    'components.1.component.custom_id',
    'COMPONENT_CUSTOM_ID_DUPLICATED',
  ],
  [
    'M-1: a text longer than it may be',
    modal(label({ ...TEXT, value: 'abc', max_length: 2 })),
    'components.0.component.value',
    'BASE_TYPE_MAX_LENGTH',
  ],
  [
    'M-1: shorter than it is long',
    modal(label({ ...TEXT, min_length: 3, max_length: 2 })),
    'components.0.component.min_length',
    'NUMBER_TYPE_MAX',
  ],
];

it('a faulty modal changes nothing [M-1, M-2, M-3, M-4, M-5, M-6, M-7, M-8, M-9, M-10, M-11, M-12, M-13, R-6, L-3]', async () => {
  const { use, answer, emulator } = await usedPlatform();
  const used = use();
  const before = emulator.exportState();
  for (const [what, data, path, leaf] of ROWS) {
    const { status, body } = await answer(used, { type: 9, data });
    const at = path.split('.').reduce((node, key) => node?.[key], body.errors?.data);
    const told = `${what}: ${JSON.stringify(body)}`;
    expect([status, body.code], told).toEqual([400, 50035]);
    expect(at?._errors?.[0]?.code, told).toBe(leaf);
    expect(emulator.interactions.get(used.id), told).toEqual(used);
  }
  expect(emulator.exportState()).toBe(before);
  expect((await answer(used, { type: 9, data: modal(label({ ...TEXT, disabled: false })) })).status).toBe(
    204,
  );
});

it('modal_components raises the number of components in a modal [M-13]', async () => {
  const { use, answer, emulator } = await usedPlatform({ modal_components: 40 });
  const six = modal(...Array.from({ length: 6 }, (_, i) => label({ ...BOX, custom_id: `${i}` })));
  const used = use();
  expect((await answer(used, { type: 9, data: six })).status).toBe(204);
  await emulator.interactions.settled(used.id);
  expect(emulator.userActions.viewOf(used.id)).toMatchObject({ state: 'modal' });
});
