import { describe, expect, it } from 'vitest';
import type { Interaction } from '../../../src/emulator/interactions/records.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';
import { type UsedPlatform, usedPlatform } from '../../helpers/used-application.ts';

const OTHER = ids.lighthouse;
const THREAD = '912';
const BUTTON = [{ type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] }];
const MODAL = {
  custom_id: 'form',
  title: 'Form',
  components: [{ type: 18, label: 'Name', component: { type: 4, custom_id: 'name', style: 1 } }],
};
const EPHEMERAL = 64;
const LOADING = 128;
const SUPPRESS_EMBEDS = 4;
const message = (content: string, flags = 0) => ({ type: 4, data: { content, flags } });
const withResponse = '?with_response=true';

/** Answers a command with a message that has a button; the message, and a click on the button. */
async function clicked({ use, answer }: UsedPlatform, flags = 0) {
  const command = use();
  const data = { content: 'Ready?', components: BUTTON, flags };
  const { body } = await answer(command, { type: 4, data }, withResponse);
  const { id } = body.resource.message;
  const click = () => use({ type: 3, message: id, data: { custom_id: 'go', component_type: 2, id: 2 } });
  return { command, message: id as string, click };
}

describe('the message that answers an interaction', () => {
  it('is of the kind of what was used, and refers to it', async () => {
    const platform = await usedPlatform();
    const { use, answer, ask } = platform;
    const kind = async (used: Interaction, flags = 0) => {
      const { body } = await answer(used, message('x', flags), withResponse);
      const { type, message_reference, referenced_message } = body.resource.message;
      return [type, message_reference?.message_id, referenced_message?.id];
    };
    const command = (data: object) => use({ data: { id: '920', name: 'tide', ...data } });
    expect(await kind(command({ type: 1 }))).toEqual([20, undefined, undefined]);
    expect(await kind(command({}))).toEqual([20, undefined, undefined]);
    expect(await kind(command({ type: 2, target_id: ids.otter }))).toEqual([23, undefined, undefined]);
    expect(await kind(command({ type: 3 }))).toEqual([23, undefined, undefined]);

    const shown = await clicked(platform);
    expect(await kind(shown.click())).toEqual([19, shown.message, shown.message]);
    expect(await kind(shown.click(), EPHEMERAL)).toEqual([19, shown.message, shown.message]);
    const opening = shown.click();
    await answer(opening, { type: 9, data: MODAL });
    const submit = (from: string) => use({ type: 5, from, data: { custom_id: 'form', components: [] } });
    expect(await kind(submit(opening.id))).toEqual([19, shown.message, shown.message]);
    const used = use();
    await answer(used, { type: 9, data: MODAL });
    expect(await kind(submit(used.id))).toEqual([20, undefined, undefined]);

    // Nobody else could read what it would refer to.
    const hidden = await clicked(platform, EPHEMERAL);
    expect(await kind(hidden.click())).toEqual([0, undefined, undefined]);
    const late = shown.click();
    await ask(`DELETE /channels/${ids.general}/messages/${shown.message}`);
    expect(await kind(late)).toEqual([0, undefined, undefined]);
  });

  it('has the sent flags, and while it is deferred only that it is ephemeral', async () => {
    const { use, answer, hook } = await usedPlatform();
    const all = EPHEMERAL | SUPPRESS_EMBEDS;
    const flags = async (json: object) =>
      (await answer(use(), json, withResponse)).body.resource.message.flags;
    for (const sent of [0, EPHEMERAL, SUPPRESS_EMBEDS, all])
      expect(await flags(message('x', sent))).toBe(sent);
    const deferred = async (sent: number | undefined) => {
      const used = use();
      const { body } = await answer(used, { type: 5, data: { flags: sent } }, withResponse);
      const {
        response_message_id: id,
        response_message_loading,
        response_message_ephemeral,
      } = body.interaction;
      const original = (await hook(used, 'GET', '/messages/@original')).body;
      expect(body).not.toHaveProperty('resource');
      expect(original.id).toBe(id);
      expect([response_message_loading, response_message_ephemeral]).toEqual([
        true,
        (original.flags & EPHEMERAL) > 0,
      ]);
      return original.flags;
    };
    expect(await deferred(all)).toBe(LOADING | EPHEMERAL);
    expect(await deferred(SUPPRESS_EMBEDS)).toBe(LOADING);
    expect(await deferred(undefined)).toBe(LOADING);
  });
});

