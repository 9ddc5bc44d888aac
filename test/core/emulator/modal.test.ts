import { describe, expect, it } from 'vitest';
import { playedPlatform } from '../../helpers/answering.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';

const label = (component: object, more: object = {}) => ({ type: 18, label: 'A field', component, ...more });
const options = (...values: string[]) => values.map((value) => ({ label: value.toUpperCase(), value }));

const MODAL = {
  custom_id: 'report',
  title: 'Report a boat',
  components: [
    { type: 10, content: 'Say what you saw.' },
    label({ type: 4, custom_id: 'name', style: 1, min_length: 2, max_length: 10 }),
    label({ type: 3, custom_id: 'kind', options: options('sail', 'motor') }),
    label({ type: 5, custom_id: 'owner', required: false }),
    {
      type: 1,
      components: [{ type: 4, custom_id: 'more', label: 'More', style: 2, value: 'none', required: false }],
    },
  ],
};
const CHOICES = {
  custom_id: 'choices',
  title: 'Choices',
  components: [
    label({ type: 21, custom_id: 'radio', options: options('a', 'b') }),
    label({ type: 22, custom_id: 'checks', min_values: 0, required: false, options: options('x', 'y', 'z') }),
    label({ type: 23, custom_id: 'sure', default: true }),
    label({ type: 19, custom_id: 'photos', max_values: 2, file_types: ['.png'] }),
    label({ type: 8, custom_id: 'where', required: false, channel_types: [2] }),
  ],
};

/** A modal that the application opened. */
async function opened(modal: object) {
  const platform = await playedPlatform();
  const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'Open', custom_id: 'open' }] }];
  const { body } = await platform.ask(`POST /channels/${ids.general}/messages`, { components });
  const click = { message: body.id as string, button: 'open' };
  const played = await platform.play('interaction.click', click, () => ({ type: 9, data: modal }));
  return { ...platform, id: played.id, played };
}

const thanks = () => ({ type: 4, data: { content: 'Thanks.', flags: 64 } });
const photo = (filename: string) => ({ filename, data: Buffer.from('png').toString('base64') });

