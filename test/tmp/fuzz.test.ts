import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { operations } from '../../src/emulator/operations.ts';
import { testPlatform, APP } from '../helpers/platform.ts';
import * as z from 'zod';

const deep = (n: number, o = '[', c = ']') => o.repeat(n) + c.repeat(n);
const evil: string[] = [
  'null', '0', '-1', '1e400', '1e308', '-0', '9007199254740993', '99999999999999999999999', 'true', '""', '"\\u0000"', '"\\ud800"', '"__proto__"', '"constructor"', '"💥💥"', '[]', '{}', '[null]', '[[]]', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '[{}]', deep(3000), '{"a":'.repeat(3000) + '1' + '}'.repeat(3000), '"9223372036854775807"', '"9223372036854775808"', '"18446744073709551615"','"99999999999999999999"', '"00"', '"-1"', '"1.5"', '"2026-13-45T99:99:99Z"', '"+275760-09-13T00:00:00.000Z"', '"9999-12-31T23:59:59Z"', '"0001-01-01T00:00:00Z"', '"1970-01-01T00:00:00Z"', '"' + 'a'.repeat(60000) + '"', '"data:image/png;base64,AAAA"', '"100000000000000001"', '"300000000000000001"', '"200000000000000001"', '1', '3', '100000000000000001', '["100000000000000001"]', '["1","1"]', '[1,1]', '"toString"', '4294967296', '2147483648',
];
function req(port: number, raw: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const s = connect(port, '127.0.0.1', () => s.write(raw));
    let out = '';
    s.on('data', (d) => (out += d.toString('latin1')));
    s.on('close', () => resolve(out));
    s.on('error', (e) => resolve(`ERR ${String(e)} ${out}`));
    setTimeout(() => { s.destroy(); }, 5000).unref();
  });
}
test('fuzz', async () => {
  const p = await testPlatform();
  const port = Number(new URL(p.url).port);
  const t = p.emulator.tables as any;
  const one = (name: string) => [...t[name]][0];
  const ids: Record<string, string[]> = {
    guild_id: [one('guilds')?.id], channel_id: [...t.channels].map((c: any) => c.id).slice(0, 6), user_id: [...t.users].map((c: any) => c.id).slice(0, 3),
    application_id: [APP], message_id: [...t.messages].map((c: any) => c.id).slice(0, 2), role_id: [...t.roles ?? []].map((c: any) => c.id).slice(0, 3),
  };
  console.log(ids, Object.keys(t).join(' '));
  const found = new Map<string, string>();
  let n = 0;
  const slow: [number, string][] = [];
  const shot = async (label: string, raw: string) => {
    const t0 = performance.now();
    const a = await req(port, raw);
    const ms = performance.now() - t0;
    n += 1;
    slow.push([ms, label.slice(0, 120)]);
    const status = /^HTTP\/1.1 (\d+)/.exec(a)?.[1];
    if (status === undefined || status.startsWith('5') && status !== '501') { if (!found.has(label.slice(0,100))) found.set(label.slice(0, 100), a.slice(0, 60) + p.lines.slice(-1)); }
  };
  const bearerTok = (await p.bearer(['identify', 'openid', 'email', 'guilds', 'connections', 'guilds.members.read','role_connections.write'])).authorization;
  const botTok = p.bot().authorization;
  for (const op of operations) {
    if (op.isPage) continue;
    const auths = [...new Set(op.who.map((w) => (w.kind === 'bot' ? botTok : w.kind === 'bearer' ? bearerTok : '')))];
    for (const auth of auths) {
      const paths = (op.path.match(/\{\w+\}/g) ?? []).reduce<string[]>((all, name) => {
        const key = name.slice(1, -1);
        const vals = [...(ids[key] ?? (key.endsWith('_id') ? ids[key.replace(/^.*_(?=\w+_id$)/, '')] : undefined) ?? ['100000000000000001'])].filter(Boolean).slice(0, 2).concat(['99', '%00', '%ED%A0%80', '__proto__']);
        return all.flatMap((x) => vals.map((v) => x.replace(name, v))).slice(0, 40);
      }, [(op.at === 'site' ? '' : '/api/v10') + op.path]);
      const keys: string[] = [];
      if (op.body) { try { keys.push(...JSON.stringify(z.toJSONSchema(op.body.schema, { io: 'input', unrepresentable: 'any' }).properties ? Object.keys(z.toJSONSchema(op.body.schema, { io: 'input', unrepresentable: 'any' }).properties as object) : []).match(/"\w+"/g)?.map((k) => k.slice(1, -1)) ?? []); } catch (e) { console.log(op.id, String(e)); } }
      const qkeys: string[] = [];
      if (op.query) { try { qkeys.push(...Object.keys((z.toJSONSchema(op.query, { io: 'input', unrepresentable: 'any' }) as any).properties ?? {})); } catch {} }
      const head = (path: string, type: string, body: string) => `${op.method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${auth ? `Authorization: ${auth}\r\n` : ''}Connection: close\r\nX-Audit-Log-Reason: %ZZ\u00ff\r\n${body === '' ? '' : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`;
      const jobs: Promise<void>[] = [];
      const fire = async (label: string, raw: string) => { await shot(label, raw); };
      for (const path of paths) await fire(`${op.id} ${path} empty`, head(path, 'application/json', ''));
      for (const path of paths.slice(0, 2)) {
        for (const k of qkeys) for (const v of ['', 'a', '-1', '1e9', '99999999999999999999', '%00', '__proto__', '100000000000000001', '2026-13-01', '1&' + k + '=2', '9'.repeat(5000)]) await fire(`${op.id} ?${k}=${v.slice(0, 30)}`, head(`${path}?${k}=${v}`, 'application/json', ''));
        if (!op.body) continue;
        const type = op.body.kinds.includes('json') || op.body.kinds.includes('any') ? 'application/json' : 'application/x-www-form-urlencoded';
        if (type === 'application/json') {
          for (const v of [...evil, deep(20000), deep(30000, '{"a":[', ']}').slice(0, 0) || '[]']) await fire(`${op.id} whole=${v.slice(0, 30)}`, head(path, type, v));
          for (const k of keys) for (const v of evil) await fire(`${op.id} ${k}=${v.slice(0, 30)}`, head(path, type, `{"${k}":${v}}`));
        } else {
          for (const k of keys) for (const v of ['', '%00', '%ED%A0%80', '__proto__', 'a'.repeat(60000), '1&' + k + '=2']) await fire(`${op.id} form ${k}=${v.slice(0, 30)}`, head(path, type, `${k}=${v}`));
        }
      }
    }
  }
  console.log(n, 'shots;', found.size, 'faults');
  for (const [k, v] of found) console.log(k, '=>', JSON.stringify(v));
  console.log(slow.sort((a, b) => b[0] - a[0]).slice(0, 15));
}, 500000);
