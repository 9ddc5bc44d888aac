import { ApiError } from '../../api/api-error.ts';
import type { Reading, Transaction, World, Writing } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import { ownText } from '../../kernel/own-text.ts';
import { MESSAGE_TYPES, type Message } from '../../messages/records.ts';
import { AUDIT, writeAudit } from '../audit/audit.ts';
import type { AnyChannel } from '../channels/channel-access.ts';
import { isPrivate } from '../channels/private-records.ts';
import { type ChannelRecord, hasText } from '../channels/records.ts';
import { memberOf, updateMember } from '../members/membership.ts';
import type { Member } from '../members/records.ts';
import { QUARANTINED } from '../roles/rights.ts';
import { type Breach, breachesOf, breachesOfProfile } from './breaches.ts';
import { Patterns } from './patterns.ts';
import { ACTIONS } from './records.ts';

const MAX_FIELD_LENGTH = 1024;
/** Maximum number of executed actions in one transaction. They are stored until their events are emitted at its end. */
const MAX_EXECUTIONS = 200;

/** A message before it is created or edited. */
export interface NewMessage {
  readonly channel: AnyChannel;
  /** Id of the user; null for a webhook, which is not moderated. */
  readonly author: string | null;
  readonly content: string;
  /** Number of mentioned users and roles. */
  readonly mentions: number;
}

/**
 * Writes the alert of a rule to a channel and returns the id of the message; undefined if the emulator has no memory
 * left for the message.
 */
export type WriteAlert = (
  world: World,
  tables: Writing,
  now: number,
  alert: Pick<Message, 'channel' | 'author' | 'type' | 'embeds'>,
) => string | undefined;

/** Subject of an action: a message or a member. */
type ActionSubject = {
  readonly author: string;
  readonly content: string;
  readonly guild: string;
  /** Undefined for a member. */
  readonly channel?: ChannelRecord;
  readonly breaches: readonly Breach[];
};

/** The 400 error for a message that a rule of the guild blocks. The rule's other actions have been carried out. */
export class MessageBlocked extends ApiError {
  /** Additional text for the author, which the rule contains. */
  readonly explanation: string | undefined;
  /** Carries out the other actions again, if the transaction that included them was undone. */
  readonly redo: () => void;

  constructor(explanation: string | undefined, redo: () => void) {
    super('MessageWasBlockedByAutomaticModeration');
    this.explanation = explanation;
    this.redo = redo;
  }
}

/** Automatic moderation of messages and members. */
export class AutoMod {
  readonly patterns: Patterns;
  readonly #world: World;
  readonly #clock: Clock;
  readonly #writeAlert: WriteAlert;
  /** Number of executed actions. */
  #executed = 0;

  constructor(world: World, clock: Clock, alert: WriteAlert) {
    this.#world = world;
    this.#clock = clock;
    this.#writeAlert = alert;
    this.patterns = new Patterns(world.tables);
  }

