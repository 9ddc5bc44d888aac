import type { CliCommand } from './command.ts';
import { askLink } from './commands/ask-link.ts';
import { attach, attached, detach } from './commands/attach.ts';
import { call } from './commands/call.ts';
import { completion, completionIds } from './commands/completion.ts';
import { configShow } from './commands/config.ts';
import { conformance } from './commands/conformance.ts';
import { approve, deny, grants, requests, revoke } from './commands/consent.ts';
import { console } from './commands/console.ts';
import { doctor } from './commands/doctor.ts';
import { emulate } from './commands/emulate.ts';
import {
  emulatorApply,
  emulatorGuildSet,
  emulatorReset,
  emulatorShow,
  emulatorVoiceSet,
} from './commands/emulator.ts';
import { emulatorIdToken } from './commands/emulator-account.ts';
import {
  emulatorActivityInvite,
  emulatorActivityJoin,
  emulatorActivityRequestJoin,
  emulatorActivitySpectate,
} from './commands/emulator-activity.ts';
import { emulatorBan, emulatorRemoveApp, emulatorUnban, emulatorUnlink } from './commands/emulator-ban.ts';
import {
  emulatorClockAdvance,
  emulatorClockFreeze,
  emulatorClockNow,
  emulatorClockReset,
  emulatorClockRun,
  emulatorClockSet,
} from './commands/emulator-clock.ts';
import { emulatorFaultAdd, emulatorFaultList, emulatorFaultRemove } from './commands/emulator-fault.ts';
import {
  emulatorChoose,
  emulatorClick,
  emulatorInteractions,
  emulatorSubmit,
  emulatorUse,
} from './commands/emulator-interact.ts';
import { emulatorAcceptInvite, emulatorInviteJob } from './commands/emulator-invite.ts';
import { emulatorActivityLaunch, emulatorActivityLeave } from './commands/emulator-launch.ts';
import { emulatorOnboard } from './commands/emulator-onboard.ts';
import {
  emulatorFriend,
  emulatorSignIn,
  emulatorUserLogIn,
  emulatorUserLogOut,
  emulatorUserSwitch,
} from './commands/emulator-people.ts';
import { emulatorSearchIndex } from './commands/emulator-search.ts';
import { emulatorExport, emulatorImport } from './commands/emulator-state.ts';
import {
  emulatorSubscriptionRefund,
  emulatorSubscriptionRenew,
  emulatorSubscriptionSet,
  emulatorSubscriptionStart,
} from './commands/emulator-subscription.ts';
import {
  emulatorJoin,
  emulatorLeave,
  emulatorSay,
  emulatorSpeak,
  emulatorVoiceNetwork,
} from './commands/emulator-voice.ts';
import { emulatorVote } from './commands/emulator-vote.ts';
import {
  emulatorWebhookRedeliver,
  emulatorWebhookRemove,
  emulatorWebhookSet,
  emulatorWebhooks,
} from './commands/emulator-webhook.ts';
import { journal } from './commands/journal.ts';
import { originsAdd, originsList, originsRemove } from './commands/origins.ts';
import { record, replay } from './commands/record.ts';
import { run } from './commands/run.ts';
import { schema } from './commands/schema.ts';
import { install, logs, restart, start, stop, uninstall } from './commands/service.ts';
import { status } from './commands/status.ts';
import { token } from './commands/token.ts';
import { watch } from './commands/watch.ts';

/** Every command, in the order of the help. Parser, help and completions derive from it. */
export const commandTable: readonly CliCommand[] = [
  run,
  status,
  doctor,
  console,
  install,
  uninstall,
  start,
  stop,
  restart,
  logs,
  requests,
  approve,
  deny,
  grants,
  revoke,
  emulatorUse,
  emulatorClick,
  emulatorChoose,
  emulatorSubmit,
  emulatorInteractions,
  emulatorVoiceSet,
  emulatorVoiceNetwork,
  emulatorJoin,
  emulatorLeave,
  emulatorSpeak,
  emulatorSay,
  emulatorVote,
  emulatorFriend,
  emulatorAcceptInvite,
  emulatorInviteJob,
  emulatorOnboard,
  emulatorSubscriptionStart,
  emulatorSubscriptionSet,
  emulatorSubscriptionRenew,
  emulatorSubscriptionRefund,
  emulatorUserSwitch,
  emulatorUserLogIn,
  emulatorUserLogOut,
  emulatorBan,
  emulatorUnban,
  emulatorUnlink,
  emulatorRemoveApp,
  emulatorSignIn,
  emulatorIdToken,
  emulatorWebhooks,
  emulatorWebhookSet,
  emulatorWebhookRemove,
  emulatorWebhookRedeliver,
  emulatorActivityInvite,
  emulatorActivityRequestJoin,
  emulatorActivityJoin,
  emulatorActivitySpectate,
  emulatorActivityLaunch,
  emulatorActivityLeave,
  emulatorFaultAdd,
  emulatorFaultList,
  emulatorFaultRemove,
  emulatorGuildSet,
  emulatorSearchIndex,
  emulatorShow,
  emulatorApply,
  emulatorReset,
  emulatorExport,
  emulatorImport,
  emulatorClockNow,
  emulatorClockSet,
  emulatorClockAdvance,
  emulatorClockFreeze,
  emulatorClockRun,
  emulatorClockReset,
  askLink,
  attach,
  attached,
  detach,
  token,
  call,
  watch,
  journal,
  emulate,
  record,
  replay,
  originsList,
  originsAdd,
  originsRemove,
  configShow,
  schema,
  conformance,
  completion,
  completionIds,
];
