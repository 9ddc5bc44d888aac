import type { Change } from './behaviour.ts';

/** A broken server: what it does wrong, and the cases that must notice. */
export interface Fault {
  readonly change: Change;
  readonly caught: readonly string[];
}

function range(section: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${section}/${from + index}`);
}

function trait(name: string, ...caught: string[]): Fault {
  return { change: { traits: [name] }, caught };
}

function lenient(name: string, ...caught: string[]): Fault {
  return { change: { lenient: [name] }, caught };
}

/** Every broken server, by name. */
export const faults: Readonly<Record<string, Fault>> = {
  // Endpoint and life cycle: these run as programs of their own.
  'skips index 0': trait('index-1', 'endpoint/1'),
  'takes every index': trait(
    'hijacks',
    ...range('endpoint', 2, 5),
    ...range('endpoint', 7, 9),
    'endpoint/18',
  ),
  'never reclaims': trait('no-reclaim', 'endpoint/6', 'recovery/1', 'recovery/2'),
  'anybody may write': trait('open-mode', 'endpoint/10'),
  'leaves its file': trait('keeps-socket', 'endpoint/11', 'endpoint/12', 'recovery/5'),
  'keeps a lock beside': trait('lock-file', 'endpoint/13'),
  'knows one variable': trait('xdg-only', ...range('endpoint', 14, 16)),
  'calls it a success': trait('zero-when-taken', 'endpoint/17'),
  'answers no early PING': trait(
    'no-early-ping',
    'endpoint/19',
    'ping/1',
    'ping/10',
    'ping/11',
    'ping/13',
    'handshake/27',
  ),
  'trusts a pid file': trait('pid-file', 'recovery/1', 'recovery/3'),
  'says no goodbye': { change: { problems: { stop: 'destroy' } }, caught: ['recovery/4'] },
  'never stops': trait('never-stops', 'recovery/3', 'recovery/5', 'endpoint/11'),
  'remembers subscriptions': trait('remembers', 'recovery/6'),
  'buffers every answer': trait('amplified', 'limits/3'),

  // Framing.
  'wants whole reads': trait('whole-reads', ...range('framing', 1, 6), 'framing/8', 'framing/29', 'ping/13'),
  'takes one frame a read': trait('first-of-read', 'framing/5', 'framing/29', 'ping/8', 'ping/15'),
  'counts characters': trait('counts-characters', 'framing/7', 'framing/26'),
  'small buffer': trait('small-buffer', 'framing/27', 'framing/28'),
  'waits for any length': {
    change: { problems: { length: 'ignore' } },
    caught: ['framing/10', 'framing/12'],
  },
  'waits for a negative length': {
    change: { problems: { 'negative-length': 'ignore' } },
    caught: ['framing/11'],
  },
  'ignores empty bodies': { change: { problems: { 'empty-body': 'ignore' } }, caught: ['framing/13'] },
  'drops odd opcodes silently': {
    change: { problems: { opcode: 'destroy' } },
    caught: range('framing', 14, 16),
  },
  'ignores what is no JSON': { change: { problems: { 'not-json': 'ignore' } }, caught: ['framing/17'] },
  'ignores what is no UTF-8': { change: { problems: { 'not-utf8': 'ignore' } }, caught: ['framing/18'] },
  'dies of null': { change: { problems: { 'not-object': 'crash' } }, caught: range('framing', 19, 22) },
  'ignores garbage': {
    change: { problems: { opcode: 'ignore', length: 'ignore' } },
    caught: ['framing/23', 'framing/24'],
  },
  'keeps half-open peers': {
    change: { problems: { half: 'ignore', deadline: 'ignore' } },
    caught: ['framing/25', 'close/11', 'close/12'],
  },
  'splits its writes': trait('splits-writes', 'framing/30', 'ready/10'),
  'joins answer and event': trait('together', 'framing/31'),
  'answers at length': trait('padded', 'scope/24'),

  // Handshake and READY.
  'gives no READY': trait('no-ready', 'handshake/1', 'handshake/30', 'framing/9', 'limits/4', 'limits/5'),
  'wants a number': trait('number-v', 'handshake/2'),
  'wants a version': trait('v-required', 'handshake/3'),
  'wants two keys': trait('strict-handshake', 'handshake/4'),
  'takes any version': {
    change: { problems: { version: 'ignore' } },
    caught: ['handshake/5', 'handshake/6', 'handshake/7', 'websocket/3'],
  },
  'ignores odd versions': trait('silent-on-odd-v', 'handshake/8'),
  'dies of an odd version': trait('crash-on-odd-v', 'handshake/9'),
  'ignores a missing id': {
    change: { problems: { 'client-id-missing': 'ignore' } },
    caught: ['handshake/10', 'handshake/11', 'handshake/12', 'websocket/6'],
  },
  'takes any id': trait('any-client-id', ...range('handshake', 13, 16), 'websocket/7'),
  'words it otherwise': {
    change: { problems: { 'client-id-unknown': { close: 4000, message: 'bad id' } } },
    caught: ['handshake/14'],
  },
  'ignores ids of other types': {
    change: { problems: { 'client-id-type': 'ignore' } },
    caught: ['handshake/17', 'handshake/18'],
  },
  'dies of a handshake null': {
    change: { problems: { 'handshake-not-object': 'crash' } },
    caught: range('handshake', 19, 21),
  },
  'ignores a broken handshake': {
    change: { problems: { 'handshake-not-json': 'ignore' } },
    caught: ['handshake/22', 'handshake/23'],
  },
  'ignores early requests': { change: { problems: { 'frame-first': 'ignore' } }, caught: ['handshake/24'] },
  'takes a second handshake': {
    change: { problems: { twice: 'ignore' } },
    caught: ['handshake/25', 'handshake/26'],
  },
  'waits for ever': {
    change: { problems: { deadline: 'ignore' } },
    caught: ['handshake/28', 'handshake/29'],
  },
  'allows one session': trait('one-session', 'handshake/30', 'limits/4'),
  'answers before READY': trait('answers-before-ready', 'framing/9'),
  'gives READY a nonce': trait('ready-nonce', 'ready/1', 'ready/2'),
  'leaves the nonce out': trait('ready-without-nonce', 'ready/2'),
  'speaks version 2': trait('ready-v2', 'ready/3'),
  'names no API': trait('no-api', 'ready/4', 'ready/5'),
  'names an API with scheme': trait('absolute-api', 'ready/5'),
  'has an odd user': trait('odd-user', 'ready/6', 'ready/7', 'subscription/3'),
  'has half a user': trait('short-user', 'ready/7'),
  'shows the user everywhere': trait('user-everywhere', 'ready/8'),
  'says READY twice': trait('ready-twice', 'ready/9'),
  'says READY at length': trait('huge-ready', 'ready/10'),

  // PING and CLOSE.
  'answers every PING with 1': trait('ping-same-number', ...range('ping', 2, 8), 'ping/16'),
  'rewrites bodies': trait('ping-reformatted', 'ping/7'),
  'answers a PONG': trait('answers-pong', 'ping/9', 'ping/10'),
  'dies of an early PING': trait('crash-on-ping', 'ping/11', 'ping/12'),
  'ignores a broken PING': { change: { problems: { 'ping-not-json': 'ignore' } }, caught: ['ping/14'] },
  'answers one PING': trait('ping-once', 'ping/15'),
  'answers no large PING': trait('no-large-ping', 'ping/16'),
  'pings first': trait('pings', 'ping/17'),
  'never closes': {
    change: { problems: { close: 'ignore' } },
    caught: ['close/1', ...range('close', 3, 5), 'close/9', 'close/10'],
  },
  'dies of CLOSE': { change: { problems: { close: 'crash' } }, caught: ['close/2', 'close/8', 'ping/11'] },
  'closes without an answer': { change: { problems: { close: 'destroy' } }, caught: ['close/2'] },
  'wants a code': trait('picky-close', 'close/3', 'close/4', 'close/5', 'close/6', 'close/7', 'close/8'),
  'dies of a lost peer': {
    change: { problems: { half: 'crash' } },
    caught: ['close/13', 'close/14', 'framing/25'],
  },
  'closes with text': trait('close-as-text', 'close/15'),
  'stays after CLOSE': trait('stays-open', 'close/16', 'close/1'),

  // Envelope and errors.
  'three keys': trait('three-keys', 'envelope/1'),
  'five keys': trait('five-keys', 'envelope/2'),
  'another cmd': trait('wrong-cmd', 'envelope/3', 'errors/11'),
  'cuts nonces': trait('cuts-nonces', 'envelope/4', 'envelope/6'),
  'nonces in ASCII': trait('ascii-nonces', 'envelope/5', 'framing/7'),
  'short nonces': trait('short-nonces', 'envelope/6'),
  'nonces only once': trait('unique-nonces', 'envelope/7'),
  'ignores nonce-less requests': {
    change: { errors: { nonce: 'ignore' } },
    caught: ['envelope/8', 'envelope/9', 'envelope/10', 'errors/22'],
  },
  'ignores odd nonces': {
    change: { errors: { 'nonce-type': 'ignore' } },
    caught: ['envelope/11', 'envelope/12'],
  },
  'knows its keys only': trait('strict-envelope', 'envelope/13', 'envelope/14'),
  'answers twice': trait('answers-twice', 'envelope/15'),
  'ignores unknown commands': {
    change: { errors: { 'unknown-command': 'ignore', dispatch: 'ignore' } },
    caught: ['envelope/15', ...range('errors', 1, 4), 'errors/11', 'errors/12', 'scope/8'],
  },
  'any spelling': trait('any-case', 'errors/2'),
  'ignores odd commands': { change: { errors: { 'command-type': 'ignore' } }, caught: range('errors', 5, 8) },
  'dies of odd commands': {
    change: { errors: { 'command-type': 'crash' } },
    caught: ['errors/7', 'errors/8'],
  },
  'inherits commands': {
    change: { errors: { 'inherited-command': 'succeed', 'unknown-event': 'crash' } },
    caught: ['errors/9', 'errors/10', 'errors/20'],
  },
  'wordless errors': trait('error-without-text', 'errors/11'),
  'one error and out': trait('error-is-final', 'errors/12'),
  'any event will do': {
    change: { errors: { 'unknown-event': 'succeed' } },
    caught: ['errors/13', 'errors/18', 'errors/19', 'errors/21'],
  },
  'no event needed': {
    change: { errors: { 'event-missing': 'succeed' } },
    caught: ['errors/14', 'errors/15'],
  },
  'READY for everybody': {
    change: { errors: { 'internal-event': 'succeed' } },
    caught: ['errors/16', 'errors/17'],
  },
  'command before nonce': trait('command-first', 'errors/22'),
  'arguments before scope': trait('args-first', 'errors/23'),
  'takes any activity': {
    change: { errors: { activity: 'succeed', 'args-type': 'succeed' } },
    caught: ['errors/24', 'errors/25', 'errors/26', 'errors/27'],
  },
  'strict arguments': trait('strict-args', 'errors/28'),

  // Scopes.
  'asks for no scope': {
    change: { errors: { scope: 'succeed' } },
    caught: [...range('scope', 1, 8), ...range('scope', 18, 20), 'authorization/19'],
  },
  'wants a token for presence': trait('token-for-activity', 'scope/9'),
  'wants a token for events': trait(
    'token-for-events',
    'scope/10',
    'subscription/1',
    'subscription/3',
    'subscription/13',
    'subscription/14',
    'subscription/17',
  ),
  'events for everybody': {
    change: { errors: { 'event-scope': 'succeed' } },
    caught: ['scope/11', 'scope/12'],
  },
  'odd guilds': trait('odd-guilds', ...range('scope', 13, 17)),
  'rpc is nothing': trait('rpc-is-nothing', ...range('scope', 13, 16), 'voice/1'),
  'any scope will do': trait('any-scope', 'scope/18', 'scope/19', 'scope/20'),
  'only rpc will do': trait('only-rpc', 'scope/19', 'scope/20'),
  'guilds without arguments': {
    change: { errors: { guild: 'succeed', channel: 'succeed', args: 'succeed' } },
    caught: ['scope/21', 'scope/22', 'scope/23'],
  },

  // Subscriptions.
  'answers SUBSCRIBE with null': trait('empty-subscribe', 'subscription/1'),
  'event first': trait('event-first', 'subscription/2', 'subscription/8'),
  'no replay': trait('no-replay', 'subscription/3', 'subscription/5', 'subscription/6'),
  'events with a nonce': trait('event-nonce', 'subscription/4'),
  'one subscription an event': trait('one-subscription', 'subscription/6'),
  'no delivery': trait(
    'no-delivery',
    'subscription/7',
    'subscription/8',
    'subscription/9',
    'subscription/12',
  ),
  'only to oneself': trait('only-to-self', 'subscription/7'),
  'not to oneself': trait('not-to-self', 'subscription/8'),
  'counts twice': trait('counts-twice', 'subscription/9'),
  'never unsubscribes': trait('never-unsubscribes', 'subscription/10'),
  'must be subscribed': trait('must-be-subscribed', 'subscription/11'),
  'to everybody': trait('broadcast', 'subscription/10', 'subscription/12'),
  'args required': trait('args-required', 'subscription/13', 'subscription/14'),
  'args null refused': trait('null-args-refused', 'subscription/14'),
  'any guild': {
    change: { errors: { 'event-guild': 'succeed', 'event-args': 'succeed' } },
    caught: ['subscription/15', 'subscription/16'],
  },
  'replays everything': trait('replays-all', 'subscription/17', 'subscription/18'),
  'always news': trait('always-news', 'subscription/19'),

  // Authorization.
  'gives no code': trait('no-code', 'authorization/1', 'authorization/8'),
  'any AUTHORIZE': {
    change: {
      errors: {
        'authorize-client': 'succeed',
        'authorize-foreign': 'succeed',
        'authorize-response': 'succeed',
        'authorize-late': 'succeed',
      },
    },
    caught: ['authorization/2', 'authorization/3', 'authorization/4', 'authorization/21'],
  },
  'any scope name': lenient('scopes', 'authorization/5'),
  'scopes as arrays only': trait('scope-only-array', 'authorization/6', 'authorization/7'),
  'a token without scope': trait('token-without-scope', 'authorization/8'),
  'gives no token': trait('no-token', 'authorization/12', 'authorization/15', 'authorization/16'),
  'no PKCE': trait('no-pkce', 'authorization/9', 'authorization/10'),
  'PKCE in plain': trait('plain', 'authorization/11'),
  'codes for ever': trait('code-twice', 'authorization/12'),
  'any code': trait('any-code', 'authorization/13'),
  'no refresh': trait('no-refresh', 'authorization/14'),
  'short AUTHENTICATE': trait('short-authenticate', 'authorization/15'),
  'keeps the token': trait('no-access-token', 'authorization/16'),
  'any token': {
    change: {
      errors: {
        token: 'succeed',
        'token-null': 'ignore',
        'token-twice': 'succeed',
        'token-foreign': 'succeed',
      },
    },
    caught: [
      'authorization/17',
      'authorization/18',
      'authorization/19',
      'authorization/20',
      'authorization/22',
      'authorization/24',
    ],
  },
  'scopes anyway': trait('scopes-anyway', 'authorization/19'),
  'revokes nothing': trait('revoke-nothing', 'authorization/23', 'authorization/24', 'authorization/25'),
  'revokes in silence': { change: { problems: { revoked: 'ignore' } }, caught: ['authorization/23'] },
  'any refresh token': trait('any-refresh', 'authorization/25'),
  'one AUTHORIZE for ever': {
    change: { traits: ['silent-second'], errors: { 'authorize-open': 'ignore' } },
    caught: ['authorization/26'],
  },

  // Voice.
  'half the settings': trait('short-voice', 'voice/1'),
  'out of its own range': trait('odd-voice', 'voice/2'),
  'one shortcut': trait('no-shortcut-array', 'voice/3'),
  'half an answer': trait('partial-answer', 'voice/4', 'voice/21'),
  'touches more': trait('touches-more', 'voice/4', 'voice/20', 'voice/21'),
  'replaces objects': trait('no-merge', 'voice/5'),
  'any input volume': lenient('input-volume', 'voice/6', 'voice/7', 'voice/17'),
  'any output volume': lenient('output-volume', 'voice/8'),
  'any threshold': lenient('threshold', 'voice/9', 'voice/10'),
  'any delay': lenient('delay', 'voice/11'),
  'any type': lenient('voice-types', 'voice/12', 'voice/13'),
  'any device': lenient('device', 'voice/14'),
  'any mode': lenient('mode', 'voice/15'),
  'any shortcut': lenient('shortcut', 'voice/16'),
  'half a change': trait('half-changes', 'voice/17'),
  'wants names': trait('names-required', 'voice/18'),
  'whole volumes': trait('whole-volumes', 'voice/19'),
  'writable devices': trait('devices-writable', 'voice/20'),
  'no empty change': trait('strict-voice', 'voice/21'),
  'bounds excluded': trait('exclusive-bounds', 'voice/22'),

  // Activities.
  'refuses activities': trait(
    'refuses-activities',
    'activity/1',
    ...range('activity', 10, 13),
    'activity/17',
    'activity/18',
    'activity/26',
    'activity/31',
    'activity/32',
    'activity/37',
    'activity/43',
    'activity/59',
    'activity/62',
    'activity/67',
    'activity/69',
  ),
  'echoes activities': trait(
    'echo',
    'activity/2',
    'activity/27',
    'activity/44',
    'activity/66',
    'activity/69',
  ),
  'clears with an object': trait('clear-answers-object', 'activity/3', 'activity/4'),
  'no pid needed': { change: { errors: { pid: 'succeed' } }, caught: ['activity/5', 'activity/6'] },
  'any pid': lenient('pid', 'activity/7', 'activity/8', 'activity/9'),
  'any activity type': lenient('type', 'activity/14', 'activity/15', 'activity/16'),
  'any details': lenient('details', 'activity/19', 'activity/20', 'activity/22', 'activity/24'),
  'any state': lenient('state', 'activity/21'),
  'bytes for characters': trait('counts-bytes', 'activity/23'),
  'numbers for text': lenient('text-type', 'activity/25'),
  'any timestamp': lenient('timestamps', 'activity/28', 'activity/29'),
  'dies of holes': {
    change: { errors: { activity: 'crash', pid: 'crash' } },
    caught: ['activity/30', 'activity/51', 'activity/52', 'activity/64', 'activity/65'],
  },
  'any image': lenient('image', 'activity/33'),
  'any image text': lenient('image-text', 'activity/34', 'activity/35'),
  'any address': lenient('links', 'activity/36', 'activity/68'),
  'any party size': lenient('party-size', 'activity/38', 'activity/39', 'activity/40', 'activity/70'),
  'any party id': lenient('party-id', 'activity/41'),
  'any privacy': lenient('party-privacy', 'activity/42'),
  'any number of buttons': lenient('button-count', 'activity/45', 'activity/46'),
  'any label': lenient('button-label', 'activity/47', 'activity/48'),
  'any button address': lenient('button-url', 'activity/49', 'activity/50'),
  'secrets may match': lenient('secret-party', 'activity/53', 'activity/54'),
  'secrets may repeat': lenient('secret-unique', 'activity/55'),
  'secrets and buttons': lenient('secret-buttons', 'activity/56'),
  'any secret': lenient('secret', 'activity/57'),
  'any number of platforms': lenient('platforms', 'activity/58'),
  'any display type': lenient('display-type', 'activity/60'),
  'knows its activity keys only': trait('strict-activity', 'activity/61'),
  'any name': lenient('name', 'activity/63'),

  // Limits.
  'leaks slots': trait('leaks-slots', 'limits/1'),
  'few slots': trait('few-slots', 'limits/4', 'limits/5'),
  'stalls with one': trait('stalls', 'limits/2'),
  'dies of depth': trait('crash-on-depth', 'limits/6'),
  'dies of a huge nonce': trait('crash-on-huge-nonce', 'limits/7'),
  polluted: trait('polluted', 'limits/8'),
  'serves one at a time': trait('one-at-a-time', 'limits/9'),
  'forgets quick updates': trait('rate-limited', 'limits/10'),

  // WebSocket.
  'any origin': trait('any-origin', 'websocket/1'),
  'no origin needed': trait('no-origin', 'websocket/2'),
  'any encoding': { change: { problems: { encoding: 'ignore' } }, caught: ['websocket/4'] },
  'encoding required': trait('encoding-required', 'websocket/5'),

  // Nothing at all.
  'says nothing': trait('mute', 'handshake/1', 'ping/1', 'ready/1'),
};
