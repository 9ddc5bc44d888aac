/* Reading JSON: one check of a whole text, and views that need no memory. */

static const char *fb__space(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) at++;
  return at;
}

static int fb__hex(const char *at, const char *end, uint32_t *unit) {
  int i;
  *unit = 0;
  if (end - at < 4) return 0;
  for (i = 0; i < 4; i++) {
    char c = at[i];
    uint32_t digit;
    if (c >= '0' && c <= '9') digit = (uint32_t)(c - '0');
    else if (c >= 'a' && c <= 'f') digit = (uint32_t)(c - 'a') + 10;
    else if (c >= 'A' && c <= 'F') digit = (uint32_t)(c - 'A') + 10;
    else return 0;
    *unit = *unit << 4 | digit;
  }
  return 1;
}

/** Checks a text that begins with its quote. @return the place after it, NULL where it is none */
static const char *fb__check_text(const char *at, const char *end) {
  uint32_t unused = 0;
  at++;
  while (at < end) {
    if (*at == '"') return at + 1;
    if ((unsigned char)*at < 0x20) return NULL;
    if (*at == '\\') {
      if (++at == end) return NULL;
      if (*at == 'u') {
        if (!fb__hex(at + 1, end, &unused)) return NULL;
        at += 5;
      } else {
        if (!strchr("\"\\/bfnrt", *at) || *at == '\0') return NULL;
        at++;
      }
    } else {
      size_t length = fb__utf8(at, end, &unused);
      if (length == 0) return NULL;
      at += length;
    }
  }
  return NULL;
}

static const char *fb__check_digits(const char *at, const char *end) {
  const char *first = at;
  while (at < end && *at >= '0' && *at <= '9') at++;
  return at > first ? at : NULL;
}

static const char *fb__check_number(const char *at, const char *end) {
  if (at < end && *at == '-') at++;
  if (at < end && *at == '0') at++;
  else if ((at = fb__check_digits(at, end)) == NULL) return NULL;
  if (at < end && *at == '.' && (at = fb__check_digits(at + 1, end)) == NULL) return NULL;
  if (at < end && (*at == 'e' || *at == 'E')) {
    at++;
    if (at < end && (*at == '+' || *at == '-')) at++;
    at = fb__check_digits(at, end);
  }
  return at;
}

static const char *fb__check_scalar(const char *at, const char *end) {
  size_t left = (size_t)(end - at);
  if (*at == '"') return fb__check_text(at, end);
  if (*at == '-' || (*at >= '0' && *at <= '9')) return fb__check_number(at, end);
  if (left >= 4 && (memcmp(at, "true", 4) == 0 || memcmp(at, "null", 4) == 0)) return at + 4;
  if (left >= 5 && memcmp(at, "false", 5) == 0) return at + 5;
  return NULL;
}

/** Checks one value with a stack of bits instead of recursion. @return the place after it, NULL where it is none */
static const char *fb__check(const char *at, const char *end) {
  unsigned char is_object[FB__MAX_DEPTH / 8];
  int depth = 0;
  memset(is_object, 0, sizeof is_object);
  for (;;) {
    int opened = 0;
    at = fb__space(at, end);
    if (at == end) return NULL;
    if (*at == '{' || *at == '[') {
      if (depth == FB__MAX_DEPTH) return NULL;
      if (*at == '{') is_object[depth / 8] = (unsigned char)(is_object[depth / 8] | 1U << (depth % 8));
      else is_object[depth / 8] = (unsigned char)(is_object[depth / 8] & ~(1U << (depth % 8)));
      depth++;
      at++;
      opened = 1;
    } else if ((at = fb__check_scalar(at, end)) == NULL) {
      return NULL;
    }
    for (;;) {
      int object;
      if (depth == 0) return at;
      object = is_object[(depth - 1) / 8] >> ((depth - 1) % 8) & 1;
      at = fb__space(at, end);
      if (at == end) return NULL;
      if (*at == (object ? '}' : ']')) {
        depth--;
        at++;
        opened = 0;
        continue;
      }
      if (!opened) {
        if (*at != ',') return NULL;
        at = fb__space(at + 1, end);
      }
      if (object) {
        if (at == end || *at != '"' || (at = fb__check_text(at, end)) == NULL) return NULL;
        at = fb__space(at, end);
        if (at == end || *at != ':') return NULL;
        at++;
      }
      break;
    }
  }
}

