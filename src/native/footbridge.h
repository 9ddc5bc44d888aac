/* footbridge.h: local RPC of a chat client for native programs, in one header. C99 and C++11.
 *
 *   #define FB_IMPLEMENTATION            // in one file of your program, before any other header
 *   #include "footbridge.h"
 *
 *   fb_options options = {0};
 *   options.client_id = "300000000000000001";
 *   fb_client *client;
 *   if (fb_open(&options, &client) == FB_OK) {
 *     fb_presence presence = {0};
 *     presence.details = "By the river";
 *     fb_show(client, &presence);        // shown now, or as soon as a chat client is there
 *     while (my_game_runs()) { fb_poll(client, 0); my_frame(); }
 *     fb_close(&client);                 // shows nothing any more, and hangs up
 *   }
 *
 * WHAT IT IS. A client for the socket (or named pipe) `discord-ipc-0` to `9` that chat clients and bridges serve. It has
 * no thread, no global, no signal and no dependency, never blocks longer than the time that you give, and is silent where
 * no chat client runs. It connects again after a loss and then restores the presence, the token and the subscriptions.
 *
 * FIVE ERRORS THAT PROGRAMS WITH A CLIENT OF THEIR OWN MAKE, and the line that avoids each:
 *   1. SET_ACTIVITY without a handshake, or one socket alone    fb_open and fb_poll: handshake and search are inside
 *   2. text that is pasted into JSON without escapes            fb_show, fb_w_text: escapes, and refuses what is no UTF-8
 *   3. a frame taken for a read: lost bytes, crashes at 64 KiB  fb_poll: any split, any size, bounded memory
 *   4. the paths of Flatpak and Snap forgotten                  fb_open: options.endpoint is for programs that know better
 *   5. retries without end after "Invalid Client ID"            fb_poll returns FB_E_REFUSED: stop polling
 *
 * RESULTS. FB_OK, or FB_AGAIN (nothing happened, or no room or no connection yet: call again later), or a negative
 * fb_result that fb_result_text() explains. FB_E_REFUSED is for ever; everything else may be different later.
 * fb_error_text() lists each path that the last search tried, and why it was none.
 *
 * EVENTS. fb_poll() calls options.on_event with each event (fb_event). Everything but fb_poll and fb_close may be called
 * from there, and none may leave it by an exception or longjmp. Views (fb_json, fb_event.name) live until the call returns.
 *
 * LOOPS OF OTHERS. fb_fd() (fb_handle() on Windows) and fb_timeout() are for poll, epoll, libuv and GLib: wait for the
 * descriptor to be readable (and writable while fb_wants_write() says so), at most fb_timeout() ms, then fb_poll(client,
 * 0). The descriptor changes with each connection, and is -1 between them.
 *
 * MEMORY. By default malloc's; options.allocate takes yours. With options.buffer nothing is allocated after fb_open, and
 * a frame that has no room there is read to its end and comes as an event with FB_E_TOO_LONG instead of its data.
 *
 * THREADS. One client belongs to one thread at a time. Clients do not share anything.
 *
 * SWITCHES, each before the include with FB_IMPLEMENTATION (and the first two before every include):
 *   FB_STATIC         every function is static
 *   FB_API            how functions are declared, such as __declspec(dllexport)
 *   FB_PRESENCE_ONLY  presence alone: no requests, no subscriptions, no tokens, no voice
 *   FB_NO_AUTH        no tokens and no PKCE
 *   FB_NO_STDIO       no <stdio.h>: without fb_print_error
 *   FB_NO_MALLOC      no malloc: options.allocate or options.buffer must be given
 *
 * SECURITY. Whoever listens on the socket gets your access token, so only sockets of your own user and of root are taken
 * (options.any_owner takes all); on Windows, where pipes have no such owner, any. A token is in memory until fb_close, which
 * wipes it, and in no text; events have it where the server sends it back.
 */

#ifndef FOOTBRIDGE_H
#define FOOTBRIDGE_H

#if defined(FB_IMPLEMENTATION) && defined(__linux__) && defined(__STRICT_ANSI__) && !defined(_POSIX_C_SOURCE) && \
    !defined(_XOPEN_SOURCE) && !defined(_DEFAULT_SOURCE) && !defined(_GNU_SOURCE)
/* With -std=c99 the headers of the system have no sockets otherwise. */
#define _POSIX_C_SOURCE 200809L
#endif

#include <stddef.h>
#include <stdint.h>
#ifndef FB_NO_STDIO
#include <stdio.h>
#endif

#ifdef FB_PRESENCE_ONLY
#ifndef FB_NO_AUTH
#define FB_NO_AUTH
#endif
#endif

#ifndef FB_API
#if defined(FB_STATIC) && (defined(__GNUC__) || defined(__clang__))
#define FB_API static __attribute__((unused))
#elif defined(FB_STATIC)
#define FB_API static
#else
#define FB_API extern
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a call. */
typedef enum fb_result {
  FB_OK = 0,
  /** Nothing happened, or there is no room or no connection yet: call again later. */
  FB_AGAIN = 1,
  /** An argument is wrong: NULL, too long, not UTF-8, or no JSON. Nothing was done. */
  FB_E_INVALID = -1,
  /** The call is not possible now: fb_poll or fb_close in an event, or a function of another state. */
  FB_E_STATE = -2,
  /** The allocator failed or does not align, or the buffer is too small. Nothing was lost. */
  FB_E_MEMORY = -3,
  /** The text or frame has no room, and never will with these options. */
  FB_E_TOO_LONG = -4,
  /** The server refuses this program for ever, such as for its client id. Stop polling; fb_error_text says why. */
  FB_E_REFUSED = -5,
  /** The operating system refused what the call needs, such as random bytes. */
  FB_E_SYSTEM = -6
} fb_result;

/** `code` of an event that failed. */
typedef enum fb_code {
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
  FB_CODE_NO_CONNECTION_FOUND = 5013
} fb_code;

/** `code` of a connection that was lost or refused. */
typedef enum fb_close_code {
  FB_CLOSE_NORMAL = 1000,
  FB_CLOSE_UNSUPPORTED = 1003,
  FB_CLOSE_ABNORMAL = 1006,
  FB_CLOSE_INVALID_CLIENT_ID = 4000,
  FB_CLOSE_INVALID_ORIGIN = 4001,
  FB_CLOSE_RATE_LIMITED = 4002,
  FB_CLOSE_TOKEN_REVOKED = 4003,
  FB_CLOSE_INVALID_VERSION = 4004,
  FB_CLOSE_INVALID_ENCODING = 4005
} fb_close_code;

#ifndef FB_PRESENCE_ONLY
/* Names of commands and events. */
#define FB_CMD_ACCEPT_ACTIVITY_INVITE "ACCEPT_ACTIVITY_INVITE"
#define FB_CMD_ACTIVITY_INVITE_USER "ACTIVITY_INVITE_USER"
#define FB_CMD_AUTHENTICATE "AUTHENTICATE"
#define FB_CMD_AUTHORIZE "AUTHORIZE"
#define FB_CMD_BILLING_POPUP_BRIDGE_CALLBACK "BILLING_POPUP_BRIDGE_CALLBACK"
#define FB_CMD_BRAINTREE_POPUP_BRIDGE_CALLBACK "BRAINTREE_POPUP_BRIDGE_CALLBACK"
#define FB_CMD_BROWSER_HANDOFF "BROWSER_HANDOFF"
#define FB_CMD_CAPTURE_LOG "CAPTURE_LOG"
#define FB_CMD_CLOSE_ACTIVITY_JOIN_REQUEST "CLOSE_ACTIVITY_JOIN_REQUEST"
#define FB_CMD_CLOSE_ACTIVITY_REQUEST "CLOSE_ACTIVITY_REQUEST"
#define FB_CMD_CONNECTIONS_CALLBACK "CONNECTIONS_CALLBACK"
#define FB_CMD_CREATE_CHANNEL_INVITE "CREATE_CHANNEL_INVITE"
#define FB_CMD_DEEP_LINK "DEEP_LINK"
#define FB_CMD_ENCOURAGE_HW_ACCELERATION "ENCOURAGE_HW_ACCELERATION"
#define FB_CMD_GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS "GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS"
#define FB_CMD_GET_APPLICATION_TICKET "GET_APPLICATION_TICKET"
#define FB_CMD_GET_CHANNEL "GET_CHANNEL"
#define FB_CMD_GET_CHANNELS "GET_CHANNELS"
#define FB_CMD_GET_CHANNEL_PERMISSIONS "GET_CHANNEL_PERMISSIONS"
#define FB_CMD_GET_ENTITLEMENTS "GET_ENTITLEMENTS"
#define FB_CMD_GET_ENTITLEMENTS_EMBEDDED "GET_ENTITLEMENTS_EMBEDDED"
#define FB_CMD_GET_ENTITLEMENT_TICKET "GET_ENTITLEMENT_TICKET"
#define FB_CMD_GET_GUILD "GET_GUILD"
#define FB_CMD_GET_GUILDS "GET_GUILDS"
#define FB_CMD_GET_IMAGE "GET_IMAGE"
#define FB_CMD_GET_NETWORKING_CONFIG "GET_NETWORKING_CONFIG"
#define FB_CMD_GET_PLATFORM_BEHAVIORS "GET_PLATFORM_BEHAVIORS"
#define FB_CMD_GET_PROVIDER_ACCESS_TOKEN "GET_PROVIDER_ACCESS_TOKEN"
#define FB_CMD_GET_QUEST "GET_QUEST"
#define FB_CMD_GET_QUEST_ENROLLMENT_STATUS "GET_QUEST_ENROLLMENT_STATUS"
#define FB_CMD_GET_RELATIONSHIPS "GET_RELATIONSHIPS"
#define FB_CMD_GET_SELECTED_VOICE_CHANNEL "GET_SELECTED_VOICE_CHANNEL"
#define FB_CMD_GET_SKUS "GET_SKUS"
#define FB_CMD_GET_SKUS_EMBEDDED "GET_SKUS_EMBEDDED"
#define FB_CMD_GET_SOUNDBOARD_SOUNDS "GET_SOUNDBOARD_SOUNDS"
#define FB_CMD_GET_USER "GET_USER"
#define FB_CMD_GET_VOICE_SETTINGS "GET_VOICE_SETTINGS"
#define FB_CMD_GIFT_CODE_BROWSER "GIFT_CODE_BROWSER"
#define FB_CMD_GUILD_TEMPLATE_BROWSER "GUILD_TEMPLATE_BROWSER"
#define FB_CMD_INITIATE_IMAGE_UPLOAD "INITIATE_IMAGE_UPLOAD"
#define FB_CMD_INVITE_BROWSER "INVITE_BROWSER"
#define FB_CMD_INVITE_USER_EMBEDDED "INVITE_USER_EMBEDDED"
#define FB_CMD_MAYBE_GET_PROVIDER_ACCESS_TOKEN "MAYBE_GET_PROVIDER_ACCESS_TOKEN"
#define FB_CMD_NAVIGATE_TO_CONNECTIONS "NAVIGATE_TO_CONNECTIONS"
#define FB_CMD_NETWORKING_CREATE_TOKEN "NETWORKING_CREATE_TOKEN"
#define FB_CMD_NETWORKING_PEER_METRICS "NETWORKING_PEER_METRICS"
#define FB_CMD_NETWORKING_SYSTEM_METRICS "NETWORKING_SYSTEM_METRICS"
#define FB_CMD_OPEN_EXTERNAL_LINK "OPEN_EXTERNAL_LINK"
#define FB_CMD_OPEN_INVITE_DIALOG "OPEN_INVITE_DIALOG"
#define FB_CMD_OPEN_MESSAGE "OPEN_MESSAGE"
#define FB_CMD_OPEN_OVERLAY_ACTIVITY_INVITE "OPEN_OVERLAY_ACTIVITY_INVITE"
#define FB_CMD_OPEN_OVERLAY_GUILD_INVITE "OPEN_OVERLAY_GUILD_INVITE"
#define FB_CMD_OPEN_OVERLAY_VOICE_SETTINGS "OPEN_OVERLAY_VOICE_SETTINGS"
#define FB_CMD_OPEN_SHARE_MOMENT_DIALOG "OPEN_SHARE_MOMENT_DIALOG"
#define FB_CMD_PLAY_SOUNDBOARD_SOUND "PLAY_SOUNDBOARD_SOUND"
#define FB_CMD_PUSH_TO_TALK "PUSH_TO_TALK"
#define FB_CMD_QUEST_START_TIMER "QUEST_START_TIMER"
#define FB_CMD_REQUEST_PROXY_TICKET_REFRESH "REQUEST_PROXY_TICKET_REFRESH"
#define FB_CMD_SELECT_TEXT_CHANNEL "SELECT_TEXT_CHANNEL"
#define FB_CMD_SELECT_VOICE_CHANNEL "SELECT_VOICE_CHANNEL"
#define FB_CMD_SEND_ACTIVITY_JOIN_INVITE "SEND_ACTIVITY_JOIN_INVITE"
#define FB_CMD_SEND_ANALYTICS_EVENT "SEND_ANALYTICS_EVENT"
#define FB_CMD_SET_ACTIVITY "SET_ACTIVITY"
#define FB_CMD_SET_CERTIFIED_DEVICES "SET_CERTIFIED_DEVICES"
#define FB_CMD_SET_CONFIG "SET_CONFIG"
#define FB_CMD_SET_ORIENTATION_LOCK_STATE "SET_ORIENTATION_LOCK_STATE"
#define FB_CMD_SET_OVERLAY_LOCKED "SET_OVERLAY_LOCKED"
#define FB_CMD_SET_USER_VOICE_SETTINGS "SET_USER_VOICE_SETTINGS"
#define FB_CMD_SET_USER_VOICE_SETTINGS_2 "SET_USER_VOICE_SETTINGS_2"
#define FB_CMD_SET_VOICE_SETTINGS "SET_VOICE_SETTINGS"
#define FB_CMD_SET_VOICE_SETTINGS_2 "SET_VOICE_SETTINGS_2"
#define FB_CMD_SHARE_INTERACTION "SHARE_INTERACTION"
#define FB_CMD_SHARE_LINK "SHARE_LINK"
#define FB_CMD_START_PREMIUM_PURCHASE "START_PREMIUM_PURCHASE"
#define FB_CMD_START_PURCHASE "START_PURCHASE"
#define FB_CMD_SUBSCRIBE "SUBSCRIBE"
#define FB_CMD_TOGGLE_SCREENSHARE "TOGGLE_SCREENSHARE"
#define FB_CMD_TOGGLE_VIDEO "TOGGLE_VIDEO"
#define FB_CMD_TOGGLE_VOICE_CHANNEL_CHAT "TOGGLE_VOICE_CHANNEL_CHAT"
#define FB_CMD_UNSUBSCRIBE "UNSUBSCRIBE"
#define FB_CMD_USER_SETTINGS_GET_LOCALE "USER_SETTINGS_GET_LOCALE"
#define FB_CMD_VALIDATE_APPLICATION "VALIDATE_APPLICATION"

#define FB_EVT_ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE"
#define FB_EVT_ACTIVITY_INVITE "ACTIVITY_INVITE"
#define FB_EVT_ACTIVITY_JOIN "ACTIVITY_JOIN"
#define FB_EVT_ACTIVITY_JOIN_REQUEST "ACTIVITY_JOIN_REQUEST"
#define FB_EVT_ACTIVITY_LAYOUT_MODE_UPDATE "ACTIVITY_LAYOUT_MODE_UPDATE"
#define FB_EVT_ACTIVITY_PIP_MODE_UPDATE "ACTIVITY_PIP_MODE_UPDATE"
#define FB_EVT_ACTIVITY_SPECTATE "ACTIVITY_SPECTATE"
#define FB_EVT_AUTHORIZE_REQUEST "AUTHORIZE_REQUEST"
#define FB_EVT_CHANNEL_CREATE "CHANNEL_CREATE"
#define FB_EVT_CURRENT_GUILD_MEMBER_UPDATE "CURRENT_GUILD_MEMBER_UPDATE"
#define FB_EVT_CURRENT_USER_UPDATE "CURRENT_USER_UPDATE"
#define FB_EVT_ENTITLEMENT_CREATE "ENTITLEMENT_CREATE"
#define FB_EVT_ENTITLEMENT_DELETE "ENTITLEMENT_DELETE"
#define FB_EVT_ERROR "ERROR"
#define FB_EVT_FRAME_LAYOUT_MODE_UPDATE "FRAME_LAYOUT_MODE_UPDATE"
#define FB_EVT_GAME_JOIN "GAME_JOIN"
#define FB_EVT_GAME_SPECTATE "GAME_SPECTATE"
#define FB_EVT_GUILD_CREATE "GUILD_CREATE"
#define FB_EVT_GUILD_STATUS "GUILD_STATUS"
#define FB_EVT_MESSAGE_CREATE "MESSAGE_CREATE"
#define FB_EVT_MESSAGE_DELETE "MESSAGE_DELETE"
#define FB_EVT_MESSAGE_UPDATE "MESSAGE_UPDATE"
#define FB_EVT_NOTIFICATION_CREATE "NOTIFICATION_CREATE"
#define FB_EVT_ORIENTATION_UPDATE "ORIENTATION_UPDATE"
#define FB_EVT_OVERLAY_UPDATE "OVERLAY_UPDATE"
#define FB_EVT_QUEST_ENROLLMENT_STATUS_UPDATE "QUEST_ENROLLMENT_STATUS_UPDATE"
#define FB_EVT_READY "READY"
#define FB_EVT_RELATIONSHIP_UPDATE "RELATIONSHIP_UPDATE"
#define FB_EVT_SCREENSHARE_STATE_UPDATE "SCREENSHARE_STATE_UPDATE"
#define FB_EVT_SPEAKING_START "SPEAKING_START"
#define FB_EVT_SPEAKING_STOP "SPEAKING_STOP"
#define FB_EVT_THERMAL_STATE_UPDATE "THERMAL_STATE_UPDATE"
#define FB_EVT_VIDEO_STATE_UPDATE "VIDEO_STATE_UPDATE"
#define FB_EVT_VOICE_CHANNEL_SELECT "VOICE_CHANNEL_SELECT"
#define FB_EVT_VOICE_CONNECTION_STATUS "VOICE_CONNECTION_STATUS"
#define FB_EVT_VOICE_SESSION_PARTICIPANTS_UPDATE "VOICE_SESSION_PARTICIPANTS_UPDATE"
#define FB_EVT_VOICE_SESSION_SPEAKING_START "VOICE_SESSION_SPEAKING_START"
#define FB_EVT_VOICE_SESSION_SPEAKING_STOP "VOICE_SESSION_SPEAKING_STOP"
#define FB_EVT_VOICE_SETTINGS_UPDATE "VOICE_SETTINGS_UPDATE"
#define FB_EVT_VOICE_SETTINGS_UPDATE_2 "VOICE_SETTINGS_UPDATE_2"
#define FB_EVT_VOICE_STATE_CREATE "VOICE_STATE_CREATE"
#define FB_EVT_VOICE_STATE_DELETE "VOICE_STATE_DELETE"
#define FB_EVT_VOICE_STATE_UPDATE "VOICE_STATE_UPDATE"
#endif

