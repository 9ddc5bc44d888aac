/* discord_register.h: how the chat client starts a game, with the functions of the archived library discord-rpc.
 * See discord_rpc.h, which includes this file. */
#ifndef DISCORD_REGISTER_H
#define DISCORD_REGISTER_H

#ifndef DISCORD_EXPORT
#if !defined(DISCORD_DYNAMIC_LIB)
#define DISCORD_EXPORT
#elif !defined(_WIN32)
#define DISCORD_EXPORT __attribute__((visibility("default")))
#elif defined(DISCORD_BUILDING_SDK)
#define DISCORD_EXPORT __declspec(dllexport)
#else
#define DISCORD_EXPORT __declspec(dllimport)
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes "discord-APPLICATION://" start a command of the user; NULL: the program that runs now. On Linux this is an entry in
 * the folder of applications and xdg-mime, on Windows the registry. On macOS nothing happens: there a bundle declares its
 * schemes in Info.plist (CFBundleURLTypes).
 */
DISCORD_EXPORT void Discord_Register(const char *applicationId, const char *command);
/** The same for a game that Steam starts. */
DISCORD_EXPORT void Discord_RegisterSteamGame(const char *applicationId, const char *steamId);

#ifdef __cplusplus
}
#endif
#endif /* DISCORD_REGISTER_H */
