/* The functions of discord_rpc.h: one client of footbridge.h, and a thread that works for it. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#define FB_STATIC
#define FB_NO_AUTH
#define FB_NO_STDIO
#define FB_IMPLEMENTATION
#include "../footbridge.h"
#include "discord_rpc.h"
#include "discord_thread.h"

typedef enum discord__kind {
  DISCORD__READY,
  DISCORD__LOST,
  DISCORD__ERROR,
  DISCORD__JOIN,
  DISCORD__SPECTATE,
  DISCORD__ASK
} discord__kind;

/** What a handler has to be told. */
typedef struct discord__note {
  discord__kind kind;
  int code;
  /** A message or a secret. */
  char text[520];
  char id[32];
  char username[360];
  char discriminator[16];
  char avatar[136];
} discord__note;

enum { DISCORD__NOTES = 16 };

/** The one client; the thread and the game's functions share it below the lock. */
static struct {
  fb_client *client;
  DiscordEventHandlers handlers;
  discord__note notes[DISCORD__NOTES];
  int first;
  int count;
  int is_over;
  int has_thread;
} discord__the;

/** A new note; of too many, the oldest is forgotten. */
static discord__note *discord__add(discord__kind kind, int code) {
  discord__note *note;
  if (discord__the.count == DISCORD__NOTES) {
    discord__the.first = (discord__the.first + 1) % DISCORD__NOTES;
    discord__the.count--;
  }
  note = &discord__the.notes[(discord__the.first + discord__the.count++) % DISCORD__NOTES];
  memset(note, 0, sizeof *note);
  note->kind = kind;
  note->code = code;
  return note;
}

static void discord__say(discord__kind kind, int code, const char *text) {
  discord__note *note = discord__add(kind, code);
  size_t length = strcspn(text, "\n");
  if (length >= sizeof note->text) length = sizeof note->text - 1;
  memcpy(note->text, text, length);
}

static void discord__user(discord__note *note, fb_json user) {
  fb_text(fb_get(user, "id"), note->id, sizeof note->id);
  fb_text(fb_get(user, "username"), note->username, sizeof note->username);
  fb_text(fb_get(user, "discriminator"), note->discriminator, sizeof note->discriminator);
  fb_text(fb_get(user, "avatar"), note->avatar, sizeof note->avatar);
}

static void discord__dispatched(const fb_event *event) {
  int is_join = strcmp(event->name, FB_EVT_ACTIVITY_JOIN) == 0;
  if (strcmp(event->name, FB_EVT_ACTIVITY_JOIN_REQUEST) == 0) {
    discord__user(discord__add(DISCORD__ASK, 0), fb_get(event->data, "user"));
  } else if (is_join || strcmp(event->name, FB_EVT_ACTIVITY_SPECTATE) == 0) {
    discord__note *note = discord__add(is_join ? DISCORD__JOIN : DISCORD__SPECTATE, 0);
    fb_text(fb_get(event->data, "secret"), note->text, sizeof note->text);
  }
}

static void discord__event(void *user, fb_client *client, const fb_event *event) {
  discord__note *note;
  (void)user;
  (void)client;
  switch (event->kind) {
    case FB_EVENT_READY: discord__user(discord__add(DISCORD__READY, 0), fb_get(event->data, "user")); break;
    case FB_EVENT_LOST:
    case FB_EVENT_REFUSED:
      if (event->code == 0) {
        discord__say(DISCORD__LOST, 1, "the connection was lost");
        break;
      }
      note = discord__add(DISCORD__LOST, event->code);
      fb_text(event->message, note->text, sizeof note->text);
      break;
    case FB_EVENT_FAILED:
      /* Without a code the connection was lost, of which there is a note. */
      if (event->code == 0) break;
      note = discord__add(DISCORD__ERROR, event->code);
      fb_text(event->message, note->text, sizeof note->text);
      break;
    case FB_EVENT_DISPATCH: discord__dispatched(event); break;
    case FB_EVENT_ANSWER: break;
  }
}

