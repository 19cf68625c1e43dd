/** The key with which an advertiser's server proves that an order number is theirs. */
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant, okReply } from '../fields.ts';

export const getConversionKey = endpoint({
  method: 'GET',
  path: '/api/conversion-key',
  summary: 'Since when you have a conversion key',
  reply: z.object({ since: instant.nullable() }),
});

export const createConversionKey = endpoint({
  method: 'POST',
  path: '/api/conversion-key',
  summary: 'Make a new conversion key, which this answer shows once',
  reply: z.object({ key: z.string(), since: instant }),
  status: 201,
});

export const removeConversionKey = endpoint({
  method: 'DELETE',
  path: '/api/conversion-key',
  summary: 'Remove your conversion key',
  reply: okReply,
});
