import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  affordableConnections,
  affordableRest,
  affordableSlots,
  descriptorLimit,
} from '../../../platform/process/descriptor-limit.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const limits = (soft: string): string => {
  const path = join(temporaryFolder(), 'limits');
  writeFileSync(
    path,
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}   4096   files\n`,
  );
  return path;
};

it.skipIf(process.platform !== 'linux')(
  'descriptorLimit reads the limit of this process (needs /proc of Linux)',
  () => {
    expect(descriptorLimit()).toBeGreaterThan(0);
  },
);

it('descriptorLimit reads the soft limit, and returns undefined for an unlimited one or a missing file', () => {
  expect(descriptorLimit(limits('1024'))).toBe(1024);
  expect(descriptorLimit(limits('unlimited'))).toBeUndefined();
  expect(descriptorLimit('/nowhere/limits')).toBeUndefined();
});

it.each([
  [512, undefined, 512],
  [512, 20_000, 512],
  [512, 576, 512],
  [512, 575, 511],
  [10_000, 1024, 960],
  [512, 64, 16],
  [8, 64, 8],
])('of %i connections with a limit of %s descriptors %i are accepted [T43]', (wanted, limit, expected) => {
  expect(affordableConnections(wanted, limit)).toBe(expected);
});

it.each([
  [512, undefined, 512],
  [512, 1088, 512],
  [512, 1024, 480],
  [512, 64, 16],
])(
  'of %i connections with a limit of %s descriptors %i are accepted when each needs two',
  (wanted, limit, expected) => {
    expect(affordableConnections(wanted, limit, 2)).toBe(expected);
    const places = affordableSlots(64, expected, limit, 2);
    if (limit !== undefined)
      expect(26 + 2 * expected + 4 * places).toBeLessThanOrEqual(Math.max(limit - 8, 70));
  },
);

it.each([
  [undefined, 512],
  [20_000, 512],
  [1024, 512],
  [1024, 960],
  [576, 512],
  [128, 64],
  [64, 16],
])(
  'with a limit of %s descriptors and %i apps the other listeners leave some descriptors free [R06]',
  (limit, connections) => {
    const places = affordableSlots(64, connections, limit);
    expect(places).toBeGreaterThanOrEqual(3);
    expect(places).toBeLessThanOrEqual(64);
    // What an idle bridge has open, four doors that are full, and the gateway beside them.
    const rest = affordableRest(2000, connections + 4 * places, limit);
    expect(rest).toBeGreaterThanOrEqual(2);
    if (limit !== undefined) expect(26 + connections + 4 * places + rest).toBeLessThanOrEqual(limit - 8);
    if (limit === undefined || limit > 4096) expect(rest).toBe(2000);
    if (limit === undefined || limit > 1024) expect(places).toBe(64);
  },
);