FB_API fb_json fb_parse(const char *text, size_t length) {
  fb_json value = {NULL, NULL};
  const char *at, *end;
  if (text == NULL) return value;
  at = fb__space(text, text + length);
  end = fb__check(at, text + length);
  if (end == NULL || fb__space(end, text + length) != text + length) return value;
  value.at = at;
  value.end = end;
  return value;
}

/** The place after a value of a checked text. */
static const char *fb__skip(const char *at, const char *end) {
  int depth = 0;
  while (at < end) {
    char c = *at++;
    if (c == '"') {
      while (at < end && *at != '"') at += *at == '\\' ? 2 : 1;
      at++;
    } else if (c == '{' || c == '[') {
      depth++;
      continue;
    } else if (c == '}' || c == ']') {
      depth--;
    } else if (depth > 0) {
      continue;
    } else {
      while (at < end && !strchr(",]} \n\r\t", *at)) at++;
    }
    if (depth <= 0) return at;
  }
  return end;
}

static int fb__starts(fb_json value, char bracket) { return value.at != NULL && *value.at == bracket; }

/** The value at a place of a checked text; absent at the end of its container. */
static fb_json fb__value_at(const char *at, const char *end) {
  fb_json value = {NULL, NULL};
  if (at >= end || *at == '}' || *at == ']') return value;
  value.at = at;
  value.end = fb__skip(at, end);
  return value;
}

/** Reads one character of a checked text. @return the place after it */
static const char *fb__character(const char *at, const char *end, uint32_t *character) {
  uint32_t low = 0;
  if (*at != '\\') {
    size_t length = fb__utf8(at, end, character);
    if (length > 0) return at + length;
    *character = 0xFFFD;
    return at + 1;
  }
  switch (at[1]) {
    case 'b': *character = '\b'; return at + 2;
    case 'f': *character = '\f'; return at + 2;
    case 'n': *character = '\n'; return at + 2;
    case 'r': *character = '\r'; return at + 2;
    case 't': *character = '\t'; return at + 2;
    case 'u': break;
    default: *character = (unsigned char)at[1]; return at + 2;
  }
  fb__hex(at + 2, end, character);
  at += 6;
  if (*character < 0xD800 || *character > 0xDFFF) return at;
  /* A surrogate without its partner is no character. */
  if (*character <= 0xDBFF && end - at >= 6 && at[0] == '\\' && at[1] == 'u' && fb__hex(at + 2, end, &low) &&
      low >= 0xDC00 && low <= 0xDFFF) {
    *character = 0x10000 + ((*character - 0xD800) << 10) + (low - 0xDC00);
    return at + 6;
  }
  *character = 0xFFFD;
  return at;
}

FB_API size_t fb_text(fb_json value, char *text, size_t size) {
  size_t length = 0, kept = 0;
  int is_full = 0;
  if (text != NULL && size > 0) text[0] = '\0';
  if (!fb__starts(value, '"')) return 0;
  value.at++;
  while (value.at < value.end - 1) {
    char bytes[4];
    uint32_t character = 0;
    size_t count;
    value.at = fb__character(value.at, value.end - 1, &character);
    count = fb__to_utf8(bytes, character);
    if (text != NULL && !is_full && length + count < size) {
      memcpy(text + kept, bytes, count);
      kept += count;
    } else {
      is_full = 1;
    }
    length += count;
  }
  if (text != NULL && size > 0) text[kept] = '\0';
  return length;
}

FB_API int fb_is(fb_json value, const char *text) {
  if (!fb__starts(value, '"') || text == NULL) return 0;
  value.at++;
  while (value.at < value.end - 1) {
    char bytes[4];
    uint32_t character = 0;
    size_t count;
    value.at = fb__character(value.at, value.end - 1, &character);
    count = fb__to_utf8(bytes, character);
    if (strncmp(text, bytes, count) != 0 || bytes[0] == '\0') return 0;
    text += count;
  }
  return *text == '\0';
}

