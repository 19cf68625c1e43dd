import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, instant, okReply, pageQuery, pathId } from '../fields.ts';

export const trustedAdvertiser = z.object({
  id,
  /** As publishers see advertisers: never the e-mail address. */
  advertiser: z.object({ name: z.string().nullable(), businessName: z.string().nullable() }),
  /** The host of the targets, in Punycode and without 'www.'. */
  host: z.string(),
  websitePublicId: z.string(),
  websiteName: z.string(),
  since: instant,
});
export type TrustedAdvertiser = z.output<typeof trustedAdvertiser>;

export const listTrusted = endpoint({
  method: 'GET',
  path: '/api/trusted-advertisers',
  summary: 'The advertisers whose ads for a host are approved on your websites when they are submitted',
  query: pageQuery,
  reply: z.array(trustedAdvertiser),
  paged: true,
});

export const removeTrusted = endpoint({
  method: 'DELETE',
  path: '/api/trusted-advertisers/:id',
  summary: 'Stop trusting an advertiser; ads that were approved stay approved',
  params: z.object({ id: pathId }),
  reply: okReply,
});
