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

/* @names@ */

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
