/** The calls of the case files: everything about one person, website, ad zone or ad. [OPER-21] */
import { z } from 'zod';
import { ROLES } from '../../accounts/roles.ts';
import { AD_TYPES } from '../../ads/types.ts';
import { endpoint } from '../../endpoint.ts';
import { id, instant, money, pathId } from '../../fields.ts';
import { CURRENCIES } from '../../money.ts';
import { offeredAct } from './act-contract.ts';

/** One thing that happened. */
export const caseEvent = z.object({
  /** Differs from those of the other events of the file. */
  key: z.string(),
  at: instant,
  kind: z.enum(['begin', 'act', 'payment', 'refund', 'report', 'answer']),
  text: z.string(),
  /** The actor: an operator's address, 'command line', or the reporter's address. */
  by: z.string().nullable(),
  /** A reason, or the text of a report or an answer. */
  detail: z.string().nullable(),
  sum: z.object({ amount: money, currency: z.enum(CURRENCIES) }).nullable(),
  /** The page about it. */
  link: z.object({ path: z.string(), label: z.string() }).nullable(),
});
export type CaseEvent = z.output<typeof caseEvent>;

/** A line of a list in a file, with a file of its own. */
export const caseLine = z.object({
  id,
  name: z.string(),
  status: z.string(),
  isSuspended: z.boolean(),
});
export type CaseLine = z.output<typeof caseLine>;

const hold = z.object({
  id,
  /** Null for a hold on all earnings of the publisher. */
  adPublicId: z.string().nullable(),
  reason: z.string(),
  amount: money,
  since: instant,
  until: instant.nullable(),
});

/** The members that case files of all kinds share. */
const common = {
  id,
  /** Null for a person. */
  publicId: z.string().nullable(),
  /** Of a person, the e-mail address. */
  name: z.string(),
  /** Without its suspension, which comes before it. */
  status: z.string(),
  createdAt: instant,
  suspension: z.object({ since: instant, reason: z.string() }).nullable(),
  /** Those that are not released, the newest last. */
  holds: z.array(hold),
  /** What they cover together. */
  onHold: money,
  /** The newest first. */
  timeline: z.array(caseEvent),
  acts: z.array(offeredAct),
};

const traffic = z.object({
  days: z.number().int(),
  views: z.number().int(),
  clicks: z.number().int(),
  /** Ad requests, and the part of them that got a paid ad. Null for an ad. */
  requests: z.number().int().nullable(),
  fill: z.number().nullable(),
  /** The part of the reported views and clicks that doesn't count. Null without any. */
  invalidShare: z.number().nullable(),
});
export type CaseTraffic = z.output<typeof traffic>;

/** The account behind a thing. `email` is null if it was deleted. */
const owner = z.object({ id, email: z.string().nullable() });
const named = z.object({ id, name: z.string() });

/** What was paid for a thing, and the publisher's part of it, in the present book. */
const sales = { spend: money, earnings: money };

const params = z.object({ id: pathId });

export const getPersonFile = endpoint({
  method: 'GET',
  path: '/api/operator/people/:id',
  summary: 'Everything about a person. Reading it is an act',
  params,
  reply: z.object({
    ...common,
    /** '' without one. */
    fullName: z.string(),
    picture: z.string().nullable(),
    isOperator: z.boolean(),
    role: z.enum(ROLES).nullable(),
    commission: z.object({ percent: z.number(), isOwn: z.boolean() }),
    /** Their tax status as a sentence; null if they stated none. */
    tax: z.string().nullable(),
    taxIds: z.array(
      z.object({
        taxId: z.string(),
        result: z.string(),
        requestId: z.string().nullable(),
        answeredAt: instant.nullable(),
        isByStandIn: z.boolean(),
      }),
    ),
    acceptedTerms: z.object({ version: z.number().int(), acceptedAt: instant }).nullable(),
    ...sales,
    cancels: z.object({
      counted: z.number().int(),
      allowed: z.number().int(),
      nextAt: instant.nullable(),
    }),
    websites: z.array(caseLine),
    ads: z.array(caseLine),
    signIns: z.array(
      z.object({
        device: z.string().nullable(),
        startedAt: instant.nullable(),
        lastUsedAt: instant.nullable(),
      }),
    ),
    /** The newest ones to the present address, without their text. */
    mails: z.array(z.object({ subject: z.string(), createdAt: instant, state: z.string() })),
  }),
});

export const getWebsiteFile = endpoint({
  method: 'GET',
  path: '/api/operator/websites/:id',
  summary: 'Everything about a website',
  params,
  reply: z.object({
    ...common,
    ...sales,
    owner,
    url: z.string(),
    /** The address as people read it. */
    shownUrl: z.string(),
    category: z.string(),
    picture: z.string().nullable(),
    /** The page that visitors see; null while there is none. */
    publicPage: z.string().nullable(),
    /** The proofs of ownership as a sentence. */
    ownership: z.string(),
    /** The titles of its open delivery faults. */
    faults: z.array(z.string()),
    zones: z.array(caseLine),
    ads: z.array(caseLine),
    traffic,
  }),
});

export const getZoneFile = endpoint({
  method: 'GET',
  path: '/api/operator/zones/:id',
  summary: 'Everything about an ad zone',
  params,
  reply: z.object({ ...common, ...sales, owner, website: named, ads: z.array(caseLine), traffic }),
});

/** A creative as visitors saw it. Its files are on this server; null for one on another server. */
export const caseCreative = z.object({
  adType: z.enum(AD_TYPES),
  title: z.string(),
  description: z.string(),
  targetUrl: z.string(),
  image: z.string().nullable(),
  video: z.string().nullable(),
});
export type CaseCreative = z.output<typeof caseCreative>;

export const getAdFile = endpoint({
  method: 'GET',
  path: '/api/operator/ads/:id',
  summary: 'Everything about an ad, with its reports',
  params,
  reply: z.object({
    ...common,
    ...sales,
    owner,
    website: named,
    zone: named,
    /** The first one, then those that were shown in turn with it. Empty after the ad was taken down. */
    creatives: z.array(caseCreative),
    /** Why an operator took it down. */
    takenDown: z.string().nullable(),
    openReports: z.number().int(),
    /** What can still be refunded. */
    left: money,
    traffic,
  }),
});
