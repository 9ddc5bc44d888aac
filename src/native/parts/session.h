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
