/* What a client does at servers that do not read, do not answer or answer wrongly. Takes a folder for the socket. */
#include "peer.h"

/** A JSON object that is longer than a third of the smallest buffer. */
static char large[5000];

static void make_large(void) {
  memset(large, 'x', sizeof large - 1);
  memcpy(large, "{\"a\":\"", 6);
  memcpy(large + sizeof large - 3, "\"}", 3);
}

/** With a server that does not read, a program sleeps until the descriptor is writable. */
static void sleeps_while_nothing_is_read(void) {
  fb_options options = settings();
  fb_client *client;
  int i;
  options.frame_limit = 20000;
  client = ready(&options);
  for (i = 0; i < 10000 && client->out.end - client->out.begin < 16000; i++) {
    server_sends(FB_OP_PING, large);
    fb_poll(client, 0);
  }
  HOLDS(fb_show_json(client, large) == FB_OK);
  settle(client);
  HOLDS(fb_wants_write(client) && fb_timeout(client) == -1);
  while (server_reads()[0] != '\0' && strstr(received, "SET_ACTIVITY") == NULL) settle(client);
  HOLDS(strstr(received, "SET_ACTIVITY") != NULL);
  end(client);
}

/** What is owed is due at once, also for loops that ask for the time alone. */
static void is_due_at_once(void) {
  fb_options options = settings();
  fb_client *client = ready(&options);
  HOLDS(fb_timeout(client) == -1);
  fb_subscribe(client, "ACTIVITY_JOIN", NULL);
  HOLDS(fb_timeout(client) == 0);
  settle(client);
  HOLDS(fb_timeout(client) == -1);
  fb_authenticate(client, "token-one");
  HOLDS(fb_timeout(client) == 0);
  end(client);
}

/** Frames that are sent have their own limit: the largest presence, in each kind of memory. */
static void sends_whatever_it_took(void) {
  static const size_t sizes[] = {FB_MIN_BUFFER, FB_MIN_BUFFER + 1000, 65536, 1 << 20};
  static char buffer[1 << 20];
  size_t i;
  for (i = 0; i <= sizeof sizes / sizeof *sizes; i++) {
    fb_options options = settings();
    fb_client *client;
    if (i == sizeof sizes / sizeof *sizes) {
      options.frame_limit = 1;
    } else {
      options.buffer = buffer;
      options.buffer_size = sizes[i];
    }
    client = ready(&options);
    if (options.buffer != NULL) HOLDS(client->frame_limit >= (sizes[i] - 24576) / 2);
    HOLDS(fb_show_json(client, large) == FB_OK);
    settle(client);
    HOLDS(strstr(server_reads(), "SET_ACTIVITY") != NULL);
    HOLDS(fb_timeout(client) == -1);
    end(client);
  }
}

static const char answered[] =
    "{\"cmd\":\"AUTHENTICATE\",\"evt\":null,\"nonce\":\"fb-token\",\"data\":{\"access_token\":\"token-two\"}}";
static const char refused[] = "{\"cmd\":\"AUTHENTICATE\",\"evt\":\"ERROR\",\"nonce\":\"fb-token\",\"data\":{}}";

/** A token waits for the answer to the one before, whose refusal is not its own; fb_close leaves none in memory. */
static void keeps_the_newest_token(void) {
  static char buffer[FB_MIN_BUFFER];
  fb_options options = settings();
  fb_client *client;
  size_t i;
  options.buffer = buffer;
  options.buffer_size = sizeof buffer;
  client = ready(&options);
  fb_authenticate(client, "token-one");
  settle(client);
  fb_authenticate(client, "token-two");
  settle(client);
  HOLDS(strstr(server_reads(), "token-one") != NULL && strstr(received, "token-two") == NULL);
  server_sends(FB_OP_FRAME, refused);
  settle(client);
  HOLDS(strstr(server_reads(), "token-two") != NULL);
  server_sends(FB_OP_FRAME, answered);
  settle(client);
  HOLDS(strcmp(client->token, "token-two") == 0);
  end(client);
  for (i = 0; i + 6 <= sizeof buffer && memcmp(buffer + i, "token-", 6) != 0;) i++;
  HOLDS(i + 6 > sizeof buffer);
}

