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
