import { expect, it } from 'vitest';
import { houseAd } from './inventory/contract.ts';
import { targetUrl } from './ads/contract.ts';
import { isPublicAddress, NO_BIDI, NO_CREDENTIALS, ONLY_PUBLIC } from './public-host.ts';

const message = (value: string) => targetUrl.safeParse(value).error?.issues[0]?.message;

// Proves DEST-01
it.each([
  'http://127.0.0.1/admin',
  'http://192.168.1.1/reboot',
  'http://10.0.0.1:8080',
  'http://172.16.9.9/',
  'http://169.254.169.254/latest/meta-data',
  'http://100.64.0.1/',
  'http://0.0.0.0/',
  // Hexadecimal, whole and in parts. The digits of other scripts are the same address.
  'http://0x7f000001/',
  'http://127.0.0.0x1/',
  'http://１２７.０.０.１/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a00:1]/',
  'http://[0:0:0:0:0:ffff:c0a8:0101]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fc00::1]/',
  'http://[fd12:3456::1]/',
  'http://[fe80::1]/',
  'http://localhost:3000/api/logout',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://intranet/',
  'http://intranet./',
  'http://printer.local/',
  'http://Printer.LOCAL.:80/',
  'http://metadata.google.internal/',
  'http://router.home.arpa/',
])('refuses the target %s, which is not public', (address) => {
  expect(message(address)).toBe(ONLY_PUBLIC);
});

// Proves DEST-01
it.each([
  // IP addresses in another spelling.
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://0x7f.1/',
  // Hosts that the DNS cannot have.
  `http://${'a'.repeat(64)}.example/`,
  `http://${'abcdefg.'.repeat(32)}example/`,
])('refuses the target %s, which is no address', (address) => {
  expect(message(address)).toBe('Please enter a valid URL');
});

// Proves DEST-01
it('says what is wrong with a target that hides where it leads', () => {
  expect(message('https://example.com/\u202egnp.exe')).toBe(NO_BIDI);
  expect(message('https://example.com/\u2067x')).toBe(NO_BIDI);
  expect(message('https://user:secret@example.com/')).toBe(NO_CREDENTIALS);
  expect(message('https://example.com@evil.example/')).toBe(NO_CREDENTIALS);
  expect(message('https://example.com/\ud800')).toBe('Please enter a valid URL');
  const house = houseAd.safeParse({ title: 'T', description: 'D', targetUrl: 'https://10.0.0.1/' });
  expect(house.error?.issues[0]?.message).toBe(ONLY_PUBLIC);
});

// Proves DEST-01
it.each([
  ['https://coffee.example', 'https://coffee.example'],
  ['  HTTPS://Coffee.Example.:443/A?b=C#d ', 'https://coffee.example/A?b=C#d'],
  ['https://аррӏе.com/login', 'https://xn--80ak6aa92e.com/login'],
  ['https://bücher.example/ä?ö=1#ü', 'https://xn--bcher-kva.example/%C3%A4?%C3%B6=1#%C3%BC'],
  ['https://a.example/100%25?x=%zz&y', 'https://a.example/100%25?x=%zz&y'],
  ['http://8.8.8.8:8080/', 'http://8.8.8.8:8080/'],
  ['http://[2606:4700::1111]/', 'http://[2606:4700::1111]/'],
])('stores the target %s as %s', (typed, stored) => {
  expect(targetUrl.parse(typed)).toBe(stored);
  expect(targetUrl.parse(stored)).toBe(stored);
});

// Proves DEL-26
it('tells public IP addresses from others at the edges of each network', () => {
  for (const address of [
    '9.255.255.255',
    '11.0.0.0',
    '172.32.0.0',
    '172.15.255.255',
    '192.167.255.255',
    '223.255.255.255',
    '2600::',
    '2001:200::1',
    '3ffe::1',
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
  for (const address of [
    '10.255.255.255',
    '172.31.255.255',
    '192.168.255.255',
    '224.0.0.1',
    '255.255.255.255',
    '2001::1',
    '2001:1ff::',
    '2001:db8::1',
    '3fff:fff::',
    '4000::1',
    'fe80::1%eth0',
    '::ffff:8.8.8.8',
    '',
    'example.com',
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
});