describe('the answer to an interaction in a locked thread', () => {
  const threaded = () =>
    usedPlatform({
      guilds: [
        {
          id: ids.riverBank,
          channels: [
            {
              id: THREAD,
              name: 'side',
              type: 'public_thread',
              parent: ids.general,
              owner: 'river',
              thread: { locked: true },
            },
          ],
        },
      ],
    });

  it('is ephemeral, unless the bot manages threads', async () => {
    const { use, answer, hook, only } = await threaded();
    await only('VIEW_CHANNEL', 'SEND_MESSAGES_IN_THREADS');
    const used = use({ channel: THREAD });
    for (const json of [message('x'), { type: 5 }, { type: 5, data: { flags: SUPPRESS_EMBEDS } }]) {
      expect((await answer(used, json)).body, JSON.stringify(json)).toMatchObject({ code: 160005 });
    }
    expect((await answer(use({ channel: THREAD }), { type: 5, data: { flags: EPHEMERAL } })).status).toBe(
      204,
    );
    expect((await answer(used, message('x', EPHEMERAL))).status).toBe(204);
    expect((await hook(used, 'POST', '', { content: 'y' })).body).toMatchObject({ code: 160005 });
    expect((await hook(used, 'POST', '', { content: 'y', flags: EPHEMERAL })).status).toBe(200);
    await only('VIEW_CHANNEL', 'MANAGE_THREADS');
    expect((await hook(used, 'POST', '', { content: 'y' })).status).toBe(200);
    expect((await answer(use({ channel: THREAD }), { type: 5 })).status).toBe(204);
  });
});

