import { beforeEach, describe, expect, it } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';
import { type UsedPlatform, usedPlatform } from '../../helpers/used-application.ts';

const BUTTON = { type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] };
const MODAL = {
  custom_id: 'form',
  title: 'Form',
  components: [{ type: 18, label: 'Name', component: { type: 4, custom_id: 'name', style: 1 } }],
};
const EPHEMERAL = 64;
const LOADING = 128;

let platform: UsedPlatform;
beforeEach(async () => {
  // It can be launched, too.
  platform = await usedPlatform({
    url_mappings: [{ application: APP, prefix: '/', target: '127.0.0.1:5173' }],
  });
});

/** Somebody clicks the button of a message that answered a command. */
async function clicked(flags = 0) {
  const { use, answer, emulator } = platform;
  const command = use();
  await answer(command, { type: 4, data: { content: 'Ready?', components: [BUTTON], flags } });
  await emulator.interactions.settled(command.id);
  const message = emulator.userActions.viewOf(command.id).message?.id;
  const data = { custom_id: 'go', component_type: 2, id: 2 };
  return { message: message ?? '', click: use({ type: 3, message, data }) };
}

/** Somebody submits the modal that answered a click. */
async function submitted() {
  const { click, message } = await clicked();
  await platform.answer(click, { type: 9, data: MODAL });
  const data = { custom_id: 'form', components: [] };
  return { message, submit: platform.use({ type: 5, from: click.id, data }) };
}

