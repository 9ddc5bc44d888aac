// Generated from the protocol's declarations: `npm run gen` writes it. Do not edit.
// biome-ignore-all format: one line a command is easier to search

/** Arguments of what has none. */
export type NoArgs = Record<string, never>;

/** Activity as an app sets it; lengths in UTF-16 units. */
export interface Activity {
  name?: string;
  type?: 0 | 2 | 3 | 5;
  state?: string | null;
  state_url?: string | null;
  details?: string | null;
  details_url?: string | null;
  timestamps?: { start?: number; end?: number };
  assets?: { large_image?: string; large_text?: string; large_url?: string; small_image?: string; small_text?: string; small_url?: string; invite_cover_image?: string };
  party?: { id?: string; size?: readonly [number, number]; privacy?: 0 | 1 };
  secrets?: { match?: string; join?: string; spectate?: string };
  buttons?: readonly { label: string; url: string }[];
  instance?: boolean;
  supported_platforms?: readonly string[];
  status_display_type?: 0 | 1 | 2;
}

/** Activity as others see it. */
export interface ShownActivity {
  application_id: string;
  name: string;
  type: number;
  metadata: Record<string, unknown>;
}

/** A user account. */
export interface User {
  id: string;
  username: string;
  discriminator: string;
  global_name: string | null;
  avatar: string | null;
  avatar_decoration_data: unknown;
  bot: boolean;
  flags: number;
  premium_type: number;
}

/** `data` of READY. */
export interface Ready {
  v: 1;
  config: { cdn_host: string; api_endpoint: string; environment: string };
  user?: User;
  footbridge?: { stream_ping: string };
}

/** Guild in a list. */
export interface PartialGuild {
  id: string;
  name: string;
  icon_url: string | null;
}

/** One guild. */
export interface Guild {
  id: string;
  name: string;
  icon_url: string | null;
  members: unknown[];
  vanity_url_code: string | null;
}

/** Channel in a list. */
export interface PartialChannel {
  id: string;
  name: string;
  type: number;
}

/** Somebody's voice state; `mute`, `volume` and `pan` are local. */
export interface VoiceState {
  nick: string;
  mute: boolean;
  volume: number;
  pan?: { left: number; right: number };
  voice_state: { mute: boolean; deaf: boolean; self_mute: boolean; self_deaf: boolean; suppress: boolean };
  user: User;
}

/** One channel. */
export interface Channel {
  id: string;
  name: string;
  type: number;
  topic: string | null;
  bitrate: number;
  user_limit: number;
  guild_id: string | null;
  position: number;
  status?: string | null;
  voice_start_time?: number | null;
  messages: { id: string }[];
  voice_states: VoiceState[];
}

/** Message of a text channel. */
export interface Message {
  id: string;
  content: string;
  content_parsed?: { type: string }[];
  nick?: string;
  author_color?: string;
  edited_timestamp: string | null;
  timestamp: string;
  tts: boolean;
  mentions: unknown[];
  mention_everyone: boolean;
  mention_roles: string[];
  embeds: unknown[];
  attachments: unknown[];
  author: User | null;
  pinned: boolean;
  type: number;
}

/** Somebody the user knows: 0 none, 1 friend, 2 blocked, 3 incoming, 4 outgoing, 5 implicit. */
export interface Relationship {
  type: number;
  user: User;
  presence: { status: 'online' | 'idle' | 'dnd' | 'offline'; activity: Record<string, unknown> | null };
}

/** A user as a member of a guild. */
export interface GuildMember {
  user_id: string;
  nick: string | null;
  guild_id: string;
  avatar: string | null;
  avatar_decoration_data: unknown;
}

/** Something a user owns of an application. */
export interface Entitlement {
  id: string;
  sku_id: string;
  application_id: string;
  user_id: string;
  type: number;
  deleted: boolean;
  gift_code_flags?: number;
}

/** Something an application sells. */
export interface Sku {
  id: string;
  name: string;
  type: number;
  application_id: string;
  price?: { amount: number; currency: string };
  flags?: number;
  release_date?: string | null;
}

