import { it } from 'vitest';
import { LAYOUTS, LIVES } from './documents.ts';
import { rowsOf } from './hostile-page.ts';
import { useHostilePages } from './use-hostile-pages.ts';

const pages = useHostilePages();

it.each(rowsOf(LAYOUTS))(
  'bills each view and click once on a page with %s',
  async (_name, page) => await pages.earns(page),
);

it.each(rowsOf(LIVES))(
  'bills one view and one click on a page with %s',
  async (_name, page) => await pages.earns(page),
);
