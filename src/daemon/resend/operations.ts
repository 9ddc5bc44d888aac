import { adminOperationsFor } from '../../base/admin-operation.ts';
import type { OwnResend } from './own-resend.ts';
import { resendArgs, resendResult } from './resend-args.ts';

/** Operations that send recorded traffic again. Each refuses with `LocalError` and a code FOOTBRIDGE_RESEND_…. */
export const resendOperations = [
  adminOperationsFor<{ readonly resend: OwnResend }>()({
    name: 'traffic.resend',
    summary: 'Send an entry of the journal again by hand, as it was or edited',
    about:
      'A frame is sent in a new session of the same application, a request over HTTP with the credentials of the application’s bot, a webhook ' +
      'to its URL. `command`, `args` and `event` edit a frame, `method`, `path` and `body` a request; an edited text is whole, since the ' +
      'journal hides secrets. `seq` of the result is the number of the new entry, null where it has not come within eight seconds. What needs ' +
      'the app’s own session or a token is refused.',
    args: resendArgs,
    result: resendResult,
    command: {
      name: 'resend',
      summary: 'Send an entry of the journal again by hand',
      syntax: {
        seq: {
          name: 'SEQ',
          help: 'number of the entry, as "footbridge journal --json" prints it',
          type: 'whole',
        },
      },
      details: [
        'A frame goes out in a new session of the same application, a request over HTTP with the credentials of its bot.',
        'To send something else, use "footbridge call" or edit the entry in the console.',
      ],
      examples: [['resend 41', 'The same frame, request or webhook once more']],
      resultText: ({ seq, kind }) =>
        seq === null
          ? `The ${kind} is sent; its entry has not come yet.`
          : `The ${kind} is sent: entry ${seq} of the journal.`,
    },
    run: async ({ resend }, input, caller) => resend.send(input, caller),
  }),
] as const;
