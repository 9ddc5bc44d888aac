import { didYouMean } from '../base/nearest.ts';
import { StepFailure } from './place.ts';
import { channelName, type Run, type SeenInteraction } from './run.ts';
import type { Acts, Changes } from './schema.ts';

/** Performs the acts of users and the changes of the operator, by the kind of the step. */
export const performers: {
  readonly [Kind in keyof (Acts & Changes)]: (run: Run, step: (Acts & Changes)[Kind]) => Promise<void>;
} = {
  async say(run, { as, say, in: channel, save }) {
    await run.acting(as);
    await write(run, { channel: channelName(channel), text: say }, as, save);
  },
  async reply(run, { as, reply, on, save }) {
    const { id, channel } = run.message(on);
    await run.acting(as);
    await write(run, { channel, text: reply, reply: id }, as, save);
  },
  async edit(run, { edit, on }) {
    await run.call('message.edit', { id: run.message(on).id, text: edit }, 'edit');
  },
  async delete(run, { as, on }) {
    await run.call('message.delete', { id: run.message(on).id, ...(await run.acting(as)) }, 'delete');
  },
  async type(run, { as, type }) {
    await run.call('channel.type', { channel: channelName(type), ...(await run.acting(as)) }, 'type');
  },
  async react(run, { as, react, on }) {
    await run.call(
      'message.react',
      { message: run.message(on).id, emoji: react, ...(await run.acting(as)) },
      'react',
    );
  },
  async unreact(run, { as, unreact, on }) {
    const args = { message: run.message(on).id, emoji: unreact, ...(await run.acting(as)) };
    await run.call('message.unreact', args, 'unreact');
  },
  async vote(run, { as, vote, on }) {
    const args = { message: run.message(on).id, answers: [vote].flat(), ...(await run.acting(as)) };
    await run.call('poll.vote', args, 'vote');
  },
  async slash(run, { as, slash, options = {}, in: place, app, target, on, becomes, save }) {
    const user = await run.acting(as);
    const where = await placeOf(run, place);
    const id = app ?? (await applicationOf(run, slash, where.channel, user));
    const subject = on === undefined ? target : run.message(on).id;
    const args = { app: id, command: slash, options: textsOf(options), ...where, ...user };
    await interact(run, 'interaction.use', subject === undefined ? args : { ...args, target: subject }, {
      field: 'slash',
      becomes,
      save,
    });
  },
  async complete(run, { as, complete, option, options = {}, in: place, app, offers }) {
    const user = await run.acting(as);
    const where = await placeOf(run, place);
    const id = app ?? (await applicationOf(run, complete, where.channel, user, 'complete'));
    const args = { app: id, command: complete, option, options: textsOf(options), ...where, ...user };
    const {
      choices = [],
      state,
      reason,
    } = await run.call<SeenInteraction>('interaction.autocomplete', args, 'complete');
    if (state !== 'choices') throw noAnswer(state, reason, 'complete');
    const names = choices.map(({ name }) => name);
    const missing = offers.filter((name) => !names.includes(name));
    if (missing.length === 0) return;
    const facts = { actual: names.join(', ') || 'no choices', expected: offers.join(', ') };
    throw new StepFailure('the bot offers other choices', facts, 'offers');
  },
  async click(run, { as, click, on, becomes, save }) {
    const args = { message: run.message(on).id, button: click, ...(await run.acting(as)) };
    await interact(run, 'interaction.click', args, { field: 'click', becomes, save });
  },
  async choose(run, { as, choose, select, on, becomes, save }) {
    const message = run.message(on);
    const user = await run.acting(as);
    const args = {
      message: message.id,
      select: select ?? (await selectOf(run, message)),
      values: [choose].flat(),
      ...user,
    };
    await interact(run, 'interaction.choose', args, { field: 'choose', becomes, save });
  },
  async submit(run, { as, submit, on, becomes, save }) {
    const args = { id: run.interaction(on), fields: textsOf(submit), ...(await run.acting(as)) };
    await interact(run, 'interaction.submit', args, { field: 'submit', becomes, save });
  },
  async join(run, { as, join }) {
    const user = await userOf(run, as);
    await run.call('voice.join', { user, channel: channelName(join) }, 'join');
  },
  async leave(run, { as }) {
    await run.call('voice.leave', { user: await userOf(run, as) }, 'leave');
  },
  async speak(run, { as, speak }) {
    await run.call('voice.speak', { user: await userOf(run, as), on: speak }, 'speak');
  },
  async operate(run, { operate, args = {}, save }) {
    const result = await run.call<unknown>(operate, run.filled(args) as object, 'operate');
    const { id } = Object(result) as { readonly id?: unknown };
    run.save(save, typeof id === 'string' ? { id } : {});
  },
  async advance(run, { advance }) {
    run.undo.push(() => run.call('clock.reset', {}));
    await run.call('clock.advance', { by: advance }, 'advance');
  },
  async time(run, { time }) {
    const back = { lock: 'clock.unlock', freeze: 'clock.reset', unlock: undefined, run: undefined }[time];
    if (back !== undefined) run.undo.push(() => run.call(back, {}));
    await run.call(`clock.${time}`, {}, 'time');
  },
  async fault(run, step) {
    if (step.fault === 'none') return void (await run.call('fault.remove', {}, 'fault'));
    const { id } = await run.call<{ readonly id: string }>('fault.add', step, 'fault');
    // An earlier step may have removed it.
    run.undo.push(() => run.call('fault.remove', { id }).catch(() => undefined));
  },
};

