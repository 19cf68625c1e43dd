import { it } from 'vitest';
import { LOADING, REPLACING, REPLACING_LAYOUT } from './libraries.ts';
import { rowsOf, sentencesOf } from './hostile-page.ts';
import { useHostilePages } from './use-hostile-pages.ts';

const pages = useHostilePages();

// Proves FIELD-35
it.each(rowsOf(REPLACING))(
  'bills one view and one click on a page with %s',
  async (_name, page) => await pages.earns(page),
);

// Proves FIELD-35
it.each(sentencesOf(REPLACING_LAYOUT))(
  'on a page with %s, Code says: %s',
  async (_name, _sentence, page) => await pages.says(page),
);

// Proves FIELD-36
it.each(rowsOf(LOADING))(
  'bills each view and click once on a page with %s',
  async (_name, page) => await pages.earns(page),
);