/** Subscribes to an event while a handler wants it. */
static void discord__want(const char *event, int wanted, int was_wanted) {
  if (wanted && !was_wanted) fb_subscribe(discord__the.client, event, NULL);
  if (!wanted && was_wanted) fb_unsubscribe(discord__the.client, event, NULL);
}

static void discord__handle(const DiscordEventHandlers *handlers) {
  DiscordEventHandlers before = discord__the.handlers, now;
  memset(&now, 0, sizeof now);
  if (handlers != NULL) now = *handlers;
  discord__the.handlers = now;
  if (discord__the.client == NULL) return;
  discord__want(FB_EVT_ACTIVITY_JOIN, now.joinGame != NULL, before.joinGame != NULL);
  discord__want(FB_EVT_ACTIVITY_SPECTATE, now.spectateGame != NULL, before.spectateGame != NULL);
  discord__want(FB_EVT_ACTIVITY_JOIN_REQUEST, now.joinRequest != NULL, before.joinRequest != NULL);
}

#ifndef DISCORD_DISABLE_IO_THREAD
/** The work of the thread, until Discord_Shutdown. */
static void discord__work(void) {
  for (;;) {
    discord__waiting waiting;
    discord__lock();
    if (discord__the.is_over) break;
    fb_poll(discord__the.client, 0);
    waiting = discord__waiting_of(discord__the.client);
    discord__unlock();
    discord__wait(waiting);
  }
  discord__unlock();
}
#endif

DISCORD_EXPORT void Discord_UpdateConnection(void) {
  discord__lock();
  if (discord__the.client != NULL && !discord__the.has_thread) fb_poll(discord__the.client, 0);
  discord__unlock();
}

DISCORD_EXPORT void Discord_Initialize(const char *applicationId, DiscordEventHandlers *handlers, int autoRegister,
                                       const char *optionalSteamId) {
  DiscordEventHandlers none;
  fb_options options;
  if (autoRegister && optionalSteamId != NULL && optionalSteamId[0] != '\0')
    Discord_RegisterSteamGame(applicationId, optionalSteamId);
  else if (autoRegister)
    Discord_Register(applicationId, NULL);
  discord__lock();
  if (discord__the.client == NULL) {
    memset(&none, 0, sizeof none);
    memset(&options, 0, sizeof options);
    options.client_id = applicationId;
    options.on_event = discord__event;
    discord__the.count = discord__the.is_over = 0;
    discord__the.handlers = none;
    if (fb_open(&options, &discord__the.client) != FB_OK)
      discord__say(DISCORD__LOST, FB_CLOSE_INVALID_CLIENT_ID, "Invalid Client ID");
  }
  discord__handle(handlers);
#ifndef DISCORD_DISABLE_IO_THREAD
  if (discord__the.client != NULL && !discord__the.has_thread) discord__the.has_thread = discord__start(discord__work);
#endif
  discord__wake();
  discord__unlock();
  Discord_UpdateConnection();
}

DISCORD_EXPORT void Discord_Shutdown(void) {
  int had_thread;
  discord__lock();
  /* Of two threads that call this, the first one does it. */
  had_thread = discord__the.has_thread;
  if (had_thread && discord__the.is_over) {
    discord__unlock();
    return;
  }
  discord__the.is_over = 1;
  discord__wake();
  discord__unlock();
  if (had_thread) discord__join();
  discord__lock();
  if (had_thread) discord__silence();
  discord__the.has_thread = 0;
  if (discord__the.client != NULL) fb_close(&discord__the.client);
  memset(&discord__the.handlers, 0, sizeof discord__the.handlers);
  discord__the.count = 0;
  discord__unlock();
}

static void discord__call(const DiscordEventHandlers *to, const discord__note *note) {
  DiscordUser user;
  user.userId = note->id;
  user.username = note->username;
  user.discriminator = note->discriminator;
  user.avatar = note->avatar;
  switch (note->kind) {
    case DISCORD__READY: if (to->ready != NULL) to->ready(&user); break;
    case DISCORD__LOST: if (to->disconnected != NULL) to->disconnected(note->code, note->text); break;
    case DISCORD__ERROR: if (to->errored != NULL) to->errored(note->code, note->text); break;
    case DISCORD__JOIN: if (to->joinGame != NULL) to->joinGame(note->text); break;
    case DISCORD__SPECTATE: if (to->spectateGame != NULL) to->spectateGame(note->text); break;
    case DISCORD__ASK: if (to->joinRequest != NULL) to->joinRequest(&user); break;
  }
}