/** Without an answer to the token, subscriptions go on after the time for answers. */
static void gives_up_an_answer_to_the_token(void) {
  fb_options options = settings();
  fb_client *client;
  int turns;
  options.request_timeout_ms = 1;
  client = ready(&options);
  fb_authenticate(client, "token-one");
  fb_subscribe(client, "ACTIVITY_JOIN", NULL);
  fb_poll(client, 0);
  HOLDS(strstr(server_reads(), "AUTHENTICATE") != NULL && strstr(received, "SUBSCRIBE") == NULL);
  for (turns = 0; turns < 1000 && strchr(events, 'f') == NULL; turns++) fb_poll(client, 10);
  settle(client);
  HOLDS(strstr(server_reads(), "SUBSCRIBE") != NULL);
  end(client);
}

static void check_name(fb_client *client, const fb_event *event) {
  /* The place of the request is free, and the next one takes it. */
  if (event->kind != FB_EVENT_ANSWER) return;
  HOLDS(fb_request(client, "GET_CHANNELS", NULL, NULL) == FB_OK);
  HOLDS(strcmp(event->name, "GET_GUILDS") == 0);
}

static void names_its_own_requests(void) {
  fb_options options = settings();
  fb_client *client = ready(&options);
  also = check_name;
  fb_request(client, "GET_GUILDS", NULL, NULL);
  server_sends(FB_OP_FRAME, "{\"cmd\":\"AUTHORIZE\",\"evt\":null,\"nonce\":\"1\",\"data\":{}}");
  server_sends(FB_OP_FRAME, "{\"cmd\":\"GET_GUILDS\",\"evt\":null,\"nonce\":\"1\",\"data\":{}}");
  settle(client);
  HOLDS(strcmp(events, "ra") == 0);
  end(client);
}

static void check_data(fb_client *client, const fb_event *event) {
  (void)client;
  if (event->kind == FB_EVENT_DISPATCH) HOLDS(event->result == FB_OK && fb_type(event->data) == '{');
}

/** Whether a frame has its data is no matter of how it is cut. */
static void has_data_in_all_pieces(void) {
  fb_options options = settings();
  fb_client *client;
  char frame[256] = "", text[] = "{\"cmd\":\"DISPATCH\",\"evt\":\"E\",\"data\":{}}";
  size_t cut, size = FB__HEADER + sizeof text - 1;
  options.frame_limit = 1;
  client = ready(&options);
  also = check_data;
  fb__write32(frame, FB_OP_FRAME);
  fb__write32(frame + 4, sizeof text - 1);
  memcpy(frame + FB__HEADER, text, sizeof text);
  for (cut = 0; cut < size; cut++) {
    if (send(peer, frame, cut, MSG_NOSIGNAL) != (ssize_t)cut) abort();
    fb_poll(client, 0);
    if (send(peer, frame + cut, size - cut, MSG_NOSIGNAL) != (ssize_t)(size - cut)) abort();
    fb_poll(client, 0);
  }
  HOLDS(strspn(events + 1, "d") == size);
  end(client);
}

static int lost_code;

static void keep_code(fb_client *client, const fb_event *event) {
  (void)client;
  if (event->kind == FB_EVENT_LOST) lost_code = event->code;
}

