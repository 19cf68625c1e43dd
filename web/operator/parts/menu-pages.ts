import { createContext, useContext } from 'react';

type MenuPage = { path: string; title: string };

/** The pages of the menu. A page of the console can't import their list, which imports the page. */
export const MenuPages = createContext<readonly MenuPage[]>([]);

/** At most this many, because a word such as 's' is in most titles. */
const MAX_PAGES = 6;

export const useAllPages = (): readonly MenuPage[] => useContext(MenuPages);

/** The pages whose title has these words. */
export function useMenuPages(words: string): readonly MenuPage[] {
  const wanted = words.trim().toLowerCase();
  const pages = useAllPages();
  return wanted === ''
    ? []
    : pages.filter(({ title }) => title.toLowerCase().includes(wanted)).slice(0, MAX_PAGES);
}
