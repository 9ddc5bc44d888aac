import { describe, expect, it } from 'vitest';
import { clientCases } from '../../src/conformance/client/suite.ts';
import { levelOf, requirement, requirements, sources } from '../../src/conformance/requirements.ts';
import { serverCases } from '../../src/conformance/server/cases.ts';

const cases = [...serverCases, ...clientCases];

describe('requirements.json', () => {
  it('has a case or a reason for every requirement, not both', () => {
    const wrong = requirements.filter((one) => (one.cases.length === 0) === (one.reason === undefined));
    expect(wrong.map((one) => one.id)).toEqual([]);
  });

  it('lists exactly the cases that check each requirement', () => {
    const judged = new Map<string, string[]>(requirements.map((one) => [one.id, []]));
    for (const one of cases) for (const id of one.requirementIds) judged.get(id)?.push(one.id);
    const wrong = requirements.filter(
      (one) => JSON.stringify(judged.get(one.id)) !== JSON.stringify(one.cases),
    );
    expect(wrong.map((one) => `${one.id}: ${judged.get(one.id)?.join(' ')}`)).toEqual([]);
  });

  it('contains the requirements of every case', () => {
    const unjudged = cases.filter((one) => one.requirementIds.length === 0);
    expect(unjudged.map((one) => one.id)).toEqual([]);
    for (const one of cases)
      for (const id of one.requirementIds) expect(() => requirement(id), one.id).not.toThrow();
  });

  it('assigns one level to every case', () => {
    const mixed = cases.filter((one) =>
      one.requirementIds.some((id) => requirement(id).level !== levelOf(one.requirementIds)),
    );
    expect(mixed.map((one) => one.id)).toEqual([]);
  });

  it('has unique ids, a text and known sources', () => {
    expect(new Set(requirements.map((one) => one.id)).size).toBe(requirements.length);
    for (const one of requirements) {
      expect(one.text.length, one.id).toBeGreaterThan(5);
      expect(one.sources.length, one.id).toBeGreaterThan(0);
      expect(
        one.sources.filter((key) => sources[key] === undefined),
        one.id,
      ).toEqual([]);
      expect(['MUST', 'SHOULD']).toContain(one.level);
    }
  });

  it('names only sources that a requirement uses', () => {
    const used = new Set(requirements.flatMap((one) => one.sources));
    expect(Object.keys(sources).filter((key) => !used.has(key))).toEqual([]);
  });
});

describe('the conformance cases', () => {
  it('have unique ids, numbered from 1 in every section', () => {
    const numbers = new Map<string, number[]>();
    for (const { id } of cases) {
      const [section = '', number] = id.split('/');
      numbers.set(section, [...(numbers.get(section) ?? []), Number(number)]);
    }
    for (const [section, found] of numbers) {
      expect(
        found.toSorted((a, b) => a - b),
        section,
      ).toEqual(found.map((_, index) => index + 1));
    }
  });

  it('number more than 300 for servers and at least 40 for clients', () => {
    expect(serverCases.length).toBeGreaterThan(300);
    expect(clientCases.length).toBeGreaterThanOrEqual(40);
  });
});
