/* Two threads of a game that both begin, show, and end, as one that ends at an error while the other shows. */
#include "discord_rpc.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *play(void *unused) {
  DiscordEventHandlers handlers;
  DiscordRichPresence presence;
  int round;
  (void)unused;
  memset(&handlers, 0, sizeof handlers);
  memset(&presence, 0, sizeof presence);
  presence.details = "At sea";
  for (round = 0; round < 300; round++) {
    Discord_Initialize("300000000000000001", &handlers, 0, NULL);
    Discord_UpdatePresence(&presence);
    Discord_UpdatePresence(NULL);
    Discord_RunCallbacks();
    Discord_Shutdown();
  }
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, play, NULL) != 0) return 1;
  play(NULL);
  pthread_join(other, NULL);
  Discord_Shutdown();
  puts("both are done");
  return 0;
}
