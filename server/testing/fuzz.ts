/**
 * Sends generated requests to every call of a server: valid, nearly valid and hostile ones. The values come from the
 * contracts' own schemas, so a new call is fuzzed without being listed. The seed repeats a run.
 */
import { z } from 'zod';
import type { Route } from '#server/platform/http/route.ts';
import type { Client } from './client.ts';

export type Random = () => number;

/** Mulberry32, a small generator with a state of 32 bits: https://github.com/bryc/code/blob/master/jshash/PRNGs.md. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Fuzz = {
  random: Random;
  routes: readonly Route[];
  callers: readonly Client[];
  /** Makes most calls of the console, which does not exist for the others. */
  operator: Client;
  /** Ids, uuids and paths of real rows, so that valid requests reach the use cases. */
  known: readonly (string | number)[];
};

export type FuzzedRequest = { client: Client; method: string; path: string; body?: unknown; json: boolean };

/** Most calls change something. These take the most time or end the callers' sessions, so they are rare. */
const RARE = /^\/api\/(auth\/|logout|user\/(account|role|export-data)|sandbox\/)/;

/** Addresses without an endpoint object. `*` becomes a value of any kind. */
const PAGES = [
  'GET /ad-archive?q=*&after=*',
  'GET /ad-archive/*',
  'GET /report-ad/*',
  'POST /report-ad/*',
  'GET /report-ad/*/sent',
  'GET /api/billing/portal',
  'GET /api/statements/0000-01?side=*',
  'GET /api/statements/*.csv',
  'GET /ad-images/*',
  'GET /avatars/*',
  'PUT /api/uploads/*',
  'PUT /api/user/picture',
  'GET /m/*',
  'GET /z/*',
  'GET /api/serve/ads?z=*&w=*',
  'GET /api/serve/zone/*',
  'GET /api/serve/why/*',
  'GET /api/serve/vast/*?w=*',
  'GET /api/serve/vast-address/*',
  'GET /api/serve/vast-error/*?code=*',
  'POST /api/serve/view/*',
  'GET /api/serve/click/*',
  'GET /dev/mail/*',
  'GET /dev/mail.json?to=*',
  'GET /*',
];

export function nextRequest(fuzz: Fuzz): FuzzedRequest {
  const { random, routes, callers, operator } = fuzz;
  let client = pick(random, callers);
  if (random() < 0.15) {
    const [method = '', pattern = ''] = pick(random, PAGES).split(' ');
    const path = pattern.replaceAll('*', () => inAddress(anyValue(fuzz)));
    const body = method === 'GET' ? undefined : JSON.stringify(anyValue(fuzz));
    return { client, method, path, ...(body !== undefined && { body }), json: true };
  }
  let route = pick(random, routes);
  while (RARE.test(route.endpoint.path) && random() < 0.9) route = pick(random, routes);
  if (route.access === 'operator' && random() < 0.8) client = operator;
  const { method, path, params, query, body } = route.endpoint;
  const named = params ? (generate(fuzz, params) as Record<string, unknown>) : {};
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => inAddress(named[name] ?? anyValue(fuzz)));
  const asked = query ? (generate(fuzz, query) as Record<string, unknown> | null) : {};
  const search = Object.entries(typeof asked === 'object' && asked !== null ? asked : {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(wellFormed(name))}=${inAddress(value)}`)
    .join('&');
  const address = search === '' ? filled : `${filled}?${search}`;
  if (method === 'GET') return { client, method, path: address, json: true };
  const sent = body ? generate(fuzz, body) : pick(random, [undefined, {}]);
  const text = random() < 0.02 ? pick(random, BROKEN_JSON) : JSON.stringify(sent);
  return { client, method, path: address, ...(text !== undefined && { body: text }), json: random() > 0.02 };
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

const wellFormed = (value: unknown): string => String(value).toWellFormed().slice(0, 1500);

/**
 * Writes a value as part of a URL. Some values stay as they are, so that broken escapes and slashes reach the server,
 * too.
 */
function inAddress(value: unknown): string {
  const text = wellFormed(typeof value === 'object' ? JSON.stringify(value) : value);
  return /^[\w%./-]{1,60}$/.test(text) && text.includes('%') ? text : encodeURIComponent(text);
}

const BROKEN_JSON = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"a":1,}',
  '[[[[',
  '{"__proto__":{"role":"both"}}',
  '\u0000',
];

const HOSTILE: readonly unknown[] = [
  null,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u2067',
  "' or 1=1--",
  '%',
  '%00',
  '%ff',
  '..%2f..%2fetc%2fpasswd',
  '1e0',
  '0x1',
  ' 1',
  '01',
  '+1',
  -1,
  0,
  -0,
  0.1,
  1e21,
  1e308,
  2_147_483_647,
  2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  '99999999999999999999',
  'NaN',
  'Infinity',
  '0000-00-00',
  '9999-12-31',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '2026-02-30',
  '2026-01-01',
  true,
  [],
  {},
  [[]],
  { id: 1 },
  ['2026-01-01'],
  'javascript:alert(1)',
  'https://user:pass@example.test/',
  'https://[::1',
  'http://1.2.3.4.5',
  0.1,
  -1e-7,
  5e-324,
  1e300,
  '0.5',
  '1e300',
  `https://${'a'.repeat(64)}.example/`,
  `https://${'a.'.repeat(980)}example/`,
  `https://${'ж'.repeat(62)}.example/`,
  `https://${'ж'.repeat(48)}.${'ж'.repeat(48)}.${'ж'.repeat(48)}.${'ж'.repeat(48)}.${'ж'.repeat(48)}.example/`,
  'https://daily\u0000.example/',
  'x'.repeat(300),
  'x'.repeat(5000),
  '😀'.repeat(60),
  // Long words, which patterns and fonts may read more than once.
  ...['ب', 'क्ष', '国', '-'].map((letter) => letter.repeat(500 / letter.length)),
  `@ ${'a'.repeat(4900)}`,
  // Cursors of lists that are ordered by a time, with times that no calendar or database knows.
  ...['-999999999999999,1', '999999999999999,1', '0,0', '1,2147483648', '1,2,3', ',', '-1,-1'].map((keys) =>
    Buffer.from(keys).toString('base64url'),
  ),
];

