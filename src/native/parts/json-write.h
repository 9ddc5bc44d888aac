/* Writing JSON into memory of the caller. */

FB_API fb_writer fb_w_begin(char *text, size_t size) {
  fb_writer writer;
  memset(&writer, 0, sizeof writer);
  writer.text = text;
  writer.size = size;
  if (text == NULL || size == 0) writer.result = FB_E_INVALID;
  return writer;
}

static void fb__w_fail(fb_writer *writer, fb_result result) {
  if (writer->result == FB_OK) writer->result = result;
}

static void fb__w_put(fb_writer *writer, const char *bytes, size_t length) {
  if (writer->result != FB_OK) return;
  /* One byte stays for the NUL. */
  if (length >= writer->size - writer->used) {
    fb__w_fail(writer, FB_E_TOO_LONG);
    return;
  }
  memcpy(writer->text + writer->used, bytes, length);
  writer->used += length;
}

static void fb__w_quoted(fb_writer *writer, const char *text) {
  const char *end = text + strlen(text);
  fb__w_put(writer, "\"", 1);
  while (text < end) {
    static const char hex[] = "0123456789abcdef";
    uint32_t character = 0;
    size_t length = fb__utf8(text, end, &character);
    if (length == 0) {
      fb__w_fail(writer, FB_E_INVALID);
      return;
    }
    if (character == '"' || character == '\\') {
      char escaped[2];
      escaped[0] = '\\';
      escaped[1] = *text;
      fb__w_put(writer, escaped, 2);
    } else if (character < 0x20) {
      char escaped[6] = {'\\', 'u', '0', '0', '0', '0'};
      escaped[4] = hex[character >> 4];
      escaped[5] = hex[character & 15];
      fb__w_put(writer, escaped, 6);
    } else {
      fb__w_put(writer, text, length);
    }
    text += length;
  }
  fb__w_put(writer, "\"", 1);
}

/** Begins a value: a comma, and the key in an object. */
static void fb__w_value(fb_writer *writer, const char *key) {
  int is_object = writer->depth > 0 && (writer->closers & 1U) == 1U;
  if ((key != NULL) != (is_object != 0)) fb__w_fail(writer, FB_E_INVALID);
  if (writer->depth == 0 && writer->used > 0) fb__w_fail(writer, FB_E_INVALID);
  if (writer->comma) fb__w_put(writer, ",", 1);
  if (key != NULL) {
    fb__w_quoted(writer, key);
    fb__w_put(writer, ":", 1);
  }
  writer->comma = 1;
}

FB_API void fb_w_open(fb_writer *writer, const char *key, char bracket) {
  if (writer == NULL) return;
  if (writer->depth == 32 || (bracket != '{' && bracket != '[')) {
    fb__w_fail(writer, FB_E_INVALID);
    return;
  }
  fb__w_value(writer, key);
  fb__w_put(writer, &bracket, 1);
  writer->closers = writer->closers << 1 | (bracket == '{' ? 1U : 0U);
  writer->depth++;
  writer->comma = 0;
}

FB_API void fb_w_shut(fb_writer *writer) {
  if (writer == NULL) return;
  if (writer->depth == 0) {
    fb__w_fail(writer, FB_E_INVALID);
    return;
  }
  fb__w_put(writer, writer->closers & 1U ? "}" : "]", 1);
  writer->closers >>= 1;
  writer->depth--;
  writer->comma = 1;
}

FB_API void fb_w_text(fb_writer *writer, const char *key, const char *text) {
  if (writer == NULL) return;
  if (text == NULL) {
    fb__w_fail(writer, FB_E_INVALID);
    return;
  }
  fb__w_value(writer, key);
  fb__w_quoted(writer, text);
}

FB_API void fb_w_integer(fb_writer *writer, const char *key, int64_t number) {
  char digits[24];
  if (writer == NULL) return;
  fb__w_value(writer, key);
  fb__w_put(writer, digits, fb__signed_digits(digits, number));
}

FB_API void fb_w_bool(fb_writer *writer, const char *key, int value) {
  if (writer == NULL) return;
  fb__w_value(writer, key);
  fb__w_put(writer, value ? "true" : "false", value ? 4 : 5);
}

FB_API void fb_w_json(fb_writer *writer, const char *key, const char *json) {
  fb_json value;
  if (writer == NULL) return;
  value = fb_parse(json, fb__length(json));
  if (value.at == NULL) {
    fb__w_fail(writer, FB_E_INVALID);
    return;
  }
  fb__w_value(writer, key);
  fb__w_put(writer, value.at, (size_t)(value.end - value.at));
}

FB_API fb_result fb_w_end(fb_writer *writer) {
  if (writer == NULL) return FB_E_INVALID;
  if (writer->depth != 0 || writer->used == 0) fb__w_fail(writer, FB_E_INVALID);
  if (writer->text != NULL && writer->size > 0)
    writer->text[writer->result == FB_OK ? writer->used : 0] = '\0';
  return writer->result;
}
