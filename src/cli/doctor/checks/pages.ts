import { join } from 'node:path';
import { damagedCopies } from '../../../daemon/checked-file.ts';
import { ORIGINS_FILE } from '../../../daemon/origin-list.ts';
import { describeRefusal } from '../../../journal/describe.ts';
import { type Check, dataFolderOf, notApplicable, ok, warning } from '../check.ts';

/** Maximum of listed refused pages; `status --json` has the others. */
const MAX_LISTED = 3;

/** Whether the bridge refused web pages that are still not allowed, and whether the list of allowed pages is intact. */
export const pages: Check = {
  id: 'pages',
  title: 'Web pages that were refused',
  explanation: `
    A web page can reach a port of this machine from any site, so the bridge answers only pages that you allowed. The
    check lists the last pages that were refused, with the command that allows each.

    Allow only pages that you know: \`footbridge origins add\`. A damaged list is kept aside under the name shown, and
    the pages in it have to be added again.
  `,
  inspect(scene) {
    const { bridge } = scene;
    const folder = dataFolderOf(scene);
    const damaged = folder === undefined ? [] : damagedCopies(join(folder, ORIGINS_FILE));
    if (damaged.length > 0)
      return warning(
        'add its pages again with footbridge origins add, then remove that file',
        ...damaged.map((path) => `the list of pages that may connect was damaged, and is in ${path}`),
      );
    if (bridge.kind === 'unknown') return notApplicable('no bridge runs that could turn a web page away');
    // Absent in the status of an older bridge.
    const { refused = [] } = bridge.status as Partial<typeof bridge.status>;
    if (refused.length === 0) return ok('no web page was turned away, or all that were are allowed now');
    const listed = refused.slice(0, MAX_LISTED);
    return warning(
      [...new Set(listed.map(({ remedy }) => remedy))],
      ...listed.map((page) => `refused: ${describeRefusal(page)}`),
      ...(refused.length > listed.length
        ? [`${refused.length - listed.length} more: footbridge status --json, or footbridge journal`]
        : []),
    );
  },
};
