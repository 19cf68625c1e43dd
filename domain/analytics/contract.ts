import { z } from 'zod';
import { AD_STATUSES } from '../ads/status.ts';
import { endpoint } from '../endpoint.ts';
import { id, instant, money, pageQuery } from '../fields.ts';

export const getEarnings = endpoint({
  method: 'GET',
  path: '/api/analytics/earnings',
  summary: "Earnings from paid ads on one's own zones; months are calendar months in UTC (OP-097)",
  reply: z.object({ totalEarnings: money, thisMonth: money }),
});

export const getSpending = endpoint({
  method: 'GET',
  path: '/api/analytics/spending',
  summary: "Spending on one's own paid ads and what they delivered",
  reply: z.object({
    totalSpending: money,
    thisMonth: money,
    totalImpressions: z.number().int(),
    totalClicks: z.number().int(),
    /** This calendar month in UTC (OP-044). */
    impressionsThisMonth: z.number().int(),
    clicksThisMonth: z.number().int(),
  }),
});

export const getActiveZones = endpoint({
  method: 'GET',
  path: '/api/analytics/active-ad-zones',
  summary: "How many of one's own zones are active",
  reply: z.object({ count: z.number().int() }),
});

export const transaction = z.object({
  id,
  title: z.string(),
  adZoneName: z.string(),
  websiteName: z.string(),
  advertiserEmail: z.string(),
  amount: money,
  earnings: money,
  status: z.enum(AD_STATUSES),
  /** When it was paid. */
  date: instant,
});
export type Transaction = z.output<typeof transaction>;

export const listTransactions = endpoint({
  method: 'GET',
  path: '/api/analytics/transactions',
  summary: "Paid ads on one's own zones, newest first",
  query: pageQuery,
  reply: z.array(transaction),
  paged: true,
});
