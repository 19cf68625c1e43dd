import { it } from 'vitest';
import { LOADING, REPLACING, REPLACING_LAYOUT } from './libraries.ts';
import { rowsOf, sentencesOf } from './hostile-page.ts';
import { useHostilePages } from './use-hostile-pages.ts';

const pages = useHostilePages();

it.each(rowsOf(REPLACING))(
  'bills one view and one click on a page with %s',
  async (_name, page) => await pages.earns(page),
);

it.each(sentencesOf(REPLACING_LAYOUT))(
  'on a page with %s, Code says: %s',
  async (_name, _sentence, page) => await pages.says(page),
);

it.each(rowsOf(LOADING))(
  'bills each view and click once on a page with %s',
  async (_name, page) => await pages.earns(page),
);