describe('a message by the token of an interaction', () => {
  it('is found by its own interaction only, also the one whose component was used', async () => {
    const platform = await usedPlatform();
    const { use, answer, hook } = platform;
    const [one, other] = [use(), use()];
    for (const used of [one, other]) await answer(used, message('x'));
    const own = (await hook(one, 'POST', '', { content: 'own' })).body.id;
    const foreign = (await hook(other, 'POST', '', { content: 'foreign' })).body.id;
    expect((await hook(one, 'GET', `/messages/${own}`)).body.content).toBe('own');
    const refusals = async (used: Interaction, path: string) => {
      const answers = ['GET', 'PATCH', 'DELETE'].map((method) =>
        hook(used, method, path, method === 'PATCH' ? { content: 'y' } : undefined),
      );
      return (await Promise.all(answers)).map(({ status, body }) => [status, body.code]);
    };
    const unknown = Array(3).fill([404, 10008]);
    expect(await refusals(one, `/messages/${foreign}`)).toEqual(unknown);
    expect(await refusals(one, '/messages/1')).toEqual(unknown);

    const { command, message: shown, click } = await clicked(platform);
    expect(await refusals(one, `/messages/${shown}`)).toEqual(unknown);
    const [updating, answering] = [click(), click()];
    await answer(updating, { type: 7, data: { content: 'Gone' } });
    expect((await hook(updating, 'GET', `/messages/${shown}`)).body.content).toBe('Gone');
    expect((await hook(updating, 'GET', '/messages/@original')).body.id).toBe(shown);
    await answer(answering, message('x'));
    expect(await refusals(answering, `/messages/${shown}`)).toEqual(unknown);

    await hook(command, 'DELETE', '/messages/@original');
    expect(await refusals(updating, '/messages/@original')).toEqual(unknown);
    expect(await refusals(updating, `/messages/${shown}`)).toEqual(unknown);
  });

  it.each([
    ['a modal', { type: 9, data: MODAL }],
    ['an offer of premium', { type: 10 }],
  ])('is written after %s, which has no original', async (_, json) => {
    const { use, answer, hook, emulator } = await usedPlatform();
    const used = use();
    expect((await answer(used, json, withResponse)).body).toEqual({
      interaction: { id: used.id, type: 2, channel_id: ids.general, guild_id: ids.riverBank },
    });
    expect((await hook(used, 'GET', '/messages/@original')).body.code).toBe(10008);
    const { body } = await hook(used, 'POST', '', { content: 'x' });
    expect(body).toMatchObject({ type: 0, content: 'x', interaction_metadata: { id: used.id } });
    expect(body).not.toHaveProperty('message_reference');
    expect(body.interaction_metadata).not.toHaveProperty('original_response_message_id');
    expect(emulator.interactions.followUps(used.id).map(({ id }) => id)).toEqual([body.id]);
  });

  it('is none before an answer, after choices, and with the token of another application', async () => {
    const { use, answer, hook, call } = await usedPlatform();
    const [waiting, typing, answered] = [use(), use({ type: 4 }), use()];
    await answer(typing, { type: 8, data: { choices: [] } });
    await answer(answered, message('x'));
    const json = { content: 'x' };
    for (const used of [waiting, typing]) {
      expect((await hook(used, 'POST', '', json)).body.code).toBe(10015);
      expect((await hook(used, 'GET', '/messages/@original')).body.code).toBe(10015);
    }
    const by = async (application: string, token: string) => {
      const { status, body } = await call(`POST /webhooks/${application}/${token}`, { json });
      return [status, body.code];
    };
    expect(await by(OTHER, answered.token)).toEqual([401, 50027]);
    expect(await by(APP, 'x')).toEqual([401, 50027]);
    expect(await by('77', answered.token)).toEqual([404, 10015]);
  });

  it('fills a deferred answer, which then counts as written and not as edited', async () => {
    const { use, answer, hook, emulator } = await usedPlatform();
    const edited = async (sent: number) => {
      const used = use();
      await answer(used, { type: 5, data: { flags: sent } });
      const filled = (await hook(used, 'POST', '', { content: 'High', flags: 0 })).body;
      expect(emulator.interactions.get(used.id)?.state).toEqual({
        kind: 'answered',
        by: 5,
        message: filled.id,
      });
      const again = (await hook(used, 'PATCH', '/messages/@original', { content: 'Low' })).body;
      expect([filled.content, filled.edited_timestamp, again.content]).toEqual(['High', null, 'Low']);
      expect(again.edited_timestamp).toEqual(expect.any(String));
      return [filled.flags, again.flags];
    };
    expect(await edited(0)).toEqual([0, 0]);
    expect(await edited(EPHEMERAL)).toEqual([EPHEMERAL, EPHEMERAL]);
  });

  it('does not fill a deferred answer that was deleted', async () => {
    const { use, answer, hook, emulator } = await usedPlatform();
    const used = use();
    await answer(used, { type: 5 });
    const loading = (await hook(used, 'GET', '/messages/@original')).body.id;
    expect((await hook(used, 'DELETE', '/messages/@original')).status).toBe(204);
    const { body } = await hook(used, 'POST', '', { content: 'High' });
    expect(body).toMatchObject({ type: 0, content: 'High' });
    expect(body.id).not.toBe(loading);
    expect(emulator.interactions.get(used.id)?.state).toMatchObject({ kind: 'deferred', message: loading });
  });

  it('completes a deferred update only where the message of the component is edited', async () => {
    const platform = await usedPlatform();
    const { answer, hook, emulator } = platform;
    const { message: shown, click } = await clicked(platform);
    const used = click();
    await answer(used, { type: 6 });
    const finished = emulator.interactions.finished(used.id);
    const state = () => emulator.interactions.get(used.id)?.state;
    const { body: further } = await hook(used, 'POST', '', { content: 'x' });
    expect(further).toMatchObject({ type: 19, message_reference: { message_id: shown } });
    await hook(used, 'PATCH', `/messages/${further.id}`, { content: 'y' });
    expect(state()).toEqual({ kind: 'deferred', by: 6, message: shown });
    const { body } = await hook(used, 'PATCH', `/messages/${shown}`, { content: 'Done' });
    expect(body.edited_timestamp).toEqual(expect.any(String));
    expect(state()).toEqual({ kind: 'answered', by: 6, message: shown });
    await finished;
    expect(emulator.userActions.viewOf(used.id)).toMatchObject({
      state: 'answered',
      is_update: true,
      message: { id: shown },
    });
  });
});

