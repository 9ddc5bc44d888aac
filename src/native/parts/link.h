/* The connection of each system: a socket, or a named pipe. */
#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#define FB__SEPARATOR '\\'
#define FB__MAX_PATH ((size_t)FB__PATH_SIZE - 1)
#define FB__DENIED_TEXT "denied (the server may run as administrator or as another user)"
#define FB__READ_SIZE 4096

typedef struct fb__link {
  HANDLE pipe;
  HANDLE readable;
  HANDLE writable;
  OVERLAPPED reading;
  OVERLAPPED writing;
  int is_reading;
  int is_writing;
  /** Bytes that were read, and how many of them `in` has. */
  DWORD have;
  DWORD taken;
  char bytes[FB__READ_SIZE];
} fb__link;
#else
#if defined(__GLIBC__) && !defined(__USE_POSIX199309)
#error "define FB_IMPLEMENTATION before every other header, or compile with -std=gnu99 or -D_POSIX_C_SOURCE=200809L"
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define FB__SEPARATOR '/'
#define FB__MAX_PATH (sizeof(((struct sockaddr_un *)0)->sun_path) - 1)
#define FB__DENIED_TEXT "denied (no permission)"
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

typedef struct fb__link {
  int fd;
} fb__link;
#endif

/** Why an endpoint was none. */
typedef enum fb__why {
  FB__OPENED,
  FB__MISSING,
  FB__STALE,
  FB__DENIED,
  FB__FOREIGN,
  FB__BUSY,
  FB__FAILED
} fb__why;

/* What each system offers, below. */
static int64_t fb__clock(void);
static uint32_t fb__process(void);
/** A variable of the environment; NULL where it is unset or empty. */
static const char *fb__variable(const char *name);
/** Puts the next folder of the search into search->folder, "" for one that is left out. @return 0 after the last */
static int fb__next_folder(fb_client *client);
static void fb__no_link(fb_client *client);
/** Connects to client->path. */
static fb__why fb__dial(fb_client *client);
/** Reads into `in`. @return 1 for bytes, 0 for none yet, -1 at the end */
static int fb__receive(fb_client *client);
/** Writes what `out` has, as far as it is taken. @return 0 when the connection is lost */
static int fb__flush(fb_client *client);
static void fb__hang_up(fb_client *client);
/** Waits for the connection, at most so many milliseconds; -1 without a limit. */
static void fb__wait(fb_client *client, int ms);
/** Whether the bytes of a buffer may move: not while the system writes from it. */
static int fb__can_move(const fb_client *client, const fb__buffer *buffer);