/** Volumes in percent, threshold in dB, delay in milliseconds. */
export interface VoiceSettings {
  input: { available_devices: { id: string; name: string }[]; device_id: string; volume: number };
  output: { available_devices: { id: string; name: string }[]; device_id: string; volume: number };
  mode: { type: string; auto_threshold: boolean; threshold: number; shortcut: { type: number; code: number; name?: string }[]; delay: number };
  automatic_gain_control: boolean;
  echo_cancellation: boolean;
  noise_suppression: boolean;
  qos: boolean;
  silence_warning: boolean;
  deaf: boolean;
  mute: boolean;
}

/** Any part of the voice settings. */
export interface VoiceSettingsPatch {
  input?: { device_id?: string; volume?: number };
  output?: { device_id?: string; volume?: number };
  mode?: { type?: 'PUSH_TO_TALK' | 'VOICE_ACTIVITY'; auto_threshold?: boolean; threshold?: number; shortcut?: readonly { type: number; code: number; name?: string }[]; delay?: number };
  automatic_gain_control?: boolean;
  echo_cancellation?: boolean;
  noise_suppression?: boolean;
  qos?: boolean;
  silence_warning?: boolean;
  deaf?: boolean;
  mute?: boolean;
}

/** A certified device. */
export interface CertifiedDevice {
  type: 'audioinput' | 'audiooutput' | 'videoinput';
  id: string;
  vendor: { name: string; url?: string; id?: string };
  model: { name: string; url?: string; id?: string };
  related: readonly string[];
  echo_cancellation?: boolean;
  noise_suppression?: boolean;
  automatic_gain_control?: boolean;
  hardware_mute?: boolean;
}

/** One sound; `volume` 0 to 1. */
export interface SoundboardSound {
  sound_id: string;
  name: string;
  guild_id: string;
  volume: number;
  available: boolean;
  emoji_id: string | null;
  emoji_name: string | null;
}

