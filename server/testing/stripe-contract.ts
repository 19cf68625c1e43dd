/** Checks requests against Stripe's own contract, as far as stripe-contract.json holds it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

type Type = {
  /** string, number, boolean, enumeration, array, map, object; `any` for a type without a description. */
  k?: 's' | 'n' | 'b' | 'e' | 'a' | 'm' | 'o' | 'any';
  /** A union has the list of its types instead of `k`. */
  u?: Type[];
  /** The members of an object. */
  p?: Record<string, Type>;
  /** The items of an array, or the values of a map. */
  i?: Type;
  /** The values of an enumeration; with `open`, later ones are possible. */
  v?: unknown[];
  open?: 1;
  opt?: 1;
  nul?: 1;
  /** Whether an empty string clears the value. */
  emp?: 1;
  int?: 1;
  max?: number;
};

type Contract = {
  apiVersion: string;
  operations: Record<string, { id: string; parameters: Record<string, Type>; unused: string[] }>;
};

export const CONTRACT = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'stripe-contract.json'), 'utf8'),
) as Contract;

export type Match = { call: string; ids: string[] };

/** Finds the operation of a request. Its ids are the variable parts of the path. */
export function findOperation(method: string, address: string): Match | undefined {
  const given = address.split('/');
  for (const call of Object.keys(CONTRACT.operations)) {
    const [itsMethod, template = ''] = call.split(' ');
    const parts = template.split('/');
    if (itsMethod !== method || parts.length !== given.length) continue;
    if (!parts.every((part, at) => part.startsWith('{') || part === given[at])) continue;
    return { call, ids: given.filter((_, at) => parts[at]?.startsWith('{')) };
  }
  return undefined;
}

/** Returns a sentence for each parameter that is unknown, missing or of the wrong type. */
export function violationsOf(call: string, parameters: Record<string, unknown>): string[] {
  const operation = CONTRACT.operations[call];
  if (!operation) return [`${call} is not in the contract`];
  const notListed = Object.keys(parameters).filter((name) => operation.unused.includes(name));
  if (notListed.length > 0) return [`${call}: add ${notListed.join(', ')} to lab/stripe-contract.mjs`];
  return wrongMembers(operation.parameters, parameters, call);
}

function wrongMembers(known: Record<string, Type>, given: Record<string, unknown>, at: string): string[] {
  const missing = Object.entries(known)
    .filter(([name, type]) => !type.opt && given[name] === undefined)
    .map(([name]) => `${at}: ${name} is missing`);
  const wrong = Object.entries(given).flatMap(([name, value]) => {
    const type = known[name];
    return type ? wrongValue(type, value, `${at}: ${name}`) : [`${at}: there is no parameter ${name}`];
  });
  return [...missing, ...wrong];
}

function wrongValue(type: Type, value: unknown, at: string): string[] {
  if (value === '' && (type.emp || type.nul)) return [];
  if (value === null) return type.nul ? [] : [`${at} is null`];
  if (type.u) {
    const answers = type.u.map((one) => wrongValue(one, value, at));
    return answers.some((wrong) => wrong.length === 0) ? [] : (answers[0] ?? []);
  }
  switch (type.k) {
    case 's':
      if (typeof value !== 'string') return [`${at} is no text`];
      return type.max !== undefined && value.length > type.max ? [`${at} is too long`] : [];
    case 'n': {
      // The v1 API takes forms, in which everything is a text.
      const isNumber =
        typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
      return isNumber && (!type.int || Number.isInteger(Number(value))) ? [] : [`${at} is no number`];
    }
    case 'b':
      return [true, false, 'true', 'false'].includes(value as boolean) ? [] : [`${at} is no boolean`];
    case 'e':
      return type.v?.includes(value) ? [] : [`${at} has the unknown value ${JSON.stringify(value)}`];
    case 'a':
      if (!Array.isArray(value)) return [`${at} is no list`];
      return value.flatMap((item, index) => wrongValue(type.i ?? {}, item, `${at}[${index}]`));
    case 'm':
      if (!isObject(value)) return [`${at} is no map`];
      return Object.entries(value).flatMap(([key, one]) => wrongValue(type.i ?? {}, one, `${at}.${key}`));
    case 'o':
      if (!isObject(value)) return [`${at} is no object`];
      return wrongMembers(type.p ?? {}, value, at);
    default:
      return [];
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a form with brackets, such as `a[b]=1` and `c[0]=2`, as Stripe does. */
export function readForm(text: string): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = [...name.matchAll(/[^[\]]+/g)].map(([key]) => key);
    let place = result;
    for (const key of keys.slice(0, -1)) place = (place[key] ??= {}) as Record<string, unknown>;
    place[keys.at(-1) as string] = value;
  }
  return withLists(result) as Record<string, unknown>;
}

/** Turns objects whose keys are 0, 1, … into lists. */
function withLists(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, withLists(one)] as const);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}