describe('the first response to an interaction', () => {
  it('writes a message with the metadata of the interaction, and returns the result [W-3]', async () => {
    const { use, answer, emulator, ask } = platform;
    const used = use();
    const { status, body } = await answer(
      used,
      { type: 4, data: { content: 'High' } },
      '?with_response=true',
    );
    expect(status).toBe(200);
    const { message } = body.resource;
    expect(body.interaction).toEqual({
      id: used.id,
      type: 2,
      channel_id: ids.general,
      guild_id: ids.riverBank,
      response_message_id: message.id,
      response_message_loading: false,
      response_message_ephemeral: false,
    });
    expect(body.resource.type).toBe(4);
    expect(message).toMatchObject({
      content: 'High',
      type: 20,
      author: { id: APP },
      application_id: APP,
      webhook_id: APP,
      interaction_metadata: {
        id: used.id,
        type: 2,
        name: 'tide',
        user: { id: ids.river },
        authorizing_integration_owners: { 0: ids.riverBank },
      },
      interaction: { id: used.id, type: 2, name: 'tide', user: { id: ids.river } },
    });
    await emulator.interactions.settled(used.id);
    expect(emulator.userActions.viewOf(used.id)).toMatchObject({
      state: 'answered',
      is_update: false,
      message: { content: 'High' },
    });
    expect((await ask(`GET /channels/${ids.general}/messages/${message.id}`)).body.content).toBe('High');
  });

  it('is accepted once: a second one fails with 40060, and a refused one does not count [W-3]', async () => {
    const { use, answer, emulator } = platform;
    const used = use();
    const before = emulator.exportState();
    for (const [json, code] of [
      [{ type: 4, data: {} }, 50006],
      [{ type: 4, data: { content: 'x'.repeat(2001) } }, 50035],
      [{ type: 6 }, 50035],
      [{ type: 99 }, 50035],
      [{ type: 4, data: { flags: 1 << 15, content: 'x' } }, 50035],
      [{ type: 4, data: { components: [BUTTON, BUTTON] } }, 50035],
    ] as const) {
      expect((await answer(used, json)).body.code, JSON.stringify(json)).toBe(code);
      expect(emulator.interactions.get(used.id)).toEqual(used);
    }
    expect(emulator.exportState()).toBe(before);
    expect((await answer(used, { type: 4, data: { content: 'x' } })).status).toBe(204);
    const second = await answer(used, { type: 5 });
    expect([second.status, second.body.code]).toEqual([400, 40060]);
  });

  it('is refused at the faulty field, and with legacy fields beside components of version 2 [W-3]', async () => {
    const { use, answer, hook } = platform;
    const used = use();
    const [go] = BUTTON.components;
    const unnamed = { ...BUTTON, components: [{ ...go, custom_id: undefined }] };
    const { body } = await answer(used, { type: 4, data: { components: [unnamed] } });
    const [fault] = body.errors.data.components[0].components[0].custom_id._errors;
    expect(fault.code).toBe('BASE_TYPE_REQUIRED');
    await answer(used, { type: 4, data: { content: 'Ready?' } });
    const v2 = { flags: 1 << 15, components: [{ type: 10, content: 'x' }] };
    const { errors } = (await hook(used, 'PATCH', '/messages/@original', v2)).body;
    expect(errors.content._errors[0].code).toBe('MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2');
    expect((await hook(used, 'PATCH', '/messages/@original', { ...v2, content: null })).status).toBe(200);
  });

  it('is due within 3 seconds of the clock, and then fails permanently [W-3]', async () => {
    const { use, answer, hook, emulator } = platform;
    const used = use();
    emulator.clock.advance(2_900);
    expect(emulator.interactions.get(used.id)?.state.kind).toBe('waiting');
    emulator.clock.advance(100);
    await emulator.interactions.settled(used.id);
    expect(emulator.userActions.viewOf(used.id)).toMatchObject({
      state: 'failed',
      reason: 'no answer in 3 s',
    });
    const late = await answer(used, { type: 4, data: { content: 'x' } });
    expect([late.status, late.body.code]).toEqual([404, 10062]);
    expect((await hook(used, 'POST', '', { content: 'x' })).body.code).toBe(10015);
  });

  it('requires the token that belongs to the id [W-3]', async () => {
    const { use, answer } = platform;
    const [one, other] = [use(), use()];
    for (const wrong of [
      { ...one, token: other.token },
      { ...one, token: 'x' },
      { ...one, id: '1' },
    ]) {
      expect((await answer(wrong, { type: 5 })).body.code).toBe(10062);
    }
  });

  it.each([
    ['a command', async () => platform.use(), [4, 5, 9, 10, 12]],
    ['a component', async () => (await clicked()).click, [4, 5, 6, 7, 9, 10, 12]],
    ['an option being written', async () => platform.use({ type: 4 }), [8]],
    ['a modal', async () => (await submitted()).submit, [4, 5, 6, 7, 10, 12]],
  ] as const)('to %s must have one of the allowed types [W-3, M-13]', async (_, begin, allowed) => {
    const data = { 4: { content: 'x' }, 7: { content: 'x' }, 8: { choices: [] }, 9: MODAL } as const;
    for (const type of [1, 4, 5, 6, 7, 8, 9, 10, 12]) {
      const interaction = await begin();
      const json = { type, data: data[type as keyof typeof data] };
      const { status, body } = await platform.answer(interaction, json);
      if (allowed.includes(type as never)) expect(status, `type ${type}`).toBe(204);
      else expect(body.errors?.type._errors[0].code, `type ${type}`).toBe('BASE_TYPE_CHOICES');
    }
  });

  it('to a modal of a command cannot update a message [W-3]', async () => {
    const { use, answer } = platform;
    const command = use();
    await answer(command, { type: 9, data: MODAL });
    const submit = use({ type: 5, from: command.id, data: { custom_id: 'form', components: [] } });
    expect((await answer(submit, { type: 7, data: { content: 'x' } })).body.code).toBe(50035);
    const { body } = await answer(submit, { type: 4, data: { content: 'x' } }, '?with_response=true');
    expect(body.resource.message.interaction_metadata).toMatchObject({
      type: 5,
      triggering_interaction_metadata: { id: command.id, type: 2, name: 'tide' },
    });
  });

  it('offers choices of the type of the option [W-3]', async () => {
    const { use, answer, emulator } = platform;
    const options = [{ name: 'port', type: 4, value: '4', focused: true }];
    const used = use({ type: 4, data: { id: '920', name: 'tide', type: 1, options } });
    const wrong = await answer(used, { type: 8, data: { choices: [{ name: 'x', value: 'x' }] } });
    expect(wrong.body.errors.data.choices[0].value._errors[0].code).toBe('NUMBER_TYPE_COERCE');
    const choices = [{ name: 'Four', value: 4 }];
    await answer(used, { type: 8, data: { choices } });
    await emulator.interactions.settled(used.id);
    expect(emulator.userActions.viewOf(used.id)).toMatchObject({ state: 'choices', choices });
  });

  it('accepts files [W-3]', async () => {
    const { use, call } = platform;
    const { id, token } = use();
    const body = new FormData();
    body.set(
      'payload_json',
      JSON.stringify({ type: 4, data: { attachments: [{ id: 0, description: 'A map' }] } }),
    );
    body.set('files[0]', new Blob(['tides']), 'map.txt');
    const answered = await call(`POST /interactions/${id}/${token}/callback?with_response=true`, { body });
    expect(answered.body.resource.message.attachments).toMatchObject([
      { filename: 'map.txt', description: 'A map' },
    ]);
  });
});

