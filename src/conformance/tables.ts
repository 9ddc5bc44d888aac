/** Opcodes of the IPC framing. */
export const OPCODES = { HANDSHAKE: 0, FRAME: 1, CLOSE: 2, PING: 3, PONG: 4 } as const;

/** Claimed feature set of a target; each profile includes the profiles before it. */
export type Profile = 'presence' | 'voice' | 'full';

/** Profiles from narrow to wide. */
export const PROFILES: readonly Profile[] = ['presence', 'voice', 'full'];

/** Whether a target that claims `claimed` must offer the features of `wanted`. */
export function includesProfile(claimed: Profile, wanted: Profile): boolean {
  return PROFILES.indexOf(claimed) >= PROFILES.indexOf(wanted);
}

/** Profile of each command; a command that is not listed belongs to no profile. */
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

/** Profile of each event. */
export const EVENT_PROFILES: Readonly<Record<string, Profile>> = {
  VOICE_SETTINGS_UPDATE: 'voice',
  VOICE_CHANNEL_SELECT: 'voice',
  CURRENT_USER_UPDATE: 'full',
  GUILD_STATUS: 'full',
  AUTHORIZE_REQUEST: 'full',
};

/** Documented close codes; any other code is wrong. */
export const CLOSE_CODES: readonly number[] = [1000, 1003, 1006, 4000, 4001, 4002, 4003, 4004, 4005];

/** Commands that require a token with a scope; a session without that scope must be refused. */
export const SCOPED_COMMANDS: readonly string[] = [
  'GET_GUILD',
  'GET_GUILDS',
  'GET_CHANNEL',
  'GET_CHANNELS',
  'GET_VOICE_SETTINGS',
  'SET_VOICE_SETTINGS',
  'GET_SELECTED_VOICE_CHANNEL',
];

/**
 * Further documented commands that require a scope; a target may lack these commands, but must not serve them without
 * authorization.
 */
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

/** Maximum body in bytes that even the least careful reader of the protocol accepts. */
export const MAX_SAFE_BODY_BYTES = 65_527;