/** State of a client. */
typedef enum fb_state {
  /** No connection; the next search begins by itself. */
  FB_STATE_WAITING = 0,
  /** The handshake was sent. */
  FB_STATE_OPENING = 1,
  FB_STATE_READY = 2,
  /** Refused for ever. */
  FB_STATE_REFUSED = 3
} fb_state;

/** One value of a JSON text, which stays where it is. Without a value, `at` is NULL, and every function takes that. */
typedef struct fb_json {
  const char *at;
  const char *end;
} fb_json;

typedef enum fb_event_kind {
  /** The connection is ready; `data` is that of READY. */
  FB_EVENT_READY = 1,
  /** The connection was lost; `code` and `message` are what the server said, or 0. Requests without an answer are lost. */
  FB_EVENT_LOST = 2,
  /** The server refuses this program for ever; `code` and `message` say why. */
  FB_EVENT_REFUSED = 3,
  /** The answer to a request; `name` is its command, `data` its result. */
  FB_EVENT_ANSWER = 4,
  /**
   * A request failed; `name` is its command, `code` and `message` say why. Without an answer, because the connection was
   * lost or the time is over, `code` is 0 and `result` is FB_AGAIN.
   */
  FB_EVENT_FAILED = 5,
  /** An event that was subscribed to; `name` is the event, `data` its data. */
  FB_EVENT_DISPATCH = 6
} fb_event_kind;

/** What happened. All of it lives until the callback returns. */
typedef struct fb_event {
  fb_event_kind kind;
  /** FB_OK; FB_AGAIN for a request without an answer; FB_E_TOO_LONG for a frame that had no room: then `data` is absent. */
  fb_result result;
  /** Number of fb_request; 0 for what the library sent by itself (presence, token, subscriptions). */
  uint32_t request;
  const char *name;
  fb_json data;
  int code;
  fb_json message;
} fb_event;

typedef struct fb_client fb_client;

/** Options of fb_open; `fb_options options = {0}` is valid but for client_id. Texts are copied. */
typedef struct fb_options {
  /** Id of your application, in decimal digits. */
  const char *client_id;
  /** Path of the only endpoint to use. NULL: FOOTBRIDGE_ENDPOINT of the environment, or the search. */
  const char *endpoint;
  /** 0: every endpoint; 1 to 10: only discord-ipc-0 to 9. */
  int number;
  /** Only this build of the chat client: "stable", "ptb" or "canary". NULL: any. */
  const char *build;
  /** Not 0: take sockets of other users too. */
  int any_owner;
  /** Called by fb_poll with each event; may be NULL. */
  void (*on_event)(void *user, fb_client *client, const fb_event *event);
  void *user;
  /** Allocates (block NULL) and frees (size 0); NULL: malloc's. Returns NULL when it fails, or memory aligned as malloc's. */
  void *(*allocate)(void *allocator, void *block, size_t size);
  void *allocator;
  /** Memory for everything, at least FB_MIN_BUFFER bytes, instead of an allocator. */
  void *buffer;
  size_t buffer_size;
  /** Largest frame whose data an event has, in bytes; default 4 MiB, at least some 16 KiB. Ignored with a buffer. */
  size_t frame_limit;
  /** Time for the answer to a request in ms; default 30,000, negative: none. AUTHORIZE, which waits for the user, has none. */
  int request_timeout_ms;
} fb_options;

/** Smallest options.buffer (bytes). A frame of half of what it has above 24 KiB still comes with its data. */
#define FB_MIN_BUFFER 32768

/** Opens a client. Nothing is connected before fb_poll. @return FB_OK, FB_E_INVALID, FB_E_MEMORY */
FB_API fb_result fb_open(const fb_options *options, fb_client **client);
/** Shows nothing any more, sends CLOSE, frees everything and sets *client to NULL. @return FB_OK, FB_E_INVALID, FB_E_STATE */
FB_API fb_result fb_close(fb_client **client);
/**
 * Does what is due: searches, connects, writes, reads, calls on_event. Waits at most timeout_ms (0: not at all; negative:
 * until something happens) when nothing is due. @return FB_OK: something happened; FB_AGAIN; FB_E_REFUSED; FB_E_STATE
 */
FB_API fb_result fb_poll(fb_client *client, int timeout_ms);
FB_API fb_state fb_state_of(const fb_client *client);
/** Path of the server that is connected; "" without one. */
FB_API const char *fb_endpoint(const fb_client *client);
/** Milliseconds until fb_poll has something to do by itself; -1: not before the descriptor is readable. */
FB_API int fb_timeout(const fb_client *client);
/** Whether bytes wait for the descriptor to become writable. */
FB_API int fb_wants_write(const fb_client *client);
#ifdef _WIN32
/** Event handle that is set when the pipe has something to read, a HANDLE; NULL between connections. */
FB_API void *fb_handle(const fb_client *client);
#else
/** Descriptor of the socket; -1 between connections. */
FB_API int fb_fd(const fb_client *client);
#endif
/** Says in one line what a result means. */
FB_API const char *fb_result_text(fb_result result);
/**
 * Writes what fb_poll met last: the server's refusal, or each path that was tried and why it was none, one line each; or
 * the field that the last presence was refused for.
 * @return the length of the whole text, which is cut to size - 1 and ends with NUL
 */
FB_API size_t fb_error_text(const fb_client *client, char *text, size_t size);
#ifndef FB_NO_STDIO
FB_API void fb_print_error(const fb_client *client, FILE *file);
#endif

/** A button below a presence. */
typedef struct fb_button {
  const char *label;
  const char *url;
} fb_button;

/**
 * What others see; `fb_presence presence = {0}` is an empty one. Texts are UTF-8, NULL is unset; most have 2 to 128
 * characters, and fb_error_text names the field and the bounds of one that has not. Servers refuse buttons beside `join`.
 */
typedef struct fb_presence {
  const char *name;
  /** 0 playing, 2 listening, 3 watching, 5 competing. */
  int type;
  /** What the short form names: 0 name, 1 state, 2 details. */
  int status_display_type;
  const char *details;
  const char *details_url;
  const char *state;
  const char *state_url;
  /** Milliseconds since the Unix epoch; 0 is unset. */
  int64_t start;
  int64_t end;
  const char *large_image;
  const char *large_text;
  const char *large_url;
  const char *small_image;
  const char *small_text;
  const char *small_url;
  const char *invite_cover_image;
  const char *party_id;
  /** Size now and at most; both 0 are unset. */
  int party_size;
  int party_max;
  /** 0 private, 1 public. */
  int party_privacy;
  const char *match;
  const char *join;
  const char *spectate;
  fb_button buttons[2];
  int instance;
  /** Up to ten platforms, such as "desktop"; the first NULL ends the list. */
  const char *supported_platforms[10];
} fb_presence;

/**
 * Shows a presence now or as soon as that is possible: the last one wins, at most five in twenty seconds are sent, and it
 * is shown again after each reconnect. @return FB_OK, FB_E_INVALID (fb_error_text names the field), FB_E_TOO_LONG
 */
FB_API fb_result fb_show(fb_client *client, const fb_presence *presence);
/** Shows an activity that is written as JSON, for fields that fb_presence lacks. */
FB_API fb_result fb_show_json(fb_client *client, const char *activity);
/** Shows nothing any more. */
FB_API fb_result fb_clear(fb_client *client);

#ifndef FB_PRESENCE_ONLY
/**
 * Sends a command. `args` is a JSON object or NULL; *request, which may be NULL, gets the number that its answer has.
 * @return FB_OK, FB_AGAIN (not ready, no room now, or 32 wait already), FB_E_INVALID, FB_E_TOO_LONG
 */
FB_API fb_result fb_request(fb_client *client, const char *command, const char *args, uint32_t *request);
/** Subscribes to an event now and after each reconnect. @return FB_OK, FB_E_INVALID, FB_E_TOO_LONG (too many) */
FB_API fb_result fb_subscribe(fb_client *client, const char *event, const char *args);
/** Ends a subscription that was made with the same arguments. @return FB_OK, FB_AGAIN, FB_E_INVALID (there is none) */
FB_API fb_result fb_unsubscribe(fb_client *client, const char *event, const char *args);

/** Voice settings; fields that are -1 (volumes: negative) are left as they are. fb_voice_unset() makes such a one. */
typedef struct fb_voice {
  int mute;
  int deaf;
  /** Percent: 0 to 100, and 0 to 200. */
  double input_volume;
  double output_volume;
  int automatic_gain_control;
  int echo_cancellation;
  int noise_suppression;
  int qos;
  int silence_warning;
  /** 1: push to talk; 0: voice activity. */
  int push_to_talk;
} fb_voice;

FB_API fb_voice fb_voice_unset(void);
/** Changes voice settings: SET_VOICE_SETTINGS. Results as of fb_request. */
FB_API fb_result fb_set_voice(fb_client *client, const fb_voice *voice, uint32_t *request);
/** Asks for the voice settings; the answer's `data` is for fb_read_voice, as is that of VOICE_SETTINGS_UPDATE. */
FB_API fb_result fb_get_voice(fb_client *client, uint32_t *request);
FB_API fb_result fb_read_voice(fb_json data, fb_voice *voice);
/** Joins a voice channel, or leaves with NULL. Not 0: `force` moves a user who is in another channel. */
FB_API fb_result fb_select_voice_channel(fb_client *client, const char *channel_id, int force, uint32_t *request);
#endif

#ifndef FB_NO_AUTH
/** Verifier and challenge of PKCE (S256), each 43 characters. */
typedef struct fb_pkce {
  char verifier[44];
  char challenge[44];
} fb_pkce;

/** Makes a new verifier and its challenge. @return FB_OK, FB_E_INVALID, FB_E_SYSTEM (no random bytes) */
FB_API fb_result fb_pkce_new(fb_pkce *pkce);
/**
 * Asks the user for scopes, separated by spaces. The answer's `data` has `code`, which your server exchanges with the
 * verifier. `pkce` may be NULL. Results as of fb_request.
 */
FB_API fb_result fb_authorize(fb_client *client, const char *scopes, const fb_pkce *pkce, uint32_t *request);
/**
 * Presents an access token now and after each reconnect, before what was subscribed to. Requests do not wait for it: those
 * that need it are for after the answer, an event named AUTHENTICATE with request 0. A token that the server refuses is
 * forgotten. NULL forgets it. @return FB_OK, FB_E_INVALID, FB_E_TOO_LONG
 */
FB_API fb_result fb_authenticate(fb_client *client, const char *token);
#endif

/** Member of an object; absent where there is none, or no object. Of two members with one key, the last. */
FB_API fb_json fb_get(fb_json object, const char *key);
/** Whether a value is exactly this text. */
FB_API int fb_is(fb_json value, const char *text);
/** First character of a value: one of {["tfn, - or a digit; NUL where it is absent. */
FB_API char fb_type(fb_json value);
/**
 * Copies a text, without its escapes, as UTF-8 that ends with NUL, cut between two characters where it has no room.
 * @return the length of the whole text, 0 where the value is no text
 */
FB_API size_t fb_text(fb_json value, char *text, size_t size);
/** Reads an integer, also one in a text. @return 0 where it is none, or has no room in 64 bits */
FB_API int fb_integer(fb_json value, int64_t *number);
/** Checks a whole JSON text. @return its value; absent where it is no JSON, not UTF-8, or deeper than 128 */
FB_API fb_json fb_parse(const char *text, size_t length);

#ifndef FB_PRESENCE_ONLY
/** Next member of an array or value of an object; an absent `before` is for the first. Absent after the last. */
FB_API fb_json fb_next(fb_json container, fb_json before);
/** Whether a value is `true`. */
FB_API int fb_is_true(fb_json value);
/** Reads an id, which is a text of digits. @return 0 where it is none */
FB_API int fb_id(fb_json value, uint64_t *id);
/** Reads a number. @return 0 where it is none */
FB_API int fb_number(fb_json value, double *number);
#endif

/** Writes JSON into memory of yours; a mistake is remembered, and fb_w_end tells. */
typedef struct fb_writer {
  char *text;
  size_t size;
  size_t used;
  uint32_t closers;
  int depth;
  int comma;
  fb_result result;
} fb_writer;

FB_API fb_writer fb_w_begin(char *text, size_t size);
/** Opens an object or array, `{` or `[`, at most 32 deep; `key` is NULL outside of objects. */
FB_API void fb_w_open(fb_writer *writer, const char *key, char bracket);
FB_API void fb_w_shut(fb_writer *writer);
FB_API void fb_w_text(fb_writer *writer, const char *key, const char *text);
FB_API void fb_w_integer(fb_writer *writer, const char *key, int64_t number);
FB_API void fb_w_bool(fb_writer *writer, const char *key, int value);
/** Writes a value that is JSON already. */
FB_API void fb_w_json(fb_writer *writer, const char *key, const char *json);
/** Ends the text with NUL. @return FB_OK, FB_E_INVALID (open brackets, no UTF-8), FB_E_TOO_LONG */
FB_API fb_result fb_w_end(fb_writer *writer);

#ifdef __cplusplus
}
#endif
#endif /* FOOTBRIDGE_H */

#ifdef FB_IMPLEMENTATION
#ifndef FB_IMPLEMENTATION_ONCE
#define FB_IMPLEMENTATION_ONCE

#include <string.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bounds of the memory of a client (bytes). */
enum {
  FB__IN_SIZE = 16384,
  FB__OUT_SIZE = 8192,
  FB__PRESENCE_SIZE = 6144,
  FB__SUBSCRIPTIONS_SIZE = 2048,
  FB__TOKEN_SIZE = 512,
  FB__REPORT_SIZE = 1536,
  FB__PATH_SIZE = 256,
  FB__NAME_SIZE = 64,
  FB__MAX_DEPTH = 128,
  FB__HEADER = 8
};

/** A part of the memory that grows by the allocator, or stays where the memory is the caller's. */
typedef struct fb__buffer {
  char *at;
  size_t size;
  /** First byte that is not done with, and the end of the bytes. */
  size_t begin;
  size_t end;
  int is_grown;
} fb__buffer;

static size_t fb__length(const char *text) { return text ? strlen(text) : 0; }

static int fb__equal(const char *text, size_t length, const char *other) {
  return length == strlen(other) && memcmp(text, other, length) == 0;
}

/** Copies a text that ends with NUL. @return 0 where it has no room */
static int fb__copy(char *to, size_t size, const char *text) {
  size_t length = fb__length(text);
  if (length >= size) return 0;
  if (length > 0) memcpy(to, text, length);
  to[length] = '\0';
  return 1;
}

/** Writes a number in decimal digits that end with NUL. @return the number of digits */
static size_t fb__digits(char *to, uint64_t number) {
  char reversed[24];
  size_t length = 0, i;
  do {
    reversed[length++] = (char)('0' + (int)(number % 10));
    number /= 10;
  } while (number > 0);
  for (i = 0; i < length; i++) to[i] = reversed[length - 1 - i];
  to[length] = '\0';
  return length;
}

static size_t fb__signed_digits(char *to, int64_t number) {
  size_t sign = number < 0 ? 1 : 0;
  if (sign) to[0] = '-';
  return sign + fb__digits(to + sign, sign ? (uint64_t)0 - (uint64_t)number : (uint64_t)number);
}

