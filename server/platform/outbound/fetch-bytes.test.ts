import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchBytes, type FetchRules } from './fetch-bytes.ts';
import { startDnsServer } from '#server/testing/mail/dns.ts';
import { createNames } from './names.ts';
import { isPublicAddress } from '#domain/public-host.ts';

const RULES: FetchRules = {
  maxBytes: 1000,
  timeoutMs: 2000,
  maxRedirects: 2,
  mayFollow: (from, to) => from.hostname === to.hostname,
  redirectAdvice: 'Stay here.',
  allowLocal: true,
  accept: 'text/plain',
  names: createNames(),
};

let asked: string[] = [];
const server = http.createServer((request, response) => {
  const path = request.url ?? '/';
  asked.push(path);
  const [, kind = '', rest = ''] = /^\/([^/?]+)\/?(.*)$/.exec(path) ?? [];
  if (kind === 'to') return response.writeHead(302, { Location: decodeURIComponent(rest) }).end();
  if (kind === 'large') return response.end('x'.repeat(Number(rest)));
  if (kind === 'slow') return;
  if (kind === 'endless') {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
    return;
  }
  response.writeHead(kind === 'missing' ? 404 : 200, { 'Content-Type': 'text/plain' }).end('hello');
});
let base = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const to = (address: string) => `${base}/to/${encodeURIComponent(address)}`;

// Proves DEL-26
it('reads a file, and follows an allowed redirect', async () => {
  expect(await fetchBytes(`${base}/a`, RULES)).toMatchObject({
    status: 200,
    bytes: Buffer.from('hello'),
    contentType: 'text/plain',
  });
  expect(await fetchBytes(to('/b'), RULES)).toMatchObject({ status: 200, url: `${base}/b` });
  expect(await fetchBytes(`${base}/missing`, RULES)).toMatchObject({ status: 404 });
});

// Proves DEL-26
it('refuses a redirect to another website, and too many redirects', async () => {
  asked = [];
  await expect(fetchBytes(to('http://localhost:1/'), RULES)).rejects.toThrow('another website. Stay here.');
  await expect(fetchBytes(to('file:///etc/passwd'), RULES)).rejects.toThrow('another website');
  await expect(fetchBytes(to(to(to(to('/x')))), RULES)).rejects.toThrow('too many times');
  expect(asked.filter((path) => path === '/x')).toEqual([]);
});

// Proves DEL-26
it('stops reading an answer that is too large or too slow', async () => {
  expect((await fetchBytes(`${base}/large/1000`, RULES)).bytes).toHaveLength(1000);
  await expect(fetchBytes(`${base}/large/1001`, RULES)).rejects.toThrow('too large');
  const impatient = { ...RULES, timeoutMs: 200 };
  await expect(fetchBytes(`${base}/slow`, impatient)).rejects.toThrow('too long');
  await expect(fetchBytes(`${base}/endless`, impatient)).rejects.toThrow('too long');
});

// Proves DEL-26
it.each([
  'http://127.0.0.1/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/',
  'http://localhost/',
  'https://[fd00::1]/',
])('refuses the address %s, which is not on the public internet', async (address) => {
  await expect(fetchBytes(address, { ...RULES, allowLocal: false })).rejects.toThrow('public internet');
});

// Proves DEL-26, OWN-03
it('connects only to addresses that it has checked, whatever the DNS answers later', async () => {
  const dns = await startDnsServer();
  try {
    const strict = { ...RULES, allowLocal: false, timeoutMs: 500, names: createNames([dns.address]) };
    // The second answer leads to this machine. 3ffe::/16 is not assigned, so the first leads nowhere.
    dns.records.set('AAAA rebind.example', ['3ffe:0000:0000:0000:0000:0000:0000:0001']);
    dns.afterAnswer = () => dns.records.set('A rebind.example', ['127.0.0.1']);
    await expect(fetchBytes('http://rebind.example/', strict)).rejects.toThrow(/reach|too long/);
    expect(dns.asked.toSorted()).toEqual(['A rebind.example', 'AAAA rebind.example']);
    await expect(fetchBytes('http://rebind.example/', strict)).rejects.toThrow(/reach|too long/);

    dns.records.set('AAAA private.example', ['fd00:0000:0000:0000:0000:0000:0000:0001']);
    dns.records.set('A private.example', ['10.0.0.1', '127.0.0.1']);
    await expect(fetchBytes('http://private.example/', strict)).rejects.toThrow('public internet');
    await expect(fetchBytes('http://nobody.example/', strict)).rejects.toThrow('host name in the DNS');
  } finally {
    await dns.close();
  }
});

// Proves DEL-26
it('refuses another port, another scheme and a password', async () => {
  const strict = { ...RULES, allowLocal: false };
  asked = [];
  await expect(fetchBytes(`${base}/a`, strict)).rejects.toThrow('ports');
  await expect(fetchBytes('ftp://example.com/', strict)).rejects.toThrow('http');
  await expect(fetchBytes('http://me:secret@example.com/', strict)).rejects.toThrow('password');
  expect(asked).toEqual([]);
});

// Proves DEL-26
it('recognizes public addresses', () => {
  const some = ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '100.63.255.255', '172.32.0.1'];
  expect(some.filter((address) => !isPublicAddress(address))).toEqual([]);
  const others =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.1.2.3 169.254.169.254 172.16.0.1 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 fe80::1 fc00::1 ff02::1 64:ff9b::7f00:1 ::ffff:127.0.0.1 ::ffff:1.1.1.1 2001:db8::1 2002:7f00:1:: localhost';
  expect(['', ...others.split(' ')].filter(isPublicAddress)).toEqual([]);
});
