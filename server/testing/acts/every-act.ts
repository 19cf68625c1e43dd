/**
 * Every form of the register of acts, with how to bring about what it is about. The tests of the acts, by their calls and
 * in a browser, follow from these tables, and fail for a form without a row.
 */
import { expect } from 'vitest';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import type { Right } from '#domain/operator/rights.ts';
import { CONSEQUENCE } from '#domain/operator/limits.ts';
import { OPERATOR_ACTS } from '#server/operator/acts/acts.ts';
import { type ActForm, addressOf } from '#server/operator/acts/define-act.ts';
import { setOperatorRole } from '#server/operator/requests/requests.ts';
import type { Client } from '../client.ts';
import { startDnsServer } from '../mail/dns.ts';
import { makeOperator } from '../operator.ts';
import type { startTestServer, TestServer } from '../server.ts';
import { startStripeServer } from '../stripe/stripe-server.ts';
import { ACCOUNTS } from './accounts.ts';
import { MODERATION } from './moderation.ts';
import { ABOUT_MONEY, MONEY_ENV } from './money.ts';
import { LAUNCH, SETTINGS } from './settings.ts';
import { prepareTax, TAX, TAX_OPTIONS } from './tax.ts';
import type { Occasion, Row, Rows, World } from './world.ts';

/** The reason that the tests give. */
export const WHY = 'As the books say';

type Options = NonNullable<Parameters<typeof startTestServer>[0]>;

/** Acts that share a server. */
export type ActSet = {
  rows: Rows;
  /** The right that its acts need, apart from the rows that name another one. */
  right: Right;
  options?: Options;
  /** Stripe stands in for the sandbox. */
  hasStripe?: true;
  prepare?: (server: TestServer) => Promise<void>;
};

export const CONTENT_SETS: Readonly<Record<string, ActSet>> = {
  moderation: { rows: MODERATION, right: 'moderation' },
  accounts: { rows: ACCOUNTS, right: 'owner' },
  settings: { rows: SETTINGS, right: 'owner' },
};
export const MONEY_SETS: Readonly<Record<string, ActSet>> = {
  money: { rows: ABOUT_MONEY, right: 'money', options: { env: MONEY_ENV } },
  tax: { rows: TAX, right: 'money', options: TAX_OPTIONS, prepare: prepareTax },
  launch: {
    rows: LAUNCH,
    right: 'owner',
    options: { env: { SMTP_URL: 'smtp://127.0.0.1:9' } },
    hasStripe: true,
  },
};
export const ACT_SETS = { ...CONTENT_SETS, ...MONEY_SETS };

export const FORMS = new Map<string, ActForm>(
  OPERATOR_ACTS.flatMap(({ forms }) => forms.map((form) => [form.path, form] as const)),
);

/** What the server of a set needs beside it, and the options to start it with. */
export async function startAround({ options, hasStripe }: ActSet) {
  const dns = await startDnsServer();
  const stripe = hasStripe ? await startStripeServer({ now: () => new Date() }) : null;
  return {
    dns,
    options: {
      ...options,
      env: { ...options?.env, ...stripe?.env },
      dnsServers: [dns.address],
    } satisfies Options,
    close: async () => {
      await dns.close();
      await stripe?.close();
    },
  };
}

/** The world of a server, which `actor` completes. The colleague has the role Money. */
export async function makeWorld(server: TestServer, dns: World['dns']): Promise<Omit<World, 'actor'>> {
  const { client: colleague } = await makeOperator(server);
  const { email } = colleague.user;
  await setOperatorRole(server.ctx, { id: null }, { email, role: 'money', reason: 'For a test' });
  let last = 0;
  return { server, dns, colleague, next: () => ++last };
}

/** The address of the act, without /api. */
export const pathOf = (form: string, { ids = {} }: Occasion): string => addressOf({ path: form }, ids);

/** The act as the page offers it; undefined if it does not. */
export async function offeredAt(
  reader: Client,
  form: string,
  occasion: Occasion,
): Promise<OfferedAct | undefined> {
  const page = occasion.page === '/operator' ? '/operator/today' : occasion.page;
  const { status, text, body } = await reader.get(`/api${page}`);
  if (status !== 200) throw new Error(`${page} answered ${status}: ${text}`);
  const path = `/api${pathOf(form, occasion)}`;
  const hidden = Object.entries(occasion.hidden ?? {});
  return actsIn(body).find(
    (act) => act.path === path && hidden.every(([name, value]) => act.hidden[name] === value),
  );
}

/** All acts that an answer of the console offers, wherever they stand in it. */
function actsIn(value: unknown): OfferedAct[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('confirm' in value && 'hidden' in value) return [value as OfferedAct];
  return Object.values(value).flatMap(actsIn);
}

/** What the sheet of an act would send with these fields. */
export function bodyOf({ fields, hidden, consequence, reason }: OfferedAct, typed: object) {
  return {
    ...hidden,
    ...Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    ...typed,
    ...(reason !== 'none' && { reason: WHY }),
    ...(consequence !== null && { [CONSEQUENCE]: consequence }),
  };
}

/** The newest line of the trail. */
export async function lastLine({ ctx }: TestServer): Promise<number> {
  const { id } = await ctx.db
    .selectFrom('operatorActs')
    .select((row) => row.fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  return id ?? 0;
}

/** The acts after that line, each with the place of its leaf in the log. Who reads a person's file adds a line, too. */
export async function linesAfter({ ctx }: TestServer, id: number) {
  return await ctx.db
    .selectFrom('operatorActs as line')
    .leftJoin('ledgerLeaves as leaf', 'leaf.actId', 'line.id')
    .select(['line.id', 'line.act', 'line.subject', 'line.subjectId', 'line.subjectName'])
    .select(['line.operatorId', 'line.reason', 'leaf.index as leaf'])
    .where('line.id', '>', id)
    .where('line.act', '<>', 'read-person')
    .orderBy('line.id')
    .execute();
}

/** The lines that the act writes, and no others. Each has a leaf in the log. */
export const expectedLines = ({ acts, reason = WHY }: Row, by: Client): unknown[] =>
  acts.map((act) =>
    expect.objectContaining({
      act,
      operatorId: by.user.id,
      reason: expect.stringContaining(reason),
      leaf: expect.any(Number),
    }),
  );
