/* discord_rpc.h: the functions of the archived library discord-rpc, on top of footbridge.h.
 *
 * A game that uses that library keeps its source, because names, structs and C linkage are the same: add discord_rpc.c and
 * discord_register.c to its build, or make a library of them (link with -pthread). footbridge.h lies in the folder above:
 *   cc -c discord_rpc.c discord_register.c && ar rc libdiscord-rpc.a discord_rpc.o discord_register.o
 *   cc -shared -fPIC -pthread discord_rpc.c discord_register.c -o libdiscord-rpc.so    // a game that is built takes it too
 *
 * NOT AS IN footbridge.h: these functions have no client to pass, so there is one, which is static; and a thread does its
 * work, because games call Discord_RunCallbacks rarely. Compiled with DISCORD_DISABLE_IO_THREAD there is no thread, and the
 * game calls Discord_UpdateConnection.
 *
 * NOT AS IN discord-rpc: the presence is there again at once after a restart of the chat client, servers in Flatpak and Snap
 * are found, frames have any size, and a refused application id ends the attempts. A text that the chat client would refuse
 * is not sent: `errored` gets 4000 and the name of the field.
 */
#ifndef DISCORD_RPC_H
#define DISCORD_RPC_H

#include <stdint.h>
#include "discord_register.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What others see. Texts are UTF-8; NULL and "" are unset. */
typedef struct DiscordRichPresence {
  const char *state;
  const char *details;
  /** Seconds or milliseconds since the Unix epoch; 0 is unset. */
  int64_t startTimestamp;
  int64_t endTimestamp;
  const char *largeImageKey;
  const char *largeImageText;
  const char *smallImageKey;
  const char *smallImageText;
  const char *partyId;
  /** Both, or none. */
  int partySize;
  int partyMax;
  int partyPrivacy;
  const char *matchSecret;
  const char *joinSecret;
  const char *spectateSecret;
  int8_t instance;
} DiscordRichPresence;

/** A user; texts that the server did not send are "". They live until the handler returns. */
typedef struct DiscordUser {
  const char *userId;
  const char *username;
  const char *discriminator;
  const char *avatar;
} DiscordUser;

/** Called by Discord_RunCallbacks, in its thread; each may be NULL, and may call every function. */
typedef struct DiscordEventHandlers {
  void (*ready)(const DiscordUser *request);
  /** `errorCode` is what the server said, or 1 for a connection that broke. */
  void (*disconnected)(int errorCode, const char *message);
  void (*errored)(int errorCode, const char *message);
  void (*joinGame)(const char *joinSecret);
  void (*spectateGame)(const char *spectateSecret);
  void (*joinRequest)(const DiscordUser *request);
} DiscordEventHandlers;

#define DISCORD_REPLY_NO 0
#define DISCORD_REPLY_YES 1
#define DISCORD_REPLY_IGNORE 2
#define DISCORD_PARTY_PRIVATE 0
#define DISCORD_PARTY_PUBLIC 1

/** Begins; a second call changes the handlers alone. autoRegister: calls Discord_Register, or ...SteamGame with an id. */
DISCORD_EXPORT void Discord_Initialize(const char *applicationId, DiscordEventHandlers *handlers, int autoRegister,
                                       const char *optionalSteamId);
/** Shows nothing any more and hangs up. */
DISCORD_EXPORT void Discord_Shutdown(void);
/** Calls the handlers for what has happened. */
DISCORD_EXPORT void Discord_RunCallbacks(void);
/** Without the thread: reads and writes what is due. With it, nothing. */
DISCORD_EXPORT void Discord_UpdateConnection(void);
/** Shows a presence: the last one wins. NULL: as Discord_ClearPresence. */
DISCORD_EXPORT void Discord_UpdatePresence(const DiscordRichPresence *presence);
DISCORD_EXPORT void Discord_ClearPresence(void);
/** Answers a request to join; everything but DISCORD_REPLY_YES closes it. */
DISCORD_EXPORT void Discord_Respond(const char *userid, int reply);
/** Changes the handlers, of which joinGame, spectateGame and joinRequest are what is subscribed to. */
DISCORD_EXPORT void Discord_UpdateHandlers(DiscordEventHandlers *handlers);

#ifdef __cplusplus
}
#endif
#endif /* DISCORD_RPC_H */