describe('a deferred response', () => {
  it('is an empty loading message until it is edited [W-3]', async () => {
    const { use, answer, hook, emulator } = platform;
    const used = use();
    const { body } = await answer(used, { type: 5 }, '?with_response=true');
    expect(body.interaction.response_message_loading).toBe(true);
    const loading = (await hook(used, 'GET', '/messages/@original')).body;
    expect([loading.flags, loading.content]).toEqual([LOADING, '']);
    const finished = emulator.interactions.finished(used.id);
    const { body: edited } = await hook(used, 'PATCH', '/messages/@original', { content: 'High' });
    expect([edited.id, edited.flags, edited.content, edited.edited_timestamp]).toEqual([
      loading.id,
      0,
      'High',
      null,
    ]);
    await finished;
    expect(emulator.userActions.viewOf(used.id)).toMatchObject({
      state: 'answered',
      message: { content: 'High' },
    });
  });

  it('is also filled by the first follow-up message [W-3]', async () => {
    const { use, answer, hook } = platform;
    const used = use();
    await answer(used, { type: 5 });
    const first = (await hook(used, 'POST', '', { content: 'High' })).body;
    const second = (await hook(used, 'POST', '', { content: 'Low' })).body;
    expect((await hook(used, 'GET', '/messages/@original')).body.id).toBe(first.id);
    expect(second).toMatchObject({
      type: 19,
      message_reference: { message_id: first.id },
      interaction_metadata: { original_response_message_id: first.id },
    });
  });

  it('to a component edits the message of the component [W-3]', async () => {
    const { message, click } = await clicked();
    await platform.answer(click, { type: 6 });
    expect((await platform.hook(click, 'GET', '/messages/@original')).body.content).toBe('Ready?');
    await platform.hook(click, 'PATCH', '/messages/@original', { content: 'Gone', components: [] });
    expect(platform.emulator.tables.messages.get(message)).toMatchObject({ content: 'Gone' });
    const further = (await platform.hook(click, 'POST', '', { content: 'x' })).body;
    expect(further.id).not.toBe(message);
  });
});

