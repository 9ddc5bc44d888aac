import { expect, test } from 'vitest';
import { isJumbo } from '../../src/message-text/jumbo.ts';
import { parseText } from '../../src/message-text/markdown.ts';
import type { TextNode } from '../../src/message-text/nodes.ts';

/** Nodes in a short form, so that a row of a table fits its line: `strong(…)`, and text as it is. */
function short(nodes: readonly TextNode[]): string {
  return nodes
    .map((node) => {
      const { type, ...rest } = node;
      if (node.type === 'text') return node.text;
      if (node.type === 'list')
        return `list${node.start ?? ''}(${node.items.map((item) => short(item)).join('|')})`;
      if (node.type === 'heading') return `h${node.level}(${short(node.content)})`;
      if (node.type === 'link') return `link(${short(node.content)})<${node.url}>`;
      return 'content' in node ? `${type}(${short(node.content)})` : `${type}${JSON.stringify(rest)}`;
    })
    .join('');
}

test.each([
  ['', ''],
  ['plain', 'plain'],
  ['**a** *b* _c_ __d__ ~~e~~', 'strong(a) em(b) em(c) underline(d) strike(e)'],
  ['***a***', 'strong(em(a))'],
  ['**a *b***', 'strong(a em(b))'],
  ['_a **b** c_', 'em(a strong(b) c)'],
  ['snake_case_name and 2*3*4', 'snake_case_name and 2em(3)4'],
  ['* a*', 'list(a*)'],
  ['a * b * c', 'a * b * c'],
  ['**open', '**open'],
  ['****', '****'],
  ['||a **b**||', 'spoiler(a strong(b))'],
  [String.raw`\*a\* \\ \a`, String.raw`*a* \ \a`],
  [String.raw`¯\_(ツ)_/¯`, String.raw`¯\_(ツ)_/¯`],
  ['`a*b*` ``a`b``', 'code{"text":"a*b*"} code{"text":"a`b"}'],
  ['`open', '`open'],
  ['```js\na\n> b\n```', 'code-block{"language":"js","text":"a\\n> b"}'],
  ['x ```one``` y', 'x code-block{"language":"","text":"one"} y'],
  ['```\n```', '```\n```'],
  ['# A\n## B\n### C\n#### D', 'h1(A)h2(B)h3(C)#### D'],
  ['#no\n-# small', '#nosubtext(small)'],
  ['> a\n> b\nc', 'quote(a\nb)c'],
  ['a\n>>> b\n> c', 'aquote(b\n> c)'],
  ['>no', '>no'],
  ['- a\n- b\n  - c\n- d', 'list(a|blist(c)|d)'],
  ['3. a\n4. b\n- c', 'list3(a|b)list(c)'],
  ['- a\nb', 'list(a)b'],
  ['<@1> <@!2> <@&3> <#4>', 'user{"id":"1"} user{"id":"2"} role{"id":"3"} channel{"id":"4"}'],
  ['@everyone @here @everyones', 'everyone{"name":"everyone"} everyone{"name":"here"} @everyones'],
  [
    '<:cat:5><a:run:6>',
    'emoji{"id":"5","name":"cat","animated":false}emoji{"id":"6","name":"run","animated":true}',
  ],
  ['<t:10> <t:10:R> <t:10:x>', 'time{"at":10,"style":"f"} time{"at":10,"style":"R"} <t:10:x>'],
  ['<t:9999999999999>', '<t:9999999999999>'],
  ['</tide now:7> <id:browse>', 'command{"name":"tide now"} navigation{"to":"browse"}'],
  ['https://a.example/x.', 'link(https://a.example/x)<https://a.example/x>.'],
  ['(https://a.example/x)', '(link(https://a.example/x)<https://a.example/x>)'],
  ['<https://a.example>', 'link(https://a.example)<https://a.example/>'],
  ['[b *c*](https://a.example "t")', 'link(b em(c))<https://a.example/>'],
  ['[a](javascript:alert(1)) [b](data:text/html,x)', '[a](javascript:alert(1)) [b](data:text/html,x)'],
  ['[https://b.example](https://a.example)', 'link(em(https://b.example))<https://a.example/>'],
  ['[ ](https://a.example)', '[ ](link(https://a.example)<https://a.example/>)'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
])('the markup %j is read as %j', (text, expected) => {
  expect(short(parseText(text))).toBe(expected);
});

test.each([
  ['👍', true],
  ['👍🏽 👨‍👩‍👧 🇨🇭 1️⃣', true],
  ['<:cat:5> <a:run:6>', true],
  ['👍'.repeat(30), true],
  ['👍'.repeat(31), false],
  ['👍 a', false],
  ['**👍**', false],
  ['', false],
  ['1', false],
])('the text %j is drawn large: %j', (text, expected) => {
  expect(isJumbo(parseText(text))).toBe(expected);
});

const OPENERS = [
  '*',
  '_',
  '**',
  '__',
  '||',
  '~~',
  '`',
  '```',
  '[',
  '](',
  '[a](',
  '<',
  '<@',
  '> ',
  '>>> ',
  '- ',
  '  - ',
];
const MIXES = [
  '1. ',
  '# ',
  '\\',
  '*a ',
  '_a ',
  '**a',
  '||a||',
  '**a *b ',
  '> - ',
  'https://',
  'https://a(',
  '\n',
  '- a\n',
  '# a\n',
  '> a\n',
];
const NESTED = [
  '*_~|',
  '[a](https://b)',
  '**||__~~*_a',
  '<t:',
  '@',
  '**a __b ',
  '* **',
  '```\n',
  '-# a\n',
  '  - a\n',
];

test('no text makes more nodes than the limit, however it opens its marks', () => {
  for (const mark of [...OPENERS, ...MIXES, ...NESTED]) {
    const nodes = parseText(mark.repeat(8000 / mark.length));
    expect(count(nodes), mark).toBeLessThanOrEqual(1550);
    expect(depth(nodes), mark).toBeLessThanOrEqual(14);
  }
});

function inside(node: TextNode): readonly TextNode[] {
  if (node.type === 'list') return node.items.flat();
  return 'content' in node ? node.content : [];
}

function count(nodes: readonly TextNode[]): number {
  return nodes.reduce((sum, node) => sum + 1 + count(inside(node)), 0);
}

function depth(nodes: readonly TextNode[]): number {
  return 1 + Math.max(0, ...nodes.map((node) => depth(inside(node))));
}
