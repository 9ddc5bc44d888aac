import { describe, expect, it } from 'vitest';
import type { Channel, VoiceSettings, VoiceSettingsPatch } from '../../../src/client/generated.ts';
import {
  applyMute,
  type MuteChange,
  type MuteFacts,
  muteTarget,
  muteUnder,
  type VoiceFacts,
  viewOf,
} from '../../../src/daemon/voice/state.ts';

const ME = '200000000000000001';

const settings = (mute: boolean, deaf: boolean, type = 'VOICE_ACTIVITY') =>
  ({ mute, deaf, mode: { type }, input: { volume: 80 }, output: { volume: 120.5 } }) as VoiceSettings;

const user = (id: string, username: string, global_name: string | null = null) => ({
  id,
  username,
  global_name,
});

function channelWith(own: object): Channel {
  const open = { mute: false, deaf: false, self_mute: false, self_deaf: false, suppress: false };
  return {
    id: '5',
    name: 'Lounge',
    guild_id: '4',
    voice_states: [
      { nick: '', mute: false, volume: 100, user: user(ME, 'river'), voice_state: { ...open, ...own } },
      {
        nick: '',
        mute: true,
        volume: 60,
        user: user('7', 'heron', 'Heron'),
        voice_state: { ...open, self_deaf: true },
      },
    ],
  } as unknown as Channel;
}

const facts = (more: Partial<VoiceFacts>): VoiceFacts => ({
  settings: settings(false, false),
  channel: null,
  me: ME,
  muteUnderDeafening: undefined,
  pressed: false,
  ...more,
});

describe('the state of voice', () => {
  it.each<[string, Partial<VoiceFacts>, object]>([
    ['nothing', {}, { muted: false, mutedBy: [], deafened: false, deafenedBy: [] }],
    ['own mute', { settings: settings(true, false) }, { muted: true, mutedBy: ['self'], deafened: false }],
    [
      'deafening alone, in a client that keeps mute apart',
      { settings: settings(false, true) },
      { muted: true, mutedBy: ['deafened'], deafened: true, deafenedBy: ['self'] },
    ],
    [
      'deafening alone, in a client that reports it as mute',
      { settings: settings(true, true), muteUnderDeafening: false },
      { muted: true, mutedBy: ['deafened'] },
    ],
    [
      'deafening over own mute',
      { settings: settings(true, true), muteUnderDeafening: true },
      { muted: true, mutedBy: ['self', 'deafened'] },
    ],
    ['the server', { channel: channelWith({ mute: true }) }, { muted: true, mutedBy: ['server'] }],
    [
      'the server, which also deafens',
      { channel: channelWith({ mute: true, deaf: true }) },
      { mutedBy: ['server'], deafened: true, deafenedBy: ['server'] },
    ],
    ['the audience of a stage', { channel: channelWith({ suppress: true }) }, { mutedBy: ['stage'] }],
    [
      'all reasons',
      { settings: settings(true, true), channel: channelWith({ mute: true, suppress: true }) },
      { mutedBy: ['self', 'deafened', 'server', 'stage'] },
    ],
  ])('names what mutes the user: %s', (_title, given, expected) => {
    expect(viewOf(facts(given))).toMatchObject(expected);
  });

  it.each<[boolean, Partial<VoiceFacts>, boolean]>([
    [true, { pressed: true }, true],
    [true, { pressed: true, settings: settings(true, false) }, false],
    [false, { pressed: false }, false],
  ])(
    'says that the user talks while the key is down (%s) and nobody mutes them',
    (_pressed, given, talking) => {
      expect(viewOf(facts(given)).talking).toBe(talking);
    },
  );

  it('has mode, volumes, channel and the other users of the channel', () => {
    const given = { settings: settings(false, false, 'PUSH_TO_TALK'), channel: channelWith({}) };
    expect(viewOf(facts(given))).toMatchObject({
      mode: 'push-to-talk',
      input: 80,
      output: 120.5,
      channel: { id: '5', name: 'Lounge', guild: '4' },
      users: [{ id: '7', name: 'Heron', muted: true, deafened: true, volume: 60 }],
    });
  });
});