  /**
   * Checks a message against the rules of the guild. The returned function carries out the actions of the broken rules;
   * call it in the transaction that writes the message. @throws MessageBlocked for a rule that blocks
   */
  check({ channel, author, content, mentions }: NewMessage): (messageId: string) => void {
    const { tables } = this.#world;
    // Private channels have no rules.
    if (author === null || isPrivate(channel)) return () => {};
    const sentMessage = { guild: channel.guild, channels: above(tables, channel), author, content, mentions };
    const breaches = breachesOf(tables, sentMessage, this.#find);
    if (breaches.length === 0) return () => {};
    const subject = { guild: channel.guild, channel, author, content, breaches };
    const blocks = breaches.flatMap(({ rule }) => rule.actions.filter(isBlock));
    if (blocks.length === 0) return (messageId) => this.#enact(subject, messageId);
    const redo = () => this.#enact(subject);
    redo();
    const [first] = blocks.flatMap(({ custom_message }) => custom_message ?? []);
    throw new MessageBlocked(first, redo);
  }

  /** Checks the names of new and renamed members, and loads the pattern engine for new rules. */
  follow(transaction: Transaction): void {
    const { tables } = this.#world;
    const { events } = transaction;
    this.patterns.follow(transaction);
    if (tables.automod_rules.size === 0) return;
    const fresh = new Set(
      events.flatMap((event) =>
        event.table === 'guilds' && event.kind === 'created' ? [event.after.id] : [],
      ),
    );
    for (const event of events) {
      if (event.kind === 'removed') continue;
      if (event.table === 'members' && !fresh.has(event.after.guild)) {
        const { guild, user, nick } = event.after;
        if (event.kind === 'created' || event.before.nick !== nick) this.#check(guild, user);
      }
      if (event.table === 'users' && event.kind === 'updated') {
        const { before, after } = event;
        if (before.username === after.username && before.global_name === after.global_name) continue;
        for (const { guild } of [...tables.members.by('user', after.id)]) this.#check(guild, after.id);
      }
    }
  }

  /**
   * Loads the pattern engine if a rule needs it, and checks each member whose quarantine differs from what the rules
   * require.
   */
  recover(): void {
    const { tables } = this.#world;
    this.patterns.recover();
    for (const guild of new Set([...tables.automod_rules].map((rule) => rule.guild))) {
      for (const { user, flags } of [...tables.members.by('guild', guild)]) {
        const member = memberOf(tables, guild, user);
        if (member === undefined) continue;
        if (this.#holds(breachesOfProfile(tables, member, this.#find)) !== ((flags & QUARANTINED) !== 0))
          this.#check(guild, user);
      }
    }
  }

  #holds(breaches: readonly Breach[]): boolean {
    return breaches.some(({ rule }) =>
      rule.actions.some(({ type }) => type === ACTIONS.block_member_interaction),
    );
  }

  #check(guild: string, userId: string): void {
    const { tables } = this.#world;
    const member = memberOf(tables, guild, userId);
    if (member === undefined) return;
    const breaches = breachesOfProfile(tables, member, this.#find);
    const flags = this.#holds(breaches) ? member.flags | QUARANTINED : member.flags & ~QUARANTINED;
    this.#world.transaction((writing) => {
      if (flags !== member.flags) updateMember(writing, member, { flags });
      const content = breaches[0]?.match?.content ?? '';
      this.#enact({ guild, author: userId, content, breaches });
    });
  }

  readonly #find = (pattern: string, text: string) => this.patterns.find(pattern, text);

  #enact(subject: ActionSubject, messageId?: string): void {
    this.#world.transaction((tables) => {
      const member = memberOf(tables, subject.guild, subject.author);
      if (member === undefined) return;
      for (const breach of subject.breaches) {
        for (const actionIndex of breach.rule.actions.keys())
          this.#act(tables, member, subject, breach, actionIndex, messageId);
      }
    });
  }

  #act(
    tables: Writing,
    member: Member,
    subject: ActionSubject,
    breach: Breach,
    actionIndex: number,
    messageId: string | undefined,
  ): void {
    const now = this.#clock.now();
    const { rule, match } = breach;
    const action = rule.actions[actionIndex];
    if (action === undefined) return;
    let alert: string | undefined;
    switch (action.type) {
      case ACTIONS.send_alert:
        alert = this.#alert(tables, subject, breach, action.channel, messageId);
        if (alert === undefined) return;
        break;
      case ACTIONS.timeout: {
        const until = now + (action.duration_seconds ?? 0) * 1000;
        const held = tables.members.get(member.guild, member.user) ?? member;
        if (Date.parse(held.communication_disabled_until ?? '') >= until) return;
        updateMember(tables, held, { communication_disabled_until: new Date(until).toISOString() });
        break;
      }
    }
    writeAudit(
      this.#world,
      tables,
      { guild: { id: subject.guild }, member, now },
      {
        action: AUDIT_OF[action.type] ?? AUDIT.AUTO_MODERATION_BLOCK_MESSAGE,
        target: member.user,
        reason: undefined,
        options: {
          auto_moderation_rule_name: rule.name,
          auto_moderation_rule_trigger_type: String(rule.trigger_type),
          ...(subject.channel === undefined ? {} : { channel_id: subject.channel.id }),
        },
      },
    );
    this.#executed += 1;
    tables.automod_executions.insert({
      id: String(this.#executed),
      guild: subject.guild,
      rule: rule.id,
      action: actionIndex,
      user: member.user,
      channel: subject.channel?.id ?? null,
      message: messageId ?? null,
      alert: alert ?? null,
      content: subject.content,
      keyword: match?.keyword ?? null,
      matched: match?.content ?? null,
    });
    tables.automod_executions.keepLast(MAX_EXECUTIONS);
  }

  /**
   * Writes an alert and returns the id of the message; undefined if the channel was deleted or cannot receive messages.
   */
  #alert(
    tables: Writing,
    { guild, channel, author, content }: ActionSubject,
    { rule, match }: Breach,
    to: string | null,
    messageId: string | undefined,
  ): string | undefined {
    const alertChannel = to === null ? undefined : tables.channels.get(to);
    if (alertChannel === undefined || alertChannel.guild !== guild || !hasText(alertChannel))
      return undefined;
    const now = this.#clock.now();
    const fields = {
      rule_name: rule.name,
      channel_id: channel?.id,
      decision_id: this.#world.ids.next(now),
      keyword: match?.keyword,
      keyword_matched_content: match?.content,
      flagged_message_id: messageId,
    };
    const embedFields = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value: ownText(value.slice(0, MAX_FIELD_LENGTH)), inline: false }],
    );
    return this.#writeAlert(this.#world, tables, now, {
      channel: alertChannel.id,
      author,
      type: MESSAGE_TYPES.automodAction,
      embeds: [{ type: 'auto_moderation_message', description: content, fields: embedFields }],
    });
  }
}

const AUDIT_OF: Readonly<Record<number, number>> = {
  [ACTIONS.block_message]: AUDIT.AUTO_MODERATION_BLOCK_MESSAGE,
  [ACTIONS.send_alert]: AUDIT.AUTO_MODERATION_FLAG_TO_CHANNEL,
  [ACTIONS.timeout]: AUDIT.AUTO_MODERATION_TIMEOUT,
  [ACTIONS.block_member_interaction]: AUDIT.AUTO_MODERATION_QUARANTINE,
};

function isBlock({ type }: { readonly type: number }): boolean {
  return type === ACTIONS.block_message;
}

/** Ids of a channel and its parents: for a thread its channel, and then the category. */
function above({ channels }: Reading, channel: ChannelRecord): string[] {
  const ids: string[] = [];
  for (
    let one: ChannelRecord | undefined = channel;
    one !== undefined;
    one = channels.get(one.parent ?? '')
  ) {
    ids.push(one.id);
  }
  return ids;
}

/** Service with automatic moderation. */
export interface HasAutoMod {
  readonly automod: AutoMod;
}
