import * as z from 'zod';

// Scenarios, declared once: the reader validates files with these schemas, editors complete files by the JSON schema
// that `npm run gen` writes from them, and a test in TypeScript builds the same tree with the types below.

const DURATION = /^(?=.)(?:\d{1,6}d)?(?:\d{1,9}h)?(?:\d{1,9}m)?(?:\d{1,12}s)?(?:\d{1,15}ms)?$/;
const isSome = (text: string) => /[1-9]/.test(text);

const text = (about: string) => z.string().check(z.minLength(1), z.maxLength(4000)).describe(about);
const user = (about: string) => z.string().check(z.minLength(1), z.maxLength(100)).describe(about);
const savedName = (about: string) =>
  z
    .string()
    .check(z.regex(/^[a-z][a-z0-9_-]{0,31}$/i, 'must be letters, digits, - and _, and begin with a letter'))
    .describe(about);
const duration = (about: string) =>
  z
    .string()
    .check(
      z.regex(DURATION, 'must be a duration such as 90s, 15m or 500ms'),
      z.refine(isSome, 'must be longer than 0'),
    )
    .describe(about);
const pattern = (about: string) =>
  z
    .string()
    .check(z.minLength(1), z.maxLength(1000), z.refine(isPattern, 'must be a regular expression'))
    .describe(about);
const value = () => z.union([z.string(), z.number(), z.boolean()]);
const values = (about: string) => z.union([text(about), z.array(text(about)).check(z.minLength(1))]);

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

const as = z.optional(user('User who acts, by user name; default: the logged-in user.'));
const save = z.optional(savedName('Name by which later steps refer to the result.'));
const on = savedName('Saved message that the step is about.');
const place = z.optional(text('Channel, such as #general, or @USER for the private one with a user.'));
const outcome = z.optional(
  z
    .enum(['answered', 'deferred', 'modal', 'choices', 'premium', 'launched', 'failed'])
    .describe('What must become of the interaction; default: anything but failed.'),
);
const refused = z.optional(text('This must be refused, with these words in the reason, or with this code.'));
const app = z.optional(user('Application, by name; needed where several have such a command.'));

/** Acts of users, by the field that says what the user does. */
export const acts = {
  say: z.strictObject({
    as,
    say: text('Text of the message.'),
    in: text('Channel, such as #general, or @USER.'),
    refused,
    save,
  }),
  reply: z.strictObject({ as, reply: text('Text of the reply.'), on, refused, save }),
  edit: z.strictObject({ edit: text('New text of a message of a user.'), on, refused }),
  delete: z.strictObject({
    as,
    delete: z.literal(true).describe('The user deletes or dismisses the message.'),
    on,
    refused,
  }),
  type: z.strictObject({ as, type: text('Channel in which the user types.'), refused }),
  react: z.strictObject({ as, react: text('Emoji: the character, or NAME:ID.'), on, refused }),
  unreact: z.strictObject({ as, unreact: text('Emoji of the reaction that is taken back.'), on, refused }),
  vote: z.strictObject({ as, vote: values('Answers of the poll, by number or text.'), on, refused }),
  slash: z.strictObject({
    as,
    slash: text('Command, such as "/ticket open", or the name of a command for users or messages.'),
    options: z.optional(
      z.record(z.string(), z.union([value(), z.array(z.string())])).describe('Options by name.'),
    ),
    in: place,
    app,
    target: z.optional(user('User of a command for users.')),
    on: z.optional(savedName('Saved message of a command for messages.')),
    refused,
    becomes: outcome,
    save,
  }),
  complete: z.strictObject({
    as,
    complete: text('Command that is being typed, such as "/search".'),
    option: user('Option that is being typed.'),
    options: z.optional(
      z.record(z.string(), value()).describe('Options so far, also the one that is being typed.'),
    ),
    in: place,
    app,
    offers: z.array(text('Name of a choice.')).describe('Choices that must be offered.'),
  }),
  click: z.strictObject({
    as,
    click: text('Label or custom id of a button.'),
    on,
    refused,
    becomes: outcome,
    save,
  }),
  choose: z.strictObject({
    as,
    choose: values('Values of the select, or names of users, roles and channels.'),
    select: z.optional(user('Custom id of the select; needed where the message has several.')),
    on,
    refused,
    becomes: outcome,
    save,
  }),
  submit: z.strictObject({
    as,
    submit: z
      .record(z.string(), z.union([value(), z.array(z.string())]))
      .describe('Fields of the modal by custom id.'),
    on: savedName('Saved interaction that opened the modal.'),
    refused,
    becomes: outcome,
    save,
  }),
  join: z.strictObject({ as, join: text('Voice channel.'), refused }),
  leave: z.strictObject({ as, leave: z.literal(true).describe('The user leaves the voice channel.') }),
  speak: z.strictObject({ as, speak: z.boolean().describe('Whether the user speaks.') }),
};