static uint32_t fb__read32(const char *at) {
  const unsigned char *bytes = (const unsigned char *)at;
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void fb__write32(char *at, uint32_t value) {
  at[0] = (char)(value & 255U);
  at[1] = (char)(value >> 8 & 255U);
  at[2] = (char)(value >> 16 & 255U);
  at[3] = (char)(value >> 24 & 255U);
}

/**
 * Reads one character of UTF-8. @return its bytes, 0 where it is none (overlong, a surrogate, above U+10FFFF, cut)
 */
static size_t fb__utf8(const char *at, const char *end, uint32_t *character) {
  const unsigned char *bytes = (const unsigned char *)at;
  size_t length = (size_t)(end - at), need, i;
  uint32_t value;
  if (length == 0) return 0;
  if (bytes[0] < 0x80) {
    *character = bytes[0];
    return 1;
  }
  if (bytes[0] < 0xC2 || bytes[0] > 0xF4) return 0;
  need = bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4;
  if (length < need) return 0;
  value = (uint32_t)bytes[0] & (0xFFU >> (need + 1));
  for (i = 1; i < need; i++) {
    if ((bytes[i] & 0xC0) != 0x80) return 0;
    value = value << 6 | (bytes[i] & 0x3FU);
  }
  if ((need == 3 && value < 0x800) || (need == 4 && value < 0x10000) || value > 0x10FFFF) return 0;
  if (value >= 0xD800 && value <= 0xDFFF) return 0;
  *character = value;
  return need;
}

/** Writes a character as UTF-8. @return its bytes */
static size_t fb__to_utf8(char *to, uint32_t character) {
  size_t length = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4, i;
  if (length == 1) {
    to[0] = (char)character;
    return 1;
  }
  for (i = length - 1; i > 0; i--) {
    to[i] = (char)(0x80U | (character & 0x3FU));
    character >>= 6;
  }
  to[0] = (char)((0xF00U >> length & 0xFFU) | character);
  return length;
}

/** Length of a text in UTF-16 units, as limits count; -1 where it is not UTF-8. */
static long fb__units(const char *text) {
  const char *end = text + strlen(text);
  long units = 0;
  while (text < end) {
    uint32_t character = 0;
    size_t length = fb__utf8(text, end, &character);
    if (length == 0) return -1;
    units += character > 0xFFFF ? 2 : 1;
    text += length;
  }
  return units;
}

#ifndef FB_NO_AUTH
/** Overwrites a secret, which the compiler must not leave out. */
static void fb__wipe(void *memory, size_t size) {
  volatile char *bytes = (volatile char *)memory;
  while (size-- > 0) *bytes++ = 0;
}
#endif

#ifndef FB_NO_MALLOC
static void *fb__realloc(void *allocator, void *block, size_t size) {
  (void)allocator;
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}
#endif

/* Facts of the protocol and of the search, from their TypeScript declarations. */

enum {
  FB_OP_HANDSHAKE = 0,
  FB_OP_FRAME = 1,
  FB_OP_CLOSE = 2,
  FB_OP_PING = 3,
  FB_OP_PONG = 4
};

enum { FB__NUMBERS = 10, FB__MAX_NAMES = 1000, FB__MAX_SANDBOXES = 64 };
enum { FB__LABEL_UNITS = 32, FB__BUTTON_URL_UNITS = 512 };
#define FB__NAME "discord-ipc-"
#define FB__ENDPOINT_VARIABLE "FOOTBRIDGE_ENDPOINT"
#define FB__STREAM_TEXT "footbridge reads streams"

#ifndef _WIN32
/** Variables that may name the folder of endpoints; the first that is set decides. */
enum { FB__VARIABLES = 4 };
static const char *const fb__variables[FB__VARIABLES] = {"XDG_RUNTIME_DIR", "TMPDIR", "TMP", "TEMP"};
#endif

/** Whether no further attempt of this program will be different. */
static int fb__is_permanent(int close_code) {
  return close_code == 4000 || close_code == 4001 || close_code == 4004 || close_code == 4005;
}

/** Groups of the fields of a presence: its own, and those of its objects. */
enum { FB__TOP, FB__ASSETS, FB__PARTY, FB__SECRETS };

/** A text of a presence: its place, its limits in UTF-16 units, and its key in its group. */
typedef struct fb__field {
  unsigned char group;
  unsigned char least;
  unsigned short most;
  unsigned short offset;
  char key[20];
} fb__field;

static const fb__field fb__fields[] = {
    {FB__TOP, 1, 128, offsetof(fb_presence, name), "name"},
    {FB__TOP, 2, 128, offsetof(fb_presence, state), "state"},
    {FB__TOP, 1, 256, offsetof(fb_presence, state_url), "state_url"},
    {FB__TOP, 2, 128, offsetof(fb_presence, details), "details"},
    {FB__TOP, 1, 256, offsetof(fb_presence, details_url), "details_url"},
    {FB__ASSETS, 1, 313, offsetof(fb_presence, large_image), "large_image"},
    {FB__ASSETS, 2, 128, offsetof(fb_presence, large_text), "large_text"},
    {FB__ASSETS, 1, 256, offsetof(fb_presence, large_url), "large_url"},
    {FB__ASSETS, 1, 313, offsetof(fb_presence, small_image), "small_image"},
    {FB__ASSETS, 2, 128, offsetof(fb_presence, small_text), "small_text"},
    {FB__ASSETS, 1, 256, offsetof(fb_presence, small_url), "small_url"},
    {FB__ASSETS, 1, 313, offsetof(fb_presence, invite_cover_image), "invite_cover_image"},
    {FB__PARTY, 2, 128, offsetof(fb_presence, party_id), "id"},
    {FB__SECRETS, 2, 128, offsetof(fb_presence, match), "match"},
    {FB__SECRETS, 2, 128, offsetof(fb_presence, join), "join"},
    {FB__SECRETS, 2, 128, offsetof(fb_presence, spectate), "spectate"}};

/* Reading JSON: one check of a whole text, and views that need no memory. */

static const char *fb__space(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) at++;
  return at;
}

static int fb__hex(const char *at, const char *end, uint32_t *unit) {
  int i;
  *unit = 0;
  if (end - at < 4) return 0;
  for (i = 0; i < 4; i++) {
    char c = at[i];
    uint32_t digit;
    if (c >= '0' && c <= '9') digit = (uint32_t)(c - '0');
    else if (c >= 'a' && c <= 'f') digit = (uint32_t)(c - 'a') + 10;
    else if (c >= 'A' && c <= 'F') digit = (uint32_t)(c - 'A') + 10;
    else return 0;
    *unit = *unit << 4 | digit;
  }
  return 1;
}

/** Checks a text that begins with its quote. @return the place after it, NULL where it is none */
static const char *fb__check_text(const char *at, const char *end) {
  uint32_t unused = 0;
  at++;
  while (at < end) {
    if (*at == '"') return at + 1;
    if ((unsigned char)*at < 0x20) return NULL;
    if (*at == '\\') {
      if (++at == end) return NULL;
      if (*at == 'u') {
        if (!fb__hex(at + 1, end, &unused)) return NULL;
        at += 5;
      } else {
        if (!strchr("\"\\/bfnrt", *at) || *at == '\0') return NULL;
        at++;
      }
    } else {
      size_t length = fb__utf8(at, end, &unused);
      if (length == 0) return NULL;
      at += length;
    }
  }
  return NULL;
}

static const char *fb__check_digits(const char *at, const char *end) {
  const char *first = at;
  while (at < end && *at >= '0' && *at <= '9') at++;
  return at > first ? at : NULL;
}

static const char *fb__check_number(const char *at, const char *end) {
  if (at < end && *at == '-') at++;
  if (at < end && *at == '0') at++;
  else if ((at = fb__check_digits(at, end)) == NULL) return NULL;
  if (at < end && *at == '.' && (at = fb__check_digits(at + 1, end)) == NULL) return NULL;
  if (at < end && (*at == 'e' || *at == 'E')) {
    at++;
    if (at < end && (*at == '+' || *at == '-')) at++;
    at = fb__check_digits(at, end);
  }
  return at;
}

static const char *fb__check_scalar(const char *at, const char *end) {
  size_t left = (size_t)(end - at);
  if (*at == '"') return fb__check_text(at, end);
  if (*at == '-' || (*at >= '0' && *at <= '9')) return fb__check_number(at, end);
  if (left >= 4 && (memcmp(at, "true", 4) == 0 || memcmp(at, "null", 4) == 0)) return at + 4;
  if (left >= 5 && memcmp(at, "false", 5) == 0) return at + 5;
  return NULL;
}

/** Checks one value with a stack of bits instead of recursion. @return the place after it, NULL where it is none */
static const char *fb__check(const char *at, const char *end) {
  unsigned char is_object[FB__MAX_DEPTH / 8];
  int depth = 0;
  memset(is_object, 0, sizeof is_object);
  for (;;) {
    int opened = 0;
    at = fb__space(at, end);
    if (at == end) return NULL;
    if (*at == '{' || *at == '[') {
      if (depth == FB__MAX_DEPTH) return NULL;
      if (*at == '{') is_object[depth / 8] = (unsigned char)(is_object[depth / 8] | 1U << (depth % 8));
      else is_object[depth / 8] = (unsigned char)(is_object[depth / 8] & ~(1U << (depth % 8)));
      depth++;
      at++;
      opened = 1;
    } else if ((at = fb__check_scalar(at, end)) == NULL) {
      return NULL;
    }
    for (;;) {
      int object;
      if (depth == 0) return at;
      object = is_object[(depth - 1) / 8] >> ((depth - 1) % 8) & 1;
      at = fb__space(at, end);
      if (at == end) return NULL;
      if (*at == (object ? '}' : ']')) {
        depth--;
        at++;
        opened = 0;
        continue;
      }
      if (!opened) {
        if (*at != ',') return NULL;
        at = fb__space(at + 1, end);
      }
      if (object) {
        if (at == end || *at != '"' || (at = fb__check_text(at, end)) == NULL) return NULL;
        at = fb__space(at, end);
        if (at == end || *at != ':') return NULL;
        at++;
      }
      break;
    }
  }
}

FB_API fb_json fb_parse(const char *text, size_t length) {
  fb_json value = {NULL, NULL};
  const char *at, *end;
  if (text == NULL) return value;
  at = fb__space(text, text + length);
  end = fb__check(at, text + length);
  if (end == NULL || fb__space(end, text + length) != text + length) return value;
  value.at = at;
  value.end = end;
  return value;
}

/** The place after a value of a checked text. */
static const char *fb__skip(const char *at, const char *end) {
  int depth = 0;
  while (at < end) {
    char c = *at++;
    if (c == '"') {
      while (at < end && *at != '"') at += *at == '\\' ? 2 : 1;
      at++;
    } else if (c == '{' || c == '[') {
      depth++;
      continue;
    } else if (c == '}' || c == ']') {
      depth--;
    } else if (depth > 0) {
      continue;
    } else {
      while (at < end && !strchr(",]} \n\r\t", *at)) at++;
    }
    if (depth <= 0) return at;
  }
  return end;
}

static int fb__starts(fb_json value, char bracket) { return value.at != NULL && *value.at == bracket; }

/** The value at a place of a checked text; absent at the end of its container. */
static fb_json fb__value_at(const char *at, const char *end) {
  fb_json value = {NULL, NULL};
  if (at >= end || *at == '}' || *at == ']') return value;
  value.at = at;
  value.end = fb__skip(at, end);
  return value;
}

/** Reads one character of a checked text. @return the place after it */
static const char *fb__character(const char *at, const char *end, uint32_t *character) {
  uint32_t low = 0;
  if (*at != '\\') {
    size_t length = fb__utf8(at, end, character);
    if (length > 0) return at + length;
    *character = 0xFFFD;
    return at + 1;
  }
  switch (at[1]) {
    case 'b': *character = '\b'; return at + 2;
    case 'f': *character = '\f'; return at + 2;
    case 'n': *character = '\n'; return at + 2;
    case 'r': *character = '\r'; return at + 2;
    case 't': *character = '\t'; return at + 2;
    case 'u': break;
    default: *character = (unsigned char)at[1]; return at + 2;
  }
  fb__hex(at + 2, end, character);
  at += 6;
  if (*character < 0xD800 || *character > 0xDFFF) return at;
  /* A surrogate without its partner is no character. */
  if (*character <= 0xDBFF && end - at >= 6 && at[0] == '\\' && at[1] == 'u' && fb__hex(at + 2, end, &low) &&
      low >= 0xDC00 && low <= 0xDFFF) {
    *character = 0x10000 + ((*character - 0xD800) << 10) + (low - 0xDC00);
    return at + 6;
  }
  *character = 0xFFFD;
  return at;
}

FB_API size_t fb_text(fb_json value, char *text, size_t size) {
  size_t length = 0, kept = 0;
  int is_full = 0;
  if (text != NULL && size > 0) text[0] = '\0';
  if (!fb__starts(value, '"')) return 0;
  value.at++;
  while (value.at < value.end - 1) {
    char bytes[4];
    uint32_t character = 0;
    size_t count;
    value.at = fb__character(value.at, value.end - 1, &character);
    count = fb__to_utf8(bytes, character);
    if (text != NULL && !is_full && length + count < size) {
      memcpy(text + kept, bytes, count);
      kept += count;
    } else {
      is_full = 1;
    }
    length += count;
  }
  if (text != NULL && size > 0) text[kept] = '\0';
  return length;
}

FB_API int fb_is(fb_json value, const char *text) {
  if (!fb__starts(value, '"') || text == NULL) return 0;
  value.at++;
  while (value.at < value.end - 1) {
    char bytes[4];
    uint32_t character = 0;
    size_t count;
    value.at = fb__character(value.at, value.end - 1, &character);
    count = fb__to_utf8(bytes, character);
    if (strncmp(text, bytes, count) != 0 || bytes[0] == '\0') return 0;
    text += count;
  }
  return *text == '\0';
}

FB_API fb_json fb_get(fb_json object, const char *key) {
  fb_json found = {NULL, NULL};
  const char *at;
  if (!fb__starts(object, '{') || key == NULL) return found;
  for (at = fb__space(object.at + 1, object.end); at < object.end && *at == '"';) {
    fb_json name = fb__value_at(at, object.end), value;
    at = fb__space(name.end, object.end);
    if (at < object.end) at = fb__space(at + 1, object.end);
    value = fb__value_at(at, object.end);
    if (value.at == NULL) break;
    if (fb_is(name, key)) found = value;
    at = fb__space(value.end, object.end);
    if (at < object.end && *at == ',') at = fb__space(at + 1, object.end);
  }
  return found;
}

FB_API char fb_type(fb_json value) { return value.at == NULL ? '\0' : *value.at; }

/** Reads digits. @return the place after them, NULL where there are none or too many */
static const char *fb__unsigned(const char *at, const char *end, uint64_t *number) {
  const char *first = at;
  *number = 0;
  for (; at < end && *at >= '0' && *at <= '9'; at++) {
    uint64_t digit = (uint64_t)(*at - '0');
    if (*number > (UINT64_MAX - digit) / 10) return NULL;
    *number = *number * 10 + digit;
  }
  return at > first ? at : NULL;
}

FB_API int fb_integer(fb_json value, int64_t *number) {
  uint64_t size = 0;
  int is_text = fb__starts(value, '"'), is_negative;
  const char *at = value.at, *end;
  if (at == NULL || number == NULL) return 0;
  at += is_text;
  is_negative = at < value.end && *at == '-';
  end = fb__unsigned(at + is_negative, value.end, &size);
  if (end == NULL || end != value.end - is_text) return 0;
  if (size > (uint64_t)INT64_MAX + (is_negative ? 1U : 0U)) return 0;
  *number = is_negative ? (int64_t)((uint64_t)0 - size) : (int64_t)size;
  return 1;
}

#ifndef FB_PRESENCE_ONLY
FB_API fb_json fb_next(fb_json container, fb_json before) {
  fb_json none = {NULL, NULL};
  const char *at;
  if (!fb__starts(container, '[') && !fb__starts(container, '{')) return none;
  at = before.at == NULL ? container.at + 1 : before.end;
  if (before.at != NULL && (before.end <= container.at || before.end > container.end)) return none;
  at = fb__space(at, container.end);
  if (before.at != NULL && at < container.end && *at == ',') at = fb__space(at + 1, container.end);
  if (*container.at == '{' && at < container.end && *at == '"') {
    at = fb__space(fb__skip(at, container.end), container.end);
    if (at < container.end) at = fb__space(at + 1, container.end);
  }
  return fb__value_at(at, container.end);
}

FB_API int fb_is_true(fb_json value) { return fb__starts(value, 't'); }

FB_API int fb_id(fb_json value, uint64_t *id) {
  int is_text = fb__starts(value, '"');
  if (value.at == NULL || id == NULL) return 0;
  return fb__unsigned(value.at + is_text, value.end, id) == value.end - is_text;
}

FB_API int fb_number(fb_json value, double *number) {
  double sum = 0;
  long exponent = 0, shown = 0;
  int is_negative, is_fraction = 0, is_small = 0;
  const char *at = value.at;
  if (at == NULL || number == NULL || (*at != '-' && (*at < '0' || *at > '9'))) return 0;
  is_negative = *at == '-';
  for (at += is_negative; at < value.end && *at != 'e' && *at != 'E'; at++) {
    if (*at == '.') {
      is_fraction = 1;
    } else if (sum < 1e17) {
      sum = sum * 10 + (*at - '0');
      exponent -= is_fraction;
    } else {
      /* A double has no room for further digits. */
      exponent += !is_fraction;
    }
  }
  if (at < value.end) {
    at++;
    is_small = *at == '-';
    if (*at == '-' || *at == '+') at++;
    for (; at < value.end; at++)
      if (shown < 100000000) shown = shown * 10 + (*at - '0');
    exponent += is_small ? -shown : shown;
  }
  /* Powers up to the 22nd are exact, so that short numbers are. */
  while (exponent != 0 && sum > 0 && sum <= 1.7976931348623157e308) {
    long step = exponent < 0 ? -exponent : exponent;
    double power = 1;
    int i;
    if (step > 22) step = 22;
    for (i = 0; i < step; i++) power *= 10;
    sum = exponent < 0 ? sum / power : sum * power;
    exponent += exponent < 0 ? step : -step;
  }
  if (sum > 1.7976931348623157e308) return 0;
  *number = is_negative ? -sum : sum;
  return 1;
}
#endif

