#ifdef _WIN32
/* Named pipes of Windows, with overlapped operations: none of them waits. */

static int64_t fb__clock(void) { return (int64_t)GetTickCount64(); }

static uint32_t fb__process(void) { return (uint32_t)GetCurrentProcessId(); }

static const char *fb__variable(const char *name) {
  const char *value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static int fb__can_move(const fb_client *client, const fb__buffer *buffer) {
  return buffer != &client->out || !client->link.is_writing;
}

static int fb__next_folder(fb_client *client) {
  if (client->search.place++ >= 0) return 0;
  return fb__copy(client->search.folder, FB__PATH_SIZE, "\\\\?\\pipe");
}

static void fb__no_link(fb_client *client) {
  memset(&client->link, 0, sizeof client->link);
  client->link.pipe = INVALID_HANDLE_VALUE;
}

static fb__why fb__dial(fb_client *client) {
  fb__link *link = &client->link;
  DWORD error;
  /* The server may not act as this user: it learns who the user is, and no more. */
  link->pipe = CreateFileA(client->path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                           FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, NULL);
  if (link->pipe == INVALID_HANDLE_VALUE) {
    error = GetLastError();
    return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? FB__MISSING
           : error == ERROR_ACCESS_DENIED                                 ? FB__DENIED
           : error == ERROR_PIPE_BUSY                                     ? FB__BUSY
                                                                          : FB__FAILED;
  }
  link->readable = CreateEventA(NULL, TRUE, FALSE, NULL);
  link->writable = CreateEventA(NULL, TRUE, FALSE, NULL);
  if (link->readable != NULL && link->writable != NULL) return FB__OPENED;
  fb__hang_up(client);
  return FB__FAILED;
}

/** Begins to read. @return 0 at the end of the pipe */
static int fb__begin_reading(fb__link *link) {
  memset(&link->reading, 0, sizeof link->reading);
  link->reading.hEvent = link->readable;
  link->is_reading = 1;
  if (ReadFile(link->pipe, link->bytes, FB__READ_SIZE, NULL, &link->reading)) return 1;
  link->is_reading = GetLastError() == ERROR_IO_PENDING;
  return link->is_reading;
}

static int fb__receive(fb_client *client) {
  fb__link *link = &client->link;
  fb__buffer *in = &client->in;
  size_t part;
  if (link->taken == link->have) {
    link->taken = link->have = 0;
    if (!link->is_reading && !fb__begin_reading(link)) return -1;
    if (!GetOverlappedResult(link->pipe, &link->reading, &link->have, FALSE)) {
      link->have = 0;
      return GetLastError() == ERROR_IO_INCOMPLETE ? 0 : -1;
    }
    link->is_reading = 0;
  }
  if (in->begin == in->end) in->begin = in->end = 0;
  if (!fb__room(client, in, 1)) return 0;
  part = in->size - in->end < link->have - link->taken ? in->size - in->end : (size_t)(link->have - link->taken);
  memcpy(in->at + in->end, link->bytes + link->taken, part);
  in->end += part;
  link->taken += (DWORD)part;
  /* The next read begins at once, so that its event is set by what comes; an end is met by the next call. */
  if (link->taken == link->have) fb__begin_reading(link);
  return 1;
}

static int fb__flush(fb_client *client) {
  fb__link *link = &client->link;
  fb__buffer *out = &client->out;
  DWORD count = 0;
  for (;;) {
    if (link->is_writing) {
      if (!GetOverlappedResult(link->pipe, &link->writing, &count, FALSE))
        return GetLastError() == ERROR_IO_INCOMPLETE;
      link->is_writing = 0;
      out->begin += count;
    }
    if (out->begin == out->end) return 1;
    memset(&link->writing, 0, sizeof link->writing);
    link->writing.hEvent = link->writable;
    link->is_writing = 1;
    if (WriteFile(link->pipe, out->at + out->begin, (DWORD)(out->end - out->begin), NULL, &link->writing)) continue;
    if (GetLastError() == ERROR_IO_PENDING) continue;
    link->is_writing = 0;
    return 0;
  }
}

static void fb__hang_up(fb_client *client) {
  fb__link *link = &client->link;
  DWORD count = 0;
  if (link->pipe != INVALID_HANDLE_VALUE) {
    /* The system must not write into this memory any more: a cancelled operation ends at once, whichever thread began it. */
    CancelIoEx(link->pipe, NULL);
    if (link->is_reading) GetOverlappedResult(link->pipe, &link->reading, &count, TRUE);
    if (link->is_writing) GetOverlappedResult(link->pipe, &link->writing, &count, TRUE);
    CloseHandle(link->pipe);
  }
  if (link->readable != NULL) CloseHandle(link->readable);
  if (link->writable != NULL) CloseHandle(link->writable);
  fb__no_link(client);
}

static void fb__wait(fb_client *client, int ms) {
  HANDLE handles[2];
  DWORD count = 0, limit = ms < 0 ? INFINITE : (DWORD)ms;
  if (client->link.is_reading) handles[count++] = client->link.readable;
  if (client->link.is_writing) handles[count++] = client->link.writable;
  if (count == 0) Sleep(limit);
  else WaitForMultipleObjects(count, handles, FALSE, limit);
}

FB_API void *fb_handle(const fb_client *client) { return client == NULL ? NULL : (void *)client->link.readable; }

#ifndef FB_NO_AUTH
/* RtlGenRandom, which needs no further library but advapi32. */
#ifdef __cplusplus
extern "C"
#else
extern
#endif
__declspec(dllimport) BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

static int fb__random(unsigned char *bytes, size_t size) { return SystemFunction036(bytes, (ULONG)size) != 0; }
#endif
#endif
