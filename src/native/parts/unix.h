#ifndef _WIN32
/* Linux, macOS and the BSDs. */

static int64_t fb__clock(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static uint32_t fb__process(void) { return (uint32_t)getpid(); }

static const char *fb__variable(const char *name) {
  const char *value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static int fb__can_move(const fb_client *client, const fb__buffer *buffer) {
  (void)client;
  (void)buffer;
  return 1;
}

/** Root trusts root alone; anybody else their own and root's. */
static int fb__is_trusted(const fb_client *client, uid_t owner) {
  return client->any_owner || owner == getuid() || owner == 0;
}

/** The folder of the login session: "/run/user/UID"; on macOS that of temporary files. */
static int fb__session_folder(char *folder) {
#ifdef _CS_DARWIN_USER_TEMP_DIR
  size_t length = confstr(_CS_DARWIN_USER_TEMP_DIR, folder, FB__PATH_SIZE);
  return length > 1 && length <= FB__PATH_SIZE;
#else
  static const char root[] = "/run/user/";
  memcpy(folder, root, sizeof root);
  fb__digits(folder + sizeof root - 1, (uint64_t)getuid());
  return 1;
#endif
}

/** Cuts "/run/user/UID/snap.NAME", the folder of a snap, to that of the session around it. */
static void fb__leave_snap(char *folder) {
  char *snap = strrchr(folder, '/'), *at;
  if (snap == NULL || strncmp(snap, "/snap.", 6) != 0 || snap[6] == '\0') return;
  for (at = snap; at > folder && at[-1] >= '0' && at[-1] <= '9';) at--;
  if (at == snap || at - folder < 10 || memcmp(at - 10, "/run/user/", 10) != 0) return;
  *snap = '\0';
}

static int fb__folder_of(const char *variable, char *folder) {
  const char *value = fb__variable(variable);
  return value != NULL && value[0] == '/' && fb__copy(folder, FB__PATH_SIZE, value);
}

/** The session's folder where the environment has lost it, as after `su` and in WSLg. */
static int fb__lost_folder(char *folder) {
  if (fb__folder_of("XDG_RUNTIME_DIR", folder) && strcmp(folder, "/mnt/wslg/runtime-dir") != 0) return 0;
  return fb__session_folder(folder);
}

/** The folders outside of sandboxes, by their place. @return 0 where this place has none, -1 after the last */
static int fb__base_folder(int place, char *folder) {
  int i;
  switch (place) {
    case 0:
      for (i = 0; i < FB__VARIABLES; i++)
        if (fb__folder_of(fb__variables[i], folder)) {
          if (i == 0) fb__leave_snap(folder);
          return 1;
        }
      return fb__copy(folder, FB__PATH_SIZE, "/tmp");
    case 1: return fb__lost_folder(folder);
#ifdef __APPLE__
    case FB__VARIABLES + 2: return fb__session_folder(folder);
#endif
    case FB__VARIABLES + 3: return fb__copy(folder, FB__PATH_SIZE, "/tmp");
    default: break;
  }
  if (place > FB__VARIABLES + 3) return -1;
  return place < FB__VARIABLES + 2 && fb__folder_of(fb__variables[place - 2], folder);
}

#ifdef __linux__
/** Whether a folder is a real one, of this user or of root. */
static int fb__is_own_folder(const fb_client *client, const char *folder) {
  struct stat status;
  return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && fb__is_trusted(client, status.st_uid);
}

/** Whether the name of a sandbox is like that of a chat client: it contains "cord". */
static int fb__is_likely(const char *name) {
  for (; *name != '\0'; name++)
    if ((name[0] | 32) == 'c' && (name[1] | 32) == 'o' && (name[2] | 32) == 'r' && (name[3] | 32) == 'd') return 1;
  return 0;
}

static int fb__joined(char *folder, const char *name) {
  size_t length = strlen(folder), count = strlen(name);
  if (length + 1 + count >= FB__PATH_SIZE) return 0;
  folder[length] = '/';
  memcpy(folder + length + 1, name, count + 1);
  return 1;
}

/** Writes the folder in which a sandbox has its endpoints. @return 0 where it is not one of this user or of root */
static int fb__sandbox_folder(const fb_client *client, const char *folder, const char *name, int kind, char *to) {
  if (!fb__copy(to, FB__PATH_SIZE, folder) || !fb__joined(to, name) || !fb__is_own_folder(client, to)) return 0;
  return kind != 1 || (fb__joined(to, "xdg-run") && fb__is_own_folder(client, to));
}

/**
 * The next sandbox below a runtime folder: those of Flatpak in `app` and `.flatpak`, and those of Snap beside them, by
 * name; likely ones first. Each costs one look at all names, so that names of no sandbox cost none. @return 0 after the last
 */
static int fb__next_sandbox(fb_client *client, const char *runtime, int kind, int is_likely) {
  static const char *const below[] = {"app", ".flatpak"};
  fb__search *search = &client->search;
  char folder[FB__PATH_SIZE], one[FB__PATH_SIZE], best[sizeof search->last];
  struct dirent *entry;
  int names = 0;
  DIR *directory;
  best[0] = '\0';
  if (search->sandboxes == FB__MAX_SANDBOXES) return 0;
  fb__copy(folder, sizeof folder, runtime);
  if (kind < 2 && (!fb__joined(folder, below[kind]) || !fb__is_own_folder(client, folder))) return 0;
  directory = opendir(folder);
  if (directory == NULL) return 0;
  while (names++ < FB__MAX_NAMES && (entry = readdir(directory)) != NULL) {
    const char *name = entry->d_name;
    if (name[0] == '.' || strlen(name) >= sizeof best || (kind == 2 && strncmp(name, "snap.", 5) != 0)) continue;
    if (fb__is_likely(name) != is_likely || strcmp(name, search->last) <= 0) continue;
    if (best[0] != '\0' && strcmp(name, best) >= 0) continue;
    if (!fb__sandbox_folder(client, folder, name, kind, one)) continue;
    fb__copy(best, sizeof best, name);
    fb__copy(search->folder, sizeof search->folder, one);
  }
  closedir(directory);
  if (best[0] == '\0') return 0;
  fb__copy(search->last, sizeof search->last, best);
  search->sandboxes++;
  return 1;
}
#endif

static int fb__next_folder(fb_client *client) {
  enum { BASES = FB__VARIABLES + 4 };
  fb__search *search = &client->search;
  char folder[FB__PATH_SIZE];
  int i, found;
  search->folder[0] = '\0';
  if (search->place < BASES) {
    if (++search->place < BASES) {
      found = fb__base_folder(search->place, search->folder);
      if (found != 1) search->folder[0] = '\0';
      for (i = 0; i < search->place; i++)
        if (fb__base_folder(i, folder) == 1 && strcmp(folder, search->folder) == 0) search->folder[0] = '\0';
      return 1;
    }
  }
#ifdef __linux__
  for (; search->place < BASES + 12; search->place++, search->last[0] = '\0') {
    int at = search->place - BASES, runtime = at / 6;
    if (runtime == 0 ? !fb__folder_of("XDG_RUNTIME_DIR", folder) : !fb__lost_folder(folder)) continue;
    if (runtime == 0) fb__leave_snap(folder);
    if (fb__next_sandbox(client, folder, at % 3, at % 6 < 3)) return 1;
  }
#endif
  return 0;
}

static void fb__no_link(fb_client *client) { client->link.fd = -1; }

/** Whether the place of an endpoint lets it be used: who owns it, and what it is. */
static fb__why fb__inspect(const fb_client *client) {
  struct stat status;
  if (lstat(client->path, &status) != 0) return errno == EACCES ? FB__DENIED : FB__MISSING;
  if (S_ISLNK(status.st_mode)) {
    /* Whoever owns the link chooses where it leads; in the folder of a sandbox that is the program there. */
    if (client->search.sandboxes > 0) return FB__MISSING;
    if (!fb__is_trusted(client, status.st_uid)) return FB__FOREIGN;
    if (stat(client->path, &status) != 0) return errno == EACCES ? FB__DENIED : FB__MISSING;
  }
  if (!fb__is_trusted(client, status.st_uid)) return FB__FOREIGN;
  return S_ISSOCK(status.st_mode) ? FB__OPENED : FB__FAILED;
}

static fb__why fb__dial(fb_client *client) {
  struct sockaddr_un address;
  fb__why why = fb__inspect(client);
  int fd, flags;
  if (why != FB__OPENED) return why;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (!fb__copy(address.sun_path, sizeof address.sun_path, client->path)) return FB__FAILED;
#ifdef SOCK_CLOEXEC
  /* From its first moment: a program that another thread starts now would keep the connection, and the presence shown. */
  fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
#else
  fd = socket(AF_UNIX, SOCK_STREAM, 0);
#endif
  /* A program without standard streams writes its messages to descriptors 0 to 2 all the same. */
  if (fd >= 0 && fd < 3) {
    flags = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    fd = flags;
  }
  if (fd < 0) return FB__FAILED;
  flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) {
    close(fd);
    return FB__FAILED;
  }
#ifdef SO_NOSIGPIPE
  flags = 1;
  setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &flags, sizeof flags);
#endif
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
    client->link.fd = fd;
    return FB__OPENED;
  }
  why = errno == ENOENT                       ? FB__MISSING
        : errno == ECONNREFUSED               ? FB__STALE
        : errno == EACCES || errno == EPERM   ? FB__DENIED
        : errno == EAGAIN || errno == EINTR   ? FB__BUSY
                                              : FB__FAILED;
  close(fd);
  return why;
}