/* Writing JSON into memory of the caller. */

FB_API fb_writer fb_w_begin(char *text, size_t size) {
  fb_writer writer;
  memset(&writer, 0, sizeof writer);
  writer.text = text;
  writer.size = size;
  if (text == NULL || size == 0) writer.result = FB_E_INVALID;
  return writer;
}

static void fb__w_fail(fb_writer *writer, fb_result result) {
  if (writer->result == FB_OK) writer->result = result;
}

static void fb__w_put(fb_writer *writer, const char *bytes, size_t length) {
  if (writer->result != FB_OK) return;
  /* One byte stays for the NUL. */
  if (length >= writer->size - writer->used) {
    fb__w_fail(writer, FB_E_TOO_LONG);
    return;
  }
  memcpy(writer->text + writer->used, bytes, length);
  writer->used += length;
}

static void fb__w_quoted(fb_writer *writer, const char *text) {
  const char *end = text + strlen(text);
  fb__w_put(writer, "\"", 1);
  while (text < end) {
    static const char hex[] = "0123456789abcdef";
    uint32_t character = 0;
    size_t length = fb__utf8(text, end, &character);
    if (length == 0) {
      fb__w_fail(writer, FB_E_INVALID);
      return;
    }
    if (character == '"' || character == '\\') {
      char escaped[2];
      escaped[0] = '\\';
      escaped[1] = *text;
      fb__w_put(writer, escaped, 2);
    } else if (character < 0x20) {
      char escaped[6] = {'\\', 'u', '0', '0', '0', '0'};
      escaped[4] = hex[character >> 4];
      escaped[5] = hex[character & 15];
      fb__w_put(writer, escaped, 6);
    } else {
      fb__w_put(writer, text, length);
    }
    text += length;
  }
  fb__w_put(writer, "\"", 1);
}

/** Begins a value: a comma, and the key in an object. */
static void fb__w_value(fb_writer *writer, const char *key) {
  int is_object = writer->depth > 0 && (writer->closers & 1U) == 1U;
  if ((key != NULL) != (is_object != 0)) fb__w_fail(writer, FB_E_INVALID);
  if (writer->depth == 0 && writer->used > 0) fb__w_fail(writer, FB_E_INVALID);
  if (writer->comma) fb__w_put(writer, ",", 1);
  if (key != NULL) {
    fb__w_quoted(writer, key);
    fb__w_put(writer, ":", 1);
  }
  writer->comma = 1;
}

FB_API void fb_w_open(fb_writer *writer, const char *key, char bracket) {
  if (writer == NULL) return;
  if (writer->depth == 32 || (bracket != '{' && bracket != '[')) {
    fb__w_fail(writer, FB_E_INVALID);
    return;
  }
  fb__w_value(writer, key);
  fb__w_put(writer, &bracket, 1);
  writer->closers = writer->closers << 1 | (bracket == '{' ? 1U : 0U);
  writer->depth++;
  writer->comma = 0;
}

FB_API void fb_w_shut(fb_writer *writer) {
  if (writer == NULL) return;
  if (writer->depth == 0) {
    fb__w_fail(writer, FB_E_INVALID);
    return;
  }
  fb__w_put(writer, writer->closers & 1U ? "}" : "]", 1);
  writer->closers >>= 1;
  writer->depth--;
  writer->comma = 1;
}

FB_API void fb_w_text(fb_writer *writer, const char *key, const char *text) {
  if (writer == NULL) return;
  if (text == NULL) {
    fb__w_fail(writer, FB_E_INVALID);
    return;
  }
  fb__w_value(writer, key);
  fb__w_quoted(writer, text);
}

FB_API void fb_w_integer(fb_writer *writer, const char *key, int64_t number) {
  char digits[24];
  if (writer == NULL) return;
  fb__w_value(writer, key);
  fb__w_put(writer, digits, fb__signed_digits(digits, number));
}

FB_API void fb_w_bool(fb_writer *writer, const char *key, int value) {
  if (writer == NULL) return;
  fb__w_value(writer, key);
  fb__w_put(writer, value ? "true" : "false", value ? 4 : 5);
}

FB_API void fb_w_json(fb_writer *writer, const char *key, const char *json) {
  fb_json value;
  if (writer == NULL) return;
  value = fb_parse(json, fb__length(json));
  if (value.at == NULL) {
    fb__w_fail(writer, FB_E_INVALID);
    return;
  }
  fb__w_value(writer, key);
  fb__w_put(writer, value.at, (size_t)(value.end - value.at));
}

FB_API fb_result fb_w_end(fb_writer *writer) {
  if (writer == NULL) return FB_E_INVALID;
  if (writer->depth != 0 || writer->used == 0) fb__w_fail(writer, FB_E_INVALID);
  if (writer->text != NULL && writer->size > 0)
    writer->text[writer->result == FB_OK ? writer->used : 0] = '\0';
  return writer->result;
}

#ifndef FB_NO_AUTH
/* PKCE (RFC 7636): SHA-256 (FIPS 180-4) of 43 random characters. */

static uint32_t fb__rotated(uint32_t word, int by) { return word >> by | word << (32 - by); }

