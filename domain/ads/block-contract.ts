import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { bodyReference, id, instant, okReply, pageQuery, pathId } from '../fields.ts';

export const blockedAdvertiser = z.object({
  id,
  /** As publishers see advertisers: never the e-mail address. */
  advertiser: z.object({ name: z.string().nullable(), businessName: z.string().nullable() }),
  since: instant,
});
export type BlockedAdvertiser = z.output<typeof blockedAdvertiser>;

export const blockAdvertiser = endpoint({
  method: 'POST',
  path: '/api/blocked-advertisers',
  summary: 'Block the advertiser of an ad in your ad zones',
  body: z.object({ ad: bodyReference }),
  reply: z.object({ success: z.literal(true), rejected: z.number().int() }),
});

export const listBlocked = endpoint({
  method: 'GET',
  path: '/api/blocked-advertisers',
  summary: 'The advertisers whom you block',
  query: pageQuery,
  reply: z.array(blockedAdvertiser),
  paged: true,
});

export const unblockAdvertiser = endpoint({
  method: 'DELETE',
  path: '/api/blocked-advertisers/:id',
  summary: 'Unblock an advertiser',
  params: z.object({ id: pathId }),
  reply: okReply,
});
