/** Opcodes of the IPC framing, as the suite understands them. */
export const OPCODES = { HANDSHAKE: 0, FRAME: 1, CLOSE: 2, PING: 3, PONG: 4 } as const;

/** What a target claims to offer; each profile includes the ones before it. */
export type Profile = 'presence' | 'voice' | 'full';

/** The profiles from narrow to wide. */
export const PROFILES: readonly Profile[] = ['presence', 'voice', 'full'];

/** True when a target that claims `claimed` must offer what belongs to `wanted`. */
export function includesProfile(claimed: Profile, wanted: Profile): boolean {
  return PROFILES.indexOf(claimed) >= PROFILES.indexOf(wanted);
}

/** The profile each command belongs to; a command that is not listed belongs to none. */
export const COMMAND_PROFILES: Readonly<Record<string, Profile>> = {
  SET_ACTIVITY: 'presence',
  AUTHORIZE: 'voice',
  AUTHENTICATE: 'voice',
  SUBSCRIBE: 'voice',
  UNSUBSCRIBE: 'voice',
  GET_VOICE_SETTINGS: 'voice',
  SET_VOICE_SETTINGS: 'voice',
  GET_SELECTED_VOICE_CHANNEL: 'voice',
  GET_GUILD: 'full',
  GET_GUILDS: 'full',
  GET_CHANNEL: 'full',
  GET_CHANNELS: 'full',
};

/** The profile each event belongs to. */
export const EVENT_PROFILES: Readonly<Record<string, Profile>> = {
  VOICE_SETTINGS_UPDATE: 'voice',
  VOICE_CHANNEL_SELECT: 'voice',
  CURRENT_USER_UPDATE: 'full',
  GUILD_STATUS: 'full',
  AUTHORIZE_REQUEST: 'full',
};

/** Every close code that the protocol documents; anything else on the wire is wrong. */
export const CLOSE_CODES: readonly number[] = [1000, 1003, 1006, 4000, 4001, 4002, 4003, 4004, 4005];

/** Commands that need a token with a scope; a session without one must be refused. */
export const SCOPED_COMMANDS: readonly string[] = [
  'GET_GUILD',
  'GET_GUILDS',
  'GET_CHANNEL',
  'GET_CHANNELS',
  'GET_VOICE_SETTINGS',
  'SET_VOICE_SETTINGS',
  'GET_SELECTED_VOICE_CHANNEL',
];

/** Further documented commands that need a scope; a target may lack them, but may not serve them unasked. */
export const OTHER_SCOPED_COMMANDS: readonly string[] = [
  'SET_USER_VOICE_SETTINGS',
  'SELECT_VOICE_CHANNEL',
  'SELECT_TEXT_CHANNEL',
  'GET_CHANNEL_PERMISSIONS',
  'CREATE_CHANNEL_INVITE',
  'GET_RELATIONSHIPS',
  'USER_SETTINGS_GET_LOCALE',
  'PUSH_TO_TALK',
  'TOGGLE_VIDEO',
  'TOGGLE_SCREENSHARE',
  'PLAY_SOUNDBOARD_SOUND',
];

/** Longest body that the most careless reader of the protocol survives, in bytes. */
export const LARGEST_SAFE_BODY = 65_527;