describe('an update of the message of a component', () => {
  it.each([{ type: 7 }, { type: 7, data: {} }])('changes nothing with %j', async (json) => {
    const platform = await usedPlatform();
    const { message: shown, click } = await clicked(platform);
    const { body } = await platform.answer(click(), json, withResponse);
    expect(body.resource).toMatchObject({
      type: 7,
      message: { id: shown, content: 'Ready?', edited_timestamp: null },
    });
  });

  it('is refused with its path, or where the message is gone', async () => {
    const platform = await usedPlatform();
    const { answer, ask, emulator } = platform;
    const { message: shown, click } = await clicked(platform);
    const [one, other] = [click(), click()];
    const long = await answer(one, { type: 7, data: { content: 'x'.repeat(2001) } });
    expect(long.body).toMatchObject({ code: 50035, errors: { data: { content: { _errors: [{}] } } } });
    const { body } = await answer(one, { type: 7, data: { components: [...BUTTON, ...BUTTON] } });
    expect(Object.keys(body.errors)).toEqual(['data']);
    await ask(`DELETE /channels/${ids.general}/messages/${shown}`);
    expect((await answer(other, { type: 7, data: { content: 'x' } })).body.code).toBe(10008);
    expect(emulator.interactions.get(other.id)?.state).toEqual({ kind: 'waiting' });
  });
});

describe('the outcome of an interaction', () => {
  it.each([
    ['premium', { type: 10 }, { state: 'premium' }],
    [
      'choices without gaps',
      { type: 8, data: { choices: [null, { name: 'One', value: 1 }] } },
      { state: 'choices', choices: [{ name: 'One', value: 1 }] },
    ],
    ['no choices', { type: 8, data: {} }, { state: 'choices', choices: [] }],
  ])('is %s', async (_, json, outcome) => {
    const { use, answer, emulator } = await usedPlatform();
    const used = use(json.type === 8 ? { type: 4 } : {});
    expect((await answer(used, json)).status).toBe(204);
    await emulator.interactions.settled(used.id);
    await emulator.interactions.finished(used.id);
    expect(emulator.userActions.viewOf(used.id)).toMatchObject(outcome);
  });

  const INT = { code: 'NUMBER_TYPE_COERCE', message: 'Value is not int.' };
  const FLOAT = { code: 'NUMBER_TYPE_COERCE', message: 'Value is not float.' };
  const TEXT = { code: 'STRING_TYPE_CONVERT', message: 'Could not interpret the value as string.' };
  it('has choices of the type of the option that is typed, at any depth', async () => {
    const { use, answer } = await usedPlatform();
    const typed = (type: number) => ({ name: 'x', type, value: '', focused: true });
    const beside = { name: 'y', type: 3, value: '' };
    const rows: readonly (readonly [options: unknown, value: string | number, fault?: object])[] = [
      [[beside, typed(4)], 5],
      [[beside, typed(4)], 1.5, INT],
      [[beside, typed(4)], 2 ** 53, INT],
      [[beside, typed(4)], 'x', INT],
      [[typed(10)], 1.5],
      [[typed(10)], 'x', FLOAT],
      [[typed(3)], 'x'],
      [[typed(3)], 5, TEXT],
      [[{ name: 'sub', type: 1, options: [beside, typed(4)] }], 'x', INT],
      [[{ name: 'group', type: 2, options: [{ name: 'sub', type: 1, options: [typed(3)] }] }], 5, TEXT],
      [[{ name: 'sub', type: 1, options: [] }, typed(3)], 5, TEXT],
      [[beside], 5],
      [undefined, 5],
    ];
    for (const [options, value, fault] of rows) {
      const used = use({ type: 4, data: { id: '920', name: 'tide', type: 1, options } });
      const good = typeof value === 'number' && fault === TEXT ? 'x' : fault === undefined ? value : 1;
      const choices = [
        { name: 'a', value: good },
        { name: 'b', value },
      ];
      const { status, body } = await answer(used, { type: 8, data: { choices } });
      const told = JSON.stringify([options, value, body]);
      expect(status, told).toBe(fault === undefined ? 204 : 400);
      if (fault !== undefined)
        expect(body.errors, told).toEqual({ data: { choices: { 1: { value: { _errors: [fault] } } } } });
    }
  });
});
