import { ids } from '../helpers/emulator-world.ts';

/** Arguments of a request, as an app would send them. */
export type Args = Readonly<Record<string, unknown>>;

const channel = { channel_id: ids.quay };
const guild = { guild_id: ids.harbour };
const otter = { user_id: ids.otter };
const pid = { pid: 4242 };
const code = { code: 'an-invite-code' };
const quest = { quest_id: '1' };
const billing = { state: 's', path: '/', payment_source_type: 1 };

/**
 * Every command of protocol 4.3 to 4.8 with a documented shape, and the least arguments that are valid for it.
 * Written down by hand from the protocol, so that a declaration that goes missing is missed.
 */
export const documentedCommands: { readonly [name: string]: Args } = {
  // 4.3, session and subscription; the event of the last two stands beside the arguments
  AUTHORIZE: { client_id: ids.harbourExample, scopes: ['identify'] },
  AUTHENTICATE: { access_token: 'not-a-token' },
  SUBSCRIBE: {},
  UNSUBSCRIBE: {},
  // 4.4, guilds, channels, users
  GET_GUILD: guild,
  GET_GUILDS: {},
  GET_CHANNEL: channel,
  GET_CHANNELS: {},
  GET_CHANNEL_PERMISSIONS: {},
  CREATE_CHANNEL_INVITE: channel,
  GET_RELATIONSHIPS: {},
  GET_USER: { id: ids.otter },
  GET_IMAGE: { type: 'user', id: ids.otter, format: 'png', size: 16 },
  SELECT_TEXT_CHANNEL: { channel_id: ids.general },
  USER_SETTINGS_GET_LOCALE: {},
  OPEN_MESSAGE: { channel_id: ids.general, message_id: '1', ...pid },
  // 4.5, voice
  GET_VOICE_SETTINGS: {},
  SET_VOICE_SETTINGS: {},
  SET_VOICE_SETTINGS_2: {},
  SET_USER_VOICE_SETTINGS: otter,
  SET_USER_VOICE_SETTINGS_2: otter,
  SELECT_VOICE_CHANNEL: channel,
  GET_SELECTED_VOICE_CHANNEL: {},
  TOGGLE_VOICE_CHANNEL_CHAT: {},
  PUSH_TO_TALK: { active: true },
  TOGGLE_VIDEO: {},
  TOGGLE_SCREENSHARE: {},
  GET_SOUNDBOARD_SOUNDS: {},
  PLAY_SOUNDBOARD_SOUND: {},
  SET_CERTIFIED_DEVICES: { devices: [] },
  // 4.6, activity
  SET_ACTIVITY: pid,
  SEND_ACTIVITY_JOIN_INVITE: otter,
  CLOSE_ACTIVITY_JOIN_REQUEST: otter,
  CLOSE_ACTIVITY_REQUEST: otter,
  ACTIVITY_INVITE_USER: { ...otter, ...pid, type: 1 },
  ACCEPT_ACTIVITY_INVITE: { ...otter, type: 1, session_id: 's', channel_id: '1', message_id: '1' },
  OPEN_INVITE_DIALOG: {},
  SET_OVERLAY_LOCKED: { ...pid, locked: true },
  OPEN_OVERLAY_ACTIVITY_INVITE: { ...pid, type: 1 },
  OPEN_OVERLAY_GUILD_INVITE: { ...pid, ...code },
  OPEN_OVERLAY_VOICE_SETTINGS: pid,
  // 4.7, store, tickets, networking
  VALIDATE_APPLICATION: {},
  GET_ENTITLEMENT_TICKET: {},
  GET_APPLICATION_TICKET: {},
  GET_SKUS: {},
  GET_ENTITLEMENTS: {},
  GET_SKUS_EMBEDDED: {},
  GET_ENTITLEMENTS_EMBEDDED: {},
  START_PURCHASE: { sku_id: '700000000000000001' },
  START_PREMIUM_PURCHASE: {},
  GET_NETWORKING_CONFIG: {},
  NETWORKING_CREATE_TOKEN: {},
  NETWORKING_SYSTEM_METRICS: {},
  NETWORKING_PEER_METRICS: {},
  // 4.8, embedded, browser and private
  OPEN_EXTERNAL_LINK: { url: 'https://example.test/' },
  CAPTURE_LOG: { level: 'log', message: 'x' },
  SEND_ANALYTICS_EVENT: { event_name: 'x', event_properties: {} },
  ENCOURAGE_HW_ACCELERATION: {},
  SET_ORIENTATION_LOCK_STATE: { lock_state: 1 },
  GET_PLATFORM_BEHAVIORS: {},
  SET_CONFIG: { use_interactive_pip: false },
  GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: {},
  OPEN_SHARE_MOMENT_DIALOG: { mediaUrl: 'https://example.test/a.png' },
  INITIATE_IMAGE_UPLOAD: {},
  SHARE_LINK: { message: 'x' },
  SHARE_INTERACTION: { command: 'play' },
  INVITE_USER_EMBEDDED: otter,
  REQUEST_PROXY_TICKET_REFRESH: {},
  GET_PROVIDER_ACCESS_TOKEN: { provider: 'x' },
  MAYBE_GET_PROVIDER_ACCESS_TOKEN: { provider: 'x' },
  NAVIGATE_TO_CONNECTIONS: {},
  GET_QUEST_ENROLLMENT_STATUS: quest,
  QUEST_START_TIMER: quest,
  GET_QUEST: quest,
  INVITE_BROWSER: code,
  GUILD_TEMPLATE_BROWSER: code,
  GIFT_CODE_BROWSER: code,
  DEEP_LINK: { type: 'USER_SETTINGS', params: {} },
  CONNECTIONS_CALLBACK: { providerType: 'x', code: 'c', state: 's' },
  BILLING_POPUP_BRIDGE_CALLBACK: billing,
  BRAINTREE_POPUP_BRIDGE_CALLBACK: billing,
  BROWSER_HANDOFF: { handoffToken: 't', fingerprint: 'f' },
};

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Commands without a documented shape, and removed ones: error 4002. */
export const unknownCommands = words(`
  DISPATCH OVERLAY GET_CLIENT_VOICE_SETTINGS CAPTURE_SHORTCUT OPEN_INVITE OPEN_CONTEXT_MENU OPEN_MEDIA_VIEWER
  OPEN_USER_PROFILE OPEN_USER_POPOUT OPEN_GAME_PROFILE SHOW_TOOLTIP HIDE_TOOLTIP
  SET_PREFERS_PICTURE_IN_PICTURE_ON_NAVIGATE_AWAY SHOW_TOAST SHOW_CONFIRM_MODAL SET_SUPPRESS_NOTIFICATIONS
  SHARE_CONTENT START_APPLICATION_STREAMING_VIEW SUSPEND_APPLICATION_STREAMING_VIEW
  RESUME_APPLICATION_STREAMING_VIEW STOP_APPLICATION_STREAMING_VIEW GET_APPLICATION_STREAMING_VIEW_CAPABILITIES
  SET_APPLICATION_STREAMING_VIEW_FIT WATCH_APPLICATION_STREAMING_VIEW_ON_DISCORD CAMERA_VIEW SEND_GENERIC_EVENT CREATE_LOBBY
  UPDATE_LOBBY DELETE_LOBBY UPDATE_LOBBY_MEMBER CONNECT_TO_LOBBY DISCONNECT_FROM_LOBBY SEND_TO_LOBBY SEARCH_LOBBIES
  CONNECT_TO_LOBBY_VOICE DISCONNECT_FROM_LOBBY_VOICE SET_USER_ACHIEVEMENT GET_USER_ACHIEVEMENTS constructor __proto__
`);

