/* Shows a presence until Ctrl+C, also after a restart of the chat client.
 * cc $(pkg-config --cflags footbridge) -o presence presence.c && ./presence 300000000000000001 */
#define FB_IMPLEMENTATION
#include "footbridge.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

static volatile sig_atomic_t is_over;

static void end(int signal) {
  (void)signal;
  is_over = 1;
}

static void on_event(void *user, fb_client *client, const fb_event *event) {
  char text[128] = "";
  (void)user;
  fb_text(event->kind == FB_EVENT_READY ? fb_get(fb_get(event->data, "user"), "username") : event->message, text,
          sizeof text);
  if (event->kind == FB_EVENT_READY) printf("connected to %s\n", fb_endpoint(client));
  if (event->kind == FB_EVENT_ANSWER) printf("shown\n");
  if (event->kind == FB_EVENT_LOST) printf("lost: %s\n", text);
  if (event->kind == FB_EVENT_FAILED) printf("%s failed: %d %s\n", event->name, event->code, text);
  fflush(stdout);
}

int main(int count, char **values) {
  fb_options options;
  fb_presence presence;
  fb_client *client;
  fb_result result = FB_OK;
  memset(&options, 0, sizeof options);
  memset(&presence, 0, sizeof presence);
  options.client_id = count > 1 ? values[1] : "300000000000000001";
  options.on_event = on_event;
  presence.details = "By the river";
  presence.start = (int64_t)time(NULL) * 1000;
  signal(SIGINT, end);
  signal(SIGTERM, end);
  if ((result = fb_open(&options, &client)) != FB_OK) {
    fprintf(stderr, "%s\n", fb_result_text(result));
    return 1;
  }
  fb_show(client, &presence);
  /* A game calls fb_poll(client, 0) once a frame; this program has nothing else to do. */
  while (!is_over && result != FB_E_REFUSED) result = fb_poll(client, 500);
  if (result == FB_E_REFUSED) fb_print_error(client, stderr);
  fb_close(&client);
  return result == FB_E_REFUSED;
}