FB_API fb_json fb_get(fb_json object, const char *key) {
  fb_json found = {NULL, NULL};
  const char *at;
  if (!fb__starts(object, '{') || key == NULL) return found;
  for (at = fb__space(object.at + 1, object.end); at < object.end && *at == '"';) {
    fb_json name = fb__value_at(at, object.end), value;
    at = fb__space(name.end, object.end);
    if (at < object.end) at = fb__space(at + 1, object.end);
    value = fb__value_at(at, object.end);
    if (value.at == NULL) break;
    if (fb_is(name, key)) found = value;
    at = fb__space(value.end, object.end);
    if (at < object.end && *at == ',') at = fb__space(at + 1, object.end);
  }
  return found;
}

FB_API char fb_type(fb_json value) { return value.at == NULL ? '\0' : *value.at; }

/** Reads digits. @return the place after them, NULL where there are none or too many */
static const char *fb__unsigned(const char *at, const char *end, uint64_t *number) {
  const char *first = at;
  *number = 0;
  for (; at < end && *at >= '0' && *at <= '9'; at++) {
    uint64_t digit = (uint64_t)(*at - '0');
    if (*number > (UINT64_MAX - digit) / 10) return NULL;
    *number = *number * 10 + digit;
  }
  return at > first ? at : NULL;
}

FB_API int fb_integer(fb_json value, int64_t *number) {
  uint64_t size = 0;
  int is_text = fb__starts(value, '"'), is_negative;
  const char *at = value.at, *end;
  if (at == NULL || number == NULL) return 0;
  at += is_text;
  is_negative = at < value.end && *at == '-';
  end = fb__unsigned(at + is_negative, value.end, &size);
  if (end == NULL || end != value.end - is_text) return 0;
  if (size > (uint64_t)INT64_MAX + (is_negative ? 1U : 0U)) return 0;
  *number = is_negative ? (int64_t)((uint64_t)0 - size) : (int64_t)size;
  return 1;
}

#ifndef FB_PRESENCE_ONLY
FB_API fb_json fb_next(fb_json container, fb_json before) {
  fb_json none = {NULL, NULL};
  const char *at;
  if (!fb__starts(container, '[') && !fb__starts(container, '{')) return none;
  at = before.at == NULL ? container.at + 1 : before.end;
  if (before.at != NULL && (before.end <= container.at || before.end > container.end)) return none;
  at = fb__space(at, container.end);
  if (before.at != NULL && at < container.end && *at == ',') at = fb__space(at + 1, container.end);
  if (*container.at == '{' && at < container.end && *at == '"') {
    at = fb__space(fb__skip(at, container.end), container.end);
    if (at < container.end) at = fb__space(at + 1, container.end);
  }
  return fb__value_at(at, container.end);
}

FB_API int fb_is_true(fb_json value) { return fb__starts(value, 't'); }

FB_API int fb_id(fb_json value, uint64_t *id) {
  int is_text = fb__starts(value, '"');
  if (value.at == NULL || id == NULL) return 0;
  return fb__unsigned(value.at + is_text, value.end, id) == value.end - is_text;
}

FB_API int fb_number(fb_json value, double *number) {
  double sum = 0;
  long exponent = 0, shown = 0;
  int is_negative, is_fraction = 0, is_small = 0;
  const char *at = value.at;
  if (at == NULL || number == NULL || (*at != '-' && (*at < '0' || *at > '9'))) return 0;
  is_negative = *at == '-';
  for (at += is_negative; at < value.end && *at != 'e' && *at != 'E'; at++) {
    if (*at == '.') {
      is_fraction = 1;
    } else if (sum < 1e17) {
      sum = sum * 10 + (*at - '0');
      exponent -= is_fraction;
    } else {
      /* A double has no room for further digits. */
      exponent += !is_fraction;
    }
  }
  if (at < value.end) {
    at++;
    is_small = *at == '-';
    if (*at == '-' || *at == '+') at++;
    for (; at < value.end; at++)
      if (shown < 100000000) shown = shown * 10 + (*at - '0');
    exponent += is_small ? -shown : shown;
  }
  /* Powers up to the 22nd are exact, so that short numbers are. */
  while (exponent != 0 && sum > 0 && sum <= 1.7976931348623157e308) {
    long step = exponent < 0 ? -exponent : exponent;
    double power = 1;
    int i;
    if (step > 22) step = 22;
    for (i = 0; i < step; i++) power *= 10;
    sum = exponent < 0 ? sum / power : sum * power;
    exponent += exponent < 0 ? step : -step;
  }
  if (sum > 1.7976931348623157e308) return 0;
  *number = is_negative ? -sum : sum;
  return 1;
}
#endif
