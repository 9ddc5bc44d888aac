import inspector from 'node:inspector';
import { expect, onTestFinished, test, vi } from 'vitest';

import { keepInspectorClosed } from '../../src/cli/inspector.ts';

// Node's own thread may answer a signal long after it came: on a busy machine, while the program is loaded.
test.each([1, 30, 130, 330, 900, 1900])(
  'an inspector that opens %i ms late is closed at the next check',
  async (late) => {
    const before = new Set(process.listeners('SIGUSR1'));
    onTestFinished(() => {
      vi.useRealTimers();
      inspector.close();
      for (const listener of process.listeners('SIGUSR1'))
        if (!before.has(listener)) process.removeListener('SIGUSR1', listener);
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    await keepInspectorClosed();
    vi.advanceTimersByTime(late);
    inspector.open(0, '127.0.0.1');
    expect(inspector.url()).toBeDefined();
    vi.advanceTimersByTime(20);
    expect(inspector.url()).toBeUndefined();
  },
);
