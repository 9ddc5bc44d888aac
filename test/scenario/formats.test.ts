import { expect, it } from 'vitest';
import { junitText } from '../../src/scenario/formats.ts';

it('a report of JUnit has only characters of XML 1.0', () => {
  const what = 'says <"a" & \'b\'>\nand\u0000\u001b\u202e\ud800\uffff more';
  const report = junitText([
    {
      file: 'a&b.toml',
      results: [
        {
          scenario: { name: 'one\ufffe', skip: undefined, place: undefined, steps: [] },
          ms: 1234,
          steps: [{ kind: 'failed', ms: 1234, problem: { what, place: undefined } }],
          transcript: ['<- READY'],
        },
      ],
    },
  ]);
  const text = "says &lt;&quot;a&quot; &amp; 'b'&gt;&#10;and???? more";
  expect(report).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="footbridge">',
      '  <testsuite name="a&amp;b.toml" tests="1" failures="1" skipped="0" time="1.234">',
      `    <testcase classname="a&amp;b.toml" name="one" file="a&amp;b.toml" line="1" time="1.234"><failure message="${text}">${text}</failure><system-out>&lt;- READY</system-out></testcase>`,
      '  </testsuite>',
      '</testsuites>',
      '',
    ].join('\n'),
  );
});
