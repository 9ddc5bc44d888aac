/* A client, and a server in the same program and thread, so that what happens is counted and never a matter of time.
 * Prints one line for each claim that does not hold. */
#ifndef FOOTBRIDGE_PEER_H
#define FOOTBRIDGE_PEER_H

#define FB_IMPLEMENTATION
#include "../../src/native/footbridge.h"

static int faults;
static char path[FB__PATH_SIZE];
static int listener = -1, peer = -1;
static char received[1 << 17];
static size_t received_length;

#define HOLDS(claim)                             \
  do {                                           \
    if (!(claim)) {                              \
      printf("line %d: %s\n", __LINE__, #claim); \
      faults++;                                  \
    }                                            \
  } while (0)

/** What the events of a client were: as text, a letter for each kind. */
static char events[256];
static size_t event_count;
static void (*also)(fb_client *client, const fb_event *event);

static void on_event(void *user, fb_client *client, const fb_event *event) {
  (void)user;
  if (event_count < sizeof events - 1) events[event_count++] = "?rlxafd"[event->kind];
  events[event_count] = '\0';
  if (also != NULL) also(client, event);
}

static void listen_at(void) {
  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  fb__copy(address.sun_path, sizeof address.sun_path, path);
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0) abort();
}

static fb_options settings(void) {
  fb_options options;
  memset(&options, 0, sizeof options);
  options.client_id = "300000000000000001";
  options.endpoint = path;
  options.on_event = on_event;
  return options;
}

static void server_sends(uint32_t opcode, const char *text) {
  char header[FB__HEADER];
  fb__write32(header, opcode);
  fb__write32(header + 4, (uint32_t)strlen(text));
  if (send(peer, header, sizeof header, MSG_NOSIGNAL) != FB__HEADER) abort();
  if (send(peer, text, strlen(text), MSG_NOSIGNAL) != (ssize_t)strlen(text)) abort();
}

/** Takes what the client has sent; NULs of headers become spaces, so that texts can be searched. */
static const char *server_reads(void) {
  ssize_t count;
  size_t i;
  received_length = 0;
  while (received_length < sizeof received - 1 &&
         (count = recv(peer, received + received_length, sizeof received - 1 - received_length, MSG_DONTWAIT)) > 0)
    received_length += (size_t)count;
  for (i = 0; i < received_length; i++)
    if (received[i] == '\0') received[i] = ' ';
  received[received_length] = '\0';
  return received;
}

/** Polls until nothing happens any more. */
static void settle(fb_client *client) {
  int turns;
  for (turns = 0; turns < 100 && fb_poll(client, 0) == FB_OK;) turns++;
}

/** Opens a client that is ready. */
static fb_client *ready(const fb_options *options) {
  fb_client *client;
  event_count = 0;
  also = NULL;
  if (fb_open(options, &client) != FB_OK) abort();
  fb_poll(client, 0);
  peer = accept(listener, NULL, NULL);
  settle(client);
  server_reads();
  server_sends(FB_OP_FRAME, "{\"cmd\":\"DISPATCH\",\"evt\":\"READY\",\"data\":{\"v\":1}}");
  settle(client);
  HOLDS(fb_state_of(client) == FB_STATE_READY);
  return client;
}

static void end(fb_client *client) {
  fb_close(&client);
  close(peer);
}

#endif /* FOOTBRIDGE_PEER_H */
