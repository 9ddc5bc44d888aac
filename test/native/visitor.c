/* The client of the conformance suite, on footbridge.h: connects as CONFORMANCE_CLIENT_ID, does CONFORMANCE_TASK when it
 * is ready, and prints what it sees as JSON lines. With SMALLEST it has the smallest
 * buffer instead of an allocator; with ALSO_SUBSCRIBED its presence comes with a subscription to this event. */
#define FB_IMPLEMENTATION
#include "../../src/native/footbridge.h"

#include <stdio.h>

static const char *task;
static uint32_t first;
static int leaves, was_ready, has_failed;
#ifdef SMALLEST
static char buffer[FB_MIN_BUFFER];
#endif

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? "" : value;
}

static void print_data(fb_json data) {
  size_t length = data.at == NULL ? 0 : (size_t)(data.end - data.at);
  if (length == 0) fputs("null", stdout);
  else if (length > 1000) printf("{\"length\":%zu}", length);
  else fwrite(data.at, 1, length, stdout);
}

static void begin(fb_client *client) {
  if (strcmp(task, "presence") == 0 || strcmp(task, "clear") == 0) {
    fb_presence presence;
    memset(&presence, 0, sizeof presence);
    presence.details = setting("CONFORMANCE_DETAILS");
    fb_show(client, &presence);
    if (*setting("ALSO_SUBSCRIBED") != '\0') fb_subscribe(client, setting("ALSO_SUBSCRIBED"), NULL);
  } else if (strcmp(task, "subscribe") == 0) {
    fb_subscribe(client, setting("CONFORMANCE_EVENT"), NULL);
  } else if (strcmp(task, "request") == 0) {
    int count = atoi(setting("CONFORMANCE_COUNT")), i;
    if (count < 1) count = 1;
    for (i = 0; i < count; i++) {
      uint32_t number = 0;
      fb_request(client, setting("CONFORMANCE_CMD"), NULL, &number);
      if (i == 0) first = number;
    }
  } else if (strcmp(task, "leave") == 0) {
    leaves = 1;
  } else if (strcmp(task, "idle") != 0) {
    puts("{\"saw\":\"unsupported\"}");
  }
}

/** Number of an answer as the task counts it: the library's own come first. */
static unsigned number_of(const fb_event *event) {
  return event->request == 0 ? 1U : (unsigned)(event->request - first + 1);
}

static void on_event(void *user, fb_client *client, const fb_event *event) {
  static int has_begun, has_cleared;
  (void)user;
  switch (event->kind) {
    case FB_EVENT_READY:
      was_ready = 1;
      puts("{\"saw\":\"ready\"}");
      if (!has_begun) begin(client);
      has_begun = 1;
      break;
    case FB_EVENT_LOST:
      puts("{\"saw\":\"closed\"}");
      break;
    case FB_EVENT_REFUSED:
      puts("{\"saw\":\"failed\"}");
      break;
    case FB_EVENT_ANSWER:
      printf("{\"saw\":\"reply\",\"number\":%u,\"data\":", number_of(event));
      print_data(event->data);
      puts("}");
      if (strcmp(task, "clear") == 0 && !has_cleared) {
        has_cleared = 1;
        fb_clear(client);
      }
      break;
    case FB_EVENT_FAILED:
      printf("{\"saw\":\"error\",\"number\":%u,\"code\":%d,\"message\":", number_of(event), event->code);
      print_data(event->message);
      puts("}");
      break;
    case FB_EVENT_DISPATCH:
      fputs("{\"saw\":\"event\",\"data\":", stdout);
      print_data(event->data);
      puts("}");
      break;
  }
  fflush(stdout);
}

int main(void) {
  fb_options options;
  fb_client *client;
  memset(&options, 0, sizeof options);
  task = setting("CONFORMANCE_TASK");
  options.client_id = setting("CONFORMANCE_CLIENT_ID");
  options.on_event = on_event;
#ifdef SMALLEST
  options.buffer = buffer;
  options.buffer_size = sizeof buffer;
#endif
  options.request_timeout_ms = 5000;
  if (fb_open(&options, &client) != FB_OK) return 1;
  while (fb_poll(client, 1000) != FB_E_REFUSED && !leaves) {
    /* The library is silent where no server is; the suite wants a word. */
    if (!was_ready && !has_failed && fb_state_of(client) == FB_STATE_WAITING && fb_error_text(client, NULL, 0) > 0) {
      has_failed = 1;
      puts("{\"saw\":\"failed\"}");
      fflush(stdout);
    }
  }
  fb_close(&client);
  return 0;
}
