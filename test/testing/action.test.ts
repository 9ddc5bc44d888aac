import { describe, expect, it } from 'vitest';
import { action } from '../helpers/action.ts';

describe('the action for GitHub', () => {
  it('describes every input, runs each step with bash, and has no input inside a script', () => {
    expect(action.runs.using).toBe('composite');
    expect(Object.values(action.inputs).every(({ description }) => description.length > 10)).toBe(true);
    expect(action.runs.steps.map(({ shell }) => shell)).toEqual(['bash', 'bash']);
    // What an input holds is data: in a script it would be a part of that.
    expect(action.runs.steps.filter(({ run }) => run.includes('${{'))).toEqual([]);
  });
});