/** SHA-256 of at most 55 bytes, which is one block. */
static void fb__sha256(const char *text, size_t length, unsigned char digest[32]) {
  static const uint32_t rounds[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint32_t words[64], now[8];
  unsigned char block[64];
  int i;
  memset(block, 0, sizeof block);
  memcpy(block, text, length);
  block[length] = 0x80;
  block[62] = (unsigned char)(length * 8 >> 8);
  block[63] = (unsigned char)(length * 8 & 255U);
  for (i = 0; i < 16; i++)
    words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               (uint32_t)block[4 * i + 3];
  for (i = 16; i < 64; i++) {
    uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + (fb__rotated(a, 7) ^ fb__rotated(a, 18) ^ a >> 3) + words[i - 7] +
               (fb__rotated(b, 17) ^ fb__rotated(b, 19) ^ b >> 10);
  }
  memcpy(now, state, sizeof now);
  for (i = 0; i < 64; i++) {
    uint32_t e = now[4], a = now[0];
    uint32_t first = now[7] + (fb__rotated(e, 6) ^ fb__rotated(e, 11) ^ fb__rotated(e, 25)) +
                     ((e & now[5]) ^ (~e & now[6])) + rounds[i] + words[i];
    uint32_t second = (fb__rotated(a, 2) ^ fb__rotated(a, 13) ^ fb__rotated(a, 22)) +
                      ((a & now[1]) ^ (a & now[2]) ^ (now[1] & now[2]));
    memmove(now + 1, now, 7 * sizeof now[0]);
    now[4] += first;
    now[0] = first + second;
  }
  for (i = 0; i < 32; i++) digest[i] = (unsigned char)((state[i / 4] + now[i / 4]) >> (24 - 8 * (i % 4)) & 255U);
}

/** base64url of 32 bytes without padding: 43 characters and NUL. */
static void fb__base64url(const unsigned char bytes[32], char text[44]) {
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  uint32_t bits = 0;
  int count = 0, i, length = 0;
  for (i = 0; i < 32; i++) {
    bits = bits << 8 | bytes[i];
    for (count += 8; count >= 6; count -= 6) text[length++] = alphabet[bits >> (count - 6) & 63U];
  }
  text[length++] = alphabet[bits << (6 - count) & 63U];
  text[length] = '\0';
}

static int fb__random(unsigned char *bytes, size_t size);

FB_API fb_result fb_pkce_new(fb_pkce *pkce) {
  unsigned char bytes[32];
  if (pkce == NULL) return FB_E_INVALID;
  memset(pkce, 0, sizeof *pkce);
  if (!fb__random(bytes, sizeof bytes)) return FB_E_SYSTEM;
  fb__base64url(bytes, pkce->verifier);
  fb__sha256(pkce->verifier, 43, bytes);
  fb__base64url(bytes, pkce->challenge);
  fb__wipe(bytes, sizeof bytes);
  return FB_OK;
}
#endif

/* The connection of each system: a socket, or a named pipe. */
#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#define FB__SEPARATOR '\\'
#define FB__MAX_PATH ((size_t)FB__PATH_SIZE - 1)
#define FB__DENIED_TEXT "denied (the server may run as administrator or as another user)"
#define FB__READ_SIZE 4096

typedef struct fb__link {
  HANDLE pipe;
  HANDLE readable;
  HANDLE writable;
  OVERLAPPED reading;
  OVERLAPPED writing;
  int is_reading;
  int is_writing;
  /** Bytes that were read, and how many of them `in` has. */
  DWORD have;
  DWORD taken;
  char bytes[FB__READ_SIZE];
} fb__link;
#else
#if defined(__GLIBC__) && !defined(__USE_POSIX199309)
#error "define FB_IMPLEMENTATION before every other header, or compile with -std=gnu99 or -D_POSIX_C_SOURCE=200809L"
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define FB__SEPARATOR '/'
#define FB__MAX_PATH (sizeof(((struct sockaddr_un *)0)->sun_path) - 1)
#define FB__DENIED_TEXT "denied (no permission)"
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

typedef struct fb__link {
  int fd;
} fb__link;
#endif

/** Why an endpoint was none. */
typedef enum fb__why {
  FB__OPENED,
  FB__MISSING,
  FB__STALE,
  FB__DENIED,
  FB__FOREIGN,
  FB__BUSY,
  FB__FAILED
} fb__why;

/* What each system offers, below. */
static int64_t fb__clock(void);
static uint32_t fb__process(void);
/** A variable of the environment; NULL where it is unset or empty. */
static const char *fb__variable(const char *name);
/** Puts the next folder of the search into search->folder, "" for one that is left out. @return 0 after the last */
static int fb__next_folder(fb_client *client);
static void fb__no_link(fb_client *client);
/** Connects to client->path. */
static fb__why fb__dial(fb_client *client);
/** Reads into `in`. @return 1 for bytes, 0 for none yet, -1 at the end */
static int fb__receive(fb_client *client);
/** Writes what `out` has, as far as it is taken. @return 0 when the connection is lost */
static int fb__flush(fb_client *client);
static void fb__hang_up(fb_client *client);
/** Waits for the connection, at most so many milliseconds; -1 without a limit. */
static void fb__wait(fb_client *client, int ms);
/** Whether the bytes of a buffer may move: not while the system writes from it. */
static int fb__can_move(const fb_client *client, const fb__buffer *buffer);

/* The client: its state, and the settings that it stores. */

/** Top-level texts of a frame that has no room, read while its bytes pass. */
typedef struct fb__scan {
  int depth;
  char in_text;
  char escaped;
  char is_key;
  char key;
  size_t length;
  char text[FB__NAME_SIZE];
  char cmd[FB__NAME_SIZE];
  char evt[FB__NAME_SIZE];
  char nonce[24];
} fb__scan;

#ifndef FB_PRESENCE_ONLY
enum { FB__PENDING = 32 };
/** A request that waits; number 0 is a free place. */
typedef struct fb__pending {
  uint32_t number;
  int64_t deadline;
  char command[FB__NAME_SIZE];
} fb__pending;
#endif

/** Where the search is: a place in the list of folders, and the number of the endpoint in it. */
typedef struct fb__search {
  int place;
  int number;
  int missing;
  /** Last name in the folder of sandboxes, whose names are taken in the order of the alphabet. */
  char last[FB__NAME_SIZE * 2];
  int sandboxes;
  char folder[FB__PATH_SIZE];
} fb__search;

struct fb_client {
  void (*on_event)(void *user, fb_client *client, const fb_event *event);
  void *user;
  void *(*allocate)(void *allocator, void *block, size_t size);
  void *allocator;
  size_t frame_limit;
  fb_state state;
  /** Whether fb_poll runs, so that an event comes from it. */
  int is_busy_polling;
  int did;
  int any_owner;
  int number;
  char client_id[24];
  char build[12];
  char endpoint[FB__PATH_SIZE];
  char path[FB__PATH_SIZE];

  fb__search search;
  int is_searching;
  /** Whether client->path is dialled again, because its queue was full. */
  int is_busy;
  int was_rejected;
  int attempts;
  /** Times by the monotonic clock (ms). */
  int64_t now;
  int64_t next_try;
  int64_t deadline;
  int64_t ready_at;
  uint32_t jitter;
  /** Results of the last search, or the reason of the server. */
  char report[FB__REPORT_SIZE];
  size_t report_length;
  /** Whether the report is about a field that was refused: it goes with the next presence. */
  int names_field;
  int close_code;
  char refusal[160];

  fb__buffer in;
  fb__buffer out;
  /** Bytes of a frame without room that are still to come, and what is seen of it. */
  size_t skipped;
  uint32_t skipped_opcode;
  fb__scan scan;
  char name[FB__NAME_SIZE];

  uint32_t last_request;
  /** What has to be sent on this connection, in this order. */
  int owes_notice;
  int owes_presence;
  int is_shown;
  int64_t presence_times[5];
  int presence_count;
  size_t presence_length;
  char presence[FB__PRESENCE_SIZE];
#ifndef FB_NO_AUTH
  int owes_token;
  int awaits_token;
  int was_unsubscribed;
  int64_t token_deadline;
  char token[FB__TOKEN_SIZE];
#endif
#ifndef FB_PRESENCE_ONLY
  /** Requests that wait for their answer. */
  fb__pending pending[FB__PENDING];
  int64_t request_ms;
  /** Pairs of event and arguments, each ending with NUL; `subscribed` is the length of those that were sent. */
  size_t subscribed;
  size_t subscriptions_length;
  char subscriptions[FB__SUBSCRIPTIONS_SIZE];
#endif
  fb__link link;
};

static void fb__say(fb_client *client, const char *text, size_t length) {
  size_t room = FB__REPORT_SIZE - 1 - client->report_length;
  if (length > room) length = room;
  if (length > 0) memcpy(client->report + client->report_length, text, length);
  client->report_length += length;
  client->report[client->report_length] = '\0';
}

static void fb__say_text(fb_client *client, const char *text) { fb__say(client, text, strlen(text)); }

static void fb__forget_report(fb_client *client) {
  client->names_field = 0;
  client->report_length = 0;
  client->report[0] = '\0';
}

static void fb__forget_field(fb_client *client) {
  if (client->names_field) fb__forget_report(client);
}

/** Frees grown memory, in which a token may be. */
static void fb__release(fb_client *client, fb__buffer *buffer) {
  if (!buffer->is_grown) return;
#ifndef FB_NO_AUTH
  fb__wipe(buffer->at, buffer->size);
#endif
  client->allocate(client->allocator, buffer->at, 0);
  buffer->is_grown = 0;
}

/** Makes room for `need` bytes behind the end. @return 0 where there is none */
static int fb__room(fb_client *client, fb__buffer *buffer, size_t need) {
  size_t used = buffer->end - buffer->begin, size = buffer->size;
  char *grown;
  if (buffer->size - buffer->end >= need) return 1;
  if (!fb__can_move(client, buffer)) return 0;
  if (buffer->begin > 0) {
    memmove(buffer->at, buffer->at + buffer->begin, used);
    buffer->begin = 0;
    buffer->end = used;
    if (buffer->size - used >= need) return 1;
  }
  if (client->allocate == NULL || used + need > client->frame_limit + FB__HEADER) return 0;
  while (size - used < need) size *= 2;
  grown = (char *)client->allocate(client->allocator, NULL, size);
  if (grown == NULL) return 0;
  memcpy(grown, buffer->at, used);
  fb__release(client, buffer);
  buffer->at = grown;
  buffer->size = size;
  buffer->is_grown = 1;
  return 1;
}

/** Gives grown memory back once nothing is in it. */
static void fb__shrink(fb_client *client, fb__buffer *buffer, char *own, size_t size) {
  if (buffer->begin != buffer->end || !fb__can_move(client, buffer)) return;
  buffer->begin = buffer->end = 0;
  if (!buffer->is_grown) return;
  fb__release(client, buffer);
  buffer->at = own;
  buffer->size = size;
}

static void fb__emit(fb_client *client, fb_event *event) {
  client->did = 1;
  if (event->name == NULL) event->name = "";
  if (client->on_event != NULL) client->on_event(client->user, client, event);
}

static fb_event fb__event(fb_event_kind kind) {
  fb_event event;
  memset(&event, 0, sizeof event);
  event.kind = kind;
  return event;
}

FB_API fb_state fb_state_of(const fb_client *client) {
  return client == NULL ? FB_STATE_REFUSED : client->state;
}

FB_API const char *fb_endpoint(const fb_client *client) {
  return client != NULL && client->state == FB_STATE_READY ? client->path : "";
}

FB_API int fb_wants_write(const fb_client *client) { return client != NULL && client->out.begin < client->out.end; }

FB_API const char *fb_result_text(fb_result result) {
  switch (result) {
    case FB_OK: return "done";
    case FB_AGAIN: return "nothing happened, or no room or no connection yet: call again later";
    case FB_E_INVALID: return "an argument is NULL, out of its limits, not UTF-8, or no JSON";
    case FB_E_STATE: return "not possible now: fb_poll and fb_close cannot be called from an event";
    case FB_E_MEMORY: return "the allocator failed or does not align, or the buffer is too small";
    case FB_E_TOO_LONG: return "the text or frame has no room";
    case FB_E_REFUSED: return "the server refuses this program for ever; fb_error_text() says why";
    case FB_E_SYSTEM: return "the operating system has no random bytes";
  }
  return "no result of footbridge.h";
}

FB_API size_t fb_error_text(const fb_client *client, char *text, size_t size) {
  size_t kept;
  if (text != NULL && size > 0) text[0] = '\0';
  if (client == NULL) return 0;
  kept = client->report_length < size ? client->report_length : size > 0 ? size - 1 : 0;
  if (text != NULL && size > 0) {
    memcpy(text, client->report, kept);
    text[kept] = '\0';
  }
  return client->report_length;
}

#ifndef FB_NO_STDIO
FB_API void fb_print_error(const fb_client *client, FILE *file) {
  if (client != NULL && file != NULL) fwrite(client->report, 1, client->report_length, file);
}
#endif

/* Where servers listen: the same search as that of the TypeScript client (`platform/endpoint/search.ts`). */

/** Writes "FOLDER/discord-ipc-N" as the path. @return 0 where it is too long for a socket */
static int fb__path_in(fb_client *client, const char *folder, int number) {
  char digits[24];
  size_t length = strlen(folder), name = sizeof FB__NAME - 1, count = fb__digits(digits, (uint64_t)number);
  while (length > 1 && folder[length - 1] == FB__SEPARATOR) length--;
  if (length + 1 + name + count > FB__MAX_PATH) return 0;
  memcpy(client->path, folder, length);
  client->path[length] = FB__SEPARATOR;
  memcpy(client->path + length + 1, FB__NAME, name);
  memcpy(client->path + length + 1 + name, digits, count + 1);
  return 1;
}

static const char *fb__why_text(fb__why why) {
  switch (why) {
    case FB__MISSING: return "missing";
    case FB__STALE: return "refused (nobody listens there any more)";
    case FB__DENIED: return FB__DENIED_TEXT;
    case FB__FOREIGN: return "foreign (another user's; options.any_owner takes it)";
    case FB__BUSY: return "busy (too many programs connect)";
    case FB__FAILED: return "failed (not a socket, or no room in the system)";
    case FB__OPENED: break;
  }
  return "";
}

static void fb__say_attempt(fb_client *client, const char *why) {
  fb__say_text(client, client->path);
  fb__say_text(client, ": ");
  fb__say_text(client, why);
  fb__say_text(client, "\n");
}

/** Ends the lines of a folder: where nothing was in it, one line says so. */
static void fb__say_folder(fb_client *client) {
  fb__search *search = &client->search;
  if (search->missing == (client->number == 0 ? FB__NUMBERS : 1)) {
    fb__say_text(client, search->folder);
    fb__say_text(client, client->number == 0 ? ": missing (no " FB__NAME "0 to 9)\n" : ": missing\n");
  }
  search->missing = 0;
}

static void fb__begin_search(fb_client *client) {
  memset(&client->search, 0, sizeof client->search);
  client->search.place = -1;
  client->search.number = FB__NUMBERS;
  client->is_searching = 1;
  client->was_rejected = 0;
  fb__forget_report(client);
}

/** Puts the next path to try into client->path. @return 0 after the last */
static int fb__next_path(fb_client *client) {
  fb__search *search = &client->search;
  const char *only = client->endpoint[0] != '\0' ? client->endpoint : fb__variable(FB__ENDPOINT_VARIABLE);
  if (only != NULL) {
    if (search->place++ >= 0) return 0;
    if (fb__copy(client->path, FB__MAX_PATH + 1, only)) return 1;
    fb__say_text(client, "the path of the endpoint is too long\n");
    return 0;
  }
  for (;;) {
    while (search->number < FB__NUMBERS) {
      int number = search->number++;
      if (client->number != 0 && client->number != number + 1) continue;
      if (fb__path_in(client, search->folder, number)) return 1;
      fb__say_text(client, search->folder);
      fb__say_text(client, ": too long for a socket\n");
      search->number = FB__NUMBERS;
    }
    fb__say_folder(client);
    do
      if (!fb__next_folder(client)) return 0;
    while (search->folder[0] == '\0');
    search->number = 0;
  }
}

#ifndef _WIN32
/* Linux, macOS and the BSDs. */

static int64_t fb__clock(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static uint32_t fb__process(void) { return (uint32_t)getpid(); }

static const char *fb__variable(const char *name) {
  const char *value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static int fb__can_move(const fb_client *client, const fb__buffer *buffer) {
  (void)client;
  (void)buffer;
  return 1;
}

/** Root trusts root alone; anybody else their own and root's. */
static int fb__is_trusted(const fb_client *client, uid_t owner) {
  return client->any_owner || owner == getuid() || owner == 0;
}

/** The folder of the login session: "/run/user/UID"; on macOS that of temporary files. */
static int fb__session_folder(char *folder) {
#ifdef _CS_DARWIN_USER_TEMP_DIR
  size_t length = confstr(_CS_DARWIN_USER_TEMP_DIR, folder, FB__PATH_SIZE);
  return length > 1 && length <= FB__PATH_SIZE;
#else
  static const char root[] = "/run/user/";
  memcpy(folder, root, sizeof root);
  fb__digits(folder + sizeof root - 1, (uint64_t)getuid());
  return 1;
#endif
}

/** Cuts "/run/user/UID/snap.NAME", the folder of a snap, to that of the session around it. */
static void fb__leave_snap(char *folder) {
  char *snap = strrchr(folder, '/'), *at;
  if (snap == NULL || strncmp(snap, "/snap.", 6) != 0 || snap[6] == '\0') return;
  for (at = snap; at > folder && at[-1] >= '0' && at[-1] <= '9';) at--;
  if (at == snap || at - folder < 10 || memcmp(at - 10, "/run/user/", 10) != 0) return;
  *snap = '\0';
}

static int fb__folder_of(const char *variable, char *folder) {
  const char *value = fb__variable(variable);
  return value != NULL && value[0] == '/' && fb__copy(folder, FB__PATH_SIZE, value);
}

/** The session's folder where the environment has lost it, as after `su` and in WSLg. */
static int fb__lost_folder(char *folder) {
  if (fb__folder_of("XDG_RUNTIME_DIR", folder) && strcmp(folder, "/mnt/wslg/runtime-dir") != 0) return 0;
  return fb__session_folder(folder);
}

/** The folders outside of sandboxes, by their place. @return 0 where this place has none, -1 after the last */
static int fb__base_folder(int place, char *folder) {
  int i;
  switch (place) {
    case 0:
      for (i = 0; i < FB__VARIABLES; i++)
        if (fb__folder_of(fb__variables[i], folder)) {
          if (i == 0) fb__leave_snap(folder);
          return 1;
        }
      return fb__copy(folder, FB__PATH_SIZE, "/tmp");
    case 1: return fb__lost_folder(folder);
#ifdef __APPLE__
    case FB__VARIABLES + 2: return fb__session_folder(folder);
#endif
    case FB__VARIABLES + 3: return fb__copy(folder, FB__PATH_SIZE, "/tmp");
    default: break;
  }
  if (place > FB__VARIABLES + 3) return -1;
  return place < FB__VARIABLES + 2 && fb__folder_of(fb__variables[place - 2], folder);
}

#ifdef __linux__
/** Whether a folder is a real one, of this user or of root. */
static int fb__is_own_folder(const fb_client *client, const char *folder) {
  struct stat status;
  return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && fb__is_trusted(client, status.st_uid);
}

/** Whether the name of a sandbox is like that of a chat client: it contains "cord". */
static int fb__is_likely(const char *name) {
  for (; *name != '\0'; name++)
    if ((name[0] | 32) == 'c' && (name[1] | 32) == 'o' && (name[2] | 32) == 'r' && (name[3] | 32) == 'd') return 1;
  return 0;
}

static int fb__joined(char *folder, const char *name) {
  size_t length = strlen(folder), count = strlen(name);
  if (length + 1 + count >= FB__PATH_SIZE) return 0;
  folder[length] = '/';
  memcpy(folder + length + 1, name, count + 1);
  return 1;
}

/** Writes the folder in which a sandbox has its endpoints. @return 0 where it is not one of this user or of root */
static int fb__sandbox_folder(const fb_client *client, const char *folder, const char *name, int kind, char *to) {
  if (!fb__copy(to, FB__PATH_SIZE, folder) || !fb__joined(to, name) || !fb__is_own_folder(client, to)) return 0;
  return kind != 1 || (fb__joined(to, "xdg-run") && fb__is_own_folder(client, to));
}

/**
 * The next sandbox below a runtime folder: those of Flatpak in `app` and `.flatpak`, and those of Snap beside them, by
 * name; likely ones first. Each costs one look at all names, so that names of no sandbox cost none. @return 0 after the last
 */
static int fb__next_sandbox(fb_client *client, const char *runtime, int kind, int is_likely) {
  static const char *const below[] = {"app", ".flatpak"};
  fb__search *search = &client->search;
  char folder[FB__PATH_SIZE], one[FB__PATH_SIZE], best[sizeof search->last];
  struct dirent *entry;
  int names = 0;
  DIR *directory;
  best[0] = '\0';
  if (search->sandboxes == FB__MAX_SANDBOXES) return 0;
  fb__copy(folder, sizeof folder, runtime);
  if (kind < 2 && (!fb__joined(folder, below[kind]) || !fb__is_own_folder(client, folder))) return 0;
  directory = opendir(folder);
  if (directory == NULL) return 0;
  while (names++ < FB__MAX_NAMES && (entry = readdir(directory)) != NULL) {
    const char *name = entry->d_name;
    if (name[0] == '.' || strlen(name) >= sizeof best || (kind == 2 && strncmp(name, "snap.", 5) != 0)) continue;
    if (fb__is_likely(name) != is_likely || strcmp(name, search->last) <= 0) continue;
    if (best[0] != '\0' && strcmp(name, best) >= 0) continue;
    if (!fb__sandbox_folder(client, folder, name, kind, one)) continue;
    fb__copy(best, sizeof best, name);
    fb__copy(search->folder, sizeof search->folder, one);
  }
  closedir(directory);
  if (best[0] == '\0') return 0;
  fb__copy(search->last, sizeof search->last, best);
  search->sandboxes++;
  return 1;
}
#endif

static int fb__next_folder(fb_client *client) {
  enum { BASES = FB__VARIABLES + 4 };
  fb__search *search = &client->search;
  char folder[FB__PATH_SIZE];
  int i, found;
  search->folder[0] = '\0';
  if (search->place < BASES) {
    if (++search->place < BASES) {
      found = fb__base_folder(search->place, search->folder);
      if (found != 1) search->folder[0] = '\0';
      for (i = 0; i < search->place; i++)
        if (fb__base_folder(i, folder) == 1 && strcmp(folder, search->folder) == 0) search->folder[0] = '\0';
      return 1;
    }
  }
#ifdef __linux__
  for (; search->place < BASES + 12; search->place++, search->last[0] = '\0') {
    int at = search->place - BASES, runtime = at / 6;
    if (runtime == 0 ? !fb__folder_of("XDG_RUNTIME_DIR", folder) : !fb__lost_folder(folder)) continue;
    if (runtime == 0) fb__leave_snap(folder);
    if (fb__next_sandbox(client, folder, at % 3, at % 6 < 3)) return 1;
  }
#endif
  return 0;
}

static void fb__no_link(fb_client *client) { client->link.fd = -1; }

/** Whether the place of an endpoint lets it be used: who owns it, and what it is. */
static fb__why fb__inspect(const fb_client *client) {
  struct stat status;
  if (lstat(client->path, &status) != 0) return errno == EACCES ? FB__DENIED : FB__MISSING;
  if (S_ISLNK(status.st_mode)) {
    /* Whoever owns the link chooses where it leads; in the folder of a sandbox that is the program there. */
    if (client->search.sandboxes > 0) return FB__MISSING;
    if (!fb__is_trusted(client, status.st_uid)) return FB__FOREIGN;
    if (stat(client->path, &status) != 0) return errno == EACCES ? FB__DENIED : FB__MISSING;
  }
  if (!fb__is_trusted(client, status.st_uid)) return FB__FOREIGN;
  return S_ISSOCK(status.st_mode) ? FB__OPENED : FB__FAILED;
}

static fb__why fb__dial(fb_client *client) {
  struct sockaddr_un address;
  fb__why why = fb__inspect(client);
  int fd, flags;
  if (why != FB__OPENED) return why;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (!fb__copy(address.sun_path, sizeof address.sun_path, client->path)) return FB__FAILED;
#ifdef SOCK_CLOEXEC
  /* From its first moment: a program that another thread starts now would keep the connection, and the presence shown. */
  fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
#else
  fd = socket(AF_UNIX, SOCK_STREAM, 0);
#endif
  /* A program without standard streams writes its messages to descriptors 0 to 2 all the same. */
  if (fd >= 0 && fd < 3) {
    flags = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    fd = flags;
  }
  if (fd < 0) return FB__FAILED;
  flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) {
    close(fd);
    return FB__FAILED;
  }
#ifdef SO_NOSIGPIPE
  flags = 1;
  setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &flags, sizeof flags);
#endif
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
    client->link.fd = fd;
    return FB__OPENED;
  }
  why = errno == ENOENT                       ? FB__MISSING
        : errno == ECONNREFUSED               ? FB__STALE
        : errno == EACCES || errno == EPERM   ? FB__DENIED
        : errno == EAGAIN || errno == EINTR   ? FB__BUSY
                                              : FB__FAILED;
  close(fd);
  return why;
}