/** The reason of a server is behind more than one call reads, and nothing can be sent to it any more. */
static void hears_the_last_word(void) {
  static char buffer[FB_MIN_BUFFER], text[24000];
  fb_options options = settings();
  fb_client *client;
  int room = 1 << 20, i;
  options.buffer = buffer;
  options.buffer_size = sizeof buffer;
  client = ready(&options);
  also = keep_code;
  setsockopt(peer, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  memset(text, ' ', sizeof text - 1);
  for (i = 0; i < 8; i++) server_sends(FB_OP_PONG, text);
  server_sends(FB_OP_CLOSE, "{\"code\":1003,\"message\":\"over\"}");
  close(peer);
  peer = -1;
  fb_request(client, "GET_GUILDS", NULL, NULL);
  for (i = 0; i < 10 && lost_code == 0 && fb_state_of(client) == FB_STATE_READY; i++) fb_poll(client, 0);
  HOLDS(lost_code == 1003);
  end(client);
}

/** A READY that has no room does not say that it is of the build that is asked for. */
static void takes_no_unknown_build(void) {
  static char buffer[FB_MIN_BUFFER], text[20000];
  fb_options options = settings();
  fb_client *client;
  options.buffer = buffer;
  options.buffer_size = sizeof buffer;
  options.build = "canary";
  memset(text, ' ', sizeof text - 1);
  memcpy(text, "{\"cmd\":\"DISPATCH\",\"evt\":\"READY\",\"data\":{}", 41);
  text[sizeof text - 2] = '}';
  if (fb_open(&options, &client) != FB_OK) abort();
  fb_poll(client, 0);
  peer = accept(listener, NULL, NULL);
  server_sends(FB_OP_FRAME, text);
  fb_poll(client, 0);
  HOLDS(fb_state_of(client) == FB_STATE_WAITING);
  end(client);
}

static void reads_numbers(void) {
  static char digits[400];
  double number = 0;
  memset(digits, '9', sizeof digits);
  HOLDS(fb_number(fb_parse("0.3", 3), &number) && number == 0.3);
  HOLDS(fb_number(fb_parse("-12.75E+1", 9), &number) && number == -127.5);
  HOLDS(fb_number(fb_parse("1e-5", 4), &number) && number == 1e-5);
  HOLDS(fb_number(fb_parse("3e-999999999999", 15), &number) && number == 0);
  HOLDS(!fb_number(fb_parse("1e309", 5), &number) && !fb_number(fb_parse(digits, sizeof digits), &number));
  digits[1] = '.';
  HOLDS(fb_number(fb_parse(digits, sizeof digits), &number) && number > 9.99 && number < 10.01);
}

/** Memory of an allocator that does not align. */
static void *crooked(void *allocator, void *block, size_t size) {
  static char memory[65536];
  if (size == 0) HOLDS(block == memory + 1);
  if (size == 0) *(int *)allocator -= 1;
  else *(int *)allocator += 1;
  return size == 0 || size > sizeof memory - 1 ? NULL : memory + 1;
}

static void refuses_crooked_memory(void) {
  fb_options options = settings();
  fb_client *client;
  int live = 0;
  options.allocate = crooked;
  options.allocator = &live;
  HOLDS(fb_open(&options, &client) == FB_E_MEMORY && client == NULL && live == 0);
}

/** What a server says is one line of the report, without control characters. */
static void reports_in_lines(void) {
  fb_options options = settings();
  char text[512];
  fb_client *client;
  if (fb_open(&options, &client) != FB_OK) abort();
  fb_poll(client, 0);
  peer = accept(listener, NULL, NULL);
  server_sends(FB_OP_CLOSE, "{\"code\":4000,\"message\":\"a\\nb\\u001b[2J\\u007f\"}");
  settle(client);
  fb_error_text(client, text, sizeof text);
  HOLDS(strstr(text, ": rejected (4000 a b [2J )\n") != NULL && strchr(text, '\n')[1] == '\0');
  end(client);
}

int main(int count, char **values) {
  if (count < 2) return 2;
  snprintf(path, sizeof path, "%s/discord-ipc-0", values[1]);
  listen_at();
  make_large();
  sleeps_while_nothing_is_read();
  is_due_at_once();
  sends_whatever_it_took();
  keeps_the_newest_token();
  gives_up_an_answer_to_the_token();
  names_its_own_requests();
  has_data_in_all_pieces();
  hears_the_last_word();
  takes_no_unknown_build();
  reads_numbers();
  refuses_crooked_memory();
  reports_in_lines();
  if (faults == 0) puts("all holds");
  return faults > 0;
}
