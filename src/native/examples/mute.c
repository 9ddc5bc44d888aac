/* Mutes and unmutes the microphone: asks for permission once, and presents the token of a file afterwards.
 * cc $(pkg-config --cflags footbridge) -o mute mute.c && ./mute CLIENT_ID TOKEN, where TOKEN is what your server got for the
 * code that is printed without it */
#define FB_IMPLEMENTATION
#include "footbridge.h"

#include <stdio.h>

static int is_done;

static void on_event(void *user, fb_client *client, const fb_event *event) {
  const char *token = (const char *)user;
  char text[256];
  fb_voice voice;
  if (event->kind == FB_EVENT_READY && token == NULL) {
    fb_pkce pkce;
    if (fb_pkce_new(&pkce) != FB_OK) return;
    printf("verifier %s\n", pkce.verifier);
    fb_authorize(client, "rpc rpc.voice.read rpc.voice.write", &pkce, NULL);
  }
  if (event->kind == FB_EVENT_FAILED) {
    fb_text(event->message, text, sizeof text);
    printf("%s failed: %d %s\n", event->name, event->code, text);
    is_done = 1;
  }
  if (event->kind != FB_EVENT_ANSWER) return;
  if (strcmp(event->name, FB_CMD_AUTHORIZE) == 0) {
    fb_text(fb_get(event->data, "code"), text, sizeof text);
    printf("code %s\n", text);
    is_done = 1;
  } else if (strcmp(event->name, FB_CMD_AUTHENTICATE) == 0) {
    fb_get_voice(client, NULL);
  } else if (strcmp(event->name, FB_CMD_GET_VOICE_SETTINGS) == 0 && fb_read_voice(event->data, &voice) == FB_OK) {
    fb_voice change = fb_voice_unset();
    change.mute = !voice.mute;
    fb_set_voice(client, &change, NULL);
  } else if (strcmp(event->name, FB_CMD_SET_VOICE_SETTINGS) == 0 && fb_read_voice(event->data, &voice) == FB_OK) {
    puts(voice.mute ? "muted" : "live");
    is_done = 1;
  }
}

int main(int count, char **values) {
  fb_options options;
  fb_client *client;
  memset(&options, 0, sizeof options);
  options.client_id = count > 1 ? values[1] : "300000000000000001";
  options.on_event = on_event;
  options.user = count > 2 ? values[2] : NULL;
  if (fb_open(&options, &client) != FB_OK) return 1;
  if (count > 2) fb_authenticate(client, values[2]);
  while (!is_done && fb_poll(client, 500) != FB_E_REFUSED) {
  }
  fb_close(&client);
  return 0;
}
