/* A game of the archived library for Windows: it shows a presence until a file is there, and prints what its handlers are
 * told. Arguments: its application id, and that file. */
#include "discord_rpc.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

static int was_ready;

static void on_ready(const DiscordUser *user) {
  DiscordRichPresence presence;
  memset(&presence, 0, sizeof presence);
  presence.details = "On Windows";
  presence.partyId = "crew";
  presence.joinSecret = "the secret";
  printf("ready %s\n", user->username);
  if (!was_ready++) Discord_UpdatePresence(&presence);
}
static void on_disconnected(int code, const char *message) { printf("disconnected %d %s\n", code, message); }
static void on_error(int code, const char *message) { printf("error %d %s\n", code, message); }
static void on_join(const char *secret) { printf("join %s\n", secret); }

int main(int count, char **values) {
  DiscordEventHandlers handlers;
  if (count < 3) return 2;
  memset(&handlers, 0, sizeof handlers);
  handlers.ready = on_ready;
  handlers.disconnected = on_disconnected;
  handlers.errored = on_error;
  handlers.joinGame = on_join;
  setvbuf(stdout, NULL, _IONBF, 0);
  Discord_Initialize(values[1], &handlers, 1, NULL);
  while (GetFileAttributesA(values[2]) == INVALID_FILE_ATTRIBUTES) {
    Discord_RunCallbacks();
    Sleep(20);
  }
  Discord_Shutdown();
  puts("over");
  return 0;
}