/** What the operator does. */
export const changes = {
  operate: z.strictObject({
    operate: text('Operation, such as guild.set.'),
    args: z.optional(
      z.record(z.string(), z.unknown()).describe('Arguments; {NAME} is the id of what was saved.'),
    ),
    refused,
    save,
  }),
  advance: z.strictObject({ advance: duration('Time by which the clock of the emulator is advanced.') }),
  time: z.strictObject({
    time: z
      .enum(['lock', 'unlock', 'freeze', 'run'])
      .describe('lock: no expectation skips time; freeze: the clock stands still.'),
  }),
  fault: z.strictObject({
    fault: text(
      'What goes wrong, such as "delay=200" or "status=503"; "none" ends all faults of the scenario.',
    ),
    command: z.optional(text('Command of the RPC protocol.')),
    route: z.optional(text('Route, such as "POST /channels/{id}/messages".')),
    webhook: z.optional(z.boolean()),
    gateway: z.optional(z.boolean()),
    application: z.optional(text('Id of an application.')),
    count: z.optional(z.int().check(z.gte(1), z.lte(1_000_000))),
    probability: z.optional(z.number().check(z.gt(0), z.lte(1))),
    seed: z.optional(z.int().check(z.gte(0))),
  }),
};

const within = z.optional(duration('Longest wait by the clock of the emulator; default 2s.'));
const contains = z.optional(text('Text that must be in it.'));
const matches = z.optional(pattern('Regular expression that must match.'));
const subset = z.optional(
  z.record(z.string(), z.unknown()).describe('Fields that it must have, with these values.'),
);

/** Expectations, by what is expected. */
export const expectations = {
  message: z.strictObject({
    expect: z.literal('message'),
    in: place,
    from: z.optional(user('Author, by user name; "bot" is the only bot.')),
    to: z.optional(user('User who sees it; default: who acted last.')),
    on: z.optional(savedName('Saved message that must have become like this.')),
    is: z.optional(text('Exact content.')),
    contains: z.optional(values('Text that must be in it, or several.')),
    matches,
    button: z.optional(text('Label of a button that it must have.')),
    disabled: z.optional(z.boolean().describe('Whether that button must be disabled.')),
    reaction: z.optional(text('Emoji of a reaction that it must have.')),
    only_to: z.optional(z.boolean().describe('Whether only that user sees it (ephemeral).')),
    with: subset,
    within,
    save,
  }),
  deleted: z.strictObject({
    expect: z.literal('deleted'),
    on,
    to: z.optional(user('User who saw it; default: who acted last.')),
    within,
  }),
  modal: z.strictObject({
    expect: z.literal('modal'),
    on: savedName('Saved interaction that must have opened a modal.'),
    contains,
    within,
  }),
  event: z.strictObject({
    expect: z.literal('event'),
    event: text('Name of an event, such as MESSAGE_CREATE.'),
    to: z.optional(user('Application that gets it, by name or id.')),
    with: subset,
    within,
    save,
  }),
  request: z.strictObject({
    expect: z.literal('request'),
    request: text('Route such as "POST /channels/{id}/messages", or a command such as SET_ACTIVITY.'),
    status: z.optional(z.int().check(z.gte(100), z.lte(599)).describe('Status of the answer.')),
    with: subset,
    within,
  }),
  webhook: z.strictObject({
    expect: z.literal('webhook'),
    type: z.optional(text('Type of the event, such as APPLICATION_DEAUTHORIZED.')),
    to: z.optional(user('Application that gets it, by name or id.')),
    status: z.optional(z.int().describe('Status of the answer.')),
    within,
  }),
  presence: z.strictObject({
    expect: z.literal('presence'),
    of: user('User, by user name; "bot" is the only bot.'),
    status: z.optional(z.enum(['online', 'idle', 'dnd', 'offline'])),
    activity: z.optional(text('Name of an activity.')),
    within,
  }),
  voice: z.strictObject({
    expect: z.literal('voice'),
    of: user('User, by user name; "bot" is the only bot.'),
    in: z.union([text('Voice channel.'), z.literal(false).describe('In no voice channel.')]),
    within,
  }),
  member: z.strictObject({
    expect: z.literal('member'),
    of: user('User, by user name; "bot" is the only bot.'),
    in: z.optional(text('Guild, by name; needed where there are several.')),
    has: z.optional(values('Roles that the member must have, by name.')),
    lacks: z.optional(values('Roles that the member must not have, by name.')),
    nick: z.optional(user('Nickname.')),
    timeout: z.optional(z.boolean().describe('Whether the member is in a timeout.')),
    gone: z.optional(z.boolean().describe('Whether the user is no member any longer.')),
    within,
  }),
  none: z.strictObject({
    expect: z.literal('none').describe('No message since the last step that no expectation has found.'),
    in: place,
    to: z.optional(user('User who sees none; default: who acted last.')),
  }),
};

