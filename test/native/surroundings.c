/* What a client does in surroundings that are odd: folders, paths, descriptors, signals, owners. Takes a folder. */
#include <dirent.h>
#include <sys/socket.h>

static int looks, inherited;

/** Counts what is read of folders. */
static struct dirent *counted(DIR *directory) {
  looks++;
  return readdir(directory);
}

/** Counts sockets that a program which starts at this moment would have. */
static int opened(int domain, int type, int protocol) {
  inherited += (type & SOCK_CLOEXEC) == 0;
  return socket(domain, type, protocol);
}

#define readdir counted
#define socket opened
#include "peer.h"
#undef socket

#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>

static const char *folder;

/** A path of the environment that is too long for a socket. */
static void reports_long_paths(void) {
  fb_options options = settings();
  char text[512], name[150];
  fb_client *client;
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  options.endpoint = name;
  HOLDS(fb_open(&options, &client) == FB_E_INVALID);
  setenv("FOOTBRIDGE_ENDPOINT", name, 1);
  options.endpoint = NULL;
  if (fb_open(&options, &client) != FB_OK) abort();
  fb_poll(client, 0);
  fb_error_text(client, text, sizeof text);
  HOLDS(strcmp(text, "the path of the endpoint is too long\n") == 0);
  fb_close(&client);
  unsetenv("FOOTBRIDGE_ENDPOINT");
}

/** Without standard streams, what a program prints does not get into the connection. */
static void leaves_standard_streams_alone(void) {
  fb_options options = settings();
  int saved[3], i, fd;
  fb_client *client;
  fflush(stdout);
  for (i = 0; i < 3; i++) {
    saved[i] = fcntl(i, F_DUPFD, 10);
    close(i);
  }
  client = ready(&options);
  fd = fb_fd(client);
  end(client);
  for (i = 0; i < 3; i++) dup2(saved[i], i);
  HOLDS(fd > 2);
}

/** Goes through the paths of a search without connecting to any. @return the number of those that contain a text */
static int paths_with(const char *text, const char *runtime, char *report, size_t size) {
  fb_options options = settings();
  fb_client *client;
  int found = 0;
  setenv("XDG_RUNTIME_DIR", runtime, 1);
  options.endpoint = NULL;
  if (fb_open(&options, &client) != FB_OK) abort();
  fb__begin_search(client);
  while (fb__next_path(client)) found += strstr(client->path, text) != NULL;
  fb_error_text(client, report, size);
  fb_close(&client);
  return found;
}

/** Names that are no sandboxes are looked at once, however many they are. */
static void looks_at_names_once(void) {
  enum { NAMES = 300 };
  static const char *const made[] = {"%s/app", "%s/.flatpak", "%s/app/zz", "%s/.flatpak/zz", "%s/.flatpak/zz/xdg-run"};
  char name[300], report[2000];
  size_t i;
  int fd;
  for (i = 0; i < sizeof made / sizeof *made; i++) {
    snprintf(name, sizeof name, made[i], folder);
    mkdir(name, 0700);
  }
  for (i = 0; i < NAMES; i++) {
    snprintf(name, sizeof name, "%s/app/file%d", folder, (int)i);
    if ((fd = open(name, O_WRONLY | O_CREAT, 0600)) >= 0) close(fd);
    snprintf(name, sizeof name, "%s/.flatpak/%d", folder, (int)i);
    mkdir(name, 0700);
  }
  looks = 0;
  HOLDS(paths_with("/app/zz/", folder, report, sizeof report) == FB__NUMBERS);
  HOLDS(looks < 8 * NAMES);
  HOLDS(paths_with("/.flatpak/zz/xdg-run/", folder, report, sizeof report) == FB__NUMBERS);
}

