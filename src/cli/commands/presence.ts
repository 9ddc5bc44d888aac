import { defineCommand, flag, textOption } from '../command.ts';
import { usage } from '../parse.ts';
import { activityOf, activityOptions, endOf } from '../presence/activity-options.ts';
import { TEMPLATE_FIELDS } from '../presence/entry.ts';

const group = 'consent';
const config = textOption('FILE', 'configuration file (default: that of the running bridge)');
const app = { name: 'APP', help: 'id or name, as "footbridge presence" lists it' } as const;
const RULES = 'The rule is written to the configuration file, and the running bridge applies it at once.';

/** Loaded late: help and completions need no client of the bridge. */
const lists = () => import('../presence/list.ts');
const rules = () => import('../presence/rules.ts');
const own = () => import('../presence/show.ts');

/** `footbridge presence`. */
export const presenceList = defineCommand({
  name: 'presence',
  summary: 'List what each app shows, where it goes, and why',
  group,
  positionals: [
    { name: 'list', help: 'the list, which is the default', arity: 'optional', choices: ['list'] },
  ],
  options: {
    follow: flag('print the list again after each change', { short: 'f' }),
    format: textOption('TEMPLATE', 'one line an app, such as "{{app}}: {{details}}"'),
  },
  json: true,
  details: [
    'Rules [[presence]] of the configuration hide apps, drop or replace what they say, and let one give way to another.',
    `Fields of --format: ${TEMPLATE_FIELDS.join(', ')}. Only what others see is there: an app that is hidden has no details.`,
    'With --follow --json, each line is one object with running, paused, entries and unusedRules.',
    'See: footbridge help presence-rules',
  ],
  examples: [
    ['footbridge presence', 'Each app, with the rule that shows or hides it'],
    ['footbridge presence --format "{{app}}: {{details}}"', 'One line an app'],
  ],
  async run({ values: { follow, format }, json }, io) {
    const { followPresences, printPresences } = await lists();
    if (json && format !== undefined)
      throw usage('--json and --format exclude each other.', { name: 'presence' });
    return follow === true ? followPresences({ json, format }, io) : printPresences({ json, format }, io);
  },
});

/** `footbridge presence test`. */
export const presenceTest = defineCommand({
  name: 'presence test',
  summary: 'Print what others would see of an activity',
  group,
  options: { ...activityOptions, program: textOption('NAME', 'program that would show it') },
  json: true,
  examples: [
    [
      'footbridge presence test --client-id 300000000000000001 --details "secret.txt"',
      'Which rule decides, and what is left',
    ],
  ],
  async run({ values, json }, io) {
    const { program } = values;
    const tried = activityOf(values, 'presence test');
    const { testActivity } = await own();
    return testActivity({ ...tried, ...(program === undefined ? {} : { program }) }, json, io);
  },
});

/** `footbridge presence set`. */
export const presenceSet = defineCommand({
  name: 'presence set',
  summary: 'Show an activity of your own',
  group,
  options: {
    ...activityOptions,
    hold: flag('keep it after the command and restarts, until footbridge presence clear'),
    for: textOption('TIME', 'end of a held activity, such as 2h'),
  },
  json: true,
  examples: [
    [
      'footbridge presence set --client-id 300000000000000001 --details "On a walk" --hold --for 2h',
      'For two hours',
    ],
  ],
  async run({ values, json }, io) {
    const shown = activityOf(values, 'presence set');
    if (values.for !== undefined && values.hold !== true)
      throw usage('--for needs --hold.', { name: 'presence set' });
    const { holdActivity, showActivity } = await own();
    if (values.hold !== true) return showActivity(shown, json, io);
    return holdActivity({ ...shown, until: endOf(values.for, 'presence set') }, json, io);
  },
});

/** `footbridge presence clear`. */
export const presenceClear = defineCommand({
  name: 'presence clear',
  summary: 'End the held activities, or that of one app',
  group,
  positionals: [{ ...app, arity: 'optional' }],
  json: true,
  examples: [['footbridge presence clear', 'Every one']],
  async run({ positionals: [word], json }, io) {
    return (await own()).clearActivities(word, json, io);
  },
});

/** `footbridge presence hide APP`. */
export const presenceHide = defineCommand({
  name: 'presence hide',
  summary: 'Hide an app',
  group,
  positionals: [{ ...app, arity: 'one' }],
  options: { config },
  json: true,
  details: [RULES, 'The app does not notice.'],
  examples: [['footbridge presence hide 300000000000000001', 'It shows nothing from now on']],
  async run({ values, positionals: [word = ''], json }, io) {
    return (await rules()).writeVisibility(word, true, { config: values.config, json }, io);
  },
});

/** `footbridge presence show APP`. */
export const presenceShow = defineCommand({
  name: 'presence show',
  summary: 'Show an app, although other rules hide it',
  group,
  positionals: [{ ...app, arity: 'one' }],
  options: { config },
  json: true,
  details: [RULES, 'Rules that drop or replace what the app says still do.'],
  examples: [['footbridge presence show 300000000000000001', 'It is shown again']],
  async run({ values, positionals: [word = ''], json }, io) {
    return (await rules()).writeVisibility(word, false, { config: values.config, json }, io);
  },
});

/** `footbridge presence prefer APP…`. */
export const presencePrefer = defineCommand({
  name: 'presence prefer',
  summary: 'Set which apps come first',
  group,
  positionals: [{ ...app, arity: 'any' }],
  options: { config },
  json: true,
  details: [RULES, 'It replaces the order that was set before; without an app, none is preferred.'],
  examples: [
    ['footbridge presence prefer 300000000000000001 300000000000000002', 'The first before the second'],
  ],
  async run({ values, positionals, json }, io) {
    return (await rules()).writeOrder(positionals, { config: values.config, json }, io);
  },
});

/** `footbridge presence reload`. */
export const presenceReload = defineCommand({
  name: 'presence reload',
  summary: 'Apply the rules of the configuration file after you changed it',
  group,
  json: true,
  details: ['A mistake in the file changes nothing; the message names its line.'],
  examples: [['footbridge presence reload', 'The rules that you have just written']],
  async run({ json }, io) {
    return (await rules()).reloadRules(json, io);
  },
});

/** `footbridge presence pause`. */
export const presencePause = defineCommand({
  name: 'presence pause',
  summary: 'Show nothing for some time, or until resume',
  group,
  options: { for: textOption('TIME', 'how long, such as 1h') },
  json: true,
  examples: [['footbridge presence pause --for 1h', 'For an hour, also over a restart of the bridge']],
  async run({ values, json }, io) {
    return (await own()).pausePresence(endOf(values.for, 'presence pause'), json, io);
  },
});

/** `footbridge presence resume`. */
export const presenceResume = defineCommand({
  name: 'presence resume',
  summary: 'End a pause',
  group,
  json: true,
  examples: [['footbridge presence resume', 'Everything is shown again, as the rules say']],
  async run({ json }, io) {
    return (await own()).resumePresence(json, io);
  },
});
