import { it } from 'vitest';
import { ENCLOSED, FRAMES, POLICIES, REFUSING } from './enclosures.ts';
import { rowsOf, sentencesOf } from './hostile-page.ts';
import { useHostilePages } from './use-hostile-pages.ts';

const pages = useHostilePages();

it.each(rowsOf(POLICIES))(
  'bills one view and one click on a page with %s',
  async (_name, page) => await pages.earns(page),
);

it.each(sentencesOf(REFUSING))(
  'on a page with %s, Code says: %s',
  async (_name, _sentence, page) => await pages.says(page),
);

it.each(rowsOf(FRAMES))(
  'bills one view and one click on a page with %s',
  async (_name, page) => await pages.earns(page),
);

it.each(sentencesOf(ENCLOSED))(
  'on a page with %s, Code says: %s',
  async (_name, _sentence, page) => await pages.says(page),
);
