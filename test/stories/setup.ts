// Every story is watched: each answer of the platform is held against its declaration and the public document, and
// whatever this process connects to has to be of this machine.
import { afterEach, beforeEach, expect } from 'vitest';
import { publicDocument, publicJudge } from '../helpers/public-document.ts';
import { AnswerWatch, faultOf } from './answers.ts';
import { ConnectionWatch, isOfThisMachine } from './connections.ts';

const judge = publicDocument === undefined ? undefined : publicJudge();
const answers = new AnswerWatch();
answers.install();
const connections = new ConnectionWatch();

beforeEach(() => {
  answers.take();
  connections.start();
});

afterEach(() => {
  const abroad = connections.stop().filter(({ place }) => !isOfThisMachine(place));
  expect(abroad, 'opened or asked for elsewhere').toEqual([]);
  const faults = answers.take().map((answer) => faultOf(answer, judge));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});
