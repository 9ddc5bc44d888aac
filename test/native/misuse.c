/* Every function with arguments that are wrong, missing, too long or not UTF-8, in every state and from an event; and an
 * allocator that fails at each of its calls in turn. Prints one line for each claim that does not hold. */
#define FB_IMPLEMENTATION
#include "../../src/native/footbridge.h"

static int faults;

#define HOLDS(claim)                                             \
  do {                                                           \
    if (!(claim)) {                                              \
      printf("line %d: %s\n", __LINE__, #claim);                 \
      faults++;                                                  \
    }                                                            \
  } while (0)

static fb_options options_of(const char *endpoint) {
  fb_options options;
  memset(&options, 0, sizeof options);
  options.client_id = "300000000000000001";
  options.endpoint = endpoint;
  return options;
}

/** Calls everything of a client; none of it may do more than return a result. */
static void call_all(fb_client *client, fb_result shown) {
  static const char bad[] = "\xC3(";
  char text[8];
  fb_presence presence;
  uint32_t request = 7;
  fb_pkce pkce;
  fb_voice voice = fb_voice_unset();
  char *large = (char *)malloc(100001);
  memset(large, 'a', 100000);
  large[100000] = '\0';
  memset(&presence, 0, sizeof presence);
  HOLDS(fb_show(client, NULL) == FB_E_INVALID);
  HOLDS(fb_show(client, &presence) == shown);
  presence.details = bad;
  HOLDS(fb_show(client, &presence) == (shown == FB_OK ? FB_E_INVALID : shown));
  presence.details = large;
  HOLDS(fb_show(client, &presence) == (shown == FB_OK ? FB_E_INVALID : shown));
  presence.details = "x";
  HOLDS(fb_show(client, &presence) == (shown == FB_OK ? FB_E_INVALID : shown));
  presence.details = NULL;
  presence.type = 4;
  HOLDS(fb_show(client, &presence) == (shown == FB_OK ? FB_E_INVALID : shown));
  presence.type = 0;
  presence.buttons[1].label = "label";
  HOLDS(fb_show(client, &presence) == (shown == FB_OK ? FB_E_INVALID : shown));
  presence.buttons[1].label = NULL;
  presence.party_size = 2;
  presence.party_max = 1;
  HOLDS(fb_show(client, &presence) == (shown == FB_OK ? FB_E_INVALID : shown));
  presence.party_size = 0;
  presence.party_max = 0;
  presence.party_id = "x";
  HOLDS(fb_show(client, &presence) == (shown == FB_OK ? FB_E_INVALID : shown));
  if (shown == FB_OK) {
    char named[96];
    static const char expected[] = "presence.party_id: must be UTF-8 of 2 to 128 characters\n";
    HOLDS(fb_error_text(client, named, sizeof named) == sizeof expected - 1 && strcmp(named, expected) == 0);
    presence.party_id = NULL;
    HOLDS(fb_show(client, &presence) == FB_OK && fb_error_text(client, named, sizeof named) == 0);
  }
  presence.party_id = NULL;
  presence.buttons[0].label = "label";
  HOLDS(fb_show(client, &presence) == (shown == FB_OK ? FB_E_INVALID : shown));
  HOLDS(fb_show_json(client, NULL) == FB_E_INVALID);
  HOLDS(fb_show_json(client, "{") == FB_E_INVALID);
  HOLDS(fb_show_json(client, "[]") == FB_E_INVALID);
  HOLDS(fb_clear(client) == shown);
  HOLDS(fb_request(client, NULL, NULL, &request) == FB_E_INVALID);
  HOLDS(fb_request(client, "", NULL, &request) == FB_E_INVALID);
  HOLDS(fb_request(client, "A\",\"", NULL, &request) == FB_E_INVALID);
  HOLDS(fb_request(client, large, NULL, &request) == FB_E_INVALID);
  HOLDS(fb_request(client, "GET_GUILDS", "{\"a\":1", &request) == FB_E_INVALID);
  HOLDS(fb_request(client, "GET_GUILDS", "null", &request) == FB_E_INVALID);
  HOLDS(fb_subscribe(client, NULL, NULL) == FB_E_INVALID);
  HOLDS(fb_subscribe(client, "E", "[]") == FB_E_INVALID);
  HOLDS(fb_unsubscribe(client, "NEVER", NULL) == FB_E_INVALID);
  HOLDS(fb_authenticate(client, bad) == (shown == FB_OK ? FB_E_INVALID : shown));
  HOLDS(fb_authenticate(client, large) == (shown == FB_OK ? FB_E_TOO_LONG : shown));
  HOLDS(fb_authorize(client, NULL, NULL, NULL) == FB_E_INVALID);
  HOLDS(fb_authorize(client, large, NULL, NULL) == FB_E_INVALID);
  HOLDS(fb_set_voice(client, NULL, NULL) == FB_E_INVALID);
  voice.input_volume = 1000;
  HOLDS(fb_set_voice(client, &voice, NULL) == FB_E_INVALID);
  HOLDS(fb_select_voice_channel(client, bad, 0, NULL) == FB_E_INVALID);
  HOLDS(fb_pkce_new(NULL) == FB_E_INVALID);
  HOLDS(fb_pkce_new(&pkce) == FB_OK && strlen(pkce.verifier) == 43 && strlen(pkce.challenge) == 43);
  fb_error_text(client, NULL, 0);
  fb_error_text(client, NULL, 5);
  fb_error_text(client, text, 0);
  fb_error_text(client, text, sizeof text);
  HOLDS(strlen(text) < sizeof text);
  fb_print_error(client, NULL);
  HOLDS(request == 7);
  free(large);
}

static int calls_left;

/** Fails from a certain call on. */
static void *failing(void *allocator, void *block, size_t size) {
  int *live = (int *)allocator;
  void *moved;
  if (size == 0) {
    if (block != NULL) (*live)--;
    free(block);
    return NULL;
  }
  if (calls_left-- <= 0) return NULL;
  moved = realloc(block, size);
  if (moved != NULL && block == NULL) (*live)++;
  return moved;
}

static int answers, too_long, polls_in_event;

static void on_event(void *user, fb_client *client, const fb_event *event) {
  (void)user;
  HOLDS(fb_poll(client, 0) == FB_E_STATE);
  HOLDS(fb_close(&client) == FB_E_STATE);
  polls_in_event++;
  if (event->kind == FB_EVENT_READY) call_all(client, FB_OK);
  /* The server refuses the request without a token, which is an answer. */
  if (event->request != 0 && event->result == FB_OK) answers++;
  if (event->kind == FB_EVENT_ANSWER && event->result == FB_E_TOO_LONG) too_long++;
}

static void wait_until_ready(fb_client *client) {
  int turns;
  for (turns = 0; turns < 1000 && fb_state_of(client) != FB_STATE_READY; turns++) fb_poll(client, 20);
}

/** Asks for something that the server answers, and waits for it. */
static int is_answered(fb_client *client) {
  int turns, before = answers;
  wait_until_ready(client);
  fb_request(client, "GET_GUILDS", NULL, NULL);
  for (turns = 0; turns < 500 && answers == before; turns++) fb_poll(client, 20);
  return answers > before;
}

int main(int count, char **values) {
  const char *endpoint = count > 1 ? values[1] : "/nowhere/discord-ipc-0";
  fb_options options = options_of(endpoint);
  fb_client *client = (fb_client *)1;
  static char buffer[FB_MIN_BUFFER + 16];
  int failures, live;
  size_t part;

  HOLDS(fb_open(NULL, &client) == FB_E_INVALID && client == NULL);
  HOLDS(fb_open(&options, NULL) == FB_E_INVALID);
  options.client_id = NULL;
  HOLDS(fb_open(&options, &client) == FB_E_INVALID);
  options.client_id = "12345678901234567890123";
  HOLDS(fb_open(&options, &client) == FB_E_INVALID);
  options.client_id = "1\"}";
  HOLDS(fb_open(&options, &client) == FB_E_INVALID);
  options = options_of("");
  HOLDS(fb_open(&options, &client) == FB_E_INVALID);
  options = options_of(endpoint);
  options.number = 11;
  HOLDS(fb_open(&options, &client) == FB_E_INVALID);
  options.number = 0;
  options.build = "beta";
  HOLDS(fb_open(&options, &client) == FB_E_INVALID);
  options = options_of(endpoint);
  options.buffer = buffer;
  options.buffer_size = FB_MIN_BUFFER - 1;
  HOLDS(fb_open(&options, &client) == FB_E_MEMORY);

  call_all(NULL, FB_E_INVALID);
  HOLDS(fb_poll(NULL, 0) == FB_E_INVALID && fb_close(NULL) == FB_E_INVALID && fb_close(&client) == FB_E_INVALID);
  HOLDS(fb_timeout(NULL) == -1 && fb_wants_write(NULL) == 0 && *fb_endpoint(NULL) == '\0');

  /* In memory of the caller, at each alignment. */
  for (part = 0; part < 16; part += 5) {
    options = options_of(endpoint);
    options.buffer = buffer + part;
    options.buffer_size = FB_MIN_BUFFER;
    options.on_event = on_event;
    HOLDS(fb_open(&options, &client) == FB_OK);
    if (client == NULL) continue;
    call_all(client, FB_OK);
    if (count > 1) HOLDS(is_answered(client));
    call_all(client, FB_OK);
    HOLDS(fb_close(&client) == FB_OK && client == NULL);
  }

  /* With an allocator that fails at its first call, at its second, and so on. */
  for (failures = 0; failures < 6; failures++) {
    options = options_of(endpoint);
    options.on_event = on_event;
    options.allocate = failing;
    options.allocator = &live;
    live = 0;
    calls_left = failures;
    if (fb_open(&options, &client) == FB_E_MEMORY) {
      HOLDS(failures == 0 && client == NULL && live == 0);
      continue;
    }
    HOLDS(failures > 0);
    if (count > 1) HOLDS(is_answered(client));
    calls_left = 1000;
    if (count > 1) HOLDS(is_answered(client));
    HOLDS(fb_close(&client) == FB_OK && live == 0);
  }
  if (count > 1) HOLDS(polls_in_event > 0);
  if (faults == 0) printf("all holds, %d answers, %d without data\n", answers, too_long);
  return faults > 0;
}
