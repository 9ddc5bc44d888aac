/* Links the account of the user once, and knows it from then on: the token stays in a file that is the user's own.
 * cc $(pkg-config --cflags footbridge) -o link link.c && ./link CLIENT_ID TOKEN_FILE
 * The first time it prints the code and the verifier, which your server exchanges, and reads the token that it got. */
#define FB_IMPLEMENTATION
#include "footbridge.h"

#include <stdio.h>
#ifndef _WIN32
#include <fcntl.h>
#endif

static const char *file_name;
static fb_pkce pkce;
static int is_done;

/** Reads the token of an earlier time. @return 0 where there is none */
static int read_token(char *token, int size) {
  FILE *file = fopen(file_name, "r");
  int found = file != NULL && fgets(token, size, file) != NULL && token[0] != '\n';
  if (file != NULL) fclose(file);
  token[found ? strcspn(token, "\r\n") : 0] = '\0';
  return found;
}

/** Keeps the token where no other user reads it. */
static void keep_token(const char *token) {
#ifdef _WIN32
  FILE *file = fopen(file_name, "w");
#else
  int number = open(file_name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  FILE *file = number < 0 ? NULL : fdopen(number, "w");
#endif
  if (file == NULL || fprintf(file, "%s\n", token) < 0 || fclose(file) != 0) perror(file_name);
}

/** Asks the user, with a new pair of PKCE each time. */
static void ask(fb_client *client) {
  if (fb_pkce_new(&pkce) == FB_OK) fb_authorize(client, "identify rpc", &pkce, NULL);
}

static void on_event(void *user, fb_client *client, const fb_event *event) {
  char text[512] = "";
  (void)user;
  if (event->kind == FB_EVENT_READY && !read_token(text, sizeof text)) ask(client);
  if (event->kind == FB_EVENT_FAILED) {
    fb_text(event->message, text, sizeof text);
    printf("%s failed: %d %s\n", event->name, event->code, text);
    /* A token that ended or was taken back: ask again. A user who refused is not asked again. */
    if (event->code == FB_CODE_INVALID_TOKEN && remove(file_name) == 0) ask(client);
    else is_done = 1;
  }
  if (event->kind != FB_EVENT_ANSWER) return;
  if (strcmp(event->name, FB_CMD_AUTHORIZE) == 0) {
    fb_text(fb_get(event->data, "code"), text, sizeof text);
    printf("code %s\nverifier %s\n", text, pkce.verifier);
    fflush(stdout);
    /* Here a game asks its server, and goes on with fb_poll meanwhile. */
    if (fgets(text, sizeof text, stdin) == NULL) text[0] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    if (fb_authenticate(client, text) == FB_OK) keep_token(text);
    else is_done = 1;
  } else if (strcmp(event->name, FB_CMD_AUTHENTICATE) == 0) {
    fb_text(fb_get(fb_get(event->data, "user"), "username"), text, sizeof text);
    printf("linked as %s\n", text);
    is_done = 1;
  }
  fflush(stdout);
}

int main(int count, char **values) {
  fb_options options;
  fb_client *client;
  char token[512];
  if (count < 3) return 2;
  file_name = values[2];
  memset(&options, 0, sizeof options);
  options.client_id = values[1];
  options.on_event = on_event;
  if (fb_open(&options, &client) != FB_OK) return 1;
  if (read_token(token, sizeof token)) fb_authenticate(client, token);
  while (!is_done && fb_poll(client, 500) != FB_E_REFUSED) {
  }
  fb_close(&client);
  return 0;
}
