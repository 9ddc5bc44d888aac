/* The functions of discord_register.h. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "discord_register.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef __APPLE__
enum { DISCORD__LINE = 4096 };

/** Ids become a part of file names, so they are digits and nothing else. */
static int discord__is_id(const char *id) {
  size_t length = id == NULL ? 0 : strlen(id);
  return length > 0 && length <= 20 && strspn(id, "0123456789") == length;
}
#endif

#ifdef _WIN32
#include <windows.h>
#ifdef _MSC_VER
#pragma comment(lib, "advapi32")
#endif

static int discord__wide(wchar_t *to, const char *text) {
  return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, to, DISCORD__LINE) > 0;
}

static void discord__set(HKEY key, const wchar_t *below, const wchar_t *name, const wchar_t *value) {
  HKEY made;
  DWORD size = (DWORD)((wcslen(value) + 1) * sizeof(wchar_t));
  if (RegCreateKeyExW(key, below, 0, NULL, 0, KEY_WRITE, NULL, &made, NULL) != ERROR_SUCCESS) return;
  RegSetValueExW(made, name, 0, REG_SZ, (const BYTE *)value, size);
  RegCloseKey(made);
}

static void discord__register(const char *id, const wchar_t *command) {
  char path[64];
  wchar_t wide[DISCORD__LINE];
  HKEY key;
  snprintf(path, sizeof path, "Software\\Classes\\discord-%s", id);
  if (!discord__wide(wide, path)) return;
  if (RegCreateKeyExW(HKEY_CURRENT_USER, wide, 0, NULL, 0, KEY_WRITE, NULL, &key, NULL) != ERROR_SUCCESS) return;
  discord__set(key, NULL, NULL, L"URL:Start a game");
  discord__set(key, NULL, L"URL Protocol", L"");
  discord__set(key, L"shell\\open\\command", NULL, command);
  RegCloseKey(key);
}

DISCORD_EXPORT void Discord_Register(const char *applicationId, const char *command) {
  wchar_t wide[DISCORD__LINE + 2] = L"\"";
  DWORD length;
  if (!discord__is_id(applicationId)) return;
  if (command == NULL) {
    length = GetModuleFileNameW(NULL, wide + 1, DISCORD__LINE - 1);
    if (length == 0 || length >= DISCORD__LINE - 1) return;
    wcscpy(wide + 1 + length, L"\"");
  } else if (!discord__wide(wide, command)) {
    return;
  }
  discord__register(applicationId, wide);
}

DISCORD_EXPORT void Discord_RegisterSteamGame(const char *applicationId, const char *steamId) {
  wchar_t steam[DISCORD__LINE], wide[DISCORD__LINE + 64], id[24];
  DWORD size = sizeof steam - sizeof *steam;
  HKEY key;
  LONG result;
  if (!discord__is_id(applicationId) || !discord__is_id(steamId) || !discord__wide(id, steamId)) return;
  memset(steam, 0, sizeof steam);
  if (RegOpenKeyExW(HKEY_CURRENT_USER, L"Software\\Valve\\Steam", 0, KEY_READ, &key) != ERROR_SUCCESS) return;
  result = RegQueryValueExW(key, L"SteamExe", NULL, NULL, (BYTE *)steam, &size);
  RegCloseKey(key);
  if (result != ERROR_SUCCESS) return;
  wcscpy(wide, L"\"");
  wcscat(wide, steam);
  wcscat(wide, L"\" steam://rungameid/");
  wcscat(wide, id);
  discord__register(applicationId, wide);
}
#elif defined(__APPLE__)
DISCORD_EXPORT void Discord_Register(const char *applicationId, const char *command) {
  (void)applicationId;
  (void)command;
}

DISCORD_EXPORT void Discord_RegisterSteamGame(const char *applicationId, const char *steamId) {
  (void)applicationId;
  (void)steamId;
}
#else
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/** Writes the folder of the user's applications, and makes it. @return 0 where there is none */
static int discord__folder(char *folder) {
  const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  char *at;
  int length = data != NULL && data[0] == '/'   ? snprintf(folder, DISCORD__LINE, "%s/applications", data)
               : home != NULL && home[0] == '/' ? snprintf(folder, DISCORD__LINE, "%s/.local/share/applications", home)
                                                : 0;
  if (length <= 0 || length >= DISCORD__LINE) return 0;
  for (at = folder + 1; *at != '\0'; at++)
    if (*at == '/') {
      *at = '\0';
      mkdir(folder, 0700);
      *at = '/';
    }
  mkdir(folder, 0755);
  return 1;
}

/** Writes the path of the program that runs, as one quoted word of an entry. @return 0 where it is unknown or too long */
static int discord__program(char *to) {
  char path[DISCORD__LINE / 4];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path), i;
  if (length <= 0 || (size_t)length == sizeof path) return 0;
  *to++ = '"';
  for (i = 0; i < length; i++) {
    /* The quotes escape with one backslash, which the entry's own escapes double; "%" begins a field. */
    if (strchr("\"`$\\", path[i]) != NULL) {
      *to++ = '\\';
      *to++ = '\\';
    }
    if (path[i] == '\\') *to++ = '\\';
    if (path[i] == '%') *to++ = '%';
    *to++ = path[i];
  }
  *to++ = '"';
  *to = '\0';
  return 1;
}

/** Calls xdg-mime, which may be missing, and waits for it. */
static void discord__prefer(char *entry, char *scheme) {
  char program[] = "xdg-mime", verb[] = "default";
  char *words[5];
  posix_spawn_file_actions_t quiet;
  pid_t child;
  words[0] = program;
  words[1] = verb;
  words[2] = entry;
  words[3] = scheme;
  words[4] = NULL;
  if (posix_spawn_file_actions_init(&quiet) != 0) return;
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
  if (posix_spawnp(&child, program, &quiet, NULL, words, environ) == 0)
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
  posix_spawn_file_actions_destroy(&quiet);
}

DISCORD_EXPORT void Discord_Register(const char *applicationId, const char *command) {
  char folder[DISCORD__LINE], path[DISCORD__LINE + 64], program[DISCORD__LINE], entry[64], scheme[64];
  FILE *file;
  if (!discord__is_id(applicationId) || !discord__folder(folder)) return;
  if (command == NULL) {
    if (!discord__program(program)) return;
    command = program;
  }
  /* A line break would begin another key of the entry. */
  if (strpbrk(command, "\r\n") != NULL) return;
  snprintf(entry, sizeof entry, "discord-%s.desktop", applicationId);
  snprintf(scheme, sizeof scheme, "x-scheme-handler/discord-%s", applicationId);
  snprintf(path, sizeof path, "%s/%s", folder, entry);
  file = fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "[Desktop Entry]\nType=Application\nName=Game %s\nExec=%s %%u\nNoDisplay=true\nCategories=Game;\n",
          applicationId, command);
  fprintf(file, "MimeType=%s;\n", scheme);
  if (fclose(file) == 0) discord__prefer(entry, scheme);
}

DISCORD_EXPORT void Discord_RegisterSteamGame(const char *applicationId, const char *steamId) {
  char command[64];
  if (!discord__is_id(steamId)) return;
  snprintf(command, sizeof command, "xdg-open steam://rungameid/%s", steamId);
  Discord_Register(applicationId, command);
}
#endif