describe('an ephemeral message', () => {
  it('is readable by its token alone, and is not exported [W-3]', async () => {
    const { use, answer, hook, ask, emulator } = platform;
    const used = use();
    const before = emulator.exportState();
    const json = { type: 4, data: { content: 'Psst', flags: EPHEMERAL, components: [BUTTON] } };
    const { body } = await answer(used, json, '?with_response=true');
    const { id, flags } = body.resource.message;
    expect([flags, body.interaction.response_message_ephemeral]).toEqual([EPHEMERAL, true]);
    expect(emulator.exportState()).toBe(before);
    expect((await ask(`GET /channels/${ids.general}/messages/${id}`)).body.code).toBe(10008);
    const listed = (await ask(`GET /channels/${ids.general}/messages`)).body;
    expect(listed.map((one: { id: string }) => one.id)).not.toContain(id);
    expect((await hook(used, 'PATCH', '/messages/@original', { content: 'Hush' })).body.content).toBe('Hush');
    expect((await hook(used, 'GET', `/messages/${id}`)).body.flags).toBe(EPHEMERAL);
    // Nobody else uses what is on it.
    const data = { custom_id: 'go', component_type: 2, id: 2 };
    expect(() => use({ type: 3, message: id, user: ids.heron, data })).toThrow(
      'is ephemeral for another user',
    );
    const click = use({ type: 3, message: id, data });
    await answer(click, { type: 7, data: { content: 'Pressed', components: [] } });
    expect((await hook(used, 'GET', '/messages/@original')).body.content).toBe('Pressed');
    await hook(used, 'DELETE', '/messages/@original');
    expect((await hook(used, 'GET', '/messages/@original')).body.code).toBe(10008);
    expect(emulator.exportState()).toBe(before);
  });

  it('stores its files until it is deleted [W-3]', async () => {
    const { use, call, hook, emulator } = platform;
    const used = use();
    const body = new FormData();
    body.set('payload_json', JSON.stringify({ type: 4, data: { flags: EPHEMERAL } }));
    body.set('files[0]', new Blob(['tides']), 'map.txt');
    const where = `POST /interactions/${used.id}/${used.token}/callback?with_response=true`;
    const [file] = (await call(where, { body })).body.resource.message.attachments;
    expect(await (await fetch(file.url)).text()).toBe('tides');
    await hook(used, 'DELETE', '/messages/@original');
    expect([...emulator.tables.ephemeral_attachments]).toEqual([]);
    expect((await fetch(file.url)).status).toBe(404);
  });
});

describe('the token of an interaction', () => {
  it('is valid for 15 minutes of the clock [W-3]', async () => {
    const { use, answer, hook, emulator } = platform;
    const used = use();
    await answer(used, { type: 4, data: { content: 'x' } });
    emulator.clock.advance(14 * 60_000);
    const further = await hook(used, 'POST', '', { content: 'y', flags: EPHEMERAL });
    expect(further.body.flags).toBe(EPHEMERAL);
    expect(emulator.interactions.followUps(used.id)).toMatchObject([{ content: 'y' }]);
    emulator.clock.advance(60_000);
    const rest = `/messages/${further.body.id}`;
    const asked = [
      ['POST', ''],
      ['GET', rest],
      ['PATCH', rest],
      ['DELETE', rest],
      ['GET', '/messages/@original'],
    ] as const;
    for (const [method, path] of asked) {
      const { status, body } = await hook(
        used,
        method,
        path,
        method === 'GET' ? undefined : { content: 'z' },
      );
      expect([status, body.code], `${method} ${path}`).toEqual([401, 50027]);
    }
  });

  it('is refused before the first response, and for messages outside the interaction [W-3]', async () => {
    const { use, answer, hook, ask } = platform;
    const used = use();
    expect((await hook(used, 'POST', '', { content: 'x' })).body.code).toBe(10015);
    expect((await hook({ ...used, token: 'x' }, 'POST', '', { content: 'x' })).body.code).toBe(50027);
    await answer(used, { type: 4, data: { content: 'x' } });
    const { body } = await ask(`POST /channels/${ids.general}/messages`, { content: 'other' });
    expect((await hook(used, 'GET', `/messages/${body.id}`)).body.code).toBe(10008);
  });
});

describe('an interaction of a user', () => {
  it.each([
    [{ application: '300000000000000099' }, 'not written down'],
    [{ user: APP }, 'is a bot'],
    [{ user: '1' }, 'no such user'],
    [{ channel: ids.hidden }, 'no such channel'],
    [{ type: 3, message: '1' }, 'no such message'],
    [{ type: 5, from: '1' }, 'no modal'],
  ] as const)('is refused when the client would not allow it: %j [W-3]', (given, reason) => {
    expect(() => platform.use(given)).toThrow(reason);
    expect([...platform.emulator.tables.interactions]).toEqual([]);
  });
});
