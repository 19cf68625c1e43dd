import { z } from 'zod';
import { MAX_PAGE_TEXT } from './pages.ts';

/** A page's text as an operator writes it. */
export const pageText = z
  .string()
  .transform((text) => text.replaceAll('\r\n', '\n').trim())
  .pipe(
    z
      .string()
      .min(1, 'Please write a text')
      .max(MAX_PAGE_TEXT, `Please use at most ${MAX_PAGE_TEXT} characters`)
      .refine((text) => !text.includes('\0'), 'The text has a character that can’t be stored'),
  );
