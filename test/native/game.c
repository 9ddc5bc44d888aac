/* A game that was written for the archived library: it prints what its handlers are told, and does what each line of its
 * input says. Its functions are all that it knows of the library. */
#include "discord_rpc.h"

#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A game that is built already has these places in it. */
typedef char places[sizeof(void *) != 8 || (offsetof(DiscordRichPresence, endTimestamp) == 24 &&
                                            offsetof(DiscordRichPresence, partyPrivacy) == 80 &&
                                            offsetof(DiscordRichPresence, instance) == 112 &&
                                            sizeof(DiscordRichPresence) == 120 && sizeof(DiscordUser) == 32 &&
                                            offsetof(DiscordEventHandlers, joinRequest) == 40)
                        ? 1
                        : -1];

static DiscordEventHandlers handlers;
static const char *application;
static int ends_at_error;

static void on_ready(const DiscordUser *user) {
  printf("ready %s %s %s [%s]\n", user->userId, user->username, user->discriminator, user->avatar);
}
static void on_disconnected(int code, const char *message) { printf("disconnected %d %s\n", code, message); }
static void on_join(const char *secret) { printf("join %s\n", secret); }
static void on_spectate(const char *secret) { printf("spectate %s\n", secret); }
static void on_request(const DiscordUser *user) { printf("asks %s %s\n", user->userId, user->username); }
static void on_error(int code, const char *message) {
  printf("error %d %s\n", code, message);
  if (!ends_at_error) return;
  Discord_Shutdown();
  Discord_Initialize(application, &handlers, 0, NULL);
}

static void show(const char *details, int is_full) {
  DiscordRichPresence presence;
  memset(&presence, 0, sizeof presence);
  presence.details = details;
  presence.state = "";
  presence.partySize = 2;
  if (is_full) {
    presence.state = "On the river";
    presence.startTimestamp = 1700000000;
    presence.endTimestamp = 1700000600;
    presence.largeImageKey = "boat";
    presence.largeImageText = "A boat";
    presence.smallImageKey = "oar";
    presence.smallImageText = "An oar";
    presence.partyId = "crew";
    presence.partyMax = 5;
    presence.partyPrivacy = DISCORD_PARTY_PUBLIC;
    presence.matchSecret = "match secret";
    presence.joinSecret = "join secret";
    presence.spectateSecret = "spectate secret";
    presence.instance = 1;
  }
  Discord_UpdatePresence(&presence);
}

/** Number of descriptors that are open. */
static int open_files(void) {
  int number, count = 0;
  for (number = 0; number < 256; number++) count += fcntl(number, F_GETFD) >= 0;
  return count;
}

/**
 * Begins and ends a hundred times, with a presence in between, and without handlers, which would print that some of
 * these times are ready. @return how many descriptors that has left
 */
static int cycle(void) {
  DiscordEventHandlers none;
  int before, i;
  memset(&none, 0, sizeof none);
  Discord_Shutdown();
  before = open_files();
  for (i = 0; i < 100; i++) {
    Discord_Initialize(application, &none, 0, NULL);
    show("In between", 0);
    if (i % 2) Discord_RunCallbacks();
    Discord_Shutdown();
    Discord_RunCallbacks();
  }
  return open_files() - before;
}

/** Does what a line says. @return 0 for the last one */
static int obey(char *line) {
  char *rest = strchr(line, ' ');
  line[strcspn(line, "\n")] = '\0';
  rest = rest == NULL ? line : rest + 1;
  if (strncmp(line, "show ", 5) == 0) show(rest, 0);
  else if (strncmp(line, "full ", 5) == 0) show(rest, 1);
  else if (strncmp(line, "yes ", 4) == 0) Discord_Respond(rest, DISCORD_REPLY_YES);
  else if (strncmp(line, "no ", 3) == 0) Discord_Respond(rest, DISCORD_REPLY_NO);
  else if (strncmp(line, "steam ", 6) == 0) Discord_RegisterSteamGame(application, rest);
  else if (strncmp(line, "command ", 8) == 0) Discord_Register(application, rest);
  else if (strcmp(line, "clear") == 0) Discord_ClearPresence();
  else if (strcmp(line, "shutdown") == 0) Discord_Shutdown();
  else if (strcmp(line, "again") == 0) Discord_Initialize(application, &handlers, 0, NULL);
  else if (strcmp(line, "cycle") == 0) printf("left %d\n", cycle());
  else if (strcmp(line, "end at an error") == 0) ends_at_error = 1;
  else if (strcmp(line, "without joins") == 0) {
    handlers.joinGame = NULL;
    Discord_UpdateHandlers(&handlers);
  } else return 0;
  printf("done %s\n", line);
  return 1;
}

int main(int count, char **values) {
  struct pollfd input = {0, POLLIN, 0};
  char line[256];
  application = count > 1 ? values[1] : "";
  handlers.ready = on_ready;
  handlers.disconnected = on_disconnected;
  handlers.errored = on_error;
  handlers.joinGame = on_join;
  handlers.spectateGame = on_spectate;
  handlers.joinRequest = on_request;
  setvbuf(stdout, NULL, _IOLBF, 0);
  setvbuf(stdin, NULL, _IONBF, 0);
  Discord_Initialize(application, &handlers, 1, NULL);
  for (;;) {
#ifdef DISCORD_DISABLE_IO_THREAD
    Discord_UpdateConnection();
#endif
    Discord_RunCallbacks();
    if (poll(&input, 1, 10) > 0 && (fgets(line, sizeof line, stdin) == NULL || !obey(line))) break;
  }
  Discord_Shutdown();
  return 0;
}
