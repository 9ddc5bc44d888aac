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