DISCORD_EXPORT void Discord_RunCallbacks(void) {
  int left = DISCORD__NOTES;
  Discord_UpdateConnection();
  while (left-- > 0) {
    DiscordEventHandlers handlers;
    discord__note note;
    discord__lock();
    if (discord__the.count == 0) break;
    note = discord__the.notes[discord__the.first];
    discord__the.first = (discord__the.first + 1) % DISCORD__NOTES;
    discord__the.count--;
    handlers = discord__the.handlers;
    discord__unlock();
    discord__call(&handlers, &note);
  }
  if (left >= 0) discord__unlock();
}

/** "" is unset, as in the archived library. */
static const char *discord__text(const char *text) { return text == NULL || text[0] == '\0' ? NULL : text; }

static fb_result discord__show(const DiscordRichPresence *from) {
  fb_presence presence;
  memset(&presence, 0, sizeof presence);
  presence.state = discord__text(from->state);
  presence.details = discord__text(from->details);
  presence.start = from->startTimestamp;
  presence.end = from->endTimestamp;
  presence.large_image = discord__text(from->largeImageKey);
  presence.large_text = discord__text(from->largeImageText);
  presence.small_image = discord__text(from->smallImageKey);
  presence.small_text = discord__text(from->smallImageText);
  presence.party_id = discord__text(from->partyId);
  if (from->partySize > 0 && from->partyMax > 0) {
    presence.party_size = from->partySize;
    presence.party_max = from->partyMax;
  }
  presence.party_privacy = from->partyPrivacy;
  presence.match = discord__text(from->matchSecret);
  presence.join = discord__text(from->joinSecret);
  presence.spectate = discord__text(from->spectateSecret);
  presence.instance = from->instance;
  return fb_show(discord__the.client, &presence);
}

DISCORD_EXPORT void Discord_UpdatePresence(const DiscordRichPresence *presence) {
  char text[256];
  fb_result result;
  discord__lock();
  if (discord__the.client != NULL) {
    result = presence == NULL ? fb_clear(discord__the.client) : discord__show(presence);
    if (result == FB_E_INVALID) {
      fb_error_text(discord__the.client, text, sizeof text);
      discord__say(DISCORD__ERROR, FB_CODE_INVALID_PAYLOAD, text);
    } else if (result == FB_E_TOO_LONG) {
      discord__say(DISCORD__ERROR, FB_CODE_INVALID_PAYLOAD, fb_result_text(result));
    }
  }
  discord__wake();
  discord__unlock();
  Discord_UpdateConnection();
}

DISCORD_EXPORT void Discord_ClearPresence(void) { Discord_UpdatePresence(NULL); }

DISCORD_EXPORT void Discord_Respond(const char *userid, int reply) {
  const char *command =
      reply == DISCORD_REPLY_YES ? FB_CMD_SEND_ACTIVITY_JOIN_INVITE : FB_CMD_CLOSE_ACTIVITY_JOIN_REQUEST;
  char text[128];
  fb_writer writer = fb_w_begin(text, sizeof text);
  fb_w_open(&writer, NULL, '{');
  if (userid != NULL) fb_w_text(&writer, "user_id", userid);
  fb_w_shut(&writer);
  discord__lock();
  if (discord__the.client != NULL && fb_w_end(&writer) == FB_OK) fb_request(discord__the.client, command, text, NULL);
  discord__wake();
  discord__unlock();
  Discord_UpdateConnection();
}

DISCORD_EXPORT void Discord_UpdateHandlers(DiscordEventHandlers *handlers) {
  discord__lock();
  discord__handle(handlers);
  discord__wake();
  discord__unlock();
  Discord_UpdateConnection();
}
