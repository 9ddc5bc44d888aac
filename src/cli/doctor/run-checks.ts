import { messageOf } from '../../base/local-error.ts';
import { printable } from '../../base/text.ts';
import { type Check, type CheckResult, type Finding, failed, type Scene } from './check.ts';

/** Runs all checks; with `fix` applies their safe repairs, and runs a repaired check again. Never rejects. */
export async function runChecks(
  checks: readonly Check[],
  scene: Scene,
  fix: boolean,
): Promise<readonly CheckResult[]> {
  const findings = await Promise.all(checks.map((check) => inspectSafely(check, scene)));
  const results: CheckResult[] = [];
  // The checks run one after the other, because two repairs may concern the same folder.
  for (const [index, check] of checks.entries()) {
    const found = findings[index];
    if (found === undefined) continue;
    const { repair } = found;
    if (!fix || repair === undefined) {
      results.push(reported(check, found));
      continue;
    }
    const fixed = await repair().catch((error: unknown) => [`could not be mended: ${messageOf(error)}`]);
    results.push({ ...reported(check, await inspectSafely(check, scene)), fixed: fixed.map(printable) });
  }
  return results;
}

async function inspectSafely(check: Check, scene: Scene): Promise<Finding> {
  try {
    return await check.inspect(scene);
  } catch (error) {
    return failed(null, `the check itself failed: ${messageOf(error)}`);
  }
}

function reported({ id }: Check, { verdict, evidence, fix }: Finding): CheckResult {
  return { id, verdict, evidence: evidence.map(printable), fix: fix === null ? null : linesOf(fix) };
}

function linesOf(fix: string | readonly string[]): string {
  return typeof fix === 'string' ? printable(fix) : fix.map(printable).join('\n');
}