/** Arguments and result of every command, by its name on the wire. */
export interface Commands {
  /** Scope rpc or rpc.local; errors 4011. */ ACCEPT_ACTIVITY_INVITE: { args: { type: 1; user_id: string; session_id: string; channel_id: string; message_id: string; application_id?: string }; result: null };
  /** Scope rpc or rpc.local; errors 4010, 5006. */ ACTIVITY_INVITE_USER: { args: { user_id: string; type: 1; content?: string; pid: number }; result: null };
  /** Scope none; errors 4002, 4007, 4009, 5000. */ AUTHENTICATE: { args: { access_token?: string | null }; result: { application: { id: string; name: string }; user?: Partial<User>; scopes: string[]; expires: string; access_token: string } };
  /** Scope none; errors 4002, 4007, 5000. */ AUTHORIZE: { args: { client_id?: string; scopes?: readonly string[] | string; scope?: readonly string[] | string; response_type?: string; redirect_uri?: string | null; code_challenge?: string | null; code_challenge_method?: string | null; state?: string | null; nonce?: string | null; prompt?: 'consent' | 'none'; permissions?: string | number; guild_id?: string; channel_id?: string; disable_guild_select?: boolean; integration_type?: 0 | 1; pid?: number; rpc_token?: string | null; username?: string | null }; result: { code: string; state?: string } };
  /** Scope rpc.private; errors 1000. */ BILLING_POPUP_BRIDGE_CALLBACK: { args: { state: string; path: string; query?: Record<string, unknown>; payment_source_type: number | string }; result: { ok: boolean; status: number } };
  /** Scope rpc.private; errors 1000. */ BRAINTREE_POPUP_BRIDGE_CALLBACK: { args: { state: string; path: string; query?: Record<string, unknown>; payment_source_type: number | string }; result: { ok: boolean; status: number } };
  /** Scope rpc.private.limited; errors 1000. */ BROWSER_HANDOFF: { args: { handoffToken: string; fingerprint: string }; result: null };
  /** Scope none. */ CAPTURE_LOG: { args: { level: 'log' | 'warn' | 'debug' | 'info' | 'error'; message: string }; result: null };
  /** Scope rpc or rpc.local; errors 4012. */ CLOSE_ACTIVITY_JOIN_REQUEST: { args: { user_id: string; pid?: number | null }; result: null };
  /** Scope rpc or rpc.local; errors 4012. */ CLOSE_ACTIVITY_REQUEST: { args: { user_id: string; pid?: number | null }; result: null };
  /** Scope rpc.private; errors 4020. */ CONNECTIONS_CALLBACK: { args: { providerType: string; code: string; state: string; openid_params?: Record<string, unknown>; iss?: string }; result: null };
  /** Scope rpc; errors 4005, 4006. */ CREATE_CHANNEL_INVITE: { args: { channel_id: string }; result: { code: string; guild_id: string; created_at: string; max_age: number; max_uses: number; temporary: boolean; uses: number } };
  /** Scope rpc.local or rpc.private; errors 1000. */ DEEP_LINK: { args: { type: 'USER_SETTINGS' | 'CHANGELOG' | 'LIBRARY' | 'STORE_HOME' | 'STORE_LISTING' | 'CHANNEL' | 'GAME_SHOP' | 'PICK_GUILD_SETTINGS' | 'QUEST_HOME' | 'DISCOVERY_GAME_RESULTS' | 'OAUTH2' | 'FEATURES' | 'SHOP' | 'ACTIVITIES' | 'QUEST_PREVIEW_TOOL' | 'ONE_TIME_LOGIN'; params: Record<string, unknown> }; result: null };
  /** Scope none. */ ENCOURAGE_HW_ACCELERATION: { args: NoArgs; result: { enabled: boolean } | null };
  /** Scope rpc.authenticated. */ GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: { args: NoArgs; result: { participants: (User & { nickname?: string })[] } };
  /** Scope rpc.local; errors 4015. */ GET_APPLICATION_TICKET: { args: NoArgs; result: { ticket: string } };
  /** Scope rpc or guilds or guilds.channels.read; errors 4005. */ GET_CHANNEL: { args: { channel_id: string }; result: Channel };
  /** Scope rpc; errors 4003. */ GET_CHANNELS: { args: { guild_id?: string | null }; result: { channels: PartialChannel[] } };
  /** Scope guilds.members.read or guilds.channels.read; errors 4005. */ GET_CHANNEL_PERMISSIONS: { args: NoArgs; result: { permissions: string } };
  /** Scope rpc.authenticated or rpc.local. */ GET_ENTITLEMENTS: { args: NoArgs; result: Entitlement[] };
  /** Scope rpc.authenticated or rpc.local. */ GET_ENTITLEMENTS_EMBEDDED: { args: NoArgs; result: { entitlements: Entitlement[] } };
  /** Scope rpc.local; errors 4015. */ GET_ENTITLEMENT_TICKET: { args: NoArgs; result: { ticket: string } };
  /** Scope rpc; errors 4003, 5002. */ GET_GUILD: { args: { guild_id: string; timeout?: number }; result: Guild };
  /** Scope rpc. */ GET_GUILDS: { args: NoArgs; result: { guilds: PartialGuild[] } };
  /** Scope rpc.local; errors 4010. */ GET_IMAGE: { args: { type: 'user'; id: string; format: 'png' | 'webp' | 'jpg'; size: 16 | 32 | 64 | 128 | 256 | 512 | 1024 }; result: { data_url: string } };
  /** Scope rpc.local; errors 1000. */ GET_NETWORKING_CONFIG: { args: NoArgs; result: { address: string; token: string } };
  /** Scope none. */ GET_PLATFORM_BEHAVIORS: { args: NoArgs; result: { iosKeyboardResizesView?: boolean } };
  /** Scope rpc.authenticated; errors 4019. */ GET_PROVIDER_ACCESS_TOKEN: { args: { provider: string; connection_redirect?: string }; result: { access_token: string } };
  /** Scope identify; errors 1000. */ GET_QUEST: { args: { quest_id: string }; result: Record<string, unknown> };
  /** Scope identify; errors 1000. */ GET_QUEST_ENROLLMENT_STATUS: { args: { quest_id: string }; result: { quest_id: string; is_enrolled: boolean; enrolled_at: string | null } };
  /** Scope relationships.read. */ GET_RELATIONSHIPS: { args: NoArgs; result: { relationships: Relationship[] } };
  /** Scope rpc or rpc.voice.read. */ GET_SELECTED_VOICE_CHANNEL: { args: NoArgs; result: Channel | null };
  /** Scope rpc.authenticated or rpc.local. */ GET_SKUS: { args: NoArgs; result: Sku[] };
  /** Scope rpc.authenticated or rpc.local. */ GET_SKUS_EMBEDDED: { args: NoArgs; result: { skus: Sku[] } };
  /** Scope rpc or rpc.local. */ GET_SOUNDBOARD_SOUNDS: { args: NoArgs; result: SoundboardSound[] };
  /** Scope rpc.local or rpc.embedded_app. */ GET_USER: { args: { id: string }; result: User | null };
  /** Scope rpc or rpc.voice.read. */ GET_VOICE_SETTINGS: { args: NoArgs; result: VoiceSettings };
  /** Scope rpc.private; errors 4016. */ GIFT_CODE_BROWSER: { args: { code: string }; result: { giftCode: Record<string, unknown> } };
  /** Scope rpc.private; errors 4017. */ GUILD_TEMPLATE_BROWSER: { args: { code: string }; result: { guildTemplate: Record<string, unknown>; code: string } };
  /** Scope rpc or rpc.local or rpc.authenticated; errors 1000. */ INITIATE_IMAGE_UPLOAD: { args: NoArgs; result: { image_url: string } };
  /** Scope rpc.private; errors 4011. */ INVITE_BROWSER: { args: { code: string }; result: { invite: Record<string, unknown>; code: string } };
  /** Scope relationships.read; errors 1000. */ INVITE_USER_EMBEDDED: { args: { user_id: string; content?: string }; result: null };
  /** Scope rpc.authenticated; errors 5013. */ MAYBE_GET_PROVIDER_ACCESS_TOKEN: { args: { provider: string; connection_redirect?: string }; result: { access_token: string } };
  /** Scope rpc.authenticated; errors 1000. */ NAVIGATE_TO_CONNECTIONS: { args: NoArgs; result: null };
  /** Scope rpc.local; errors 1000. */ NETWORKING_CREATE_TOKEN: { args: NoArgs; result: { token: string } };
  /** Scope rpc.local; errors 1000. */ NETWORKING_PEER_METRICS: { args: Record<string, unknown>; result: null };
  /** Scope rpc.local; errors 1000. */ NETWORKING_SYSTEM_METRICS: { args: Record<string, unknown>; result: null };
  /** Scope rpc.authenticated or rpc.embedded_app. */ OPEN_EXTERNAL_LINK: { args: { url: string }; result: { opened: boolean | null } | null };
  /** Scope rpc or rpc.local or rpc.authenticated; errors 1000. */ OPEN_INVITE_DIALOG: { args: NoArgs; result: null };
  /** Scope rpc.local; errors 1000. */ OPEN_MESSAGE: { args: { guild_id?: string | null; channel_id: string; message_id: string; pid: number }; result: null };
  /** Scope rpc.local; errors 1000. */ OPEN_OVERLAY_ACTIVITY_INVITE: { args: { type: 1; pid: number }; result: null };
  /** Scope rpc.local; errors 1000. */ OPEN_OVERLAY_GUILD_INVITE: { args: { code: string; pid: number }; result: null };
  /** Scope rpc.local; errors 1000. */ OPEN_OVERLAY_VOICE_SETTINGS: { args: { pid: number }; result: null };
  /** Scope rpc.authenticated; errors 1000. */ OPEN_SHARE_MOMENT_DIALOG: { args: { mediaUrl: string }; result: null };
  /** Scope rpc and rpc.voice.write; errors 4005, 4018. */ PLAY_SOUNDBOARD_SOUND: { args: { guild_id?: string | null; sound_id?: string }; result: null };
  /** Scope rpc and rpc.voice.write. */ PUSH_TO_TALK: { args: { active: boolean }; result: null };
  /** Scope identify; errors 1000. */ QUEST_START_TIMER: { args: { quest_id: string }; result: { success: boolean } };
  /** Scope rpc.authenticated; errors 1000. */ REQUEST_PROXY_TICKET_REFRESH: { args: NoArgs; result: { ticket: string } };
  /** Scope rpc; errors 4005, 5001. */ SELECT_TEXT_CHANNEL: { args: { channel_id: string | null; timeout?: number }; result: Channel | null };
  /** Scope rpc; errors 4005, 5001, 5003. */ SELECT_VOICE_CHANNEL: { args: { channel_id: string | null; timeout?: number; force?: boolean; navigate?: boolean }; result: Channel | null };
  /** Scope rpc or rpc.local; errors 4012, 5006. */ SEND_ACTIVITY_JOIN_INVITE: { args: { user_id: string; pid?: number | null }; result: null };
  /** Scope none. */ SEND_ANALYTICS_EVENT: { args: { event_name: string; event_properties: Record<string, unknown> }; result: null };
  /** Scope rpc or rpc.activities.write or rpc.local; errors 4002, 5005. */ SET_ACTIVITY: { args: { pid?: number | null; activity?: Activity | null }; result: ShownActivity | null };
  /** Scope rpc or rpc.local. */ SET_CERTIFIED_DEVICES: { args: { devices: readonly CertifiedDevice[] }; result: null };
  /** Scope none. */ SET_CONFIG: { args: { use_interactive_pip: boolean }; result: { use_interactive_pip: boolean } };
  /** Scope none; errors 1000. */ SET_ORIENTATION_LOCK_STATE: { args: { lock_state: number; picture_in_picture_lock_state?: number | null; grid_lock_state?: number | null }; result: null };
  /** Scope rpc.local; errors 1000. */ SET_OVERLAY_LOCKED: { args: { locked: boolean; pid: number }; result: null };
  /** Scope rpc or rpc.voice.write; errors 4010. */ SET_USER_VOICE_SETTINGS: { args: { user_id: string; pan?: { left: number; right: number }; volume?: number; mute?: boolean }; result: { user_id: string; pan: { left: number; right: number }; volume: number; mute: boolean } };
  /** Scope rpc.local; errors 4010. */ SET_USER_VOICE_SETTINGS_2: { args: { user_id: string; volume?: number; mute?: boolean }; result: null };
  /** Scope rpc or rpc.voice.write. */ SET_VOICE_SETTINGS: { args: VoiceSettingsPatch; result: VoiceSettings };
  /** Scope rpc.local. */ SET_VOICE_SETTINGS_2: { args: { input_mode?: { type: 'PUSH_TO_TALK' | 'VOICE_ACTIVITY'; shortcut: string }; self_mute?: boolean; self_deaf?: boolean }; result: null };
  /** Scope rpc.authenticated or rpc.local. */ SHARE_INTERACTION: { args: { command: string; options?: readonly { name: string; value: string }[]; content?: string; require_launch_channel?: boolean; preview_image?: { height: number; url: string; width: number }; components?: readonly unknown[]; pid?: number }; result: { success: boolean } };
  /** Scope rpc.authenticated. */ SHARE_LINK: { args: { message: string; custom_id?: string; link_id?: string }; result: { success: boolean; didCopyLink: boolean; didSendMessage: boolean } };
  /** Scope rpc.authenticated or rpc.local; errors 5008. */ START_PREMIUM_PURCHASE: { args: { pid?: number }; result: null };
  /** Scope rpc.authenticated or rpc.local; errors 5008. */ START_PURCHASE: { args: { sku_id: string; pid?: number }; result: Entitlement[] };
  /** Scope rpc and rpc.screenshare.write; errors 1000. */ TOGGLE_SCREENSHARE: { args: { pid?: number }; result: null };
  /** Scope rpc and rpc.video.write; errors 1000. */ TOGGLE_VIDEO: { args: NoArgs; result: null };
  /** Scope rpc.local; errors 4005. */ TOGGLE_VOICE_CHANNEL_CHAT: { args: { open?: boolean }; result: { channel_id: string; chat_open: boolean } };
  /** Scope identify. */ USER_SETTINGS_GET_LOCALE: { args: NoArgs; result: { locale: string } };
  /** Scope rpc.local; errors 4015. */ VALIDATE_APPLICATION: { args: NoArgs; result: null };
}

