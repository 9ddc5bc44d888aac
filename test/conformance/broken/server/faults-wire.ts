import { type Fault, range, trait } from './fault.ts';

/** Servers that are wrong about endpoints, frames, handshakes, envelopes and errors. */
export const wireFaults: Readonly<Record<string, Fault>> = {
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
  'ends with what is not UTF-8': trait('strict-utf8', 'framing/18'),
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
  'answers no notice of streams': trait('no-notice', 'ping/18', 'ping/19'),
  'offers streams without a text': trait('no-notice-text', 'ping/18', 'ping/19'),
  'turns streams around': trait('reversed-streams', 'ping/18'),
  'answers streams otherwise': trait('padded-streams', 'ping/18'),
  'takes one notice of streams': trait('one-notice', 'ping/19'),
  'takes an early notice for an error': trait('no-early-notice', 'ping/19'),
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
};
