/* discord_thread.h: the lock, the thread and its alarm of discord_rpc.h, on each kind of system. */
#ifndef DISCORD_THREAD_H
#define DISCORD_THREAD_H

#ifdef _WIN32
static SRWLOCK discord__mutex = SRWLOCK_INIT;

static void discord__lock(void) { AcquireSRWLockExclusive(&discord__mutex); }
static void discord__unlock(void) { ReleaseSRWLockExclusive(&discord__mutex); }
#else
#include <pthread.h>

static pthread_mutex_t discord__mutex = PTHREAD_MUTEX_INITIALIZER;

static void discord__lock(void) { pthread_mutex_lock(&discord__mutex); }
static void discord__unlock(void) { pthread_mutex_unlock(&discord__mutex); }
#endif

#ifdef DISCORD_DISABLE_IO_THREAD
static void discord__join(void) {}
static void discord__silence(void) {}
static void discord__wake(void) {}
#elif defined(_WIN32)
/** What the thread waits for outside of the lock. */
typedef struct discord__waiting {
  HANDLE pipe;
  DWORD ms;
} discord__waiting;

static HANDLE discord__thread, discord__alarm;
static void (*discord__body)(void);

static discord__waiting discord__waiting_of(const fb_client *client) {
  discord__waiting waiting;
  int ms = fb_timeout(client);
  waiting.pipe = fb_handle(client);
  waiting.ms = ms < 0 ? INFINITE : (DWORD)ms;
  /* The handle is set by reads alone. */
  if (fb_wants_write(client) && waiting.ms > 10) waiting.ms = 10;
  return waiting;
}

static void discord__wait(discord__waiting waiting) {
  HANDLE handles[2];
  handles[0] = discord__alarm;
  handles[1] = waiting.pipe;
  WaitForMultipleObjects(waiting.pipe == NULL ? 1 : 2, handles, FALSE, waiting.ms);
}

static void discord__silence(void) {
  CloseHandle(discord__alarm);
  discord__alarm = NULL;
}

static DWORD WINAPI discord__run(LPVOID unused) {
  (void)unused;
  discord__body();
  return 0;
}

/** Starts the thread. @return 0 where there is none */
static int discord__start(void (*body)(void)) {
  discord__body = body;
  discord__alarm = CreateEventW(NULL, FALSE, FALSE, NULL);
  if (discord__alarm == NULL) return 0;
  discord__thread = CreateThread(NULL, 0, discord__run, NULL, 0, NULL);
  if (discord__thread != NULL) return 1;
  discord__silence();
  return 0;
}

/** Ends the wait of the thread. Called below the lock, because the alarm ends with the thread. */
static void discord__wake(void) {
  if (discord__alarm != NULL) SetEvent(discord__alarm);
}

/** Waits for the end of the thread, outside of the lock, which the thread needs for its end. */
static void discord__join(void) {
  WaitForSingleObject(discord__thread, INFINITE);
  CloseHandle(discord__thread);
}
#else
#include <signal.h>

/** What the thread waits for outside of the lock. */
typedef struct discord__waiting {
  struct pollfd on[2];
  int ms;
} discord__waiting;

static pthread_t discord__thread;
/** Two ends of a pipe: the game writes a byte, and the thread reads it. */
static int discord__alarm[2] = {-1, -1};
static void (*discord__body)(void);

static discord__waiting discord__waiting_of(const fb_client *client) {
  discord__waiting waiting;
  memset(&waiting, 0, sizeof waiting);
  waiting.on[0].fd = discord__alarm[0];
  waiting.on[0].events = POLLIN;
  waiting.on[1].fd = fb_fd(client);
  waiting.on[1].events = (short)(fb_wants_write(client) ? POLLIN | POLLOUT : POLLIN);
  waiting.ms = fb_timeout(client);
  return waiting;
}

static void discord__wait(discord__waiting waiting) {
  char bytes[64];
  if (poll(waiting.on, 2, waiting.ms) > 0 && waiting.on[0].revents != 0)
    while (read(discord__alarm[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) {
    }
}

static void *discord__run(void *unused) {
  (void)unused;
  discord__body();
  return NULL;
}

static void discord__silence(void) {
  close(discord__alarm[0]);
  close(discord__alarm[1]);
  discord__alarm[0] = discord__alarm[1] = -1;
}

/** Starts the thread, which gets none of the game's signals. @return 0 where there is none */
static int discord__start(void (*body)(void)) {
  sigset_t all, before;
  int i, result;
  discord__body = body;
  if (pipe(discord__alarm) != 0) return 0;
  for (i = 0; i < 2; i++) {
    fcntl(discord__alarm[i], F_SETFD, FD_CLOEXEC);
    fcntl(discord__alarm[i], F_SETFL, O_NONBLOCK);
  }
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  result = pthread_create(&discord__thread, NULL, discord__run, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (result != 0) discord__silence();
  return result == 0;
}

/** Ends the wait of the thread. Called below the lock, because the alarm ends with the thread. */
static void discord__wake(void) {
  /* A full pipe wakes as well. */
  if (discord__alarm[1] >= 0 && write(discord__alarm[1], "", 1) < 0) return;
}

/** Waits for the end of the thread, outside of the lock, which the thread needs for its end. */
static void discord__join(void) { pthread_join(discord__thread, NULL); }
#endif
#endif /* DISCORD_THREAD_H */
