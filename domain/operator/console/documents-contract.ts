/** The call of a document of record. [BOOK-204] */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id } from '../../fields.ts';

export const getIssuedDocument = endpoint({
  method: 'GET',
  path: '/api/operator/documents/:number',
  summary: 'A document of record. Reading it is an act',
  params: z.object({ number: z.string() }),
  reply: z.object({
    number: z.string(),
    /** Such as 'Receipt R-2026-000001'. */
    title: z.string(),
    /** Set if no real money moved. */
    label: z.string().nullable(),
    facts: z.array(z.object({ name: z.string(), value: z.string() })),
    parties: z.array(z.object({ role: z.string(), name: z.string(), lines: z.array(z.string()) })),
    columns: z.array(z.string()),
    /** One cell for each column. All but the first are figures. */
    rows: z.array(z.object({ cells: z.array(z.string()), detail: z.string().nullable() })),
    /** Said in place of rows. */
    noRows: z.string(),
    totals: z.array(z.object({ name: z.string(), amount: z.string(), isMain: z.boolean() })),
    notes: z.array(z.string()),
    /** The account of the party, and the files. */
    personId: id,
    pdf: z.string(),
    /** Null without an e-invoice. */
    xml: z.string().nullable(),
  }),
});
