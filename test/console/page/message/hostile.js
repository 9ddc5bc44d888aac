// Hostile messages, made in the page from a seed: every field may be hostile, of a wrong type, or missing.

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const PIECES = [
  ...[
    '*',
    '**',
    '_',
    '__',
    '~~',
    '||',
    '`',
    '```',
    '```js\n',
    '> ',
    '>>> ',
    '- ',
    '  - ',
    '1. ',
    '# ',
    '-# ',
    '\\',
    '\n',
    ' ',
  ],
  ...[
    '[',
    '](',
    ')',
    '[x](javascript:pwned=1)',
    '[x](https://a.example)',
    '<javascript:pwned=1>',
    'https://a.example/',
    'https://a.example/?',
  ],
  ...[
    '<script>pwned=1</script>',
    '<img src=x onerror=pwned=1>',
    '<style>*{display:none}</style>',
    '"><svg onload=pwned=1>',
    '</article>',
  ],
  ...[
    '<@1>',
    '<@&2>',
    '<#3>',
    '<:cat:5>',
    '<a:run:6>',
    '<t:1:R>',
    '<t:-8640000000000:F>',
    '<t:8640000000001>',
    '</x y:7>',
    '<id:browse>',
    '@everyone',
  ],
  ...[
    '\u202e',
    '\u2067',
    '\u2066',
    '\u200f',
    '\u0007',
    '\u0000',
    '\ud800',
    '\u{1f468}\u200d\u{1f469}',
    'مرحبا',
    'Z\u0351\u0352\u0353\u0354',
    '\u0300',
  ],
  ...['__proto__', 'constructor', 'toString', 'x', 'word', '%00', '{{pwned}}', '\u3000', '\ufdfd', '꧅'],
];

const WRONG = [null, 0, -1, 1e308, true, '', [], {}, [null], [[]], 'x', 2 ** 31, -0.5];

