/** The search of the console. */
import { decimalOf, moneyText } from '#domain/money.ts';
import { actorText, actWords, SUBJECTS } from '#domain/operator/acts.ts';
import {
  findAnything,
  findOfKind,
  type FoundItem,
  type FoundKind,
  type ListedKind,
  MAX_HITS,
} from '#domain/operator/console/find-contract.ts';
import { rowNumber } from '#domain/operator/forms.ts';
import { DOCUMENT_TITLES, shownCents } from '#domain/payments/documents.ts';
import { type IssuedDocument, issueDayOf, partyOf } from '#server/money/documents/issued.ts';
import type { Context } from '#server/platform/context.ts';
import { dayText } from '#server/platform/http/dates.ts';
import { type Page, type Route, route } from '#server/platform/http/route.ts';
import { readableAddress, readableEmail } from '#server/platform/net/web-address.ts';
import { findDocuments } from '../documents/documents.ts';
import { find } from '../people/find.ts';
import { findPayment } from '../store-case.ts';
import { type ActRow, findAct, findActById } from '../store.ts';
import { UUID } from '../store-find.ts';
import { pathOf } from './cases.ts';

type Search = { search: string; cursor?: string | undefined; limit?: number | undefined };

async function listFound(ctx: Context, kind: ListedKind, query: Search): Promise<Page<FoundItem>> {
  const subject = SUBJECTS.find((each) => each === kind);
  if (subject === undefined) {
    const { items, next } = await findDocuments(ctx, query);
    return { items: items.map(documentItem), next };
  }
  const { items, next } = await find(ctx, subject, query);
  return {
    items: items.map(({ id, name, about, suspendedAt }) => ({
      path: pathOf(subject, id),
      name: subject === 'person' ? readableEmail(name) : name,
      about: subject === 'website' ? readableAddress(about) : about,
      isSuspended: suspendedAt !== null,
      number: String(id),
    })),
    next,
  };
}

function documentItem(document: IssuedDocument): FoundItem {
  const { number, content, amountCents, currency } = document;
  const amount = moneyText(decimalOf(shownCents(content.kind, amountCents)), currency);
  return {
    path: `/operator/documents/${number}`,
    name: `${DOCUMENT_TITLES[content.kind]} ${number}`,
    about: `${partyOf(document).name}, ${amount}, ${dayText(new Date(issueDayOf(document)))}`,
    isSuspended: false,
    number: '',
  };
}

async function paymentsFound({ db }: Context, search: string): Promise<FoundItem[]> {
  const payment = await findPayment(db, search);
  if (!payment) return [];
  const { adId, title, status, amountCents, currency, intentId } = payment;
  return [
    {
      path: `${pathOf('ad', adId)}?tab=money`,
      name: `${moneyText(decimalOf(amountCents), currency)} for “${title}”`,
      about: status,
      isSuspended: false,
      number: intentId ?? '',
    },
  ];
}

async function actsFound({ db }: Context, search: string): Promise<FoundItem[]> {
  const number = rowNumber(search);
  const act = number !== null ? await findActById(db, number) : await findNamedAct(db, search);
  if (!act) return [];
  return [
    {
      path: `/operator/audit?from=${act.id}`,
      name: actWords(act),
      about: `${actorText(act)}, ${dayText(act.actedAt)}`,
      isSuspended: false,
      number: String(act.id),
    },
  ];
}

const findNamedAct = async (db: Context['db'], search: string): Promise<ActRow | undefined> =>
  UUID.test(search) ? await findAct(db, search) : undefined;

const LISTED: readonly ListedKind[] = [...SUBJECTS, 'document'];

export const findRoutes: Route[] = [
  route(findAnything, { access: 'operator' }, async (ctx, _, { query: { q } }) => {
    if (q === '') return { groups: [], isReference: false };
    const groups: { kind: FoundKind; items: FoundItem[]; hasMore: boolean }[] = [];
    for (const kind of LISTED) {
      const { items, next } = await listFound(ctx, kind, { search: q, limit: MAX_HITS });
      groups.push({ kind, items: items.slice(0, MAX_HITS), hasMore: next !== null });
    }
    groups.push({ kind: 'payment', items: await paymentsFound(ctx, q), hasMore: false });
    groups.push({ kind: 'act', items: await actsFound(ctx, q), hasMore: false });
    const found = groups.filter(({ items }) => items.length > 0);
    return { groups: found, isReference: UUID.test(q) && found.length === 0 };
  }),
  route(findOfKind, { access: 'operator' }, async (ctx, _, { params, query }) => {
    const { q, cursor, limit } = query;
    return await listFound(ctx, params.kind, { search: q, cursor, limit });
  }),
];
