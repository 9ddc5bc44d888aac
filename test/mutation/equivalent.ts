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
      line: "if (path !== lastPath) host?.log('info', 'the upstream is here', { path });",
      to: ['host.log'],
      reason: 'a core is started before it connects; the question mark is for the type',
    },
    {
      line: "host?.log('warn', 'the upstream cannot be used', { reason: fault });",
      to: ['host.log'],
      reason: 'a core is started before it connects; the question mark is for the type',
    },
    {
      line: "host?.log('warn', 'the chat client sent text that is not valid UTF-8', { session, clientId });",
      to: ['host.log'],
      reason: 'a core is started before it opens a session; the question mark is for the type',
    },
    {
      line: 'event: (evt, data) => host?.relay(peer.sessionId, evt, data),',
      to: ['host.relay'],
      reason: 'a core is started before it opens a session; the question mark is for the type',
    },
    {
      line: 'authenticated: (scopes) => host?.grant(peer.sessionId, scopes),',
      to: ['host.grant'],
      reason: 'a core is started before it opens a session; the question mark is for the type',
    },
    {
      line: 'refused: ({ code, message }) => host?.closeSessions({ sessionId: peer.sessionId }, code, message),',
      to: ['host.closeSessions'],
      reason: 'a core is started before it opens a session; the question mark is for the type',
    },
  ],
  'src/emulator/accounts/oauth2/exchange.ts': [
    {
      line: 'context.codes.spend(args.code, context.tokens.familyOf(pair.accessToken)?.id);',
      to: ['context.tokens.familyOf(pair.accessToken).id'],
      reason: 'a token that was just issued has a family; the question mark is for the type',
    },
    {
      line: '...(guild === undefined ? {} : { guild }),',
      to: ['false'],
      reason: 'JSON leaves out a member without a value',
    },
    {
      line: '...(webhook === undefined ? {} : { webhook }),',
      to: ['false'],
      reason: 'JSON leaves out a member without a value',
    },
    {
      line: '...(nonce === undefined ? {} : { nonce }),',
      to: ['false'],
      reason: 'JSON leaves out a member without a value',
    },
    {
      line: 'return { ...toAnswer(pair, scopes), ...(id_token === undefined ? {} : { id_token }) };',
      to: ['false'],
      reason: 'JSON leaves out a member without a value',
    },
  ],
  'src/emulator/accounts/oauth2/external.ts': [
    {
      line: "scope: PROVISIONAL_SCOPES.join(' '),",
      to: ['""'],
      reason: 'there is one such scope',
    },
  ],
  'src/emulator/accounts/oauth2/pages/web-consent.ts': [
    {
      line: "return isAnswered ? this.#run(request, 'page', signal) : undefined;",
      to: ['""'],
      reason: 'a request that is answered without a prompt does not wait, so its page is named nowhere',
    },
    {
      line: ".find((one) => one.kind === 'authorization' && one.peer.sessionId === pendingId)?.id;",
      to: ['true'],
      reason: 'the id of a page is random, and no request of another kind has it; the check is for the type',
    },
  ],
  'src/emulator/accounts/oauth2/rpc-token.ts': [
    {
      line: 'return { rpc_token: context.rpcTokens.issue({ userId: context.me(), clientId, scopes: [], ...nothing }) };',
      to: ['["Stryker was here"]'],
      reason: 'nobody reads the scopes of such a token, which are those of the request that uses it',
    },
  ],
  'src/emulator/accounts/oauth2/tokens.ts': [
    {
      line: "return this.#families.get(this.#byHash.get(digest(token)) ?? '');",
      to: ['"Stryker was here!"'],
      reason: 'no family has either name',
    },
    {
      line: '...(parent === undefined ? {} : { parent }),',
      to: ['false'],
      reason: 'JSON leaves out a member without a value',
    },
    {
      line: '...(deputy === undefined ? {} : { deputy }),',
      to: ['false'],
      reason: 'JSON leaves out a member without a value',
    },
  ],
  'src/emulator/api/permissions/dated.ts': [
    {
      line: "BYPASS_SLOWMODE: { by: ['MANAGE_MESSAGES', 'MANAGE_CHANNELS'], of: 'persons' },",
      to: ['""'],
      reason: 'whatever is neither "all" nor "bots" means persons',
    },
  ],
  'src/emulator/api/permissions/evaluate.ts': [
    {
      line: 'if (explicit === ALL_PERMISSIONS && rolesOf(subject) === ALL_PERMISSIONS) return explicit;',
      to: ['true'],
      reason: 'whose roles give everything has everything explicitly; the first comparison saves the second',
    },
  ],
  'src/emulator/applications/monetization/subscriptions.ts': [
    {
      line: 'for (const id of ids) if (entitlements.get(id)?.ends_at !== end) entitlements.update(id, { ends_at: end });',
      to: ['entitlements.get(id).ends_at'],
      reason: 'a subscription refers to entitlements that exist; the question mark is for the type',
    },
  ],
  'src/emulator/applications/webhooks/interactions-endpoint.ts': [
    {
      line: "if (!isPong(ping)) throw new SettingError('url', faultText(ping, 'the PING', '200 and {\"type\":1}'));",
      to: ['""'],
      reason: 'the answer to the request has the reason of the error alone',
    },
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a line of source.
      line: "throw new SettingError('url', faultText(forged, 'a wrong signature', `${UNAUTHORIZED}`));",
      to: ['""'],
      reason: 'the answer to the request has the reason of the error alone',
    },
  ],
  'src/emulator/applications/webhooks/webhooks.ts': [
    {
      line: "const isRefused = forged.outcome.kind === 'answered' && forged.outcome.status === UNAUTHORIZED;",
      to: ['true'],
      reason: 'an outcome without an answer has no status',
    },
    {
      line: 'if (application === undefined) return;',
      to: ['false'],
      reason: 'a delivery that is gone is not sent in any case; the line saves its turn',
    },
  ],
  'src/emulator/applications/webhooks/post.ts': [
    {
      line: "if (late?.effect.kind === 'delay') await delay(late.effect.ms, undefined, { ref: false });",
      to: ['true', 'late.effect.kind'],
      reason: 'a delay is the only effect that was asked for, and a program that ends is not kept by it',
    },
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a line of source.
      line: 'const signed = isForged ? `${timestamp} ${body}` : `${timestamp}${body}`;',
      to: ['``'],
      reason: 'the signature of any other text is a wrong one',
    },
  ],
  'src/emulator/kernel/state/commit.ts': [
    {
      line: 'const names = [...this.#stores.keys()].filter((name) => this.#changes.has(name));',
      to: ['[...this.#stores.keys()]'],
      reason: 'a table without changes has no events; the filter saves two look-ups of each table',
    },
    {
      line: 'const position = touched?.has(key) ? touched.get(key) : this.#stores.get(name)?.positionOf(key);',
      to: ['this.#stores.get(name).positionOf'],
      reason: 'every name has a table; the question mark is for the type',
    },
  ],
  'src/emulator/kernel/state/key-map.ts': [
    {
      line: 'const known = this.#deleted > 0 && this.#values.get(key) === undefined;',
      to: ['true', 'this.#deleted >= 0'],
      reason: 'without a deleted key, a key that has no value is new, and a new key changes the size',
    },
    {
      line: 'if (this.#deleted <= FEW || this.#deleted * 2 <= this.#values.size) return;',
      reason: 'the same keys and values; deleted keys leave the memory earlier or later',
    },
  ],
  'src/emulator/kernel/state/ordered-rows.ts': [
    {
      line: 'else if (this.#compare(lastOf(end), entry) >= 0) this.#insert(entry);',
      to: ['this.#compare(lastOf(end), entry) > 0'],
      reason: 'no two entries have the same rank or key',
    },
    {
      line: 'else if (end.length < CHUNK) end.push(entry);',
      reason: 'the same rows in the same order, in chunks of another size',
    },
    {
      line: 'if (chunk.length > CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK / 2));',
      to: ['false', 'chunk.length >= CHUNK'],
      reason: 'the same rows in the same order, in chunks of another size',
    },
    {
      line: 'for (; at < this.#chunks.length; at += 1, index = 0) {',
      to: ['at <= this.#chunks.length'],
      reason: 'behind the last chunk is an empty one',
    },
  ],
  'src/emulator/kernel/state/row-index.ts': [
    {
      line: "if (typeof value === 'string') this.#addTo(value, entry);",
      to: ['false', '""'],
      reason: 'the other branch adds a single value too, in a list of one',
    },
  ],
  'src/emulator/kernel/state/schema-parts.ts': [
    {
      line: "issue.code === 'unrecognized_keys' ? unknownKey(issue.keys[0] ?? '', Object.keys(shape)) : undefined,",
      to: ['"Stryker was here!"'],
      reason: 'an issue of unknown keys has at least one; the default is for the type',
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
  'src/session/shapes.ts': [
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
};