/** How a client answers: `apart` stores mute and deafening apart, `tied` reports a deafened user as muted. */
type Kind = 'apart' | 'tied';

/** A client with the given way to keep mute and deafening; returns its report. */
function clientOf(kind: Kind) {
  let own = { mute: false, deaf: false };
  const report = (): VoiceSettings => settings(own.mute || (kind === 'tied' && own.deaf), own.deaf);
  return {
    report,
    async set({ mute, deaf = own.deaf }: VoiceSettingsPatch): Promise<VoiceSettings> {
      own = { ...own, deaf };
      // The button of a client that ties both does nothing for a user who is shown as muted, and unmuting undeafens.
      if (mute !== undefined && kind === 'apart') own = { ...own, mute };
      if (mute !== undefined && kind === 'tied' && mute !== report().mute)
        own = mute ? { ...own, mute } : { mute, deaf: false };
      return report();
    },
  };
}

const CHANGES: Readonly<Record<string, MuteChange>> = {
  mute: { mute: true },
  unmute: { mute: false },
  'toggle-mute': { mute: 'toggle' },
  deafen: { deafen: true },
  undeafen: { deafen: false },
  'toggle-deafen': { deafen: 'toggle' },
};

/** What users want of each order, whatever the client: heard, muted or deafened at the end. */
const ORDERS: readonly (readonly [verbs: string, end: 'heard' | 'muted' | 'deafened'])[] = [
  ['mute', 'muted'],
  ['mute mute', 'muted'],
  ['mute unmute', 'heard'],
  ['unmute', 'heard'],
  ['toggle-mute', 'muted'],
  ['toggle-mute toggle-mute', 'heard'],
  ['deafen', 'deafened'],
  ['deafen deafen', 'deafened'],
  ['undeafen', 'heard'],
  ['deafen undeafen', 'heard'],
  ['deafen undeafen undeafen', 'heard'],
  ['toggle-deafen toggle-deafen', 'heard'],
  // The mute of before the deafening returns.
  ['mute deafen undeafen', 'muted'],
  ['mute toggle-deafen toggle-deafen', 'muted'],
  ['mute deafen undeafen unmute', 'heard'],
  ['mute deafen deafen undeafen', 'muted'],
  // A mute while deafened stays.
  ['deafen mute', 'deafened'],
  ['deafen mute undeafen', 'muted'],
  // Who unmutes wants to be heard.
  ['deafen unmute', 'heard'],
  ['mute deafen unmute', 'heard'],
  ['deafen toggle-mute', 'heard'],
  ['deafen toggle-mute toggle-mute', 'muted'],
  ['deafen unmute deafen undeafen', 'heard'],
];

describe.each<[Kind]>([['apart'], ['tied']])('a client that has mute and deafening %s', (kind) => {
  it.each(ORDERS)('%s: ends %s', async (verbs, end) => {
    const client = clientOf(kind);
    let known: MuteFacts = { settings: client.report(), muteUnderDeafening: undefined };
    for (const verb of verbs.split(' '))
      known = await applyMute(known, CHANGES[verb] ?? {}, (patch) => client.set(patch));
    const view = viewOf(facts(known));
    const [muted, deafened] = [end !== 'heard', end === 'deafened'];
    expect({ muted: view.muted, deafened: view.deafened }).toEqual({ muted, deafened });
    expect(client.report().deaf).toBe(deafened);
  });
});

describe('own mute under a deafening', () => {
  const before = { settings: settings(false, true), muteUnderDeafening: false };
  it.each<[string, object, boolean | undefined]>([
    ['stays while the client reports the same', { deaf: true, mute: false }, false],
    ['is left to the client after a mute from elsewhere', { deaf: true, mute: true }, undefined],
    ['ends with the deafening', { deaf: false, mute: false }, undefined],
  ])('%s', (_title, report, expected) => {
    expect(muteUnder(before, report as VoiceSettings)).toBe(expected);
  });
  it('is not set where the user was deafened in the client itself', () => {
    const known = { settings: settings(true, true), muteUnderDeafening: undefined };
    expect(muteTarget(known, { deafen: false })).toEqual({ mute: undefined, deaf: false });
  });
});
