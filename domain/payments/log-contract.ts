import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant, money } from '../fields.ts';
import { CURRENCIES } from '../money.ts';

const size = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A signed root of the transparency log, or the proof that one log continues another. [LOGS-03] [LOGS-03] */
export const getLedgerLog = endpoint({
  method: 'GET',
  path: '/.well-known/openslot-ledger',
  summary:
    'The signed root of the ledger of today or of a day; with `from` and `to`, the proof that the log only grew (RFC 6962)',
  query: z
    .object({
      day: z.iso.date('Give the day as YYYY-MM-DD.').optional(),
      from: size.optional(),
      to: size.optional(),
    })
    .refine(
      ({ from, to }) => (from === undefined) === (to === undefined),
      'Give both sizes, `from` and `to`.',
    )
    .refine(({ from = 0, to = 0 }) => from <= to, 'Give the smaller size as `from`.'),
  reply: z.union([
    z.object({
      book: z.string(),
      day: z.string(),
      /** The number of leaves. */
      size: z.number().int(),
      /** Hexadecimal digits. */
      root: z.string(),
      signedAt: instant,
      /** The raw Ed25519 key and signature in base64. */
      publicKey: z.string(),
      signature: z.string(),
      /** PUBLIC_URL when it was signed, a part of the signed text. */
      publicUrl: z.string(),
      /** With LEDGER_TOTALS=public: owed to publishers and advertisers, and held to pay them, at that moment. */
      owed: money.optional(),
      held: money.optional(),
      currency: z.enum(CURRENCIES).optional(),
    }),
    z.object({
      from: z.number().int(),
      to: z.number().int(),
      /** Hexadecimal digits, the lowest first. */
      path: z.array(z.string()),
    }),
  ]),
});