static int fb__receive(fb_client *client) {
  fb__buffer *in = &client->in;
  ssize_t count;
  if (in->begin == in->end) in->begin = in->end = 0;
  if (!fb__room(client, in, 1)) return 0;
  count = recv(client->link.fd, in->at + in->end, in->size - in->end, 0);
  if (count > 0) in->end += (size_t)count;
  if (count > 0) return 1;
  return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

static int fb__flush(fb_client *client) {
  fb__buffer *out = &client->out;
  while (out->begin < out->end) {
    ssize_t count = send(client->link.fd, out->at + out->begin, out->end - out->begin, MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ENOBUFS;
    out->begin += (size_t)count;
  }
  return 1;
}

static void fb__hang_up(fb_client *client) {
  if (client->link.fd >= 0) close(client->link.fd);
  client->link.fd = -1;
}

static void fb__wait(fb_client *client, int ms) {
  struct pollfd one;
  one.fd = client->link.fd;
  one.events = (short)(POLLIN | (fb_wants_write(client) ? POLLOUT : 0));
  one.revents = 0;
  poll(&one, one.fd < 0 ? 0 : 1, ms);
}

FB_API int fb_fd(const fb_client *client) { return client == NULL ? -1 : client->link.fd; }

#ifndef FB_NO_AUTH
static int fb__random(unsigned char *bytes, size_t size) {
  int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  ssize_t count = fd < 0 ? -1 : read(fd, bytes, size);
  if (fd >= 0) close(fd);
  return count == (ssize_t)size;
}
#endif
#endif

#ifdef _WIN32
/* Named pipes of Windows, with overlapped operations: none of them waits. */

static int64_t fb__clock(void) { return (int64_t)GetTickCount64(); }

static uint32_t fb__process(void) { return (uint32_t)GetCurrentProcessId(); }

static const char *fb__variable(const char *name) {
  const char *value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static int fb__can_move(const fb_client *client, const fb__buffer *buffer) {
  return buffer != &client->out || !client->link.is_writing;
}

static int fb__next_folder(fb_client *client) {
  if (client->search.place++ >= 0) return 0;
  return fb__copy(client->search.folder, FB__PATH_SIZE, "\\\\?\\pipe");
}

static void fb__no_link(fb_client *client) {
  memset(&client->link, 0, sizeof client->link);
  client->link.pipe = INVALID_HANDLE_VALUE;
}

static fb__why fb__dial(fb_client *client) {
  fb__link *link = &client->link;
  DWORD error;
  /* The server may not act as this user: it learns who the user is, and no more. */
  link->pipe = CreateFileA(client->path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                           FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, NULL);
  if (link->pipe == INVALID_HANDLE_VALUE) {
    error = GetLastError();
    return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? FB__MISSING
           : error == ERROR_ACCESS_DENIED                                 ? FB__DENIED
           : error == ERROR_PIPE_BUSY                                     ? FB__BUSY
                                                                          : FB__FAILED;
  }
  link->readable = CreateEventA(NULL, TRUE, FALSE, NULL);
  link->writable = CreateEventA(NULL, TRUE, FALSE, NULL);
  if (link->readable != NULL && link->writable != NULL) return FB__OPENED;
  fb__hang_up(client);
  return FB__FAILED;
}

/** Begins to read. @return 0 at the end of the pipe */
static int fb__begin_reading(fb__link *link) {
  memset(&link->reading, 0, sizeof link->reading);
  link->reading.hEvent = link->readable;
  link->is_reading = 1;
  if (ReadFile(link->pipe, link->bytes, FB__READ_SIZE, NULL, &link->reading)) return 1;
  link->is_reading = GetLastError() == ERROR_IO_PENDING;
  return link->is_reading;
}

static int fb__receive(fb_client *client) {
  fb__link *link = &client->link;
  fb__buffer *in = &client->in;
  size_t part;
  if (link->taken == link->have) {
    link->taken = link->have = 0;
    if (!link->is_reading && !fb__begin_reading(link)) return -1;
    if (!GetOverlappedResult(link->pipe, &link->reading, &link->have, FALSE)) {
      link->have = 0;
      return GetLastError() == ERROR_IO_INCOMPLETE ? 0 : -1;
    }
    link->is_reading = 0;
  }
  if (in->begin == in->end) in->begin = in->end = 0;
  if (!fb__room(client, in, 1)) return 0;
  part = in->size - in->end < link->have - link->taken ? in->size - in->end : (size_t)(link->have - link->taken);
  memcpy(in->at + in->end, link->bytes + link->taken, part);
  in->end += part;
  link->taken += (DWORD)part;
  /* The next read begins at once, so that its event is set by what comes; an end is met by the next call. */
  if (link->taken == link->have) fb__begin_reading(link);
  return 1;
}

static int fb__flush(fb_client *client) {
  fb__link *link = &client->link;
  fb__buffer *out = &client->out;
  DWORD count = 0;
  for (;;) {
    if (link->is_writing) {
      if (!GetOverlappedResult(link->pipe, &link->writing, &count, FALSE))
        return GetLastError() == ERROR_IO_INCOMPLETE;
      link->is_writing = 0;
      out->begin += count;
    }
    if (out->begin == out->end) return 1;
    memset(&link->writing, 0, sizeof link->writing);
    link->writing.hEvent = link->writable;
    link->is_writing = 1;
    if (WriteFile(link->pipe, out->at + out->begin, (DWORD)(out->end - out->begin), NULL, &link->writing)) continue;
    if (GetLastError() == ERROR_IO_PENDING) continue;
    link->is_writing = 0;
    return 0;
  }
}

static void fb__hang_up(fb_client *client) {
  fb__link *link = &client->link;
  DWORD count = 0;
  if (link->pipe != INVALID_HANDLE_VALUE) {
    /* The system must not write into this memory any more: a cancelled operation ends at once, whichever thread began it. */
    CancelIoEx(link->pipe, NULL);
    if (link->is_reading) GetOverlappedResult(link->pipe, &link->reading, &count, TRUE);
    if (link->is_writing) GetOverlappedResult(link->pipe, &link->writing, &count, TRUE);
    CloseHandle(link->pipe);
  }
  if (link->readable != NULL) CloseHandle(link->readable);
  if (link->writable != NULL) CloseHandle(link->writable);
  fb__no_link(client);
}

static void fb__wait(fb_client *client, int ms) {
  HANDLE handles[2];
  DWORD count = 0, limit = ms < 0 ? INFINITE : (DWORD)ms;
  if (client->link.is_reading) handles[count++] = client->link.readable;
  if (client->link.is_writing) handles[count++] = client->link.writable;
  if (count == 0) Sleep(limit);
  else WaitForMultipleObjects(count, handles, FALSE, limit);
}

FB_API void *fb_handle(const fb_client *client) { return client == NULL ? NULL : (void *)client->link.readable; }

#ifndef FB_NO_AUTH
/* RtlGenRandom, which needs no further library but advapi32. */
#ifdef __cplusplus
extern "C"
#else
extern
#endif
__declspec(dllimport) BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

static int fb__random(unsigned char *bytes, size_t size) { return SystemFunction036(bytes, (ULONG)size) != 0; }
#endif
#endif

/* Frames: the 8-byte header with opcode and length, each way. */

typedef struct fb__piece {
  const char *text;
  size_t length;
} fb__piece;

/** Appends a frame of these pieces. @return FB_OK, FB_AGAIN, FB_E_MEMORY, FB_E_TOO_LONG */
static fb_result fb__send(fb_client *client, uint32_t opcode, const fb__piece *pieces, size_t count) {
  fb__buffer *out = &client->out;
  size_t length = 0, used = out->end - out->begin, i;
  char *at;
  for (i = 0; i < count; i++) length += pieces[i].length;
  if (length > client->frame_limit) return FB_E_TOO_LONG;
  if (!fb__room(client, out, FB__HEADER + length)) {
    if (used > 0) return FB_AGAIN;
    return client->allocate == NULL ? FB_E_TOO_LONG : FB_E_MEMORY;
  }
  at = out->at + out->end;
  fb__write32(at, opcode);
  fb__write32(at + 4, (uint32_t)length);
  at += FB__HEADER;
  for (i = 0; i < count; at += pieces[i].length, i++)
    if (pieces[i].length > 0) memcpy(at, pieces[i].text, pieces[i].length);
  out->end += FB__HEADER + length;
  return FB_OK;
}

#define FB__TEXT(text) {text, sizeof(text) - 1}

/** Sends a command; `event` is NULL but for SUBSCRIBE and UNSUBSCRIBE. */
static fb_result fb__send_command(fb_client *client, const char *command, const char *event, fb__piece args,
                                  const char *nonce) {
  fb__piece pieces[] = {FB__TEXT("{\"cmd\":\""), {command, strlen(command)},
                        FB__TEXT("\",\"nonce\":\""), {nonce, strlen(nonce)},
                        FB__TEXT("\",\"args\":"), {args.text, args.length},
                        FB__TEXT(",\"evt\":\""), {event, fb__length(event)},
                        FB__TEXT("\"}")};
  if (event != NULL) return fb__send(client, FB_OP_FRAME, pieces, 9);
  pieces[6].text = "}";
  pieces[6].length = 1;
  return fb__send(client, FB_OP_FRAME, pieces, 7);
}

/** Reads a frame that has no room, for its top-level texts `cmd`, `evt` and `nonce`. */
static void fb__scan_bytes(fb__scan *scan, const char *at, size_t length) {
  const char *end = at + length;
  for (; at < end; at++) {
    char c = *at;
    if (scan->in_text) {
      if (scan->escaped) scan->escaped = 0;
      else if (c == '\\') scan->escaped = 1;
      else if (c == '"') {
        scan->in_text = 0;
        scan->text[scan->length] = '\0';
        if (scan->depth == 1 && scan->is_key) {
          scan->key = fb__equal(scan->text, scan->length, "cmd")     ? 'c'
                      : fb__equal(scan->text, scan->length, "evt")   ? 'e'
                      : fb__equal(scan->text, scan->length, "nonce") ? 'n'
                                                                     : '\0';
        } else if (scan->depth == 1) {
          if (scan->key == 'c') fb__copy(scan->cmd, sizeof scan->cmd, scan->text);
          if (scan->key == 'e') fb__copy(scan->evt, sizeof scan->evt, scan->text);
          if (scan->key == 'n') fb__copy(scan->nonce, sizeof scan->nonce, scan->text);
        }
      } else if (scan->length < sizeof scan->text - 1) {
        scan->text[scan->length++] = c;
      }
    } else if (c == '"') {
      scan->in_text = 1;
      scan->length = 0;
    } else if (c == '{' || c == '[') {
      scan->depth++;
      scan->is_key = 1;
    } else if (c == '}' || c == ']') {
      scan->depth--;
    } else if (c == ':') {
      scan->is_key = 0;
    } else if (c == ',') {
      scan->is_key = 1;
    }
  }
}

/** Number of a request in a nonce of ours; 0 for what the library sent. */
static uint32_t fb__request_of(const char *nonce) {
  uint64_t number = 0;
  const char *end = nonce + strlen(nonce);
  return fb__unsigned(nonce, end, &number) == end && number <= UINT32_MAX ? (uint32_t)number : 0;
}

/* A connection from the search to its end. */

/** Longest frame that a server may announce: more is no frame. */
#define FB__MAX_FRAME ((uint32_t)64 * 1024 * 1024)
#define FB__READY_MS 10000
#define FB__BUSY_MS 20
#define FB__STEADY_MS 5000
#define FB__FIRST_RETRY_MS 100
#define FB__LAST_RETRY_MS 800

static void fb__restore(fb_client *client);
static void fb__due(fb_client *client);
static int fb__answered(fb_client *client, const char *command, int is_error, uint32_t request);
#ifndef FB_PRESENCE_ONLY
static void fb__give_up(fb_client *client, int64_t now);
#endif

static int fb__is_open(const fb_client *client) {
  return client->state == FB_STATE_OPENING || client->state == FB_STATE_READY;
}

/** Begins a search after a while that grows, and is spread by chance. */
static void fb__try_later(fb_client *client) {
  int64_t delay = FB__FIRST_RETRY_MS;
  int i;
  for (i = 0; i < client->attempts && delay < FB__LAST_RETRY_MS; i++) delay *= 2;
  if (delay > FB__LAST_RETRY_MS) delay = FB__LAST_RETRY_MS;
  if (client->attempts < 16) client->attempts++;
  client->jitter = client->jitter * 1664525U + 1013904223U;
  delay -= delay / 4 * (int64_t)(client->jitter >> 24) / 256;
  client->is_searching = 0;
  client->state = FB_STATE_WAITING;
  client->next_try = client->now + delay;
}

static void fb__end_connection(fb_client *client) {
  fb__hang_up(client);
  client->in.begin = client->in.end = client->out.begin = client->out.end = 0;
  client->skipped = 0;
}

/** Gives up a server before READY, and goes on with the search at once. */
static void fb__try_next(fb_client *client) {
  fb__end_connection(client);
  client->state = FB_STATE_WAITING;
  client->next_try = client->now;
}

/** Ends a connection that was lost, or that the server ended with a code. */
static void fb__lose(fb_client *client, int code, fb_json message, const char *why) {
  fb_event event = fb__event(FB_EVENT_LOST);
  int was_ready = client->state == FB_STATE_READY;
  if (!was_ready) {
    fb__say_attempt(client, why);
    fb__try_next(client);
    return;
  }
  if (client->now - client->ready_at >= FB__STEADY_MS) client->attempts = 0;
  fb__forget_report(client);
  fb__say_attempt(client, why);
  fb__try_later(client);
  event.code = code;
  event.message = message;
#ifndef FB_PRESENCE_ONLY
  fb__give_up(client, INT64_MAX);
#endif
  fb__emit(client, &event);
  fb__end_connection(client);
}

static void fb__lose_silently(fb_client *client, const char *why) {
  fb_json none = {NULL, NULL};
  fb__lose(client, 0, none, why);
}

/** Begins the handshake on a connection that was opened. */
static void fb__greet(fb_client *client) {
  fb__piece pieces[] = {FB__TEXT("{\"v\":1,\"client_id\":\""), {client->client_id, strlen(client->client_id)},
                        FB__TEXT("\"}")};
  client->state = FB_STATE_OPENING;
  client->deadline = client->now + FB__READY_MS;
  client->did = 1;
  fb__send(client, FB_OP_HANDSHAKE, pieces, 3);
}

/** Goes on with the search until a server takes the connection, or the last path was tried. */
static void fb__seek(fb_client *client) {
  fb__why why;
  if (client->now < client->next_try) return;
  if (!client->is_searching) fb__begin_search(client);
  for (;;) {
    if (!client->is_busy && !fb__next_path(client)) break;
    why = fb__dial(client);
    if (why == FB__BUSY) {
      /* A full queue is that of a server that lives. */
      if (!client->is_busy) client->deadline = client->now + FB__READY_MS;
      client->is_busy = client->now < client->deadline;
      client->next_try = client->now + FB__BUSY_MS;
      if (client->is_busy) return;
    }
    client->is_busy = 0;
    if (why == FB__OPENED) {
      fb__greet(client);
      return;
    }
    if (why == FB__MISSING && client->search.folder[0] != '\0') client->search.missing++;
    else fb__say_attempt(client, fb__why_text(why));
  }
  if (client->was_rejected) {
    fb_event event = fb__event(FB_EVENT_REFUSED);
    client->state = FB_STATE_REFUSED;
    event.code = client->close_code;
    event.message = fb_parse(client->refusal, strlen(client->refusal));
    fb__emit(client, &event);
    return;
  }
  fb__try_later(client);
}

/** Whether READY is of the build in the options. */
static int fb__is_build(const fb_client *client, fb_json ready) {
  char api[64];
  const char *build;
  if (client->build[0] == '\0') return 1;
  fb_text(fb_get(fb_get(ready, "config"), "api_endpoint"), api, sizeof api);
  build = strstr(api, "canary.") ? "canary" : strstr(api, "ptb.") ? "ptb" : "stable";
  return strcmp(build, client->build) == 0;
}

static void fb__ready(fb_client *client, fb_json data, fb_result result) {
  fb_event event = fb__event(FB_EVENT_READY);
  /* Without its data, as without its member, a READY is that of the stable build. */
  if (!fb__is_build(client, data)) {
    fb__lose_silently(client, "another build of the chat client");
    return;
  }
  client->state = FB_STATE_READY;
  client->is_searching = 0;
  client->ready_at = client->now;
  fb__forget_report(client);
  client->owes_notice = fb_is(fb_get(fb_get(data, "footbridge"), "stream_ping"), FB__STREAM_TEXT);
  fb__restore(client);
  event.name = "READY";
  event.data = data;
  event.result = result;
  fb__emit(client, &event);
}

/** CLOSE: the server ends the connection, before READY for ever where its code says so. */
static void fb__closed(fb_client *client, fb_json body) {
  int64_t code = 0;
  fb_json message = fb_get(body, "message");
  char text[96], digits[24], *at;
  fb_integer(fb_get(body, "code"), &code);
  if (code < 0 || code > 65535) code = 0;
  fb_text(message, text, sizeof text);
  /* The report has lines, and is printed to terminals. */
  for (at = text; *at != '\0'; at++)
    if ((unsigned char)*at < 0x20 || *at == 0x7F) *at = ' ';
  if (client->state == FB_STATE_READY) {
    fb__lose(client, (int)code, message, "the server ended the connection");
    return;
  }
  if (fb__is_permanent((int)code)) {
    client->was_rejected = 1;
    client->close_code = (int)code;
    client->refusal[0] = '\0';
    if (message.at != NULL && (size_t)(message.end - message.at) < sizeof client->refusal) {
      memcpy(client->refusal, message.at, (size_t)(message.end - message.at));
      client->refusal[message.end - message.at] = '\0';
    }
  }
  fb__digits(digits, (uint64_t)code);
  fb__say_text(client, client->path);
  fb__say_text(client, ": rejected (");
  fb__say_text(client, digits);
  fb__say_text(client, text[0] != '\0' ? " " : "");
  fb__say_text(client, text);
  fb__say_text(client, ")\n");
  fb__try_next(client);
}

/** Hands an answer or an event on. `data` is absent where the frame had no room. */
static void fb__deliver(fb_client *client, const char *cmd, const char *evt, const char *nonce, fb_json data,
                        fb_result result) {
  int is_error = strcmp(evt, "ERROR") == 0;
  fb_event event = fb__event(is_error ? FB_EVENT_FAILED : FB_EVENT_ANSWER);
  event.data = data;
  event.result = result;
  if (strcmp(cmd, "DISPATCH") == 0) {
    if (client->state == FB_STATE_OPENING) {
      if (strcmp(evt, "READY") == 0) fb__ready(client, data, result);
      return;
    }
    event.kind = FB_EVENT_DISPATCH;
    event.name = evt;
    fb__emit(client, &event);
    return;
  }
  if (client->state != FB_STATE_READY) return;
  event.request = fb__request_of(nonce);
  event.name = cmd;
  if (event.request == 0 && strncmp(nonce, "fb-", 3) != 0) return;
  if (is_error) {
    int64_t code = 0;
    fb_integer(fb_get(data, "code"), &code);
    event.code = code >= 0 && code <= 65535 ? (int)code : 0;
    event.message = fb_get(data, "message");
  }
  if (!fb__answered(client, cmd, is_error, event.request)) return;
  /* The name of a request is the one that it was sent with, whatever the server says. */
  if (event.request != 0) event.name = client->name;
  fb__emit(client, &event);
}

static void fb__frame(fb_client *client, uint32_t opcode, const char *text, size_t length) {
  static const char broken[] = "the server broke the protocol";
  fb__piece echo;
  fb_json body;
  char evt[FB__NAME_SIZE], nonce[24];
  if (opcode == FB_OP_PONG) return;
  echo.text = text;
  echo.length = length;
  body = fb_parse(text, length);
  if (opcode == FB_OP_PING) {
    fb__send(client, FB_OP_PONG, &echo, 1);
  } else if (opcode == FB_OP_CLOSE) {
    fb__closed(client, body);
  } else if (fb_type(body) != '{') {
    fb__lose_silently(client, broken);
  } else {
    fb_text(fb_get(body, "cmd"), client->name, sizeof client->name);
    fb_text(fb_get(body, "evt"), evt, sizeof evt);
    fb_text(fb_get(body, "nonce"), nonce, sizeof nonce);
    fb__deliver(client, client->name, evt, nonce, fb_get(body, "data"), FB_OK);
  }
}

/** Hands on each whole frame of `in`. */
static void fb__read_frames(fb_client *client) {
  fb__buffer *in = &client->in;
  while (fb__is_open(client) && in->end > in->begin) {
    const char *at = in->at + in->begin;
    size_t have = in->end - in->begin;
    uint32_t opcode, length;
    if (client->skipped > 0) {
      size_t part = have < client->skipped ? have : client->skipped;
      fb_json none = {NULL, NULL};
      if (client->skipped_opcode == FB_OP_FRAME) fb__scan_bytes(&client->scan, at, part);
      in->begin += part;
      client->skipped -= part;
      if (client->skipped == 0 && client->skipped_opcode == FB_OP_FRAME)
        fb__deliver(client, client->scan.cmd, client->scan.evt, client->scan.nonce, none, FB_E_TOO_LONG);
      continue;
    }
    if (have < FB__HEADER) return;
    opcode = fb__read32(at);
    length = fb__read32(at + 4);
    if (opcode == FB_OP_HANDSHAKE || opcode > FB_OP_PONG || length > FB__MAX_FRAME) {
      fb__lose_silently(client, "the server broke the protocol");
      return;
    }
    if (have < FB__HEADER + (size_t)length) {
      if (length <= client->frame_limit && fb__room(client, in, FB__HEADER + length - have)) return;
      client->skipped = length;
      client->skipped_opcode = opcode;
      memset(&client->scan, 0, sizeof client->scan);
      in->begin += FB__HEADER;
      continue;
    }
    in->begin += FB__HEADER + length;
    fb__frame(client, opcode, at + FB__HEADER, length);
  }
}

/* Presence: the last one wins, five in twenty seconds, shown again after each reconnect. */

#define FB__PRESENCES 5
#define FB__PRESENCES_MS 20000

static void fb__invalid_field(fb_client *client, const char *field, const char *wanted) {
  fb__forget_report(client);
  fb__say_text(client, "presence.");
  fb__say_text(client, field);
  fb__say_text(client, ": must be ");
  fb__say_text(client, wanted);
  fb__say_text(client, "\n");
  client->names_field = 1;
}

/** Checks and writes the texts of one group of fields. @return 0 for an invalid one */
static int fb__write_texts(fb_client *client, fb_writer *writer, const fb_presence *presence, int group) {
  size_t i;
  for (i = 0; i < sizeof fb__fields / sizeof *fb__fields; i++) {
    const fb__field *field = &fb__fields[i];
    const char *text = NULL;
    long units;
    if (field->group != group) continue;
    memcpy(&text, (const char *)presence + field->offset, sizeof text);
    if (text == NULL) continue;
    units = fb__units(text);
    if (units < field->least || units > field->most) {
      char wanted[48] = "UTF-8 of ";
      size_t length = strlen(wanted);
      length += fb__digits(wanted + length, (uint64_t)field->least);
      memcpy(wanted + length, " to ", 5);
      length += 4 + fb__digits(wanted + length + 4, (uint64_t)field->most);
      memcpy(wanted + length, " characters", 12);
      fb__invalid_field(client, group == FB__PARTY ? "party_id" : field->key, wanted);
      return 0;
    }
    fb_w_text(writer, field->key, text);
  }
  return 1;
}

/** Whether any text of a group is set. */
static int fb__has_texts(const fb_presence *presence, int group) {
  size_t i;
  for (i = 0; i < sizeof fb__fields / sizeof *fb__fields; i++) {
    const char *text = NULL;
    if (fb__fields[i].group != group) continue;
    memcpy(&text, (const char *)presence + fb__fields[i].offset, sizeof text);
    if (text != NULL) return 1;
  }
  return 0;
}

static int fb__write_buttons(fb_client *client, fb_writer *writer, const fb_presence *presence) {
  int i;
  if (presence->buttons[0].label == NULL) {
    if (presence->buttons[1].label == NULL) return 1;
    fb__invalid_field(client, "buttons", "filled from the first one");
    return 0;
  }
  fb_w_open(writer, "buttons", '[');
  for (i = 0; i < 2 && presence->buttons[i].label != NULL; i++) {
    const fb_button *button = &presence->buttons[i];
    long label = fb__units(button->label), url = button->url == NULL ? -1 : fb__units(button->url);
    if (label < 1 || label > FB__LABEL_UNITS || url < 1 || url > FB__BUTTON_URL_UNITS) {
      fb__invalid_field(client, "buttons", "a label of 1 to 32 and a url of 1 to 512 characters");
      return 0;
    }
    fb_w_open(writer, NULL, '{');
    fb_w_text(writer, "label", button->label);
    fb_w_text(writer, "url", button->url);
    fb_w_shut(writer);
  }
  fb_w_shut(writer);
  return 1;
}

static int fb__write_activity(fb_client *client, fb_writer *writer, const fb_presence *presence) {
  int i, has_size = presence->party_size != 0 || presence->party_max != 0;
  if (presence->type != 0 && presence->type != 2 && presence->type != 3 && presence->type != 5) {
    fb__invalid_field(client, "type", "0 (playing), 2 (listening), 3 (watching) or 5 (competing)");
    return 0;
  }
  if (presence->status_display_type < 0 || presence->status_display_type > 2) {
    fb__invalid_field(client, "status_display_type", "0 (name), 1 (state) or 2 (details)");
    return 0;
  }
  if (presence->party_size < 0 || presence->party_max < 0 || presence->start < 0 || presence->end < 0) {
    fb__invalid_field(client, presence->start < 0 || presence->end < 0 ? "start" : "party_size", "0 or more");
    return 0;
  }
  if (presence->party_max < presence->party_size) {
    fb__invalid_field(client, "party_max", "party_size or more");
    return 0;
  }
  if (!fb__write_texts(client, writer, presence, FB__TOP)) return 0;
  if (presence->type != 0) fb_w_integer(writer, "type", presence->type);
  if (presence->status_display_type != 0)
    fb_w_integer(writer, "status_display_type", presence->status_display_type);
  if (presence->start > 0 || presence->end > 0) {
    fb_w_open(writer, "timestamps", '{');
    if (presence->start > 0) fb_w_integer(writer, "start", presence->start);
    if (presence->end > 0) fb_w_integer(writer, "end", presence->end);
    fb_w_shut(writer);
  }
  if (fb__has_texts(presence, FB__ASSETS)) {
    fb_w_open(writer, "assets", '{');
    if (!fb__write_texts(client, writer, presence, FB__ASSETS)) return 0;
    fb_w_shut(writer);
  }
  if (has_size || fb__has_texts(presence, FB__PARTY)) {
    fb_w_open(writer, "party", '{');
    if (!fb__write_texts(client, writer, presence, FB__PARTY)) return 0;
    if (has_size) {
      fb_w_open(writer, "size", '[');
      fb_w_integer(writer, NULL, presence->party_size);
      fb_w_integer(writer, NULL, presence->party_max);
      fb_w_shut(writer);
    }
    if (presence->party_privacy != 0) fb_w_integer(writer, "privacy", 1);
    fb_w_shut(writer);
  }
  if (fb__has_texts(presence, FB__SECRETS)) {
    fb_w_open(writer, "secrets", '{');
    if (!fb__write_texts(client, writer, presence, FB__SECRETS)) return 0;
    fb_w_shut(writer);
  }
  if (!fb__write_buttons(client, writer, presence)) return 0;
  if (presence->instance) fb_w_bool(writer, "instance", 1);
  if (presence->supported_platforms[0] != NULL) {
    fb_w_open(writer, "supported_platforms", '[');
    for (i = 0; i < 10 && presence->supported_platforms[i] != NULL; i++)
      fb_w_text(writer, NULL, presence->supported_platforms[i]);
    fb_w_shut(writer);
  }
  return 1;
}

/** Keeps what is written, and owes it to the server. */
static fb_result fb__keep_presence(fb_client *client, fb_writer *writer, int is_shown) {
  fb_w_shut(writer);
  if (fb_w_end(writer) != FB_OK) return writer->result;
  memcpy(client->presence, writer->text, writer->used + 1);
  client->presence_length = writer->used;
  client->is_shown = is_shown;
  client->owes_presence = 1;
  return FB_OK;
}

static fb_writer fb__begin_presence(char *text, size_t size) {
  fb_writer writer = fb_w_begin(text, size);
  fb_w_open(&writer, NULL, '{');
  fb_w_integer(&writer, "pid", (int64_t)fb__process());
  return writer;
}

FB_API fb_result fb_show(fb_client *client, const fb_presence *presence) {
  char text[FB__PRESENCE_SIZE];
  fb_writer writer;
  if (client == NULL) return FB_E_INVALID;
  fb__forget_field(client);
  if (presence == NULL) return FB_E_INVALID;
  if (client->state == FB_STATE_REFUSED) return FB_E_REFUSED;
  writer = fb__begin_presence(text, sizeof text);
  fb_w_open(&writer, "activity", '{');
  if (!fb__write_activity(client, &writer, presence)) return FB_E_INVALID;
  fb_w_shut(&writer);
  return fb__keep_presence(client, &writer, 1);
}

FB_API fb_result fb_show_json(fb_client *client, const char *activity) {
  char text[FB__PRESENCE_SIZE];
  fb_writer writer;
  if (client == NULL) return FB_E_INVALID;
  fb__forget_field(client);
  if (fb_type(fb_parse(activity, fb__length(activity))) != '{') return FB_E_INVALID;
  if (client->state == FB_STATE_REFUSED) return FB_E_REFUSED;
  writer = fb__begin_presence(text, sizeof text);
  fb_w_json(&writer, "activity", activity);
  return fb__keep_presence(client, &writer, 1);
}

FB_API fb_result fb_clear(fb_client *client) {
  char text[64];
  fb_writer writer;
  if (client == NULL) return FB_E_INVALID;
  fb__forget_field(client);
  if (client->state == FB_STATE_REFUSED) return FB_E_REFUSED;
  writer = fb__begin_presence(text, sizeof text);
  fb_w_json(&writer, "activity", "null");
  return fb__keep_presence(client, &writer, 0);
}

/** Time at which the next presence may be sent. */
static int64_t fb__presence_time(const fb_client *client) {
  if (client->presence_count < FB__PRESENCES) return 0;
  return client->presence_times[client->presence_count % FB__PRESENCES] + FB__PRESENCES_MS;
}

static fb_result fb__send_presence(fb_client *client) {
  fb__piece args;
  fb_result result;
  args.text = client->presence;
  args.length = client->presence_length;
  result = fb__send_command(client, "SET_ACTIVITY", NULL, args, "fb-presence");
  if (result != FB_OK) return result;
  client->owes_presence = 0;
  client->presence_times[client->presence_count % FB__PRESENCES] = client->now;
  client->presence_count++;
  if (client->presence_count >= 2 * FB__PRESENCES) client->presence_count -= FB__PRESENCES;
  return FB_OK;
}

/* Commands, subscriptions, tokens and voice. */

/** Marks what a new connection has to receive. */
static void fb__restore(fb_client *client) {
  client->owes_presence = client->owes_presence || client->is_shown;
  /* Whoever answers now has counted none of them. */
  client->presence_count = 0;
#ifndef FB_NO_AUTH
  client->owes_token = client->token[0] != '\0';
  client->awaits_token = 0;
  client->was_unsubscribed = 0;
#endif
#ifndef FB_PRESENCE_ONLY
  client->subscribed = 0;
#endif
}

#ifndef FB_PRESENCE_ONLY
static fb__pending *fb__pending_of(fb_client *client, uint32_t number);
#endif

/** Takes the answer to a request. @return 0 for an answer that belongs to none */
static int fb__answered(fb_client *client, const char *command, int is_error, uint32_t request) {
  (void)command;
  (void)is_error;
#ifndef FB_PRESENCE_ONLY
  if (request != 0) {
    fb__pending *one = fb__pending_of(client, request);
    if (one == NULL) return 0;
    one->number = 0;
    fb__copy(client->name, sizeof client->name, one->command);
    return 1;
  }
#else
  (void)client;
#endif
#ifndef FB_NO_AUTH
  if (strcmp(command, "AUTHENTICATE") == 0) {
    client->awaits_token = 0;
    /* Subscriptions that were refused without the token are requested again with it. */
    if (!is_error && client->was_unsubscribed) {
      client->was_unsubscribed = 0;
      client->subscribed = 0;
    }
    /* With another token to send, the answer is that of the one before. */
    if (is_error && !client->owes_token) fb__wipe(client->token, sizeof client->token);
  }
  if (is_error && strcmp(command, "SUBSCRIBE") == 0) client->was_unsubscribed = 1;
#endif
  return request == 0;
}

#ifndef FB_PRESENCE_ONLY
/** Whether a name is one that can be put into JSON as it is. */
static int fb__is_name(const char *name) {
  size_t length = fb__length(name), i;
  if (length == 0 || length >= FB__NAME_SIZE) return 0;
  for (i = 0; i < length; i++)
    if (!((name[i] >= 'A' && name[i] <= 'Z') || (name[i] >= '0' && name[i] <= '9') || name[i] == '_')) return 0;
  return 1;
}

/** Arguments as a piece of JSON. @return 0 where they are no object */
static int fb__args(const char *args, fb__piece *piece) {
  fb_json value;
  piece->text = "{}";
  piece->length = 2;
  if (args == NULL) return 1;
  value = fb_parse(args, strlen(args));
  if (fb_type(value) != '{') return 0;
  piece->text = value.at;
  piece->length = (size_t)(value.end - value.at);
  return 1;
}

/** Place of a request that waits; NULL where there is none. Number 0 finds a free place. */
static fb__pending *fb__pending_of(fb_client *client, uint32_t number) {
  int i;
  for (i = 0; i < FB__PENDING; i++)
    if (client->pending[i].number == number) return &client->pending[i];
  return NULL;
}

/** Fails the requests whose time is over at `now`, or all of them where the connection is lost. */
static void fb__give_up(fb_client *client, int64_t now) {
  int i;
  for (i = 0; i < FB__PENDING; i++) {
    fb__pending *one = &client->pending[i];
    fb_event event = fb__event(FB_EVENT_FAILED);
    char command[FB__NAME_SIZE];
    if (one->number == 0 || one->deadline > now) continue;
    fb__copy(command, sizeof command, one->command);
    event.request = one->number;
    event.name = command;
    event.result = FB_AGAIN;
    one->number = 0;
    fb__emit(client, &event);
  }
#ifndef FB_NO_AUTH
  if (client->state == FB_STATE_READY && client->awaits_token && client->token_deadline <= now) {
    fb_event event = fb__event(FB_EVENT_FAILED);
    event.name = "AUTHENTICATE";
    event.result = FB_AGAIN;
    client->awaits_token = 0;
    fb__emit(client, &event);
  }
#endif
}

static int64_t fb__answer_time(const fb_client *client) {
  return client->request_ms < 0 ? INT64_MAX : client->now + client->request_ms;
}

FB_API fb_result fb_request(fb_client *client, const char *command, const char *args, uint32_t *request) {
  fb__piece piece;
  fb__pending *place;
  char nonce[24];
  uint32_t number;
  fb_result result;
  if (client == NULL || !fb__is_name(command) || !fb__args(args, &piece)) return FB_E_INVALID;
  if (client->state == FB_STATE_REFUSED) return FB_E_REFUSED;
  place = fb__pending_of(client, 0);
  if (client->state != FB_STATE_READY || place == NULL) return FB_AGAIN;
  number = client->last_request == UINT32_MAX ? 1 : client->last_request + 1;
  fb__digits(nonce, number);
  result = fb__send_command(client, command, NULL, piece, nonce);
  if (result != FB_OK) return result;
  client->last_request = number;
  place->number = number;
  place->deadline = strcmp(command, "AUTHORIZE") == 0 ? INT64_MAX : fb__answer_time(client);
  fb__copy(place->command, sizeof place->command, command);
  if (request != NULL) *request = number;
  return FB_OK;
}

/** A subscription: its event, its arguments, and the length of both. */
typedef struct fb__subscription {
  const char *event;
  fb__piece args;
  size_t length;
} fb__subscription;

static fb__subscription fb__subscription_at(const fb_client *client, size_t at) {
  fb__subscription one;
  one.event = client->subscriptions + at;
  one.args.text = one.event + strlen(one.event) + 1;
  one.args.length = strlen(one.args.text);
  one.length = (size_t)(one.args.text - one.event) + one.args.length + 1;
  return one;
}

/** Place of a subscription; the length of all where there is none. */
static size_t fb__find_subscription(const fb_client *client, const char *event, fb__piece args) {
  size_t at = 0;
  while (at < client->subscriptions_length) {
    fb__subscription one = fb__subscription_at(client, at);
    if (strcmp(one.event, event) == 0 && fb__equal(args.text, args.length, one.args.text)) break;
    at += one.length;
  }
  return at;
}

FB_API fb_result fb_subscribe(fb_client *client, const char *event, const char *args) {
  fb__piece piece;
  size_t name, need;
  char *at;
  if (client == NULL || !fb__is_name(event) || !fb__args(args, &piece)) return FB_E_INVALID;
  if (client->state == FB_STATE_REFUSED) return FB_E_REFUSED;
  if (fb__find_subscription(client, event, piece) < client->subscriptions_length) return FB_OK;
  name = strlen(event) + 1;
  need = name + piece.length + 1;
  if (memchr(piece.text, '\0', piece.length) != NULL) return FB_E_INVALID;
  if (need > FB__SUBSCRIPTIONS_SIZE - client->subscriptions_length) return FB_E_TOO_LONG;
  at = client->subscriptions + client->subscriptions_length;
  memcpy(at, event, name);
  memcpy(at + name, piece.text, piece.length);
  at[name + piece.length] = '\0';
  client->subscriptions_length += need;
  return FB_OK;
}

FB_API fb_result fb_unsubscribe(fb_client *client, const char *event, const char *args) {
  fb__piece piece;
  fb__subscription one;
  size_t at;
  if (client == NULL || !fb__is_name(event) || !fb__args(args, &piece)) return FB_E_INVALID;
  at = fb__find_subscription(client, event, piece);
  if (at == client->subscriptions_length) return FB_E_INVALID;
  one = fb__subscription_at(client, at);
  if (client->state == FB_STATE_READY && at < client->subscribed) {
    fb_result result = fb__send_command(client, "UNSUBSCRIBE", event, piece, "fb-unsubscribe");
    if (result != FB_OK) return result;
  }
  if (at < client->subscribed) client->subscribed -= one.length;
  client->subscriptions_length -= one.length;
  memmove(client->subscriptions + at, client->subscriptions + at + one.length, client->subscriptions_length - at);
  return FB_OK;
}

FB_API fb_voice fb_voice_unset(void) {
  fb_voice voice;
  memset(&voice, 0xFF, sizeof voice);
  voice.input_volume = voice.output_volume = -1;
  return voice;
}

static const struct fb__flag {
  const char *key;
  size_t offset;
} fb__flags[] = {{"mute", offsetof(fb_voice, mute)},
                 {"deaf", offsetof(fb_voice, deaf)},
                 {"automatic_gain_control", offsetof(fb_voice, automatic_gain_control)},
                 {"echo_cancellation", offsetof(fb_voice, echo_cancellation)},
                 {"noise_suppression", offsetof(fb_voice, noise_suppression)},
                 {"qos", offsetof(fb_voice, qos)},
                 {"silence_warning", offsetof(fb_voice, silence_warning)}};
enum { FB__FLAGS = sizeof fb__flags / sizeof *fb__flags };

static void fb__write_volume(fb_writer *writer, const char *key, double volume) {
  if (!(volume >= 0)) return;
  fb_w_open(writer, key, '{');
  fb_w_integer(writer, "volume", (int64_t)(volume + 0.5));
  fb_w_shut(writer);
}

FB_API fb_result fb_set_voice(fb_client *client, const fb_voice *voice, uint32_t *request) {
  char text[512];
  fb_writer writer = fb_w_begin(text, sizeof text);
  size_t i;
  if (client == NULL || voice == NULL || voice->input_volume > 100 || voice->output_volume > 200) return FB_E_INVALID;
  fb_w_open(&writer, NULL, '{');
  for (i = 0; i < FB__FLAGS; i++) {
    int flag;
    memcpy(&flag, (const char *)voice + fb__flags[i].offset, sizeof flag);
    if (flag >= 0) fb_w_bool(&writer, fb__flags[i].key, flag);
  }
  fb__write_volume(&writer, "input", voice->input_volume);
  fb__write_volume(&writer, "output", voice->output_volume);
  if (voice->push_to_talk >= 0) {
    fb_w_open(&writer, "mode", '{');
    fb_w_text(&writer, "type", voice->push_to_talk ? "PUSH_TO_TALK" : "VOICE_ACTIVITY");
    fb_w_shut(&writer);
  }
  fb_w_shut(&writer);
  return fb_w_end(&writer) == FB_OK ? fb_request(client, "SET_VOICE_SETTINGS", text, request) : FB_E_INVALID;
}

FB_API fb_result fb_get_voice(fb_client *client, uint32_t *request) {
  return fb_request(client, "GET_VOICE_SETTINGS", NULL, request);
}

FB_API fb_result fb_read_voice(fb_json data, fb_voice *voice) {
  size_t i;
  if (voice == NULL) return FB_E_INVALID;
  *voice = fb_voice_unset();
  if (fb_type(data) != '{') return FB_E_INVALID;
  for (i = 0; i < FB__FLAGS; i++) {
    char type = fb_type(fb_get(data, fb__flags[i].key));
    int flag = type == 't' ? 1 : type == 'f' ? 0 : -1;
    memcpy((char *)voice + fb__flags[i].offset, &flag, sizeof flag);
  }
  fb_number(fb_get(fb_get(data, "input"), "volume"), &voice->input_volume);
  fb_number(fb_get(fb_get(data, "output"), "volume"), &voice->output_volume);
  if (fb_get(data, "mode").at != NULL) voice->push_to_talk = fb_is(fb_get(fb_get(data, "mode"), "type"), "PUSH_TO_TALK");
  return FB_OK;
}

FB_API fb_result fb_select_voice_channel(fb_client *client, const char *channel_id, int force, uint32_t *request) {
  char text[128];
  fb_writer writer = fb_w_begin(text, sizeof text);
  fb_w_open(&writer, NULL, '{');
  if (channel_id == NULL) fb_w_json(&writer, "channel_id", "null");
  else fb_w_text(&writer, "channel_id", channel_id);
  if (force) fb_w_bool(&writer, "force", 1);
  fb_w_shut(&writer);
  return fb_w_end(&writer) == FB_OK ? fb_request(client, "SELECT_VOICE_CHANNEL", text, request) : FB_E_INVALID;
}
#endif

#ifndef FB_NO_AUTH
FB_API fb_result fb_authorize(fb_client *client, const char *scopes, const fb_pkce *pkce, uint32_t *request) {
  char text[1024], scope[FB__NAME_SIZE];
  fb_writer writer = fb_w_begin(text, sizeof text);
  if (client == NULL || scopes == NULL) return FB_E_INVALID;
  fb_w_open(&writer, NULL, '{');
  fb_w_text(&writer, "client_id", client->client_id);
  fb_w_open(&writer, "scopes", '[');
  while (*scopes != '\0') {
    size_t length = strcspn(scopes, " ");
    if (length >= sizeof scope) return FB_E_INVALID;
    if (length > 0) {
      memcpy(scope, scopes, length);
      scope[length] = '\0';
      fb_w_text(&writer, NULL, scope);
    }
    scopes += length + (scopes[length] == ' ' ? 1 : 0);
  }
  fb_w_shut(&writer);
  if (pkce != NULL) {
    fb_w_text(&writer, "code_challenge", pkce->challenge);
    fb_w_text(&writer, "code_challenge_method", "S256");
  }
  fb_w_shut(&writer);
  return fb_w_end(&writer) == FB_OK ? fb_request(client, "AUTHORIZE", text, request) : writer.result;
}

FB_API fb_result fb_authenticate(fb_client *client, const char *token) {
  size_t length = fb__length(token);
  if (client == NULL) return FB_E_INVALID;
  if (client->state == FB_STATE_REFUSED) return FB_E_REFUSED;
  if (token != NULL && (length == 0 || fb__units(token) < 0)) return FB_E_INVALID;
  if (length >= sizeof client->token) return FB_E_TOO_LONG;
  fb__wipe(client->token, sizeof client->token);
  if (length > 0) memcpy(client->token, token, length);
  client->owes_token = length > 0;
  return FB_OK;
}

static fb_result fb__send_token(fb_client *client) {
  char text[FB__TOKEN_SIZE * 6 + 32];
  fb_writer writer = fb_w_begin(text, sizeof text);
  fb__piece args;
  fb_result result;
  fb_w_open(&writer, NULL, '{');
  fb_w_text(&writer, "access_token", client->token);
  fb_w_shut(&writer);
  result = fb_w_end(&writer);
  args.text = text;
  args.length = writer.used;
  if (result == FB_OK) result = fb__send_command(client, "AUTHENTICATE", NULL, args, "fb-token");
  fb__wipe(text, sizeof text);
  client->owes_token = result != FB_OK;
  client->awaits_token = result == FB_OK;
  client->token_deadline = fb__answer_time(client);
  return result;
}
#endif

/** Time at which something that is owed can be sent; -1 where nothing can before the descriptor says so. */
static int64_t fb__due_time(const fb_client *client) {
  int is_due = client->owes_notice;
  /* What is owed has room once these bytes are written, and not always before. */
  if (fb_wants_write(client)) return -1;
#ifndef FB_NO_AUTH
  if (client->awaits_token) goto presence;
  is_due = is_due || client->owes_token;
#endif
#ifndef FB_PRESENCE_ONLY
  is_due = is_due || client->subscribed < client->subscriptions_length;
#endif
#ifndef FB_NO_AUTH
presence:
#endif
  return is_due ? 0 : client->owes_presence ? fb__presence_time(client) : -1;
}

/** Sends what is owed to the server, as far as there is room. */
static void fb__due(fb_client *client) {
  static const char notice[] = "\"" FB__STREAM_TEXT "\"";
  if (client->owes_notice) {
    fb__piece piece;
    piece.text = notice;
    piece.length = sizeof notice - 1;
    client->owes_notice = fb__send(client, FB_OP_PING, &piece, 1) == FB_AGAIN;
  }
#ifndef FB_NO_AUTH
  if (client->owes_token && !client->awaits_token) fb__send_token(client);
  if (client->owes_token || client->awaits_token) goto presence;
#endif
#ifndef FB_PRESENCE_ONLY
  while (client->subscribed < client->subscriptions_length) {
    fb__subscription one = fb__subscription_at(client, client->subscribed);
    if (fb__send_command(client, "SUBSCRIBE", one.event, one.args, "fb-subscribe") != FB_OK) break;
    client->subscribed += one.length;
  }
#endif
#ifndef FB_NO_AUTH
presence:
#endif
  if (client->owes_presence && client->now >= fb__presence_time(client)) fb__send_presence(client);
}

/* What a program calls: open, poll, close. */

/** Only for where a client may begin, and whether the smallest buffer has room for it and for 4 KiB that are received. */
typedef struct fb__aligned {
  char before;
  fb_client client;
} fb__aligned;
typedef char fb__is_large_enough[sizeof(fb_client) + 15 + FB__OUT_SIZE + 4096 + FB__HEADER <= FB_MIN_BUFFER ? 1 : -1];

static int fb__is_build_name(const char *build) {
  return build == NULL || strcmp(build, "stable") == 0 || strcmp(build, "ptb") == 0 || strcmp(build, "canary") == 0;
}

static int fb__are_valid(const fb_options *options) {
  size_t length, i;
  if (options == NULL || options->client_id == NULL) return 0;
  length = strlen(options->client_id);
  if (length == 0 || length > 20) return 0;
  for (i = 0; i < length; i++)
    if (options->client_id[i] < '0' || options->client_id[i] > '9') return 0;
  if (options->number < 0 || options->number > FB__NUMBERS || !fb__is_build_name(options->build)) return 0;
  if (options->endpoint != NULL && (options->endpoint[0] == '\0' || strlen(options->endpoint) > FB__MAX_PATH)) return 0;
  return options->frame_limit <= FB__MAX_FRAME;
}

FB_API fb_result fb_open(const fb_options *options, fb_client **client) {
  void *(*allocate)(void *, void *, size_t);
  size_t size = sizeof(fb_client) + FB__IN_SIZE + FB__OUT_SIZE, rest;
  char *memory;
  fb_client *made;
  if (client == NULL) return FB_E_INVALID;
  *client = NULL;
  if (!fb__are_valid(options)) return FB_E_INVALID;
  allocate = options->allocate;
  if (options->buffer != NULL) {
    size_t off = (size_t)((uintptr_t)options->buffer & 15U);
    off = off == 0 ? 0 : 16 - off;
    if (options->buffer_size < FB_MIN_BUFFER) return FB_E_MEMORY;
    memory = (char *)options->buffer + off;
    size = options->buffer_size - off;
    allocate = NULL;
  } else {
#ifndef FB_NO_MALLOC
    if (allocate == NULL) allocate = fb__realloc;
#endif
    if (allocate == NULL) return FB_E_INVALID;
    memory = (char *)allocate(options->allocator, NULL, size);
    if (memory == NULL) return FB_E_MEMORY;
    if ((uintptr_t)memory % offsetof(fb__aligned, client) != 0) {
      allocate(options->allocator, memory, 0);
      return FB_E_MEMORY;
    }
  }
  made = (fb_client *)(void *)memory;
  memset(made, 0, sizeof *made);
  rest = size - sizeof *made;
  /* A third of a large buffer is for what is sent; nothing that the client owes is larger than FB__OUT_SIZE. */
  made->out.size = allocate == NULL && rest / 3 > FB__OUT_SIZE ? rest / 3 : (size_t)FB__OUT_SIZE;
  made->in.at = memory + sizeof *made;
  made->in.size = rest - made->out.size;
  made->out.at = made->in.at + made->in.size;
  made->allocate = allocate;
  made->allocator = options->allocator;
  made->frame_limit = allocate != NULL && options->frame_limit == 0 ? (size_t)4 * 1024 * 1024 : options->frame_limit;
  /* A frame that has room has its data, in whatever pieces it comes. */
  if (allocate == NULL || made->frame_limit < made->in.size - FB__HEADER) made->frame_limit = made->in.size - FB__HEADER;
#ifndef FB_PRESENCE_ONLY
  made->request_ms = options->request_timeout_ms != 0 ? options->request_timeout_ms : 30000;
#endif
  made->on_event = options->on_event;
  made->user = options->user;
  made->any_owner = options->any_owner;
  made->number = options->number;
  fb__copy(made->client_id, sizeof made->client_id, options->client_id);
  fb__copy(made->build, sizeof made->build, options->build);
  fb__copy(made->endpoint, sizeof made->endpoint, options->endpoint);
  fb__no_link(made);
  made->now = fb__clock();
  made->jitter = (uint32_t)made->now ^ fb__process();
  *client = made;
  return FB_OK;
}

FB_API fb_result fb_close(fb_client **client) {
  fb_client *one;
  void *(*allocate)(void *, void *, size_t);
  void *allocator;
#ifndef FB_NO_AUTH
  size_t size;
#endif
  if (client == NULL || *client == NULL) return FB_E_INVALID;
  one = *client;
  if (one->is_busy_polling) return FB_E_STATE;
  if (one->state == FB_STATE_READY) {
    static const fb__piece nothing = FB__TEXT("{}");
    if (one->is_shown && !one->owes_presence && fb_clear(one) == FB_OK) fb__send_presence(one);
    fb__send(one, FB_OP_CLOSE, &nothing, 1);
    fb__flush(one);
  }
  fb__hang_up(one);
  fb__release(one, &one->in);
  fb__release(one, &one->out);
  allocate = one->allocate;
  allocator = one->allocator;
#ifndef FB_NO_AUTH
  size = allocate != NULL ? (size_t)FB__IN_SIZE + FB__OUT_SIZE : one->in.size + one->out.size;
  fb__wipe(one, sizeof *one + size);
#endif
  if (allocate != NULL) allocate(allocator, one, 0);
  *client = NULL;
  return FB_OK;
}

/** Reads and writes, as far as nothing waits. */
static void fb__exchange(fb_client *client) {
  int is_flushed = fb__flush(client), turns, got = 0;
  for (turns = 0; turns < 16 && fb__is_open(client); turns++) {
    got = fb__receive(client);
    if (got <= 0) break;
    client->did = 1;
    fb__read_frames(client);
  }
  if (!fb__is_open(client)) return;
  /* Where nothing can be sent any more, why is in what is still to be read. */
  if (got < 0 || (got == 0 && !is_flushed)) {
    fb__lose_silently(client, "the connection was lost");
  } else if (client->state == FB_STATE_OPENING && client->now >= client->deadline) {
    fb__lose_silently(client, "silent (no READY in 10 s)");
  } else if (client->state == FB_STATE_READY) {
#ifndef FB_PRESENCE_ONLY
    fb__give_up(client, client->now);
#endif
    fb__due(client);
    fb__flush(client);
  }
}

static void fb__step(fb_client *client) {
  char *own = (char *)client + sizeof *client;
  int turns;
  client->now = fb__clock();
  for (turns = 0; turns < 64; turns++) {
    if (client->state == FB_STATE_WAITING) fb__seek(client);
    if (!fb__is_open(client)) break;
    fb__exchange(client);
    if (client->state != FB_STATE_WAITING || client->now < client->next_try) break;
  }
  fb__shrink(client, &client->in, own, FB__IN_SIZE);
  fb__shrink(client, &client->out, own + FB__IN_SIZE, FB__OUT_SIZE);
}

FB_API int fb_timeout(const fb_client *client) {
  int64_t at, left;
  if (client == NULL || client->state == FB_STATE_REFUSED) return -1;
  at = client->state == FB_STATE_WAITING   ? client->next_try
       : client->state == FB_STATE_OPENING ? client->deadline
                                           : fb__due_time(client);
#ifndef FB_PRESENCE_ONLY
  if (client->state == FB_STATE_READY) {
    int i;
#ifndef FB_NO_AUTH
    if (client->awaits_token && client->token_deadline != INT64_MAX && (at < 0 || client->token_deadline < at))
      at = client->token_deadline;
#endif
    for (i = 0; i < FB__PENDING; i++) {
      const fb__pending *one = &client->pending[i];
      if (one->number != 0 && one->deadline != INT64_MAX && (at < 0 || one->deadline < at)) at = one->deadline;
    }
  }
#endif
  if (at < 0) return -1;
  left = at - fb__clock();
  return left <= 0 ? 0 : left > 3600000 ? 3600000 : (int)left;
}

FB_API fb_result fb_poll(fb_client *client, int timeout_ms) {
  int wait;
  if (client == NULL) return FB_E_INVALID;
  if (client->is_busy_polling) return FB_E_STATE;
  if (client->state == FB_STATE_REFUSED) return FB_E_REFUSED;
  client->is_busy_polling = 1;
  client->did = 0;
  fb__step(client);
  if (!client->did && timeout_ms != 0 && client->state != FB_STATE_REFUSED) {
    wait = fb_timeout(client);
    if (wait < 0 || (timeout_ms > 0 && timeout_ms < wait)) wait = timeout_ms < 0 ? wait : timeout_ms;
    fb__wait(client, wait);
    fb__step(client);
  }
  client->is_busy_polling = 0;
  return client->state == FB_STATE_REFUSED ? FB_E_REFUSED : client->did ? FB_OK : FB_AGAIN;
}

#ifdef __cplusplus
}
#endif
#endif /* FB_IMPLEMENTATION_ONCE */
#endif /* FB_IMPLEMENTATION */

/* ------------------------------------------------------------------------------------------------------------------------
 * This file is available under the project's licence (see LICENSE beside the package), or, at your choice, under 0BSD:
 *
 * Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.
 *
 * THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
 * IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
 * INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
 * ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
 * THIS SOFTWARE.
 * --------------------------------------------------------------------------------------------------------------------- */
