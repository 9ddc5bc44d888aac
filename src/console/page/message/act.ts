import { useRef, useState } from 'preact/hooks';
import { messageOf } from '../parts/controls.ts';

/** State of a control of a message: whether its action runs, and why it was refused. */
export interface Act {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  /** Runs an action, one at a time. A busy control is not disabled, because it would lose the focus. */
  readonly run: (action: () => Promise<unknown>) => void;
}

export function useAct(): Act {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const running = useRef(false);
  const perform = async (action: () => Promise<unknown>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await action();
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { isBusy, problem, run: (action) => void perform(action) };
}
