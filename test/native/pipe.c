/* What a client does at a named pipe of Windows, whose server is a thread of the same program. Prints one line for each
 * claim that does not hold. */
#define FB_IMPLEMENTATION
#include "../../src/native/footbridge.h"

#define NAME "\\\\?\\pipe\\footbridge-test-0"

static int faults, is_ready;
static HANDLE server, has_polled, may_end;

#define HOLDS(claim)                             \
  do {                                           \
    if (!(claim)) {                              \
      printf("line %d: %s\n", __LINE__, #claim); \
      faults++;                                  \
    }                                            \
  } while (0)

static void on_event(void *user, fb_client *client, const fb_event *event) {
  (void)user;
  (void)client;
  is_ready = event->kind == FB_EVENT_READY;
}

/** Takes one connection, answers its first frame with READY, and then reads nothing. */
static DWORD WINAPI serve(LPVOID unused) {
  static const char ready[] = "{\"cmd\":\"DISPATCH\",\"evt\":\"READY\",\"data\":{\"v\":1}}";
  char header[FB__HEADER], bytes[256];
  DWORD count;
  (void)unused;
  ConnectNamedPipe(server, NULL);
  ReadFile(server, bytes, sizeof bytes, &count, NULL);
  fb__write32(header, FB_OP_FRAME);
  fb__write32(header + 4, sizeof ready - 1);
  WriteFile(server, header, sizeof header, &count, NULL);
  WriteFile(server, ready, sizeof ready - 1, &count, NULL);
  return 0;
}

/** Polls until the client is ready and waits for more, and lives on. */
static DWORD WINAPI poll_until_ready(LPVOID client) {
  int turns;
  for (turns = 0; turns < 1000 && !is_ready; turns++) fb_poll((fb_client *)client, 20);
  while (fb_poll((fb_client *)client, 0) == FB_OK) continue;
  SetEvent(has_polled);
  WaitForSingleObject(may_end, INFINITE);
  return 0;
}

/** A client that one thread has polled, with a read and a write under way, is closed by another one. */
int main(void) {
  static char args[4000];
  fb_options options;
  fb_client *client;
  HANDLE threads[2];
  int sent;
  memset(&options, 0, sizeof options);
  options.client_id = "300000000000000001";
  options.endpoint = NAME;
  options.on_event = on_event;
  server = CreateNamedPipeA(NAME, PIPE_ACCESS_DUPLEX, PIPE_TYPE_BYTE, 1, 4096, 4096, 0, NULL);
  has_polled = CreateEventA(NULL, TRUE, FALSE, NULL);
  may_end = CreateEventA(NULL, TRUE, FALSE, NULL);
  HOLDS(server != INVALID_HANDLE_VALUE && fb_open(&options, &client) == FB_OK);
  if (faults > 0) return 1;
  threads[0] = CreateThread(NULL, 0, serve, NULL, 0, NULL);
  threads[1] = CreateThread(NULL, 0, poll_until_ready, client, 0, NULL);
  WaitForSingleObject(has_polled, INFINITE);
  HOLDS(is_ready && strcmp(fb_endpoint(client), NAME) == 0);
  memset(args, ' ', sizeof args - 1);
  args[0] = '{';
  args[sizeof args - 2] = '}';
  for (sent = 0; sent < 32 && fb_request(client, "GET_GUILDS", args, NULL) == FB_OK; sent++) fb_poll(client, 0);
  HOLDS(sent > 1 && fb_wants_write(client) && fb_timeout(client) > 0);
  HOLDS(fb_poll(client, 0) == FB_AGAIN);
  HOLDS(fb_close(&client) == FB_OK && client == NULL);
  SetEvent(may_end);
  WaitForMultipleObjects(2, threads, TRUE, INFINITE);
  if (faults == 0) puts("all holds");
  return faults > 0;
}
