import { describeRefusal } from '../../../journal/refusal-text.ts';
import { type Check, notApplicable, ok } from '../check.ts';

/** Whether the bridge turned web pages away that are still not allowed. */
export const pages: Check = {
  id: 'pages',
  look({ bridge }) {
    if (bridge.kind === 'unknown') return notApplicable('no bridge runs that could turn a web page away');
    // A bridge of an earlier version has no list.
    const { refused = [] } = bridge.status as Partial<typeof bridge.status>;
    if (refused.length === 0) return ok('no web page was turned away, or all that were are allowed now');
    return {
      verdict: 'warning',
      evidence: refused.map((page) => `refused: ${describeRefusal(page)}`),
      fix: [...new Set(refused.map(({ remedy }) => remedy))].join('; '),
    };
  },
};