describe('a modal that an application opened', () => {
  it('is submitted by custom ids, and the submission omits its labels and texts [M-1, M-3, M-4, M-5, M-7]', async () => {
    const { play, last, id, played } = await opened(MODAL);
    expect(played).toMatchObject({
      state: 'modal',
      modal: { custom_id: 'report', title: 'Report a boat' },
    });
    const fields = { name: 'Otter', kind: 'MOTOR', owner: ['otter'] };
    const submitted = await play('interaction.submit', { id, fields }, thanks);
    expect(submitted).toMatchObject({
      type: 'modal',
      used: 'report',
      state: 'answered',
      message: { content: 'Thanks.', ephemeral: true },
    });
    const number = expect.any(Number);
    expect(last()).toMatchObject({
      type: 5,
      application: APP,
      data: {
        custom_id: 'report',
        components: [
          { type: 10, id: number },
          { type: 18, id: number, component: { type: 4, id: number, custom_id: 'name', value: 'Otter' } },
          { type: 18, component: { type: 3, custom_id: 'kind', values: ['motor'] } },
          { type: 18, component: { type: 5, custom_id: 'owner', values: [ids.otter] } },
          { type: 1, id: number, components: [{ type: 4, custom_id: 'more', value: 'none' }] },
        ],
      },
      resolves: { users: [ids.otter] },
    });
    expect(JSON.stringify(last()?.data)).not.toMatch(/label|content|options/);
    await expect(play('interaction.submit', { id, fields })).rejects.toThrow(
      `the modal of interaction ${id} was submitted already: ${submitted.id}`,
    );
  });

  it('accepts choices, checkboxes and files [M-8, M-9, M-10, M-11, L-3]', async () => {
    const { play, last, id, emulator } = await opened(CHOICES);
    const fields = {
      radio: 'b',
      checks: ['x', 'Z'],
      sure: 'no',
      where: 'none',
      photos: ['@a.png', '@b.png'],
    };
    const files = { photos: [photo('a.png'), photo('b.png')] };
    await play('interaction.submit', { id, fields, files }, thanks);
    const kept = [...emulator.tables.ephemeral_attachments].map((one) => one.id);
    expect(kept).toHaveLength(2);
    expect(last()).toMatchObject({
      data: {
        components: [
          { component: { type: 21, custom_id: 'radio', value: 'b' } },
          { component: { type: 22, custom_id: 'checks', values: ['x', 'z'] } },
          { component: { type: 23, custom_id: 'sure', value: false } },
          { component: { type: 19, custom_id: 'photos', values: kept } },
          { component: { type: 8, custom_id: 'where', values: [] } },
        ],
      },
      resolves: { attachments: kept },
    });
  });

  it('submits the default value of a field without input', async () => {
    const { play, last, id } = await opened(CHOICES);
    await play(
      'interaction.submit',
      { id, fields: { radio: 'a' }, files: { photos: photo('a.png') } },
      thanks,
    );
    expect(last()?.data).toMatchObject({
      components: [{}, { component: { values: [] } }, { component: { value: true } }, {}, {}],
    });
  });

  it('can be submitted again after the application failed to answer, because the client leaves it open', async () => {
    const { play, id, emulator } = await opened(MODAL);
    const fields = { name: 'Otter', kind: 'sail' };
    const failed = await play('interaction.submit', { id, fields }, () => {
      emulator.clock.advance(3000);
      return undefined;
    });
    expect(failed.state).toBe('failed');
    expect((await play('interaction.submit', { id, fields }, thanks)).state).toBe('answered');
  });

  it('accepts only one of two simultaneous submissions', async () => {
    const { id, emulator } = await opened(MODAL);
    const given = { values: { name: 'Otter', kind: 'sail' }, files: {} };
    const both = await Promise.allSettled([
      emulator.userActions.submit(id, given),
      emulator.userActions.submit(id, given),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it.each([
    [MODAL, {}, /^name: must be filled in$/],
    [MODAL, { name: 'O' }, /^name: must have 2 to 10 characters, not 1$/],
    [MODAL, { name: 'Otter' }, /^kind: takes 1, not 0$/],
    [MODAL, { name: 'Otter', kind: 'steam' }, /^kind: has no option "steam"; choose from "sail", "motor"$/],
    [MODAL, { name: ['a', 'b'], kind: 'sail' }, /^name: takes one value, but got several$/],
    [MODAL, { nope: 'x' }, /^the modal has no field "nope"; its fields are "name", "kind", "owner", "more"$/],
    [CHOICES, {}, /^radio: must be chosen from "a", "b"$/],
    [CHOICES, { radio: 'c' }, /^radio: has no option "c"/],
    [CHOICES, { radio: 'a', sure: 'perhaps' }, /^sure: must be true or false, not "perhaps"$/],
    [CHOICES, { radio: 'a' }, /^photos: takes 1 to 2, not 0$/],
    [CHOICES, { radio: 'a', photos: 'a.png' }, /^photos: takes files: photos=@PATH$/],
  ])('rejects an invalid submission (case %#): %o', async (modal, fields, reason) => {
    const { play, last, id } = await opened(modal);
    await expect(play('interaction.submit', { id, fields })).rejects.toThrow(reason);
    expect(last()?.id).toBe(id);
  });

  it('rejects a file of the wrong type, another user, and an interaction without a modal [M-12]', async () => {
    const { play, id, emulator } = await opened(CHOICES);
    const fields = { radio: 'a' };
    await expect(
      play('interaction.submit', { id, fields, files: { photos: photo('a.gif') } }),
    ).rejects.toThrow('photos: does not take "a.gif"; it takes .png');
    await expect(play('interaction.submit', { id, fields, user: 'otter' })).rejects.toThrow(
      `user: the modal of interaction ${id} is river's`,
    );
    await expect(play('interaction.submit', { id: '5', fields })).rejects.toThrow(
      'there is no interaction 5',
    );
    expect(emulator.tables.ephemeral_attachments.size).toBe(0);
  });
});
