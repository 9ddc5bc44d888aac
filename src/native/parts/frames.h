/* Frames: the 8-byte header with opcode and length, each way. */

typedef struct fb__piece {
  const char *text;
  size_t length;
} fb__piece;

/** Appends a frame of these pieces. @return FB_OK, FB_AGAIN, FB_E_MEMORY, FB_E_TOO_LONG */
static fb_result fb__send(fb_client *client, uint32_t opcode, const fb__piece *pieces, size_t count) {
  fb__buffer *out = &client->out;
  size_t length = 0, used = out->end - out->begin, i;
  char *at;
  for (i = 0; i < count; i++) length += pieces[i].length;
  if (length > client->frame_limit) return FB_E_TOO_LONG;
  if (!fb__room(client, out, FB__HEADER + length)) {
    if (used > 0) return FB_AGAIN;
    return client->allocate == NULL ? FB_E_TOO_LONG : FB_E_MEMORY;
  }
  at = out->at + out->end;
  fb__write32(at, opcode);
  fb__write32(at + 4, (uint32_t)length);
  at += FB__HEADER;
  for (i = 0; i < count; at += pieces[i].length, i++)
    if (pieces[i].length > 0) memcpy(at, pieces[i].text, pieces[i].length);
  out->end += FB__HEADER + length;
  return FB_OK;
}

#define FB__TEXT(text) {text, sizeof(text) - 1}

/** Sends a command; `event` is NULL but for SUBSCRIBE and UNSUBSCRIBE. */
static fb_result fb__send_command(fb_client *client, const char *command, const char *event, fb__piece args,
                                  const char *nonce) {
  fb__piece pieces[] = {FB__TEXT("{\"cmd\":\""), {command, strlen(command)},
                        FB__TEXT("\",\"nonce\":\""), {nonce, strlen(nonce)},
                        FB__TEXT("\",\"args\":"), {args.text, args.length},
                        FB__TEXT(",\"evt\":\""), {event, fb__length(event)},
                        FB__TEXT("\"}")};
  if (event != NULL) return fb__send(client, FB_OP_FRAME, pieces, 9);
  pieces[6].text = "}";
  pieces[6].length = 1;
  return fb__send(client, FB_OP_FRAME, pieces, 7);
}

/** Reads a frame that has no room, for its top-level texts `cmd`, `evt` and `nonce`. */
static void fb__scan_bytes(fb__scan *scan, const char *at, size_t length) {
  const char *end = at + length;
  for (; at < end; at++) {
    char c = *at;
    if (scan->in_text) {
      if (scan->escaped) scan->escaped = 0;
      else if (c == '\\') scan->escaped = 1;
      else if (c == '"') {
        scan->in_text = 0;
        scan->text[scan->length] = '\0';
        if (scan->depth == 1 && scan->is_key) {
          scan->key = fb__equal(scan->text, scan->length, "cmd")     ? 'c'
                      : fb__equal(scan->text, scan->length, "evt")   ? 'e'
                      : fb__equal(scan->text, scan->length, "nonce") ? 'n'
                                                                     : '\0';
        } else if (scan->depth == 1) {
          if (scan->key == 'c') fb__copy(scan->cmd, sizeof scan->cmd, scan->text);
          if (scan->key == 'e') fb__copy(scan->evt, sizeof scan->evt, scan->text);
          if (scan->key == 'n') fb__copy(scan->nonce, sizeof scan->nonce, scan->text);
        }
      } else if (scan->length < sizeof scan->text - 1) {
        scan->text[scan->length++] = c;
      }
    } else if (c == '"') {
      scan->in_text = 1;
      scan->length = 0;
    } else if (c == '{' || c == '[') {
      scan->depth++;
      scan->is_key = 1;
    } else if (c == '}' || c == ']') {
      scan->depth--;
    } else if (c == ':') {
      scan->is_key = 0;
    } else if (c == ',') {
      scan->is_key = 1;
    }
  }
}

/** Number of a request in a nonce of ours; 0 for what the library sent. */
static uint32_t fb__request_of(const char *nonce) {
  uint64_t number = 0;
  const char *end = nonce + strlen(nonce);
  return fb__unsigned(nonce, end, &number) == end && number <= UINT32_MAX ? (uint32_t)number : 0;
}
