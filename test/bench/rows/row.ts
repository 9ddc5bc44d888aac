import type { Generator } from '../generator/generator.ts';
import type { Pinning } from '../machine.ts';
import type { Peer, PeerName, Program } from '../peers.ts';

/** One figure of a row. */
export interface Quantity {
  readonly key: string;
  readonly label: string;
  readonly unit: string;
  readonly digits: number;
  readonly better: 'lower' | 'higher' | 'neither';
}

/** What one pass over one server gave, by the quantities' keys. */
export type Readings = Readonly<Record<string, number>>;

/** What rows share. */
export interface Bench {
  readonly generator: Generator;
  readonly pinning: Pinning;
  readonly program: Program;
  /** Shorter, for a look. */
  readonly quick: boolean;
  readonly workFolder: string;
}

/** Something to measure, and how. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly quantities: readonly Quantity[];
  /** Those that it makes sense for. */
  readonly peers: readonly PeerName[];
  /** Throws {@link NotMeasured} where this machine cannot. */
  measure(peer: Peer, bench: Bench): Promise<Readings>;
}

/** Why a row has no figure here; no defect. */
export class NotMeasured extends Error {}

/** Processors for a server and for what speaks to it. */
export interface Places {
  readonly server: number | undefined;
  readonly generator: number | undefined;
}

/** Both on one processor: what a wake-up across processors takes is no property of a server. */
export function sameCore({ pinning: { cpus } }: Bench): Places {
  if (typeof cpus === 'string') throw new NotMeasured(cpus);
  return { server: cpus[0], generator: cpus[0] };
}

/** Each on one of its own. */
export function apart({ pinning: { cpus } }: Bench): Places {
  if (typeof cpus === 'string') throw new NotMeasured(cpus);
  if (cpus.length < 2) throw new NotMeasured('there is only one processor');
  return { server: cpus[0], generator: cpus[1] };
}

/** The same where it can be had, else wherever the system puts them. */
export function apartIfPossible(bench: Bench): Places {
  const { cpus } = bench.pinning;
  return typeof cpus === 'string' || cpus.length < 2
    ? { server: undefined, generator: undefined }
    : apart(bench);
}

/** The generator's part of a processor: near 100 % it would be what is measured. */
export const GENERATOR: Quantity = {
  key: 'generator',
  label: 'generator, of a core',
  unit: '%',
  digits: 0,
  better: 'neither',
};

/** {@link GENERATOR}'s value. */
export function generatorShare({
  ownCpuMs,
  seconds,
}: {
  readonly ownCpuMs: number;
  readonly seconds: number;
}): number {
  return (ownCpuMs / (seconds * 1000)) * 100;
}

/** A time in µs or ms, or a size, of which less is better. */
export function less(key: string, label: string, unit: string, digits: number): Quantity {
  return { key, label, unit, digits, better: 'lower' };
}
