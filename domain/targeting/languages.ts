import { once } from '../once.ts';

const names = once(() => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }));

/** Whether a text is the code of a language, such as 'de', without a country. */
export function isLanguage(code: string): boolean {
  return /^[a-z]{2,3}$/.test(code) && names().of(code) !== undefined;
}

/** 'de' -> 'German' */
export function languageName(code: string): string {
  return names().of(code) ?? code;
}