function anyValue({ random, known }: Fuzz): unknown {
  return random() < 0.4 ? pick(random, known) : pick(random, HOSTILE);
}

type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

const schemas = new WeakMap<z.ZodType, Schema>();

function schemaOf(type: z.ZodType): Schema {
  const made =
    schemas.get(type) ?? (z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as unknown as Schema);
  schemas.set(type, made);
  return made;
}

/** Two of three values match the schema. In the others, one or more parts do not. */
function generate(fuzz: Fuzz, type: z.ZodType): unknown {
  const wrong = fuzz.random() < 0.66 ? 0 : fuzz.random() < 0.7 ? 0.15 : 0.6;
  return valueOf(fuzz, schemaOf(type), wrong, '');
}

function valueOf(fuzz: Fuzz, schema: Schema, wrong: number, name: string): unknown {
  const { random } = fuzz;
  if (random() < wrong && schema.type !== 'object') return nearlyOrHostile(fuzz, schema);
  if ('const' in schema) return schema.const;
  if (schema.enum) return pick(random, schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return valueOf(fuzz, pick(random, choices), wrong, name);
  switch (schema.type) {
    case 'object':
      return objectOf(fuzz, schema, wrong);
    case 'array':
      return Array.from({ length: Math.floor(random() * 4) }, () =>
        valueOf(fuzz, schema.items ?? {}, wrong, name),
      );
    case 'integer':
    case 'number':
      return numberOf(fuzz, schema);
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    case 'string':
      return textOf(fuzz, schema, name);
    default:
      return anyValue(fuzz);
  }
}

function objectOf(fuzz: Fuzz, schema: Schema, wrong: number): Record<string, unknown> {
  const { random } = fuzz;
  const made: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const isOptional = !schema.required?.includes(name);
    if (isOptional && random() < 0.5) continue;
    if (random() < wrong / 4) continue;
    made[name] = valueOf(fuzz, part, wrong, name);
  }
  if (random() < wrong) made[pick(random, ['__proto__x', 'constructor', 'userId', 'status', 'id', ''])] = 1;
  return made;
}

function numberOf({ random, known }: Fuzz, { minimum = 0, maximum = 2_147_483_647 }: Schema): number {
  const numbers = known.filter((value) => typeof value === 'number');
  const kind = random();
  if (kind < 0.5 && numbers.length > 0) return Math.min(maximum, Math.max(minimum, pick(random, numbers)));
  if (kind < 0.65) return minimum;
  if (kind < 0.8) return maximum;
  return Math.floor(minimum + random() * (Math.min(maximum, minimum + 5000) - minimum));
}

const TEXTS = [
  'Fresh coffee',
  '12.50',
  '100.00',
  'https://coffee.example/start',
  '/ad-images/0123456789abcdef_-ABCD',
  'someone@example.test',
  'ABCD',
  'correct horse battery',
  '2026-01-01',
  '2026-03-01',
  '4242424242424242',
  '123',
  '1',
];

function textOf({ random, known }: Fuzz, schema: Schema, name: string): string {
  const texts = known.map(String);
  if (schema.format === 'uuid') {
    const uuids = texts.filter((text) => /^[0-9a-f-]{36}$/.test(text));
    return pick(random, [...uuids, '00000000-0000-4000-8000-000000000000']);
  }
  if (schema.format === 'date') return pick(random, ['2026-01-01', '2026-02-28', '2000-01-01', '2199-12-31']);
  if (schema.format === 'email') return `person-${Math.floor(random() * 50)}@example.test`;
  const isAddress = /url|link/i.test(name);
  const isMail = /email/i.test(name);
  const usual = TEXTS.filter(
    (text) => (!isAddress || text.startsWith('https')) && (!isMail || text.includes('@')),
  );
  const fitting = [...usual, ...texts].filter(
    (text) =>
      text.length >= (schema.minLength ?? 0) &&
      text.length <= (schema.maxLength ?? Infinity) &&
      (schema.pattern === undefined || new RegExp(schema.pattern).test(text)),
  );
  const longest = 'x'.repeat(Math.min(schema.maxLength ?? 20, 2000));
  return fitting.length > 0 && random() < 0.9 ? pick(random, fitting) : longest;
}

function nearlyOrHostile(fuzz: Fuzz, schema: Schema): unknown {
  const { random } = fuzz;
  if (random() < 0.5) return anyValue(fuzz);
  if (schema.maximum !== undefined && random() < 0.5) return schema.maximum + 1;
  if (schema.minimum !== undefined) return schema.minimum - pick(random, [1, 0.5]);
  if (schema.maxLength !== undefined) return 'x'.repeat(schema.maxLength + 1);
  return pick(random, [null, '', [], {}, 1.5, 'x']);
}
