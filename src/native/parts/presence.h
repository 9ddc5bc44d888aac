/* Presence: the last one wins, five in twenty seconds, shown again after each reconnect. */

#define FB__PRESENCES 5
#define FB__PRESENCES_MS 20000

static void fb__invalid_field(fb_client *client, const char *field, const char *wanted) {
  fb__forget_report(client);
  fb__say_text(client, "presence.");
  fb__say_text(client, field);
  fb__say_text(client, ": must be ");
  fb__say_text(client, wanted);
  fb__say_text(client, "\n");
  client->names_field = 1;
}

/** Checks and writes the texts of one group of fields. @return 0 for an invalid one */
static int fb__write_texts(fb_client *client, fb_writer *writer, const fb_presence *presence, int group) {
  size_t i;
  for (i = 0; i < sizeof fb__fields / sizeof *fb__fields; i++) {
    const fb__field *field = &fb__fields[i];
    const char *text = NULL;
    long units;
    if (field->group != group) continue;
    memcpy(&text, (const char *)presence + field->offset, sizeof text);
    if (text == NULL) continue;
    units = fb__units(text);
    if (units < field->least || units > field->most) {
      char wanted[48] = "UTF-8 of ";
      size_t length = strlen(wanted);
      length += fb__digits(wanted + length, (uint64_t)field->least);
      memcpy(wanted + length, " to ", 5);
      length += 4 + fb__digits(wanted + length + 4, (uint64_t)field->most);
      memcpy(wanted + length, " characters", 12);
      fb__invalid_field(client, group == FB__PARTY ? "party_id" : field->key, wanted);
      return 0;
    }
    fb_w_text(writer, field->key, text);
  }
  return 1;
}

/** Whether any text of a group is set. */
static int fb__has_texts(const fb_presence *presence, int group) {
  size_t i;
  for (i = 0; i < sizeof fb__fields / sizeof *fb__fields; i++) {
    const char *text = NULL;
    if (fb__fields[i].group != group) continue;
    memcpy(&text, (const char *)presence + fb__fields[i].offset, sizeof text);
    if (text != NULL) return 1;
  }
  return 0;
}

static int fb__write_buttons(fb_client *client, fb_writer *writer, const fb_presence *presence) {
  int i;
  if (presence->buttons[0].label == NULL) {
    if (presence->buttons[1].label == NULL) return 1;
    fb__invalid_field(client, "buttons", "filled from the first one");
    return 0;
  }
  fb_w_open(writer, "buttons", '[');
  for (i = 0; i < 2 && presence->buttons[i].label != NULL; i++) {
    const fb_button *button = &presence->buttons[i];
    long label = fb__units(button->label), url = button->url == NULL ? -1 : fb__units(button->url);
    if (label < 1 || label > FB__LABEL_UNITS || url < 1 || url > FB__BUTTON_URL_UNITS) {
      fb__invalid_field(client, "buttons", "a label of 1 to 32 and a url of 1 to 512 characters");
      return 0;
    }
    fb_w_open(writer, NULL, '{');
    fb_w_text(writer, "label", button->label);
    fb_w_text(writer, "url", button->url);
    fb_w_shut(writer);
  }
  fb_w_shut(writer);
  return 1;
}

static int fb__write_activity(fb_client *client, fb_writer *writer, const fb_presence *presence) {
  int i, has_size = presence->party_size != 0 || presence->party_max != 0;
  if (presence->type != 0 && presence->type != 2 && presence->type != 3 && presence->type != 5) {
    fb__invalid_field(client, "type", "0 (playing), 2 (listening), 3 (watching) or 5 (competing)");
    return 0;
  }
  if (presence->status_display_type < 0 || presence->status_display_type > 2) {
    fb__invalid_field(client, "status_display_type", "0 (name), 1 (state) or 2 (details)");
    return 0;
  }
  if (presence->party_size < 0 || presence->party_max < 0 || presence->start < 0 || presence->end < 0) {
    fb__invalid_field(client, presence->start < 0 || presence->end < 0 ? "start" : "party_size", "0 or more");
    return 0;
  }
  if (presence->party_max < presence->party_size) {
    fb__invalid_field(client, "party_max", "party_size or more");
    return 0;
  }
  if (!fb__write_texts(client, writer, presence, FB__TOP)) return 0;
  if (presence->type != 0) fb_w_integer(writer, "type", presence->type);
  if (presence->status_display_type != 0)
    fb_w_integer(writer, "status_display_type", presence->status_display_type);
  if (presence->start > 0 || presence->end > 0) {
    fb_w_open(writer, "timestamps", '{');
    if (presence->start > 0) fb_w_integer(writer, "start", presence->start);
    if (presence->end > 0) fb_w_integer(writer, "end", presence->end);
    fb_w_shut(writer);
  }
  if (fb__has_texts(presence, FB__ASSETS)) {
    fb_w_open(writer, "assets", '{');
    if (!fb__write_texts(client, writer, presence, FB__ASSETS)) return 0;
    fb_w_shut(writer);
  }
  if (has_size || fb__has_texts(presence, FB__PARTY)) {
    fb_w_open(writer, "party", '{');
    if (!fb__write_texts(client, writer, presence, FB__PARTY)) return 0;
    if (has_size) {
      fb_w_open(writer, "size", '[');
      fb_w_integer(writer, NULL, presence->party_size);
      fb_w_integer(writer, NULL, presence->party_max);
      fb_w_shut(writer);
    }
    if (presence->party_privacy != 0) fb_w_integer(writer, "privacy", 1);
    fb_w_shut(writer);
  }
  if (fb__has_texts(presence, FB__SECRETS)) {
    fb_w_open(writer, "secrets", '{');
    if (!fb__write_texts(client, writer, presence, FB__SECRETS)) return 0;
    fb_w_shut(writer);
  }
  if (!fb__write_buttons(client, writer, presence)) return 0;
  if (presence->instance) fb_w_bool(writer, "instance", 1);
  if (presence->supported_platforms[0] != NULL) {
    fb_w_open(writer, "supported_platforms", '[');
    for (i = 0; i < 10 && presence->supported_platforms[i] != NULL; i++)
      fb_w_text(writer, NULL, presence->supported_platforms[i]);
    fb_w_shut(writer);
  }
  return 1;
}

