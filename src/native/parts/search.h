/* Where servers listen: the same search as that of the TypeScript client (`platform/endpoint/search.ts`). */

/** Writes "FOLDER/discord-ipc-N" as the path. @return 0 where it is too long for a socket */
static int fb__path_in(fb_client *client, const char *folder, int number) {
  char digits[24];
  size_t length = strlen(folder), name = sizeof FB__NAME - 1, count = fb__digits(digits, (uint64_t)number);
  while (length > 1 && folder[length - 1] == FB__SEPARATOR) length--;
  if (length + 1 + name + count > FB__MAX_PATH) return 0;
  memcpy(client->path, folder, length);
  client->path[length] = FB__SEPARATOR;
  memcpy(client->path + length + 1, FB__NAME, name);
  memcpy(client->path + length + 1 + name, digits, count + 1);
  return 1;
}

static const char *fb__why_text(fb__why why) {
  switch (why) {
    case FB__MISSING: return "missing";
    case FB__STALE: return "refused (nobody listens there any more)";
    case FB__DENIED: return FB__DENIED_TEXT;
    case FB__FOREIGN: return "foreign (another user's; options.any_owner takes it)";
    case FB__BUSY: return "busy (too many programs connect)";
    case FB__FAILED: return "failed (not a socket, or no room in the system)";
    case FB__OPENED: break;
  }
  return "";
}

static void fb__say_attempt(fb_client *client, const char *why) {
  fb__say_text(client, client->path);
  fb__say_text(client, ": ");
  fb__say_text(client, why);
  fb__say_text(client, "\n");
}

/** Ends the lines of a folder: where nothing was in it, one line says so. */
static void fb__say_folder(fb_client *client) {
  fb__search *search = &client->search;
  if (search->missing == (client->number == 0 ? FB__NUMBERS : 1)) {
    fb__say_text(client, search->folder);
    fb__say_text(client, client->number == 0 ? ": missing (no " FB__NAME "0 to 9)\n" : ": missing\n");
  }
  search->missing = 0;
}

static void fb__begin_search(fb_client *client) {
  memset(&client->search, 0, sizeof client->search);
  client->search.place = -1;
  client->search.number = FB__NUMBERS;
  client->is_searching = 1;
  client->was_rejected = 0;
  fb__forget_report(client);
}

/** Puts the next path to try into client->path. @return 0 after the last */
static int fb__next_path(fb_client *client) {
  fb__search *search = &client->search;
  const char *only = client->endpoint[0] != '\0' ? client->endpoint : fb__variable(FB__ENDPOINT_VARIABLE);
  if (only != NULL) {
    if (search->place++ >= 0) return 0;
    if (fb__copy(client->path, FB__MAX_PATH + 1, only)) return 1;
    fb__say_text(client, "the path of the endpoint is too long\n");
    return 0;
  }
  for (;;) {
    while (search->number < FB__NUMBERS) {
      int number = search->number++;
      if (client->number != 0 && client->number != number + 1) continue;
      if (fb__path_in(client, search->folder, number)) return 1;
      fb__say_text(client, search->folder);
      fb__say_text(client, ": too long for a socket\n");
      search->number = FB__NUMBERS;
    }
    fb__say_folder(client);
    do
      if (!fb__next_folder(client)) return 0;
    while (search->folder[0] == '\0');
    search->number = 0;
  }
}
