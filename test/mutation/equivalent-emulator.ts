import type { Equivalent } from './equivalent.ts';

/** A line in which an empty text stands for an absent id. */
const absentId = (line: string): Equivalent => ({
  line,
  to: ['"Stryker was here!"'],
  reason: 'no record has this text as its id; it stands for an absent id, for the type',
});

/** The equivalent mutants of the emulator, by source file. */
export const IN_EMULATOR: Readonly<Record<string, readonly Equivalent[]>> = {
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
  'src/emulator/guilds/automod/automod.ts': [
    {
      line: 'if (author === null || isPrivate(channel)) return () => {};',
      to: ['author === null && isPrivate(channel)'],
      reason: 'neither an unknown author nor a channel without a guild has rules; the check is for the types',
    },
  ],
  'src/emulator/guilds/automod/dispatches.ts': [
    {
      line: 'if (rule === undefined || action === undefined) continue;',
      to: ['false'],
      reason: 'an executed action is removed with its rule; the check is for the types',
    },
  ],
  'src/emulator/guilds/roles/roles.ts': [
    {
      line: 'return BigInt(a.id) < BigInt(b.id) ? 1 : -1;',
      to: ['BigInt(a.id) <= BigInt(b.id)'],
      reason: 'no two roles have the same id',
    },
  ],
  'src/emulator/guilds/voice/dispatches.ts': [
    {
      line: "const before = (state: VoiceState): string | undefined => commit.was('channels', state.channel)?.guild;",
      to: ["commit.was('channels', state.channel).guild"],
      reason: 'the channel of a state was there before; the question mark is for the type',
    },
  ],
  'src/emulator/interactions/answer.ts': [
    absentId("if (isPutOff && platform.interactions.message(state.message ?? '') !== undefined) {"),
    absentId("const message = platform.interactions.message(id ?? original ?? '');"),
  ],
  'src/emulator/interactions/callback.ts': [
    absentId("const message = interactions.message(interaction.message ?? '');"),
  ],
  'src/emulator/interactions/channel-webhooks/dispatches.ts': [
    absentId("const channel = tables.channels.get(id ?? '');"),
  ],
  'src/emulator/interactions/channel-webhooks/github.ts': [
    {
      line: "return (text.split('\\n')[0] ?? '').slice(0, 100);",
      to: ['"Stryker was here!"'],
      reason: 'the first part of a split text is always there; its default is for the type',
    },
  ],
  'src/emulator/interactions/channel-webhooks/routes.ts': [
    absentId("if (channels.get(before.channel ?? '')?.guild !== channel.guild) {"),
  ],
  'src/emulator/interactions/channel-webhooks/webhooks.ts': [
    absentId("const channel = tables.channels.get(webhook?.channel ?? '');"),
  ],
  'src/emulator/interactions/commands/visibility.ts': [
    absentId("const parent = isThread(channel) ? tables.channels.get(channel.parent ?? '') : undefined;"),
  ],
  'src/emulator/interactions/new-interaction.ts': [
    absentId("const message = tables.messages.get(id ?? '') ?? tables.ephemeral_messages.get(id ?? '');"),
  ],
  'src/emulator/interactions/payload.ts': [
    absentId("const message = platform.interactions.message(interaction.message ?? '');"),
  ],
  'src/emulator/interactions/player/choices.ts': [
    {
      line: "const key = select.custom_id ?? '';",
      to: ['"Stryker was here!"'],
      reason: 'a select that can be used has an id; the default is for the type',
    },
  ],
  'src/emulator/interactions/player/command-use.ts': [
    absentId("const message = tables.messages.get(using.target ?? '');"),
  ],
  'src/emulator/interactions/player/filled-modal.ts': [
    {
      line: "const field = filled.get(custom_id ?? '');",
      to: ['"Stryker was here!"'],
      reason: 'no field has this text as its id; it stands for an absent id, for the type',
    },
  ],
  'src/emulator/interactions/player/interaction-view.ts': [
    absentId(
      "const answer = 'message' in state ? platform.interactions.message(state.message ?? '') : undefined;",
    ),
  ],
  'src/emulator/interactions/routes.ts': [
    absentId(
      "const message = 'message' in state ? platform.interactions.message(state.message ?? '') : undefined;",
    ),
  ],
  'src/emulator/kernel/state/commit.ts': [
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
  'src/emulator/serve/gateway/gateway-server.ts': [
    {
      line: '(this as GatewaySocket).connection?.closed(code);',
      to: ['(this as GatewaySocket).connection.closed'],
      reason: 'a socket has its connection before this listener; the question mark is for the type',
    },
    {
      line: '(this as GatewaySocket).connection?.receive(data);',
      to: ['(this as GatewaySocket).connection.receive'],
      reason: 'a socket has its connection before this listener; the question mark is for the type',
    },
  ],
  'src/emulator/serve/gateway/guild.ts': [
    absentId("const eventChannel = tables.channels.get(event.channel ?? '');"),
  ],
  'src/emulator/serve/gateway/identify.ts': [
    {
      line: ": listener.kind === 'bearer' && owner.family === known.family && listener.user === known.userId;",
      to: ["listener.kind === 'bearer' && owner.family === known.family", 'true'],
      reason: 'the tokens of a family are of one user, and no session of a bot has a family',
    },
  ],
  'src/emulator/serve/gateway/wire.ts': [
    {
      line: "this.#compressor.on('error', () => socket.terminate());",
      to: ['() => undefined', '""'],
      reason: 'the compression of text fails only without memory',
    },
  ],
  'src/emulator/serve/http/fault-replies.ts': [
    {
      line: "const { path } = requestPathOf(targetOf(request.url ?? '').pathname);",
      to: ['"Stryker was here!"'],
      reason: 'a request of a server has an address; the default is for the type',
    },
    {
      line: "return { on: 'http', method: request.method ?? '', path, application: applicationOf(request, platform) };",
      to: ['"Stryker was here!"'],
      reason: 'a request of a server has a method; the default is for the type',
    },
  ],
  'src/emulator/serve/http/multipart.ts': [
    {
      line: String.raw`return [field, field.replace(/\[\d{1,4}\]$/, '[n]'), field.replace(/\d{1,4}$/, '{n}')].some((name) =>`,
      to: [String.raw`/\[\d{1,4}\]/`, String.raw`/\d{1,4}/`],
      reason: 'what follows the number stays, and no declared field has anything there',
    },
  ],
  'src/emulator/serve/http/server.ts': [
    {
      line: "refuseBroken(duplex as Socket, BROKEN[error.code ?? ''] ?? 400),",
      to: ['"Stryker was here!"'],
      reason: 'no status is listed for this text; it stands for an absent code, for the type',
    },
    {
      line: 'refusedOwner: options.refusedOwner ?? ownerCheck(process.getuid?.()),',
      to: ['process.getuid()'],
      reason: 'only Windows has no getuid',
    },
  ],
};
