import { useTitle } from '#web/ui/title.ts';

/** Tells a page of the console from one of the marketplace, which may have the same name, such as 'Settings'. */
export const useConsoleTitle = (title: string): void => useTitle(`${title} · Console`);
