/* libFuzzer over both readers: the first byte chooses the JSON reader, or the frame reader in one of its states and sizes. */
#define FB_IMPLEMENTATION
#include "../../src/native/footbridge.h"

/** Visits every value of a checked text, each by every function. */
static void visit(fb_json value, int depth) {
  fb_json child = {NULL, NULL};
  char text[16];
  int64_t number;
  uint64_t id;
  double real;
  fb_voice voice;
  if (fb_text(value, text, sizeof text) > 0 && strlen(text) >= sizeof text) abort();
  fb_integer(value, &number);
  fb_id(value, &id);
  fb_number(value, &real);
  fb_is(value, "a\xC3\xA9");
  fb_get(value, "a");
  fb_read_voice(value, &voice);
  while (depth < FB__MAX_DEPTH && (child = fb_next(value, child)).at != NULL) {
    if (child.at < value.at || child.end > value.end || child.at >= child.end) abort();
    visit(child, depth + 1);
  }
}

static void on_event(void *user, fb_client *client, const fb_event *event) {
  (void)user;
  (void)client;
  visit(event->data, 0);
  visit(event->message, 0);
}

/** Gives the bytes to the frame reader in pieces of one size. */
static void read_frames(const char *at, size_t size, int is_ready, size_t piece, void *buffer) {
  fb_options options;
  fb_client *client;
  memset(&options, 0, sizeof options);
  options.client_id = "1";
  options.on_event = on_event;
  options.buffer = buffer;
  options.buffer_size = buffer == NULL ? 0 : FB_MIN_BUFFER;
  options.frame_limit = 65536;
  if (fb_open(&options, &client) != FB_OK) abort();
  client->state = is_ready ? FB_STATE_READY : FB_STATE_OPENING;
  while (size > 0 && fb__is_open(client)) {
    size_t part = size < piece ? size : piece;
    if (client->in.begin == client->in.end) client->in.begin = client->in.end = 0;
    if (!fb__room(client, &client->in, part)) abort();
    memcpy(client->in.at + client->in.end, at, part);
    client->in.end += part;
    at += part;
    size -= part;
    fb__read_frames(client);
    client->out.begin = client->out.end;
  }
  client->state = FB_STATE_WAITING;
  fb_close(&client);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char buffer[FB_MIN_BUFFER];
  const char *text = (const char *)data + 1;
  if (size == 0) return 0;
  if (data[0] % 2 == 0) visit(fb_parse(text, size - 1), 0);
  else read_frames(text, size - 1, data[0] / 2 % 2, data[0] / 4 % 2 ? 1 : 4096, data[0] / 8 % 2 ? buffer : NULL);
  return 0;
}
