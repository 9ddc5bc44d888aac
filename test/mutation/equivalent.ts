import { IN_EMULATOR } from './equivalent-emulator.ts';

/** Mutants that no test can notice, because the program then still does the same. */
export interface Equivalent {
  /** The line in which they begin, without its indentation: what is changed there is judged anew. */
  readonly line: string;
  /** The mutated code, as the summary prints it; absent for every mutant of the line that survives. */
  readonly to?: readonly string[];
  readonly reason: string;
}

/** By source file. */
export const EQUIVALENT: Readonly<Record<string, readonly Equivalent[]>> = {
  'service/launch.ts': [
    {
      line: "const child = spawn(file, args, { ...spawnOptions, detached: true, stdio: 'ignore', windowsHide: true });",
      to: ['false'],
      reason: 'only Windows shows a window',
    },
  ],
  'service/launchd.ts': [
    {
      line: `this.#domain = \`gui/\${context.uid ?? ''}\`;`,
      to: ['"Stryker was here!"'],
      reason: 'a user of macOS has a uid; the default is for the type',
    },
  ],
  'service/receipt.ts': [
    {
      line: 'const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));',
      reason: 'the flags matter for a file that is replaced by a link or a FIFO after the check before',
    },
    {
      line: "if (systemCode(error) === 'ENOENT') return undefined;",
      reason: 'only for a file that is removed after the check before',
    },
  ],
  'src/base/pattern-size.ts': [
    {
      line: "} else if (sign === ')' && groups.length > 0) {",
      to: ['groups.length <= 0'],
      reason: 'the engine refuses what is too large, too; the estimate saves the expansion',
    },
  ],
  'src/core/upstream/memory.ts': [
    {
      line: "if (request.cmd !== 'SUBSCRIBE') return;",
      reason: 'no other request has the order of a SUBSCRIBE; the check saves making its key',
    },
    {
      line: `return \`\${evt} \${JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))}\`;`,
      to: ['a <= b'],
      reason: 'no two members of an object have the same name',
    },
  ],
  'src/core/upstream/relay.ts': [
    {
      line: "#state: State = { kind: 'opening' };",
      reason: 'it is a state without a link, whatever its name',
    },
  ],
  'src/core/upstream/upstream-core.ts': [
    {
      line: "host?.log('warn', 'the chat client sent text that is not valid UTF-8', { session, clientId });",
      to: ['host.log'],
      reason: 'a core is started before it opens a session; the question mark is for the type',
    },
  ],
  ...IN_EMULATOR,
  'src/presence/presences.ts': [
    {
      line: 'if (own !== undefined && !this.#isOrdered) {',
      reason: 'the shorter way, for apps that do not depend on others, has the same result',
    },
    {
      line: "return this.#options.shown === 'one' || this.#detected > 0 || this.#hasWays;",
      to: ['true', 'this.#detected >= 0'],
      reason: 'the shorter way, for apps that do not depend on others, has the same result',
    },
    {
      line: '#hasWays = false;',
      reason: 'the shorter way, for apps that do not depend on others, has the same result',
    },
    {
      line: 'this.#hasWays = rules.rules.some(({ giveWayTo }) => giveWayTo !== undefined);',
      to: ['true'],
      reason: 'the shorter way, for apps that do not depend on others, has the same result',
    },
    {
      line: 'if (entry.activity === undefined || this.#ordered.length === 0) {',
      to: ['false'],
      reason: 'without rules the ruling is the same',
    },
    {
      line: "if (before.kind !== 'shown' || after.kind !== 'shown' || !isRewriting(ruling)) return after;",
      reason: 'an equal activity in place of an equal one shows the same',
    },
    {
      line: 'if (paused !== undefined && (paused === null || paused > this.#options.now()))',
      to: ['true'],
      reason: 'no time is later than undefined; the check is for the types',
    },
    {
      line: ".filter((entry) => alone.get(entry)?.kind === 'shown')",
      to: ['alone.get(entry).kind'],
      reason: 'the map has every entry; the question mark is for the type',
    },
    {
      line: "if (this.#options.shown === 'all' || first === undefined || first.session === app.session)",
      to: ['false'],
      reason: 'an app that is shown has a first one; the check is for the types',
    },
  ],
  'src/presence/ruling.ts': [
    {
      line: "if (type !== undefined && type !== activity.type) return 'no';",
      to: ['""'],
      reason: 'every verdict but yes and unknown leaves the rule out',
    },
    {
      line: 'if (this.#texts.has(field)) return this.#texts.get(field);',
      to: ['false'],
      reason: 'a text that is made again is the same',
    },
  ],
  'src/protocol/json.ts': [
    {
      line: 'if ((end - unescaped) % 2 === 0) return end;',
      to: ['end + unescaped'],
      reason: 'the sum of two numbers is even where their difference is',
    },
  ],
  'src/scheduling/slot-pool.ts': [
    {
      line: 'return largestHolder !== undefined && this.of(largestHolder).size >= this.of(actor).size + 2',
      to: ['true'],
      reason: 'nobody holds nothing, which is less than anybody needs to owe; the comparison is for the type',
    },
  ],
  'src/scheduling/pool-share.ts': [
    {
      line: 'return this.#held.size === 0 && this.#free === this.#pool;',
      to: ['true', 'this.#held.size === 0 || this.#free === this.#pool'],
      reason:
        'both are true at the same times as long as the class is right, which is what this getter is asked for',
    },
  ],
  'src/session/flow-control.ts': [
    {
      line: 'if (bytes === 0 && this.#charged.partial === 0) return this.#stopPartialDeadline();',
      to: ['this.#charged.partial !== 0', 'false'],
      reason: 'what follows charges no bytes and stops the deadline too; the line saves that',
    },
  ],
  'src/session/late-frames.ts': [
    {
      line: 'if (this.#waiting.length > 0 && !this.#isFull) setImmediate(() => this.#goOn());',
      to: ['true', 'this.#waiting.length >= 0'],
      reason: 'a turn in which no frame may leave sends none',
    },
    {
      line: 'return bytes === frame.bytes ? frame : { ...frame, bytes, body: bytes.subarray(HEADER_BYTES) };',
      to: ['false'],
      reason: 'a frame with the same bytes and the same body',
    },
  ],
  'src/protocol/check-shapes.ts': [
    {
      line: 'return accepted === REJECTED ? checkArgs(command.args(), args) : accepted;',
      to: ['true'],
      reason: 'the schema accepts and gives the same as the check that is compiled from it, and takes longer',
    },
  ],
  'src/transport/ipc/ipc.ts': [
    {
      line: "socket.on('error', () => {});",
      to: ['""'],
      reason: 'a destroyed socket emits no error; the listener costs nothing',
    },
    {
      line: 'const fresh = createServer({ allowHalfOpen: true, pauseOnConnect: true });',
      to: ['false'],
      reason: 'a connection pauses its socket in the turn in which it is accepted',
    },
    {
      line: 'return limit !== undefined && fd !== undefined && fd >= limit - LAST_DESCRIPTORS;',
      to: ['true'],
      reason: 'no number is at least an unknown one; the checks are for the type',
    },
  ],
  'src/transport/ipc/ipc-connection.ts': [
    {
      line: "if (this.#flow.kind !== 'idle' && this.#flow.kind !== 'ended') this.#flow = { ...this.#flow, listener };",
      to: ['true', '""', "this.#flow.kind !== 'idle' || this.#flow.kind !== 'ended'"],
      reason: 'the listener of an idle or ended connection is never called',
    },
    {
      line: "if (flow.kind !== 'idle' && flow.kind !== 'ended') flow.listener?.ended();",
      to: ['true', '""'],
      reason: 'an idle or ended connection has no listener; the check is for the type',
    },
  ],
  'src/transport/ipc/plain-writer.ts': [
    {
      line: 'if (left !== this.#waiting) this.#waitingBytes = bytesOf(left);',
      to: ['true'],
      reason: 'the same sum, counted again',
    },
  ],
  'src/transport/ipc/newest-only.ts': [
    {
      line: 'if (this.#boundBytes <= MAX_WAITING_BYTES || frames === undefined) return waiting;',
      to: ['false', 'this.#boundBytes < MAX_WAITING_BYTES'],
      reason:
        'bytes are counted only with a frame, and the count is made again below; the rest is for the type',
    },
  ],
  'src/wire/decoder.ts': [
    {
      line: 'if (this.pendingBytes > 0) return this.#join(chunk);',
      to: ['true', 'this.pendingBytes >= 0'],
      reason: 'the same bytes, copied once more than needed',
    },
    {
      line: 'if (!frame && this.pendingBytes * 2 < this.#buffer.length) this.#compact(this.pendingBytes);',
      reason:
        'the same bytes in more memory or copied more often; decoder-memory.own.test.ts measures it in a process of its own',
    },
    {
      line: 'if (this.#end + chunk.length > this.#buffer.length) this.#compact(this.#capacityFor(size));',
      to: ['true', 'this.#end + chunk.length >= this.#buffer.length'],
      reason: 'the same bytes, copied more often',
    },
    {
      line: 'if (this.pendingBytes < HEADER_BYTES) return doubled;',
      reason: 'another capacity; decoder-memory.own.test.ts measures it in a process of its own',
    },
    {
      line: 'return Math.max(size, Math.min(doubled, HEADER_BYTES + (this.#int32(4) >>> 0)));',
      to: [
        'Math.max(doubled, HEADER_BYTES + (this.#int32(4) >>> 0))',
        'HEADER_BYTES - (this.#int32(4) >>> 0)',
      ],
      reason: 'another capacity; decoder-memory.own.test.ts measures it in a process of its own',
    },
    {
      line: 'const rest = capacity === 0 ? EMPTY : this.#buffer.subarray(this.#start, this.#end);',
      to: ['false'],
      reason: 'an empty array instead of the shared empty one',
    },
    {
      line: 'this.#buffer = capacity === 0 ? EMPTY : new Uint8Array(capacity);',
      to: ['false'],
      reason: 'an empty array instead of the shared empty one',
    },
  ],
  'src/wire/frame.ts': [
    {
      line: 'if (maxBytes > SLAB_BYTES) {',
      to: ['maxBytes >= SLAB_BYTES'],
      reason: 'a text that fills a slab to the last byte gets memory of its own',
    },
    {
      line: 'if (maxBytes > slab.length - used) {',
      to: ['maxBytes >= slab.length - used'],
      reason: 'the next slab is begun one frame earlier',
    },
  ],
  'src/daemon/validate-core.ts': [
    {
      line: "const detached = process.platform !== 'win32';",
      to: ['true', '""'],
      reason: 'only Windows has no groups of processes',
    },
    {
      line: "if (process.platform === 'win32') child.kill('SIGKILL');",
      to: ['false', '""'],
      reason: 'only Windows has no groups of processes',
    },
  ],
  'src/daemon/endpoints/endpoints.ts': [
    {
      line: '...(Object.keys(limits).length === 0 ? {} : { limits }),',
      to: ['false'],
      reason: "no limits of its own are the bridge's; the check saves a copy of these",
    },
  ],
  'src/daemon/notify.ts': [
    {
      line: "if (program === undefined) return resolve({ outcome: 'missing', stdout: '' });",
      to: ['"Stryker was here!"'],
      reason: 'no text but a list of capabilities or the name of a button means anything',
    },
  ],
  'src/daemon/log/sink.ts': [
    {
      line: '} catch {',
      to: ['{}'],
      reason: 'a function without a return gives undefined as well',
    },
  ],
  'src/daemon/find-upstream.ts': [
    {
      line: 'const sockets = [endpoint ?? [], options.ownPaths()].flat().flatMap((path) => statusIn(path) ?? []);',
      to: ['["Stryker was here"]'],
      reason: 'no socket is at that path, nor is any object of the system',
    },
  ],
  'src/daemon/log/file-sink.ts': [
    {
      line: 'if (process.getuid !== undefined && (status.mode & 0o777) !== 0o600) fchmodSync(fd, 0o600);',
      to: ['true'],
      reason: 'a file of that mode gets the same mode again',
    },
  ],
  'src/forward/byte-queue.ts': [
    {
      line: 'if (this.#chunks.length === 0 || bytes.length >= PAGE_BYTES) {',
      to: ['bytes.length > PAGE_BYTES'],
      reason: 'a chunk of exactly one page is the same bytes, kept or copied',
    },
  ],
  'src/forward/child-link.ts': [
    {
      line: "opens: own.side === 'apps' ? 'this end' : 'the other end',",
      to: ['""'],
      reason: 'whatever is not "this end" means the other one',
    },
  ],
  'src/forward/stdio-link.ts': [
    {
      line: "opens: own.side === 'apps' ? 'this end' : 'the other end',",
      to: ['""'],
      reason: 'whatever is not "this end" means the other one',
    },
  ],
  'src/forward/socket-source.ts': [
    {
      line: 'const fresh = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {',
      to: ['false'],
      reason: 'what Node reads before the session has a partner waits in the socket',
    },
  ],
  'src/forward/link/link-peer.ts': [
    {
      line: "#reason = '';",
      to: ['"Stryker was here!"'],
      reason: 'a reason is read only once a CLOSE has set it',
    },
  ],
  'src/forward/link/frames.ts': [
    {
      line: 'if (this.#storedBytes === 0 && chunk.length - at >= HEADER_BYTES) {',
      to: ['false', 'chunk.length - at > HEADER_BYTES'],
      reason: 'the same header, copied byte by byte',
    },
    {
      line: 'if (isFirst && isLast) {',
      to: ['false'],
      reason: 'the same body, copied first',
    },
  ],
  'src/forward/link/link.ts': [
    {
      line: "this.#received = this.#received === 'bytes' ? 'nothing' : 'asked';",
      to: ['""'],
      reason: 'whatever is neither "bytes" nor "asked" means nothing',
    },
  ],
  'src/forward/link/outbox.ts': [
    {
      line: 'const mayData = this.#turns.peek() !== undefined && this.#room() > 0;',
      to: ['true', 'this.#room() >= 0', 'this.#turns.peek() !== undefined || this.#room() > 0'],
      reason: 'a flush that has nothing to write, or no room for it, writes nothing',
    },
    {
      line: 'if (this.#turns.peek() !== undefined) this.#schedule();',
      to: ['true'],
      reason: 'a flush that has nothing to write writes nothing',
    },
  ],
  'src/forward/loop-guard.ts': [
    {
      line: 'if (bytes.length === HEADER_BYTES + PROBE_BYTES) this.#probes.received(bytes.subarray(HEADER_BYTES));',
      to: ['true'],
      reason: 'bytes of another length are no probe; the check saves looking into them',
    },
  ],
  'src/forward/socket-peer.ts': [
    {
      line: "if (socket.writableLength === 0 && reason === '') return void socket.destroy();",
      to: ['"Stryker was here!"'],
      reason: 'a socket for which nothing waits is destroyed a moment later',
    },
  ],
};
