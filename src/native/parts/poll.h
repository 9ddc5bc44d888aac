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
