import { it } from 'vitest';
import { AGREED, NOT_AGREED, OPTIMIZERS, WORKERS } from './optimizers.ts';
import { rowsOf, sentencesOf } from './hostile-page.ts';
import { useHostilePages } from './use-hostile-pages.ts';

const pages = useHostilePages();

it.each(rowsOf(OPTIMIZERS))(
  'bills one view and one click on a page of %s',
  async (_name, page) => await pages.earns(page),
);

it.each(rowsOf(WORKERS))(
  'bills each view and click once on a page with %s',
  async (_name, page) => await pages.earns(page),
);

it.each(rowsOf(AGREED))(
  'bills one view and one click on a page with %s',
  async (_name, page) => await pages.earns(page),
);

it.each(sentencesOf(NOT_AGREED))(
  'on a page with %s, Code says: %s',
  async (_name, _sentence, page) => await pages.says(page),
);
