import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { onTestFinished } from 'vitest';

/** Collects garbage again and again until the test ends: what is only held weakly is gone. */
export function collectAllTheTime(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const collecting = setInterval(collect, 20);
  onTestFinished(() => clearInterval(collecting));
}