static int fb__receive(fb_client *client) {
  fb__buffer *in = &client->in;
  ssize_t count;
  if (in->begin == in->end) in->begin = in->end = 0;
  if (!fb__room(client, in, 1)) return 0;
  count = recv(client->link.fd, in->at + in->end, in->size - in->end, 0);
  if (count > 0) in->end += (size_t)count;
  if (count > 0) return 1;
  return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

static int fb__flush(fb_client *client) {
  fb__buffer *out = &client->out;
  while (out->begin < out->end) {
    ssize_t count = send(client->link.fd, out->at + out->begin, out->end - out->begin, MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ENOBUFS;
    out->begin += (size_t)count;
  }
  return 1;
}

static void fb__hang_up(fb_client *client) {
  if (client->link.fd >= 0) close(client->link.fd);
  client->link.fd = -1;
}

static void fb__wait(fb_client *client, int ms) {
  struct pollfd one;
  one.fd = client->link.fd;
  one.events = (short)(POLLIN | (fb_wants_write(client) ? POLLOUT : 0));
  one.revents = 0;
  poll(&one, one.fd < 0 ? 0 : 1, ms);
}

FB_API int fb_fd(const fb_client *client) { return client == NULL ? -1 : client->link.fd; }

#ifndef FB_NO_AUTH
static int fb__random(unsigned char *bytes, size_t size) {
  int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  ssize_t count = fd < 0 ? -1 : read(fd, bytes, size);
  if (fd >= 0) close(fd);
  return count == (ssize_t)size;
}
#endif
#endif