/** Id of the user who acts, by name; of the logged-in one by default. @throws StepFailure */
async function userOf(run: Run, name: string | undefined): Promise<string> {
  const named = name ?? (await run.call<{ readonly username: string }>('user.view', {})).username;
  const { id } = await run.user(named, 'as');
  run.actor = id;
  return id;
}

async function placeOf(run: Run, place: string | undefined): Promise<{ readonly channel?: string }> {
  const channel = place === undefined ? run.channel : channelName(place);
  run.channel = channel;
  return channel === undefined ? {} : { channel };
}

async function write(
  run: Run,
  args: { readonly channel: string; readonly text: string; readonly reply?: string },
  as: string | undefined,
  save: string | undefined,
): Promise<void> {
  const author = as === undefined ? {} : { author: (await run.user(as, 'as')).id };
  const { id, channel } = await run.call<{ readonly id: string; readonly channel: string }>(
    'channel.say',
    { ...args, ...author },
    args.reply === undefined ? 'in' : 'reply',
  );
  run.channel = args.channel;
  run.known.add(id);
  run.save(save, { message: { id, channel }, id });
}

/** Values of options and fields, in which numbers and switches are texts. */
function textsOf(
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    Object.entries(options).map(([name, one]) => [name, Array.isArray(one) ? one.map(String) : String(one)]),
  );
}

/** The only application whose command a user may use there. @throws StepFailure */
async function applicationOf(
  run: Run,
  command: string,
  channel: string | undefined,
  user: { readonly user?: string },
  field = 'slash',
): Promise<string> {
  const isTyped = command.startsWith('/');
  const name = isTyped ? (command.slice(1).split(' ', 1)[0] ?? '') : command;
  const where = channel ?? (await firstChannel(run));
  const all = await run.call<
    readonly {
      readonly type: number;
      readonly name: string;
      readonly application: { readonly id: string; readonly name: string };
    }[]
  >('interaction.commands', { channel: where, ...user }, channel === undefined ? field : 'in');
  const found = all.filter((one) => one.name === name && (one.type === 1) === isTyped);
  const [first, second] = found;
  if (first === undefined) {
    const names = all.map((one) => (one.type === 1 ? `/${one.name}` : one.name));
    throw new StepFailure(
      `no bot offers ${command} there.${didYouMean(isTyped ? `/${name}` : name, names)}`,
      {
        actual: names.join(', ') || 'no command',
        remedy:
          'See that the bot registers the command before it is ready, and may be used by this user in this channel.',
      },
      field,
    );
  }
  if (second === undefined) return first.application.id;
  const names = found.map(({ application }) => application.name).join(', ');
  throw new StepFailure(
    `several applications have ${command}: ${names}`,
    { remedy: 'Name one with app.' },
    field,
  );
}

async function firstChannel(run: Run): Promise<string> {
  const channels = await run.call<readonly { readonly id: string; readonly type: string }[]>(
    'channel.list',
    {},
  );
  return channels.find(({ type }) => type === 'text')?.id ?? '';
}

/** Custom id of the only select of a message. @throws StepFailure */
async function selectOf(run: Run, { id }: { readonly id: string }): Promise<string> {
  const seen = await run.seen(id, run.actor);
  const ids = partsOf(seen?.message.components ?? []).flatMap((part) =>
    SELECTS.includes(Number(part['type'])) ? [String(part['custom_id'])] : [],
  );
  const [first, second] = ids;
  if (first !== undefined && second === undefined) return first;
  const what =
    first === undefined ? 'the message has no select' : `the message has several selects: ${ids.join(', ')}`;
  throw new StepFailure(what, first === undefined ? {} : { remedy: 'Name one with select.' }, 'choose');
}

const SELECTS: readonly number[] = [3, 5, 6, 7, 8];

/** All components, also those inside of others. */
export function partsOf(components: readonly object[]): readonly Readonly<Record<string, unknown>>[] {
  return components.flatMap((one) => {
    const part = one as Readonly<Record<string, unknown>>;
    const inner = [part['components'], part['accessory'], part['component']]
      .flat()
      .filter((value) => typeof value === 'object' && value !== null);
    return [part, ...partsOf(inner as readonly object[])];
  });
}

async function interact(
  run: Run,
  operation: string,
  args: object,
  {
    field,
    becomes,
    save,
  }: { readonly field: string; readonly becomes: string | undefined; readonly save: string | undefined },
): Promise<void> {
  const result = await run.call<SeenInteraction>(operation, args, field);
  run.channel = result.channel.id;
  run.became = result.state;
  const { message } = result;
  run.save(save, {
    interaction: result.id,
    ...(message === undefined ? {} : { message: { id: message.id, channel: message.channel_id } }),
  });
  if (becomes === result.state) return;
  if (['failed', 'waiting'].includes(result.state))
    throw noAnswer(result.state, result.reason, field, result.application.name);
  if (becomes === undefined) return;
  const facts = {
    actual: result.state + (result.reason === undefined ? '' : `: ${result.reason}`),
    expected: becomes,
  };
  throw new StepFailure('the interaction became something else', facts, 'becomes');
}

function noAnswer(state: string, reason: string | undefined, field: string, name = 'the bot'): StepFailure {
  return new StepFailure(
    `${name} did not answer`,
    {
      actual: reason ?? state,
      expected: 'an answer within 3 s',
      remedy:
        'See that its handler of this interaction runs to an answer, and that nothing blocks its process.',
    },
    field,
  );
}
