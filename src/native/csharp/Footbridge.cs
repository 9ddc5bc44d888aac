// The declarations of footbridge.h, whose first page is the manual. Generated from it by "npm run gen".
// This file is under the licences of the header.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Footbridge {
  public enum fb_result {
    FB_OK = 0,
    FB_AGAIN = 1,
    FB_E_INVALID = -1,
    FB_E_STATE = -2,
    FB_E_MEMORY = -3,
    FB_E_TOO_LONG = -4,
    FB_E_REFUSED = -5,
    FB_E_SYSTEM = -6,
  }

  public enum fb_code {
    FB_CODE_UNKNOWN_ERROR = 1000,
    FB_CODE_SERVICE_UNAVAILABLE = 1001,
    FB_CODE_TRANSACTION_ABORTED = 1002,
    FB_CODE_INVALID_PAYLOAD = 4000,
    FB_CODE_INVALID_COMMAND = 4002,
    FB_CODE_INVALID_GUILD = 4003,
    FB_CODE_INVALID_EVENT = 4004,
    FB_CODE_INVALID_CHANNEL = 4005,
    FB_CODE_INVALID_PERMISSIONS = 4006,
    FB_CODE_INVALID_CLIENT_ID = 4007,
    FB_CODE_INVALID_ORIGIN = 4008,
    FB_CODE_INVALID_TOKEN = 4009,
    FB_CODE_INVALID_USER = 4010,
    FB_CODE_INVALID_INVITE = 4011,
    FB_CODE_INVALID_ACTIVITY_JOIN_REQUEST = 4012,
    FB_CODE_INVALID_ENTITLEMENT = 4015,
    FB_CODE_INVALID_GIFT_CODE = 4016,
    FB_CODE_INVALID_GUILD_TEMPLATE = 4017,
    FB_CODE_INVALID_SOUND = 4018,
    FB_CODE_INVALID_PROVIDER = 4019,
    FB_CODE_INVALID_CONNECTION_CALLBACK_STATE = 4020,
    FB_CODE_BAD_REQUEST_FOR_PROVIDER = 4021,
    FB_CODE_OAUTH2_ERROR = 5000,
    FB_CODE_SELECT_CHANNEL_TIMED_OUT = 5001,
    FB_CODE_GET_GUILD_TIMED_OUT = 5002,
    FB_CODE_SELECT_VOICE_FORCE_REQUIRED = 5003,
    FB_CODE_CAPTURE_SHORTCUT_ALREADY_LISTENING = 5004,
    FB_CODE_INVALID_ACTIVITY_SECRET = 5005,
    FB_CODE_NO_ELIGIBLE_ACTIVITY = 5006,
    FB_CODE_PURCHASE_CANCELED = 5008,
    FB_CODE_PURCHASE_ERROR = 5009,
    FB_CODE_RATE_LIMITED = 5011,
    FB_CODE_UNAUTHORIZED_FOR_APPLICATION = 5012,
    FB_CODE_NO_CONNECTION_FOUND = 5013,
  }

  public enum fb_close_code {
    FB_CLOSE_NORMAL = 1000,
    FB_CLOSE_UNSUPPORTED = 1003,
    FB_CLOSE_ABNORMAL = 1006,
    FB_CLOSE_INVALID_CLIENT_ID = 4000,
    FB_CLOSE_INVALID_ORIGIN = 4001,
    FB_CLOSE_RATE_LIMITED = 4002,
    FB_CLOSE_TOKEN_REVOKED = 4003,
    FB_CLOSE_INVALID_VERSION = 4004,
    FB_CLOSE_INVALID_ENCODING = 4005,
  }

  public enum fb_state {
    FB_STATE_WAITING = 0,
    FB_STATE_OPENING = 1,
    FB_STATE_READY = 2,
    FB_STATE_REFUSED = 3,
  }

  public enum fb_event_kind {
    FB_EVENT_READY = 1,
    FB_EVENT_LOST = 2,
    FB_EVENT_REFUSED = 3,
    FB_EVENT_ANSWER = 4,
    FB_EVENT_FAILED = 5,
    FB_EVENT_DISPATCH = 6,
  }

  [StructLayout(LayoutKind.Sequential)]
  public struct fb_json {
    public IntPtr at;
    public IntPtr end;
  }

  [StructLayout(LayoutKind.Sequential)]
  public struct fb_event {
    public fb_event_kind kind;
    public fb_result result;
    public uint request;
    public IntPtr name;
    public fb_json data;
    public int code;
    public fb_json message;
  }

  [StructLayout(LayoutKind.Sequential)]
  public struct fb_options {
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string client_id;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string endpoint;
    public int number;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string build;
    public int any_owner;
    public fb_on_event on_event;
    public IntPtr user;
    public IntPtr allocate;
    public IntPtr allocator;
    public IntPtr buffer;
    public UIntPtr buffer_size;
    public UIntPtr frame_limit;
    public int request_timeout_ms;
  }

  [StructLayout(LayoutKind.Sequential)]
  public struct fb_button {
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string label;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string url;
  }

  [StructLayout(LayoutKind.Sequential)]
  public struct fb_presence {
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string name;
    public int type;
    public int status_display_type;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string details;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string details_url;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string state;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string state_url;
    public long start;
    public long end;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string large_image;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string large_text;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string large_url;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string small_image;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string small_text;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string small_url;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string invite_cover_image;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string party_id;
    public int party_size;
    public int party_max;
    public int party_privacy;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string match;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string join;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string spectate;
    public fb_button buttons_0;
    public fb_button buttons_1;
    public int instance;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string supported_platforms_0;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string supported_platforms_1;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string supported_platforms_2;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string supported_platforms_3;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string supported_platforms_4;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string supported_platforms_5;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string supported_platforms_6;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string supported_platforms_7;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string supported_platforms_8;
    [MarshalAs(UnmanagedType.LPUTF8Str)] public string supported_platforms_9;
  }

  [StructLayout(LayoutKind.Sequential)]
  public struct fb_voice {
    public int mute;
    public int deaf;
    public double input_volume;
    public double output_volume;
    public int automatic_gain_control;
    public int echo_cancellation;
    public int noise_suppression;
    public int qos;
    public int silence_warning;
    public int push_to_talk;
  }

  [StructLayout(LayoutKind.Sequential)]
  public struct fb_pkce {
    [MarshalAs(UnmanagedType.ByValTStr, SizeConst = 44)] public string verifier;
    [MarshalAs(UnmanagedType.ByValTStr, SizeConst = 44)] public string challenge;
  }

  [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
  public delegate void fb_on_event(IntPtr user, IntPtr client, ref fb_event @event);

  public static class Native {
    const string Library = "footbridge";

    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_open([In] ref fb_options options, ref IntPtr client);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_close(ref IntPtr client);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_poll(IntPtr client, int timeout_ms);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_state fb_state_of(IntPtr client);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern IntPtr fb_endpoint(IntPtr client);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int fb_timeout(IntPtr client);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int fb_wants_write(IntPtr client);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern IntPtr fb_handle(IntPtr client);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int fb_fd(IntPtr client);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern IntPtr fb_result_text(fb_result result);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern UIntPtr fb_error_text(IntPtr client, [Out] byte[] text, UIntPtr size);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_show(IntPtr client, [In] ref fb_presence presence);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_show_json(IntPtr client, [MarshalAs(UnmanagedType.LPUTF8Str)] string activity);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_clear(IntPtr client);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_request(IntPtr client, [MarshalAs(UnmanagedType.LPUTF8Str)] string command, [MarshalAs(UnmanagedType.LPUTF8Str)] string args, out uint request);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_subscribe(IntPtr client, [MarshalAs(UnmanagedType.LPUTF8Str)] string @event, [MarshalAs(UnmanagedType.LPUTF8Str)] string args);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_unsubscribe(IntPtr client, [MarshalAs(UnmanagedType.LPUTF8Str)] string @event, [MarshalAs(UnmanagedType.LPUTF8Str)] string args);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_voice fb_voice_unset();
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_set_voice(IntPtr client, [In] ref fb_voice voice, out uint request);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_get_voice(IntPtr client, out uint request);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_read_voice(fb_json data, ref fb_voice voice);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_select_voice_channel(IntPtr client, [MarshalAs(UnmanagedType.LPUTF8Str)] string channel_id, int force, out uint request);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_pkce_new(ref fb_pkce pkce);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_authorize(IntPtr client, [MarshalAs(UnmanagedType.LPUTF8Str)] string scopes, [In] ref fb_pkce pkce, out uint request);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_result fb_authenticate(IntPtr client, [MarshalAs(UnmanagedType.LPUTF8Str)] string token);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_json fb_get(fb_json @object, [MarshalAs(UnmanagedType.LPUTF8Str)] string key);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int fb_is(fb_json value, [MarshalAs(UnmanagedType.LPUTF8Str)] string text);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern sbyte fb_type(fb_json value);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern UIntPtr fb_text(fb_json value, [Out] byte[] text, UIntPtr size);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int fb_integer(fb_json value, out long number);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern fb_json fb_next(fb_json container, fb_json before);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int fb_is_true(fb_json value);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int fb_id(fb_json value, out ulong id);
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int fb_number(fb_json value, out double number);

    /// <summary>A text of the library, such as of fb_endpoint or the name of an event.</summary>
    public static string Text(IntPtr at) {
      if (at == IntPtr.Zero) return null;
      int length = 0;
      while (Marshal.ReadByte(at, length) != 0) length++;
      byte[] bytes = new byte[length];
      Marshal.Copy(at, bytes, 0, length);
      return Encoding.UTF8.GetString(bytes);
    }

    /// <summary>A text in JSON without its escapes; null where the value is no text.</summary>
    public static string Text(fb_json value) {
      if (fb_type(value) != '"') return null;
      byte[] bytes = new byte[(int)fb_text(value, null, UIntPtr.Zero) + 1];
      int length = (int)fb_text(value, bytes, (UIntPtr)bytes.Length);
      return Encoding.UTF8.GetString(bytes, 0, length);
    }

    /// <summary>The JSON of a value as it came; null where it is absent.</summary>
    public static string Json(fb_json value) {
      if (value.at == IntPtr.Zero) return null;
      byte[] bytes = new byte[value.end.ToInt64() - value.at.ToInt64()];
      Marshal.Copy(value.at, bytes, 0, bytes.Length);
      return Encoding.UTF8.GetString(bytes);
    }

    public const string FB_CMD_ACCEPT_ACTIVITY_INVITE = "ACCEPT_ACTIVITY_INVITE";
    public const string FB_CMD_ACTIVITY_INVITE_USER = "ACTIVITY_INVITE_USER";
    public const string FB_CMD_AUTHENTICATE = "AUTHENTICATE";
    public const string FB_CMD_AUTHORIZE = "AUTHORIZE";
    public const string FB_CMD_BILLING_POPUP_BRIDGE_CALLBACK = "BILLING_POPUP_BRIDGE_CALLBACK";
    public const string FB_CMD_BRAINTREE_POPUP_BRIDGE_CALLBACK = "BRAINTREE_POPUP_BRIDGE_CALLBACK";
    public const string FB_CMD_BROWSER_HANDOFF = "BROWSER_HANDOFF";
    public const string FB_CMD_CAPTURE_LOG = "CAPTURE_LOG";
    public const string FB_CMD_CLOSE_ACTIVITY_JOIN_REQUEST = "CLOSE_ACTIVITY_JOIN_REQUEST";
    public const string FB_CMD_CLOSE_ACTIVITY_REQUEST = "CLOSE_ACTIVITY_REQUEST";
    public const string FB_CMD_CONNECTIONS_CALLBACK = "CONNECTIONS_CALLBACK";
    public const string FB_CMD_CREATE_CHANNEL_INVITE = "CREATE_CHANNEL_INVITE";
    public const string FB_CMD_DEEP_LINK = "DEEP_LINK";
    public const string FB_CMD_ENCOURAGE_HW_ACCELERATION = "ENCOURAGE_HW_ACCELERATION";
    public const string FB_CMD_GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS = "GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS";
    public const string FB_CMD_GET_APPLICATION_TICKET = "GET_APPLICATION_TICKET";
    public const string FB_CMD_GET_CHANNEL = "GET_CHANNEL";
    public const string FB_CMD_GET_CHANNELS = "GET_CHANNELS";
    public const string FB_CMD_GET_CHANNEL_PERMISSIONS = "GET_CHANNEL_PERMISSIONS";
    public const string FB_CMD_GET_ENTITLEMENTS = "GET_ENTITLEMENTS";
    public const string FB_CMD_GET_ENTITLEMENTS_EMBEDDED = "GET_ENTITLEMENTS_EMBEDDED";
    public const string FB_CMD_GET_ENTITLEMENT_TICKET = "GET_ENTITLEMENT_TICKET";
    public const string FB_CMD_GET_GUILD = "GET_GUILD";
    public const string FB_CMD_GET_GUILDS = "GET_GUILDS";
    public const string FB_CMD_GET_IMAGE = "GET_IMAGE";
    public const string FB_CMD_GET_NETWORKING_CONFIG = "GET_NETWORKING_CONFIG";
    public const string FB_CMD_GET_PLATFORM_BEHAVIORS = "GET_PLATFORM_BEHAVIORS";
    public const string FB_CMD_GET_PROVIDER_ACCESS_TOKEN = "GET_PROVIDER_ACCESS_TOKEN";
    public const string FB_CMD_GET_QUEST = "GET_QUEST";
    public const string FB_CMD_GET_QUEST_ENROLLMENT_STATUS = "GET_QUEST_ENROLLMENT_STATUS";
    public const string FB_CMD_GET_RELATIONSHIPS = "GET_RELATIONSHIPS";
    public const string FB_CMD_GET_SELECTED_VOICE_CHANNEL = "GET_SELECTED_VOICE_CHANNEL";
    public const string FB_CMD_GET_SKUS = "GET_SKUS";
    public const string FB_CMD_GET_SKUS_EMBEDDED = "GET_SKUS_EMBEDDED";
    public const string FB_CMD_GET_SOUNDBOARD_SOUNDS = "GET_SOUNDBOARD_SOUNDS";
    public const string FB_CMD_GET_USER = "GET_USER";
    public const string FB_CMD_GET_VOICE_SETTINGS = "GET_VOICE_SETTINGS";
    public const string FB_CMD_GIFT_CODE_BROWSER = "GIFT_CODE_BROWSER";
    public const string FB_CMD_GUILD_TEMPLATE_BROWSER = "GUILD_TEMPLATE_BROWSER";
    public const string FB_CMD_INITIATE_IMAGE_UPLOAD = "INITIATE_IMAGE_UPLOAD";
    public const string FB_CMD_INVITE_BROWSER = "INVITE_BROWSER";
    public const string FB_CMD_INVITE_USER_EMBEDDED = "INVITE_USER_EMBEDDED";
    public const string FB_CMD_MAYBE_GET_PROVIDER_ACCESS_TOKEN = "MAYBE_GET_PROVIDER_ACCESS_TOKEN";
    public const string FB_CMD_NAVIGATE_TO_CONNECTIONS = "NAVIGATE_TO_CONNECTIONS";
    public const string FB_CMD_NETWORKING_CREATE_TOKEN = "NETWORKING_CREATE_TOKEN";
    public const string FB_CMD_NETWORKING_PEER_METRICS = "NETWORKING_PEER_METRICS";
    public const string FB_CMD_NETWORKING_SYSTEM_METRICS = "NETWORKING_SYSTEM_METRICS";
    public const string FB_CMD_OPEN_EXTERNAL_LINK = "OPEN_EXTERNAL_LINK";
    public const string FB_CMD_OPEN_INVITE_DIALOG = "OPEN_INVITE_DIALOG";
    public const string FB_CMD_OPEN_MESSAGE = "OPEN_MESSAGE";
    public const string FB_CMD_OPEN_OVERLAY_ACTIVITY_INVITE = "OPEN_OVERLAY_ACTIVITY_INVITE";
    public const string FB_CMD_OPEN_OVERLAY_GUILD_INVITE = "OPEN_OVERLAY_GUILD_INVITE";
    public const string FB_CMD_OPEN_OVERLAY_VOICE_SETTINGS = "OPEN_OVERLAY_VOICE_SETTINGS";
    public const string FB_CMD_OPEN_SHARE_MOMENT_DIALOG = "OPEN_SHARE_MOMENT_DIALOG";
    public const string FB_CMD_PLAY_SOUNDBOARD_SOUND = "PLAY_SOUNDBOARD_SOUND";
    public const string FB_CMD_PUSH_TO_TALK = "PUSH_TO_TALK";
    public const string FB_CMD_QUEST_START_TIMER = "QUEST_START_TIMER";
    public const string FB_CMD_REQUEST_PROXY_TICKET_REFRESH = "REQUEST_PROXY_TICKET_REFRESH";
    public const string FB_CMD_SELECT_TEXT_CHANNEL = "SELECT_TEXT_CHANNEL";
    public const string FB_CMD_SELECT_VOICE_CHANNEL = "SELECT_VOICE_CHANNEL";
    public const string FB_CMD_SEND_ACTIVITY_JOIN_INVITE = "SEND_ACTIVITY_JOIN_INVITE";
    public const string FB_CMD_SEND_ANALYTICS_EVENT = "SEND_ANALYTICS_EVENT";
    public const string FB_CMD_SET_ACTIVITY = "SET_ACTIVITY";
    public const string FB_CMD_SET_CERTIFIED_DEVICES = "SET_CERTIFIED_DEVICES";
    public const string FB_CMD_SET_CONFIG = "SET_CONFIG";
    public const string FB_CMD_SET_ORIENTATION_LOCK_STATE = "SET_ORIENTATION_LOCK_STATE";
    public const string FB_CMD_SET_OVERLAY_LOCKED = "SET_OVERLAY_LOCKED";
    public const string FB_CMD_SET_USER_VOICE_SETTINGS = "SET_USER_VOICE_SETTINGS";
    public const string FB_CMD_SET_USER_VOICE_SETTINGS_2 = "SET_USER_VOICE_SETTINGS_2";
    public const string FB_CMD_SET_VOICE_SETTINGS = "SET_VOICE_SETTINGS";
    public const string FB_CMD_SET_VOICE_SETTINGS_2 = "SET_VOICE_SETTINGS_2";
    public const string FB_CMD_SHARE_INTERACTION = "SHARE_INTERACTION";
    public const string FB_CMD_SHARE_LINK = "SHARE_LINK";
    public const string FB_CMD_START_PREMIUM_PURCHASE = "START_PREMIUM_PURCHASE";
    public const string FB_CMD_START_PURCHASE = "START_PURCHASE";
    public const string FB_CMD_SUBSCRIBE = "SUBSCRIBE";
    public const string FB_CMD_TOGGLE_SCREENSHARE = "TOGGLE_SCREENSHARE";
    public const string FB_CMD_TOGGLE_VIDEO = "TOGGLE_VIDEO";
    public const string FB_CMD_TOGGLE_VOICE_CHANNEL_CHAT = "TOGGLE_VOICE_CHANNEL_CHAT";
    public const string FB_CMD_UNSUBSCRIBE = "UNSUBSCRIBE";
    public const string FB_CMD_USER_SETTINGS_GET_LOCALE = "USER_SETTINGS_GET_LOCALE";
    public const string FB_CMD_VALIDATE_APPLICATION = "VALIDATE_APPLICATION";
    public const string FB_EVT_ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE = "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE";
    public const string FB_EVT_ACTIVITY_INVITE = "ACTIVITY_INVITE";
    public const string FB_EVT_ACTIVITY_JOIN = "ACTIVITY_JOIN";
    public const string FB_EVT_ACTIVITY_JOIN_REQUEST = "ACTIVITY_JOIN_REQUEST";
    public const string FB_EVT_ACTIVITY_LAYOUT_MODE_UPDATE = "ACTIVITY_LAYOUT_MODE_UPDATE";
    public const string FB_EVT_ACTIVITY_PIP_MODE_UPDATE = "ACTIVITY_PIP_MODE_UPDATE";
    public const string FB_EVT_ACTIVITY_SPECTATE = "ACTIVITY_SPECTATE";
    public const string FB_EVT_AUTHORIZE_REQUEST = "AUTHORIZE_REQUEST";
    public const string FB_EVT_CHANNEL_CREATE = "CHANNEL_CREATE";
    public const string FB_EVT_CURRENT_GUILD_MEMBER_UPDATE = "CURRENT_GUILD_MEMBER_UPDATE";
    public const string FB_EVT_CURRENT_USER_UPDATE = "CURRENT_USER_UPDATE";
    public const string FB_EVT_ENTITLEMENT_CREATE = "ENTITLEMENT_CREATE";
    public const string FB_EVT_ENTITLEMENT_DELETE = "ENTITLEMENT_DELETE";
    public const string FB_EVT_ERROR = "ERROR";
    public const string FB_EVT_FRAME_LAYOUT_MODE_UPDATE = "FRAME_LAYOUT_MODE_UPDATE";
    public const string FB_EVT_GAME_JOIN = "GAME_JOIN";
    public const string FB_EVT_GAME_SPECTATE = "GAME_SPECTATE";
    public const string FB_EVT_GUILD_CREATE = "GUILD_CREATE";
    public const string FB_EVT_GUILD_STATUS = "GUILD_STATUS";
    public const string FB_EVT_MESSAGE_CREATE = "MESSAGE_CREATE";
    public const string FB_EVT_MESSAGE_DELETE = "MESSAGE_DELETE";
    public const string FB_EVT_MESSAGE_UPDATE = "MESSAGE_UPDATE";
    public const string FB_EVT_NOTIFICATION_CREATE = "NOTIFICATION_CREATE";
    public const string FB_EVT_ORIENTATION_UPDATE = "ORIENTATION_UPDATE";
    public const string FB_EVT_OVERLAY_UPDATE = "OVERLAY_UPDATE";
    public const string FB_EVT_QUEST_ENROLLMENT_STATUS_UPDATE = "QUEST_ENROLLMENT_STATUS_UPDATE";
    public const string FB_EVT_READY = "READY";
    public const string FB_EVT_RELATIONSHIP_UPDATE = "RELATIONSHIP_UPDATE";
    public const string FB_EVT_SCREENSHARE_STATE_UPDATE = "SCREENSHARE_STATE_UPDATE";
    public const string FB_EVT_SPEAKING_START = "SPEAKING_START";
    public const string FB_EVT_SPEAKING_STOP = "SPEAKING_STOP";
    public const string FB_EVT_THERMAL_STATE_UPDATE = "THERMAL_STATE_UPDATE";
    public const string FB_EVT_VIDEO_STATE_UPDATE = "VIDEO_STATE_UPDATE";
    public const string FB_EVT_VOICE_CHANNEL_SELECT = "VOICE_CHANNEL_SELECT";
    public const string FB_EVT_VOICE_CONNECTION_STATUS = "VOICE_CONNECTION_STATUS";
    public const string FB_EVT_VOICE_SESSION_PARTICIPANTS_UPDATE = "VOICE_SESSION_PARTICIPANTS_UPDATE";
    public const string FB_EVT_VOICE_SESSION_SPEAKING_START = "VOICE_SESSION_SPEAKING_START";
    public const string FB_EVT_VOICE_SESSION_SPEAKING_STOP = "VOICE_SESSION_SPEAKING_STOP";
    public const string FB_EVT_VOICE_SETTINGS_UPDATE = "VOICE_SETTINGS_UPDATE";
    public const string FB_EVT_VOICE_SETTINGS_UPDATE_2 = "VOICE_SETTINGS_UPDATE_2";
    public const string FB_EVT_VOICE_STATE_CREATE = "VOICE_STATE_CREATE";
    public const string FB_EVT_VOICE_STATE_DELETE = "VOICE_STATE_DELETE";
    public const string FB_EVT_VOICE_STATE_UPDATE = "VOICE_STATE_UPDATE";
  }
}