/** Arguments of SUBSCRIBE and `data` of every event, by its name on the wire. */
export interface Events {
  /** Scope rpc.authenticated. */ ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE: { args: NoArgs; data: { participants: (User & { nickname?: string })[] } };
  /** Scope rpc or rpc.local. */ ACTIVITY_INVITE: { args: NoArgs; data: { type: number; user: User; activity: Record<string, unknown>; channel_id: string; message_id: string } };
  /** Scope rpc or rpc.authenticated or rpc.local. */ ACTIVITY_JOIN: { args: NoArgs; data: { secret: string } };
  /** Scope rpc or rpc.local. */ ACTIVITY_JOIN_REQUEST: { args: NoArgs; data: { type: number; user: User; activity: Record<string, unknown>; channel_id: string; message_id: string } };
  /** Scope none. */ ACTIVITY_LAYOUT_MODE_UPDATE: { args: NoArgs; data: { layout_mode: number } };
  /** Scope none. */ ACTIVITY_PIP_MODE_UPDATE: { args: NoArgs; data: { is_pip_mode: boolean } };
  /** Scope rpc or rpc.authenticated or rpc.local. */ ACTIVITY_SPECTATE: { args: NoArgs; data: { secret: string } };
  /** Scope none. */ AUTHORIZE_REQUEST: { args: NoArgs; data: null };
  /** Scope rpc. */ CHANNEL_CREATE: { args: NoArgs; data: PartialChannel };
  /** Told once at first. Scope identify and guilds.members.read. */ CURRENT_GUILD_MEMBER_UPDATE: { args: { guild_id: string }; data: GuildMember };
  /** Told once at first. Scope rpc.local or identify. */ CURRENT_USER_UPDATE: { args: NoArgs; data: User };
  /** Scope rpc.local or rpc.authenticated. */ ENTITLEMENT_CREATE: { args: NoArgs; data: { entitlement: Entitlement } };
  /** Scope rpc.local or rpc.authenticated. */ ENTITLEMENT_DELETE: { args: NoArgs; data: { entitlement: Entitlement } };
  /** Scope none. */ FRAME_LAYOUT_MODE_UPDATE: { args: NoArgs; data: { layout_mode: number } };
  /** Scope rpc or rpc.local. */ GAME_JOIN: { args: NoArgs; data: { secret: string } };
  /** Scope rpc or rpc.local. */ GAME_SPECTATE: { args: NoArgs; data: { secret: string } };
  /** Scope rpc. */ GUILD_CREATE: { args: NoArgs; data: { id: string; name: string } };
  /** Told once at first. Scope rpc. */ GUILD_STATUS: { args: { guild_id: string }; data: { guild: PartialGuild; online: 0 } };
  /** Scope rpc and messages.read. */ MESSAGE_CREATE: { args: { channel_id: string }; data: { channel_id: string; message: Message } };
  /** Scope rpc and messages.read. */ MESSAGE_DELETE: { args: { channel_id: string }; data: { channel_id: string; message: { id: string } } };
  /** Scope rpc and messages.read. */ MESSAGE_UPDATE: { args: { channel_id: string }; data: { channel_id: string; message: Message } };
  /** Scope rpc and rpc.notifications.read. */ NOTIFICATION_CREATE: { args: NoArgs; data: { channel_id: string; message: Message; icon_url: string | null; title: string; body: string } };
  /** Scope rpc.authenticated. */ ORIENTATION_UPDATE: { args: NoArgs; data: { screen_orientation: number } };
  /** Told once at first. Scope rpc.local. */ OVERLAY_UPDATE: { args: { pid: number }; data: { enabled: boolean; locked: boolean } };
  /** Scope identify. */ QUEST_ENROLLMENT_STATUS_UPDATE: { args: Record<string, unknown>; data: { quest_id: string; is_enrolled: boolean; enrolled_at: string | null } };
  /** Scope relationships.read. */ RELATIONSHIP_UPDATE: { args: NoArgs; data: Relationship };
  /** Told once at first. Scope rpc.local and rpc.screenshare.read. */ SCREENSHARE_STATE_UPDATE: { args: NoArgs; data: { active: boolean; pid: number | null; application: { name: string } | null } };
  /** Scope rpc or rpc.voice.read or rpc.local. */ SPEAKING_START: { args: { channel_id?: string | null }; data: { channel_id: string; user_id: string } };
  /** Scope rpc or rpc.voice.read or rpc.local. */ SPEAKING_STOP: { args: { channel_id?: string | null }; data: { channel_id: string; user_id: string } };
  /** Scope rpc.authenticated. */ THERMAL_STATE_UPDATE: { args: NoArgs; data: { thermal_state: number } };
  /** Told once at first. Scope rpc.local and rpc.video.read. */ VIDEO_STATE_UPDATE: { args: NoArgs; data: { active: boolean } };
  /** Scope rpc. */ VOICE_CHANNEL_SELECT: { args: NoArgs; data: { channel_id: string | null; guild_id?: string | null } };
  /** Told once at first. Scope rpc or rpc.voice.read. */ VOICE_CONNECTION_STATUS: { args: NoArgs; data: { state: 'DISCONNECTED' | 'AWAITING_ENDPOINT' | 'AUTHENTICATING' | 'CONNECTING' | 'CONNECTED' | 'VOICE_DISCONNECTED' | 'VOICE_CONNECTING' | 'VOICE_CONNECTED' | 'NO_ROUTE' | 'ICE_CHECKING' | 'DTLS_CONNECTING'; hostname: string | null; pings: { time: number; value: number }[]; average_ping?: number; last_ping?: number } };
  /** Told once at first. Scope rpc.embedded_app or rpc.authenticated. */ VOICE_SESSION_PARTICIPANTS_UPDATE: { args: { session_id: string }; data: { session_id: string; participants: (User & { nickname?: string })[] } };
  /** Scope rpc.embedded_app or rpc.authenticated. */ VOICE_SESSION_SPEAKING_START: { args: { session_id: string }; data: { session_id: string; user_id: string } };
  /** Scope rpc.embedded_app or rpc.authenticated. */ VOICE_SESSION_SPEAKING_STOP: { args: { session_id: string }; data: { session_id: string; user_id: string } };
  /** Told once at first. Scope rpc or rpc.voice.read. */ VOICE_SETTINGS_UPDATE: { args: NoArgs; data: VoiceSettings };
  /** Told once at first. Scope rpc.local. */ VOICE_SETTINGS_UPDATE_2: { args: NoArgs; data: { input_mode: { type: string; shortcut: string }; local_mutes: string[]; local_volumes: Record<string, number>; self_mute: boolean; self_deaf: boolean } };
  /** Scope rpc or rpc.voice.read. */ VOICE_STATE_CREATE: { args: { channel_id: string }; data: VoiceState };
  /** Scope rpc or rpc.voice.read. */ VOICE_STATE_DELETE: { args: { channel_id: string }; data: VoiceState };
  /** Told once at first. Scope rpc or rpc.voice.read. */ VOICE_STATE_UPDATE: { args: { channel_id: string }; data: VoiceState };
}
