import { columns } from '../../base/style.ts';
import { printable, printableJson } from '../../base/text.ts';

/** Answer of `voice.show` and `voice.change`. */
export interface VoiceAnswer {
  readonly muted: boolean;
  readonly mutedBy: readonly ('self' | 'deafened' | 'server' | 'stage')[];
  readonly deafened: boolean;
  readonly deafenedBy: readonly ('self' | 'server')[];
  readonly mode: 'push-to-talk' | 'voice-activity';
  readonly talking: boolean;
  readonly input: number;
  readonly output: number;
  readonly channel: { readonly id: string; readonly name: string; readonly guild: string | null } | null;
  readonly users: readonly {
    readonly id: string;
    readonly name: string;
    readonly muted: boolean;
    readonly deafened: boolean;
    readonly volume: number;
  }[];
  readonly version: number;
  readonly begun: number;
}

/**
 * One word for the state, for a bar's style: `disconnected` without a bridge, `unavailable` without consent or a client,
 * `idle` in no voice channel.
 */
export type VoiceClass = 'deafened' | 'muted' | 'talking' | 'open' | 'idle' | 'unavailable' | 'disconnected';

/** State, or the reason why there is none. */
export type VoiceLine =
  | { readonly class: Exclude<VoiceClass, 'unavailable' | 'disconnected'>; readonly state: VoiceAnswer }
  | { readonly class: 'unavailable' | 'disconnected'; readonly reason: string };

const REASONS = {
  self: 'by you',
  deafened: 'deafened',
  server: 'by the server',
  stage: 'in the audience',
} as const;

/** The word for a state. */
export function classOf(state: VoiceAnswer): Exclude<VoiceClass, 'unavailable' | 'disconnected'> {
  if (state.channel === null) return 'idle';
  if (state.deafened) return 'deafened';
  if (state.muted) return 'muted';
  return state.talking ? 'talking' : 'open';
}

/** The state in one line. */
export function summary(state: VoiceAnswer): string {
  const { muted, mutedBy, deafened, deafenedBy, talking, channel, mode, input, output } = state;
  const reasons = (list: readonly (keyof typeof REASONS)[]): string =>
    list.map((reason) => REASONS[reason]).join(', ');
  return [
    muted ? `muted (${reasons(mutedBy)})` : 'not muted',
    ...(deafened ? [`deafened (${reasons(deafenedBy)})`] : []),
    ...(talking ? ['talking'] : []),
    channel === null ? 'in no voice channel' : `in ${printable(channel.name)}`,
    mode,
    `input ${Math.round(input)}`,
    `output ${Math.round(output)}`,
  ].join(' · ');
}

/** The state, and a row for each other user in the channel. */
export function wholeState(state: VoiceAnswer): string {
  if (state.users.length === 0) return `${summary(state)}\n`;
  const rows = state.users.map(({ name, muted, deafened, volume }) => [
    printable(name),
    deafened ? 'deafened' : muted ? 'muted' : 'open',
    `${Math.round(volume)}`,
  ]);
  return `${summary(state)}\n${columns([['USER', 'STATE', 'VOLUME'], ...rows])}`;
}

/** Formats of `voice --follow`: a line each time. */
export const voiceFormats = {
  text: (line: VoiceLine): string =>
    'state' in line ? summary(line.state) : `${line.class}: ${printable(line.reason)}`,
  json: (line: VoiceLine): string =>
    printableJson('state' in line ? { class: line.class, ...line.state } : line),
  waybar: (line: VoiceLine): string => {
    const isShown = 'state' in line && line.class !== 'idle';
    return printableJson({
      // A bar hides a module without a text.
      text: isShown ? (line.state.channel?.name ?? '') : '',
      tooltip: 'state' in line ? summary(line.state) : line.reason,
      alt: line.class,
      class: line.class,
      percentage: 'state' in line ? Math.round(line.state.input) : 0,
    });
  },
} as const;
