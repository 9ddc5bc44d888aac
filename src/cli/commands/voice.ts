import type { Io } from '../../daemon/io.ts';
import { type CliPositional, defineCommand, flag, type Invocation, textOption } from '../command.ts';
import { daemonClient, printResult } from '../daemon-client.ts';
import { usage } from '../parse.ts';
import { summary, type VoiceAnswer, voiceFormats, wholeState } from '../voice/voice-text.ts';

/** Time after which a command says what it may wait for, and its time limit (ms). */
const NOTICE_MS = 1500;
const ANSWER_MS = 45_000;

const DETAILS = [
  'Works over whatever client core runs. The first time Footbridge asks for your consent, as an app does.',
  'See: footbridge help presence-and-voice',
];

const showOptions = {
  follow: flag('print a line at the start and at each change; continues when the bridge starts again'),
  format: textOption('FORMAT', 'format of the lines of --follow (default text)', {
    choices: Object.keys(voiceFormats),
  }),
} as const;

const shown = {
  group: 'bridge',
  options: showOptions,
  json: true,
  details: [
    ...DETAILS,
    'waybar: text (empty hides the module), tooltip, alt, class, percentage (input volume).',
  ],
  async run({ values, json }: Invocation<typeof showOptions>, io: Io): Promise<number> {
    const format = values.format as keyof typeof voiceFormats | undefined;
    if (values.follow === true) {
      const { followVoice } = await import('../voice/follow-voice.ts');
      return followVoice(format ?? (json ? 'json' : 'text'), io);
    }
    if (format !== undefined) throw usage('--format belongs to --follow.', { name: 'voice' });
    const state = await ask('voice.show', {}, io);
    return printResult(io, json, state, () => wholeState(state));
  },
} as const;

const voice = defineCommand({
  ...shown,
  name: 'voice',
  summary: 'Show or follow your voice: mute, deafening, channel, volumes',
  examples: [
    ['footbridge voice', 'Muted or not, and why; who is in the channel'],
    ['footbridge voice --follow --format waybar', 'A module of a bar'],
    ['footbridge voice --follow --json', 'One JSON object a line for a program'],
  ],
});

const voiceShow = defineCommand({
  ...shown,
  name: 'voice show',
  summary: 'The same',
  examples: [['footbridge voice show --json', 'The state for a script']],
});

/** Calls an operation that may wait for the user's consent. */
async function ask(operation: string, args: object, io: Io): Promise<VoiceAnswer> {
  const notice = setTimeout(
    () => io.err('footbridge: waiting; if Footbridge asks for consent, footbridge requests shows it\n'),
    NOTICE_MS,
  );
  try {
    const options = { timeoutMs: ANSWER_MS, slowness: 'expected' } as const;
    return (await daemonClient(io).call(operation, args, options)) as VoiceAnswer;
  } finally {
    clearTimeout(notice);
  }
}

interface Verb {
  readonly name: string;
  readonly summary: string;
  readonly positionals?: readonly CliPositional[];
  readonly options?: { readonly release: ReturnType<typeof flag> };
  readonly example: readonly [line: string, use: string];
  /** Arguments of `voice.change`. */
  readonly change: (words: readonly string[], release: boolean) => object;
}

const percent = (max: number): CliPositional => ({ name: 'N', help: `0 to ${max}`, arity: 'one' });

function numberOf(word: string | undefined, command: string): number {
  const text = word ?? '';
  if (/^\d{1,6}(?:\.\d{1,6})?$/.test(text)) return Number(text);
  throw usage(`${JSON.stringify(text.slice(0, 40))} is not a number such as 80.`, { name: command });
}

const verbs: readonly Verb[] = [
  {
    name: 'mute',
    summary: 'Mute yourself',
    example: ['', 'Nobody hears you'],
    change: () => ({ mute: true }),
  },
  {
    name: 'unmute',
    summary: 'Unmute yourself; ends a deafening, too',
    example: ['', 'Others hear you, unless the server mutes you'],
    change: () => ({ mute: false }),
  },
  {
    name: 'toggle-mute',
    summary: 'Mute or unmute yourself',
    example: ['', 'For a key'],
    change: () => ({ mute: 'toggle' }),
  },
  {
    name: 'deafen',
    summary: 'Deafen yourself, which mutes you as well',
    example: ['', 'You hear nobody, and nobody hears you'],
    change: () => ({ deafen: true }),
  },
  {
    name: 'undeafen',
    summary: 'End the deafening; the mute of before returns',
    example: ['', 'You hear the others'],
    change: () => ({ deafen: false }),
  },
  {
    name: 'toggle-deafen',
    summary: 'Deafen yourself, or end the deafening',
    example: ['', 'For a key'],
    change: () => ({ deafen: 'toggle' }),
  },
  {
    name: 'talk',
    summary: 'Hold push to talk down, for five minutes at most',
    options: { release: flag('release it') },
    example: [' --release', 'When the key comes up'],
    change: (_words, release) => ({ talk: !release }),
  },
  {
    name: 'mode',
    summary: 'Choose when others hear you',
    positionals: [
      {
        name: 'MODE',
        help: 'when others hear you',
        arity: 'one',
        choices: ['push-to-talk', 'voice-activity'],
      },
    ],
    example: [' push-to-talk', 'Only while the key is down'],
    change: ([mode]) => ({ mode }),
  },
  {
    name: 'volume',
    summary: 'Set how loud you hear another user',
    positionals: [{ name: 'USER', help: 'id, or a name in your channel', arity: 'one' }, percent(200)],
    example: [' 200000000000000002 80', 'Somewhat quieter'],
    change: ([user, volume]) => ({ user, volume: numberOf(volume, 'voice volume') }),
  },
  {
    name: 'input',
    summary: 'Set the volume of your microphone',
    positionals: [percent(100)],
    example: [' 80', 'Somewhat quieter'],
    change: ([volume]) => ({ input: numberOf(volume, 'voice input') }),
  },
  {
    name: 'output',
    summary: 'Set the volume of everything you hear',
    positionals: [percent(200)],
    example: [' 120', 'Louder than normal'],
    change: ([volume]) => ({ output: numberOf(volume, 'voice output') }),
  },
  {
    name: 'join',
    summary: 'Join a voice channel, from any other',
    positionals: [
      { name: 'CHANNEL', help: 'id, name, or GUILD/NAME', arity: 'one', completes: 'voice-channels' },
    ],
    example: [' Lounge', 'By its name'],
    change: ([channel]) => ({ channel }),
  },
  {
    name: 'leave',
    summary: 'Leave the voice channel',
    example: ['', 'Whatever channel it is'],
    change: () => ({ channel: null }),
  },
];

const verbCommands = verbs.map(
  ({ name, summary: text, positionals, options, example: [rest, use], change }) =>
    defineCommand({
      name: `voice ${name}`,
      summary: text,
      group: 'bridge',
      ...(positionals && { positionals }),
      ...(options && { options }),
      json: true,
      details: ['Prints the state after it. The same again changes nothing, but for a toggle.', ...DETAILS],
      examples: [[`footbridge voice ${name}${rest}`, use]],
      async run({ values, positionals: words, json }, io) {
        const args = change(words, Reflect.get(values, 'release') === true);
        const state = await ask('voice.change', args, io);
        return printResult(io, json, state, () => `${summary(state)}\n`);
      },
    }),
);

/** `footbridge voice`, and its verbs. */
export const voiceCommands = [voice, voiceShow, ...verbCommands];