/** One step. */
const step = () =>
  z.union([...Object.values(acts), ...Object.values(changes), ...Object.values(expectations)] as const);

/** One scenario with steps of a schema. */
const scenario = <T extends z.core.SomeType>(steps: T) =>
  z.strictObject({
    name: z.string().check(z.minLength(1), z.maxLength(200)).describe('Name, which --only selects.'),
    skip: z.optional(text('Reason why the scenario is not played.')),
    step: z.array(steps).check(z.minLength(1)).describe('Steps, one a line.'),
  });

const file = <T extends z.core.SomeType>(steps: T) =>
  z.strictObject({
    fixture: z.optional(
      z
        .union([z.string(), z.record(z.string(), z.unknown())])
        .describe('File beside this one, or the fixture itself.'),
    ),
    strict: z.optional(
      z.boolean().describe('Whether violations of the rules of the platform fail a scenario.'),
    ),
    fresh: z.optional(
      z
        .boolean()
        .describe('Whether each scenario starts the bot anew; for a bot that remembers what it did.'),
    ),
    quiet: z.optional(duration('Time without traffic after which a bot counts as done; default 50ms.')),
    scenario: z.array(scenario(steps)).check(z.minLength(1)),
  });

/** A file of scenarios. */
export const scenarioFile = () => file(step());

/** A file of scenarios without a look into its steps: to try all kinds on each would take most of the time of reading. */
export const scenarioFrame = () => file(z.unknown());

type Fields<T> = { readonly [Key in keyof T]: z.output<T[Key]> };
/** The acts by their names. */
export type Acts = Fields<typeof acts>;
/** The changes of the operator by their names. */
export type Changes = Fields<typeof changes>;
/** The expectations by their names. */
export type Expectations = Fields<typeof expectations>;
/** One step of a scenario. */
export type Step = Acts[keyof Acts] | Changes[keyof Changes] | Expectations[keyof Expectations];
/** One scenario. */
export interface Scenario {
  readonly name: string;
  readonly skip?: string | undefined;
  readonly step: readonly Step[];
}

/** Kind of a step: the field that names the act, or what is expected. */
export type StepKind = keyof Acts | keyof Changes | keyof Expectations;

/** The schema of each kind. */
export const kinds: Readonly<Record<StepKind, z.ZodType>> = { ...acts, ...changes, ...expectations };

/** The kind of a step; undefined where no field or several fields name one. */
export function kindOf(one: Readonly<Record<string, unknown>>): StepKind | undefined {
  if ('expect' in one)
    return Object.keys(expectations).find((kind) => kind === one['expect']) as StepKind | undefined;
  const named = [...Object.keys(acts), ...Object.keys(changes)].filter((kind) => kind in one);
  // A command names its subject with `complete`; the words of an operation are in `args`.
  return named.length === 1 ? (named[0] as StepKind) : undefined;
}
