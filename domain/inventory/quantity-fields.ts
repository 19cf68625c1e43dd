import { z } from 'zod';
import { MAX_QUANTITY } from './quantity.ts';

/** A number of units of a pricing option. */
export const quantity = z
  .number('A quantity must be a whole number')
  .int('A quantity must be a whole number')
  .min(1, 'A quantity must be at least 1')
  .max(MAX_QUANTITY, `A quantity must be at most ${MAX_QUANTITY}`);
