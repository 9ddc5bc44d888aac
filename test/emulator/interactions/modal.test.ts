import { expect, it } from 'vitest';
import { checkSelect, componentOf } from '../../../src/emulator/interactions/component-use.ts';
import type { Modal } from '../../../src/emulator/interactions/modal.ts';
import { checkSubmit } from '../../../src/emulator/interactions/modal-submit.ts';
import { ids } from '../../helpers/emulator-world.ts';
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

it('M-1, M-2, M-3, M-4, M-5, M-6, M-7, M-8, M-9, M-10, M-11, M-12, M-13, R-6, L-3: a modal is refused where it is wrong, and leaves all as it was', async () => {
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

it('M-13: more components are a setting', async () => {
  const { use, answer, emulator } = await usedPlatform({ modal_components: 40 });
  const six = modal(...Array.from({ length: 6 }, (_, i) => label({ ...BOX, custom_id: `${i}` })));
  const used = use();
  expect((await answer(used, { type: 9, data: six })).status).toBe(204);
  expect(await emulator.interactions.settled(used.id)).toMatchObject({ state: 'modal' });
});

/** Two modals with everything, as they were opened; whoever fills them in, and two files of theirs. */
async function opened() {
  const { use, answer, emulator } = await usedPlatform();
  const open = async (data: object): Promise<Modal> => {
    const { id, ...used } = use();
    await answer({ id, ...used }, { type: 9, data });
    return ((await emulator.interactions.settled(id)) as { modal: Modal }).modal;
  };
  const first = await open(
    modal(
      { type: 10, content: 'Fill in' },
      label({ ...TEXT, custom_id: 'text', max_length: 5 }),
      label({ ...STRINGS, custom_id: 'several', min_values: 1, max_values: 2, required: false }),
      label({ ...FILES, custom_id: 'files', file_types: ['IMAGE'] }),
      row({ ...TEXT, custom_id: 'old', label: 'Old', required: false }),
    ),
  );
  const second = await open(
    modal(
      label({ ...RADIO, custom_id: 'radio', required: false }),
      label({ ...BOXES, custom_id: 'boxes', min_values: 0, required: false }),
      label({ ...BOX, custom_id: 'box' }),
      label({ type: 7, custom_id: 'who' }),
      label({ type: 8, custom_id: 'where', channel_types: [0] }),
    ),
  );
  const [png = '', txt = ''] = await Promise.all(
    ['map.png', 'map.txt'].map(async (name) => {
      const { id } = await emulator.interactions.keepFile({ name, bytes: Buffer.from(name) });
      return id;
    }),
  );
  const chooser = { tables: emulator.tables, user: ids.river, guild: ids.riverBank };
  return { first, second, png, txt, chooser };
}

it('M-1, M-3, M-7, M-11, M-12, L-3: a modal is submitted without its labels, and with the files it came with', async () => {
  const { first, png, txt, chooser } = await opened();
  const good = { text: 'abc', files: [png] };
  const { data, resolves } = checkSubmit(chooser, first, { ...good, several: ['One', '2'] });
  expect(data).toEqual({
    custom_id: 'm',
    components: [
      { type: 10, id: 1 },
      { type: 18, id: 2, component: { type: 4, id: 3, custom_id: 'text', value: 'abc' } },
      { type: 18, id: 4, component: { type: 3, id: 5, custom_id: 'several', values: ['1', '2'] } },
      { type: 18, id: 6, component: { type: 19, id: 7, custom_id: 'files', values: [png] } },
      { type: 1, id: 8, components: [{ type: 4, id: 9, custom_id: 'old', value: '' }] },
    ],
  });
  expect(resolves).toEqual({ attachments: [png] });
  for (const [values, message] of [
    [{ ...good, text: 'abcdef' }, 'text: must be of 1 to 5 characters'],
    [{ files: good.files }, 'text: must be of 1 to 5 characters'],
    [{ ...good, several: ['1', '2', '1'] }, 'several: takes 1 to 2'],
    [{ ...good, several: '3' }, 'several: has no option "3"'],
    [{ text: 'abc' }, 'files: takes 1, not 0'],
    [{ text: 'abc', files: [txt] }, 'files: takes image, and not map.txt'],
    [{ text: 'abc', files: ['1'] }, 'files: names a file'],
    [{ ...good, texts: 'x' }, 'texts: is nothing that the modal asks'],
  ] as const) {
    expect(() => checkSubmit(chooser, first, values), message).toThrow(message);
  }
});

it('M-4, M-5, M-8, M-9, M-10: a modal says nothing where nothing is chosen, and resolves whom it names', async () => {
  const { second, chooser } = await opened();
  type Filled = readonly { readonly component: object }[];
  const filled = (values: Parameters<typeof checkSubmit>[2]) =>
    (checkSubmit(chooser, second, values).data['components'] as Filled).map(({ component }) => component);
  const least = { who: [ids.heron], where: ids.general };
  expect(filled(least)).toMatchObject([
    { type: 21, value: null },
    { type: 22, values: [] },
    { type: 23, value: false },
    { type: 7, values: [ids.heron] },
    { type: 8, values: [ids.general] },
  ]);
  expect(checkSubmit(chooser, second, least).resolves).toEqual({
    users: [ids.heron],
    channels: [ids.general],
  });
  const chosen = { ...least, who: ids.riverBank, radio: 'Two', boxes: ['1'], box: 'true' };
  expect(filled(chosen).slice(0, 4)).toMatchObject([
    { value: '2' },
    { values: ['1'] },
    { value: true },
    { values: [ids.riverBank] },
  ]);
  expect(() => checkSubmit(chooser, second, { ...least, who: ['1'] })).toThrow('who: "1"');
  for (const where of [ids.hidden, ids.lounge]) {
    expect(() => checkSubmit(chooser, second, { ...least, where })).toThrow('where:');
  }
});

it('M-4, M-5: a component of a message is used as it says', async () => {
  const { use, answer, emulator } = await usedPlatform();
  const used = use();
  const button = { type: 2, style: 1, label: 'x', custom_id: 'go' };
  const components = [
    { type: 1, components: [button, { ...button, custom_id: 'not', disabled: true }] },
    { type: 1, components: [{ ...STRINGS, custom_id: 'some', max_values: 2, required: true }] },
  ];
  await answer(used, { type: 4, data: { components } });
  const outcome = await emulator.interactions.settled(used.id);
  const message = (outcome as { message: Parameters<typeof componentOf>[0] }).message;
  const chooser = { tables: emulator.tables, user: ids.river, guild: ids.riverBank };
  const select = componentOf(message, 'some');
  expect(select).not.toHaveProperty('required');
  expect(checkSelect(chooser, select, ['Two']).data).toMatchObject({ component_type: 3, values: ['2'] });
  expect(checkSelect(chooser, componentOf(message, 'go')).data).toMatchObject({
    component_type: 2,
    custom_id: 'go',
  });
  expect(() => checkSelect(chooser, select, [])).toThrow('some: takes 1 to 2, not 0');
  expect(() => componentOf(message, 'not')).toThrow('disabled');
  expect(() => componentOf(message, 'stop')).toThrow('no component "stop"; it has go, not, some');
});