static void takes_paths_that_fit(void) {
  char runtime[FB__PATH_SIZE], report[2000];
  memset(runtime, 'x', sizeof runtime);
  runtime[0] = '/';
  runtime[FB__MAX_PATH - sizeof "/discord-ipc-0" + 1] = '\0';
  HOLDS(paths_with("/xxx", runtime, report, sizeof report) == FB__NUMBERS && strstr(report, "too long") == NULL);
  memset(runtime, 'x', sizeof runtime);
  runtime[0] = '/';
  runtime[FB__MAX_PATH - sizeof "/discord-ipc-0" + 2] = '\0';
  HOLDS(paths_with("/xxx", runtime, report, sizeof report) == 0 && strstr(report, ": too long for a socket\n") != NULL);
  HOLDS(paths_with("relative", "relative", report, sizeof report) == 0);
}

/** Why a path is none, in the words of the report. */
static void says(const char *at, const char *why) {
  fb_options options = settings();
  char report[512], line[512];
  fb_client *client;
  options.endpoint = at;
  if (fb_open(&options, &client) != FB_OK) abort();
  fb_poll(client, 0);
  fb_error_text(client, report, sizeof report);
  snprintf(line, sizeof line, "%s: %s\n", at, why);
  HOLDS(strcmp(report, line) == 0);
  if (strcmp(report, line) != 0) printf("%s", report);
  fb_close(&client);
}

static void says_why_a_path_is_none(void) {
  char name[200];
  struct rlimit before, none;
  snprintf(name, sizeof name, "%s/loop", folder);
  if (symlink(name, name) != 0) abort();
  says(name, "missing");
  snprintf(name, sizeof name, "%s/loop/discord-ipc-0", folder);
  says(name, "missing");
  says(folder, "failed (not a socket, or no room in the system)");
  getrlimit(RLIMIT_NOFILE, &before);
  none = before;
  none.rlim_cur = 3;
  setrlimit(RLIMIT_NOFILE, &none);
  says(path, "failed (not a socket, or no room in the system)");
  setrlimit(RLIMIT_NOFILE, &before);
  /* Only root can give a socket away, and then trusts root alone. */
  if (getuid() == 0 && chown(path, 12345, 12345) == 0) {
    says(path, "foreign (another user's; options.any_owner takes it)");
    if (chown(path, 0, 0) != 0) abort();
  }
}

static volatile sig_atomic_t signals;

static void on_signal(int number) {
  (void)number;
  signals++;
}

/** A timer whose signals interrupt every call that waits. */
static void works_between_signals(void) {
  struct sigaction action;
  struct itimerval often, never;
  fb_options options = settings();
  fb_client *client;
  int turns;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  sigaction(SIGALRM, &action, NULL);
  memset(&never, 0, sizeof never);
  memset(&often, 0, sizeof often);
  often.it_value.tv_usec = often.it_interval.tv_usec = 1000;
  setitimer(ITIMER_REAL, &often, NULL);
  client = ready(&options);
  for (turns = 0; turns < 10000 && signals < 50; turns++) {
    HOLDS(fb_poll(client, 100) == FB_AGAIN);
    HOLDS(fb_state_of(client) == FB_STATE_READY);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  HOLDS(signals >= 50);
  HOLDS(fb_show_json(client, "{}") == FB_OK);
  settle(client);
  HOLDS(strstr(server_reads(), "SET_ACTIVITY") != NULL);
  end(client);
}

int main(int count, char **values) {
  if (count < 2) return 2;
  folder = values[1];
  snprintf(path, sizeof path, "%s/discord-ipc-0", folder);
  unsetenv("TMPDIR");
  unsetenv("TMP");
  unsetenv("TEMP");
  listen_at();
  reports_long_paths();
  leaves_standard_streams_alone();
  looks_at_names_once();
  takes_paths_that_fit();
  says_why_a_path_is_none();
  works_between_signals();
  /* That of the server. */
  HOLDS(inherited == 1);
  if (faults == 0) puts("all holds");
  return faults > 0;
}