/** Keeps what is written, and owes it to the server. */
static fb_result fb__keep_presence(fb_client *client, fb_writer *writer, int is_shown) {
  fb_w_shut(writer);
  if (fb_w_end(writer) != FB_OK) return writer->result;
  memcpy(client->presence, writer->text, writer->used + 1);
  client->presence_length = writer->used;
  client->is_shown = is_shown;
  client->owes_presence = 1;
  return FB_OK;
}

static fb_writer fb__begin_presence(char *text, size_t size) {
  fb_writer writer = fb_w_begin(text, size);
  fb_w_open(&writer, NULL, '{');
  fb_w_integer(&writer, "pid", (int64_t)fb__process());
  return writer;
}

FB_API fb_result fb_show(fb_client *client, const fb_presence *presence) {
  char text[FB__PRESENCE_SIZE];
  fb_writer writer;
  if (client == NULL) return FB_E_INVALID;
  fb__forget_field(client);
  if (presence == NULL) return FB_E_INVALID;
  if (client->state == FB_STATE_REFUSED) return FB_E_REFUSED;
  writer = fb__begin_presence(text, sizeof text);
  fb_w_open(&writer, "activity", '{');
  if (!fb__write_activity(client, &writer, presence)) return FB_E_INVALID;
  fb_w_shut(&writer);
  return fb__keep_presence(client, &writer, 1);
}

FB_API fb_result fb_show_json(fb_client *client, const char *activity) {
  char text[FB__PRESENCE_SIZE];
  fb_writer writer;
  if (client == NULL) return FB_E_INVALID;
  fb__forget_field(client);
  if (fb_type(fb_parse(activity, fb__length(activity))) != '{') return FB_E_INVALID;
  if (client->state == FB_STATE_REFUSED) return FB_E_REFUSED;
  writer = fb__begin_presence(text, sizeof text);
  fb_w_json(&writer, "activity", activity);
  return fb__keep_presence(client, &writer, 1);
}

FB_API fb_result fb_clear(fb_client *client) {
  char text[64];
  fb_writer writer;
  if (client == NULL) return FB_E_INVALID;
  fb__forget_field(client);
  if (client->state == FB_STATE_REFUSED) return FB_E_REFUSED;
  writer = fb__begin_presence(text, sizeof text);
  fb_w_json(&writer, "activity", "null");
  return fb__keep_presence(client, &writer, 0);
}

/** Time at which the next presence may be sent. */
static int64_t fb__presence_time(const fb_client *client) {
  if (client->presence_count < FB__PRESENCES) return 0;
  return client->presence_times[client->presence_count % FB__PRESENCES] + FB__PRESENCES_MS;
}

static fb_result fb__send_presence(fb_client *client) {
  fb__piece args;
  fb_result result;
  args.text = client->presence;
  args.length = client->presence_length;
  result = fb__send_command(client, "SET_ACTIVITY", NULL, args, "fb-presence");
  if (result != FB_OK) return result;
  client->owes_presence = 0;
  client->presence_times[client->presence_count % FB__PRESENCES] = client->now;
  client->presence_count++;
  if (client->presence_count >= 2 * FB__PRESENCES) client->presence_count -= FB__PRESENCES;
  return FB_OK;
}