/** Every event of protocol 4.9 with a documented shape, and the least arguments of SUBSCRIBE that are valid for it. */
export const documentedEvents: { readonly [name: string]: Args } = {
  READY: {},
  ERROR: {},
  CURRENT_USER_UPDATE: {},
  CURRENT_GUILD_MEMBER_UPDATE: { guild_id: ids.riverBank },
  GUILD_STATUS: guild,
  GUILD_CREATE: {},
  CHANNEL_CREATE: {},
  RELATIONSHIP_UPDATE: {},
  VOICE_CHANNEL_SELECT: {},
  VOICE_STATE_CREATE: channel,
  VOICE_STATE_UPDATE: channel,
  VOICE_STATE_DELETE: channel,
  VOICE_SETTINGS_UPDATE: {},
  VOICE_SETTINGS_UPDATE_2: {},
  VOICE_CONNECTION_STATUS: {},
  SPEAKING_START: {},
  SPEAKING_STOP: {},
  VOICE_SESSION_PARTICIPANTS_UPDATE: { session_id: ids.quay },
  VOICE_SESSION_SPEAKING_START: { session_id: ids.quay },
  VOICE_SESSION_SPEAKING_STOP: { session_id: ids.quay },
  FRAME_LAYOUT_MODE_UPDATE: {},
  MESSAGE_CREATE: { channel_id: ids.general },
  MESSAGE_UPDATE: { channel_id: ids.general },
  MESSAGE_DELETE: { channel_id: ids.general },
  NOTIFICATION_CREATE: {},
  ACTIVITY_JOIN: {},
  ACTIVITY_SPECTATE: {},
  ACTIVITY_JOIN_REQUEST: {},
  ACTIVITY_INVITE: {},
  GAME_JOIN: {},
  GAME_SPECTATE: {},
  AUTHORIZE_REQUEST: {},
  ENTITLEMENT_CREATE: {},
  ENTITLEMENT_DELETE: {},
  OVERLAY_UPDATE: pid,
  SCREENSHARE_STATE_UPDATE: {},
  VIDEO_STATE_UPDATE: {},
  QUEST_ENROLLMENT_STATUS_UPDATE: {},
  ACTIVITY_LAYOUT_MODE_UPDATE: {},
  ACTIVITY_PIP_MODE_UPDATE: {},
  THERMAL_STATE_UPDATE: {},
  ORIENTATION_UPDATE: {},
  ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE: {},
};

/** Events without a documented shape, and removed ones: error 4004. */
export const unknownEvents = words(`
  OVERLAY CAPTURE_SHORTCUT_CHANGE LOBBY_UPDATE
  LOBBY_DELETE LOBBY_MEMBER_CONNECT LOBBY_MEMBER_DISCONNECT LOBBY_MEMBER_UPDATE LOBBY_MESSAGE
  USER_ACHIEVEMENT_UPDATE constructor
`);