export function hostile(random, id) {
  const below = (limit) => Math.floor(random() * limit);
  const pick = (list) => list[below(list.length)];
  const text = (max) => {
    const piece = pick(PIECES);
    if (random() < 0.25) return piece.repeat(Math.ceil(max / piece.length)).slice(0, max);
    if (random() < 0.1) return 'W'.repeat(max);
    let made = '';
    const length = random() < 0.3 ? max : below(max / 10);
    while (made.length < length) made += pick(PIECES);
    return made.slice(0, max);
  };
  /** The value, or at times one of a wrong type. */
  const or = (value) => (random() < 0.04 ? pick(WRONG) : value);
  const url = () =>
    or(
      pick([
        'https://a.example/x.png',
        'javascript:pwned=1',
        'data:text/html,<script>pwned=1</script>',
        '//a.example',
        text(300),
        '/missing.png',
      ]),
    );
  const color = () => or(pick([0, 1, 0xffffff, 0x20a060, -5, 2 ** 40, 'red;position:fixed']));
  const emoji = () =>
    or(pick([{ name: text(32) }, { id: '5', name: 'cat' }, { id: '../../x', name: text(10) }]));
  const many = (max, make) => or(Array.from({ length: below(max + 1) }, make));
  const user = () =>
    or({
      id: pick(['1', '9', '__proto__']),
      username: text(32),
      global_name: text(32),
      avatar: url(),
      bot: random() < 0.5,
    });
  const media = () => or({ url: url() });
  let left = 20;
  const component = (depth) => {
    left -= 1;
    const isLast = depth > 9 || left < 0;
    const inner = (max) => (isLast ? [] : many(max, () => component(depth + 1)));
    return or({
      type: pick([1, 1, 2, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 17, 4, 18, 99]),
      custom_id: text(100),
      label: or(text(80)),
      style: or(1 + below(8)),
      url: url(),
      emoji: emoji(),
      disabled: or(random() < 0.2),
      placeholder: text(150),
      content: text(200),
      accent_color: color(),
      spoiler: random() < 0.2,
      divider: or(random() < 0.5),
      spacing: or(1 + below(2)),
      options: many(4, () => ({
        label: text(100),
        value: text(100),
        description: text(100),
        emoji: emoji(),
        default: random() < 0.3,
      })),
      default_values: many(3, () => ({
        id: pick(['1', 'toString']),
        type: pick(['user', 'role', 'channel', 'constructor']),
      })),
      min_values: or(below(30)),
      max_values: or(below(30)),
      media: media(),
      file: media(),
      description: text(200),
      name: text(60),
      size: or(below(1e9)),
      items: many(5, () => ({ media: media(), description: text(100), spoiler: random() < 0.3 })),
      accessory: isLast ? undefined : component(depth + 1),
      components: inner(4),
    });
  };
  const embed = () =>
    or({
      type: pick(['rich', 'poll_result', 'auto_moderation_message', text(10)]),
      title: text(256),
      description: text(400),
      url: url(),
      timestamp: or('2026-01-02T03:04:05Z'),
      color: color(),
      author: or({ name: text(256), url: url(), icon_url: url() }),
      footer: or({ text: text(300), icon_url: url() }),
      image: media(),
      thumbnail: media(),
      fields: many(6, () => ({ name: text(256), value: text(300), inline: random() < 0.5 })),
    });
  const content = () => ({
    content: or(text(random() < 0.1 ? 4000 : 400)),
    embeds: random() < 0.3 ? many(3, embed) : [],
    components: random() < 0.3 ? many(5, () => component(0)) : [],
    attachments: many(3, () => ({
      id: text(20),
      filename: text(60),
      description: text(100),
      content_type: pick(['image/png', 'text/plain', text(20)]),
      size: or(below(1e12)),
      url: url(),
      flags: pick([0, 8]),
      duration_secs: or(5),
      waveform: text(100),
    })),
    sticker_items:
      random() < 0.1
        ? many(3, () => ({ id: text(20), name: text(30), format_type: or(1 + below(4)) }))
        : undefined,
  });
  const message = {
    ...content(),
    id: or(String(id)),
    type: or(pick([0, 0, 0, 19, 20, 23, below(60)])),
    flags: or(pick([0, 0, 64, 128, 1 << 13, 1 << 15, 1 << 12])),
    author: user(),
    timestamp: or('2026-01-02T03:04:05Z'),
    edited_timestamp: or(pick([null, '2026-01-02T03:04:05Z'])),
    pinned: or(random() < 0.2),
    webhook_id: or(pick([undefined, '8'])),
    mentions: many(2, user),
    reactions:
      random() < 0.3
        ? many(20, () => ({ emoji: emoji(), count: or(below(1e9)), me: or(random() < 0.5) }))
        : undefined,
    referenced_message: random() < 0.2 ? or({ ...content(), author: user() }) : undefined,
    message_snapshots: random() < 0.1 ? many(2, () => ({ message: or(content()) })) : undefined,
    interaction_metadata:
      random() < 0.2 ? or({ name: text(100), user: user(), target_user: or(user()) }) : undefined,
    thread: random() < 0.1 ? or({ id: text(20), name: text(100), message_count: or(below(100)) }) : undefined,
    poll:
      random() < 0.15
        ? or({
            question: or({ text: text(300) }),
            answers: many(10, () => ({
              answer_id: or(below(10)),
              poll_media: or({ text: text(55), emoji: emoji() }),
            })),
            expiry: or(text(20)),
            allow_multiselect: or(true),
            results: or({
              is_finalized: random() < 0.5,
              answer_counts: many(10, () => ({
                id: or(below(10)),
                count: or(below(1e6)),
                me_voted: random() < 0.3,
              })),
            }),
          })
        : undefined,
  };
  return { message, revision: String(id), ephemeral: random() < 0.1, isContinued: random() < 0.3 };
}
