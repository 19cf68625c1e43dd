/** A row of the tables of hostile pages. */
import type { Page } from 'playwright-core';
import { IS_LONG } from '../../server/testing/tier.ts';

/** The codes of an ad zone, as its publisher copies them. */
export type Code = {
  /** The embed code as 'Code' shows it today. */
  embed: string;
  /** The same without the attributes that are for script optimizers, as it was pasted before there were any. */
  pasted: string;
  /** The two lines of `pasted`. */
  zone: string;
  script: string;
  /** The code 'Sandboxed iframe'. */
  frame: string;
  /** The address of the script, and its text. */
  scriptUrl: string;
  scriptText: string;
  /** The server's origin. */
  server: string;
};

/** A file of a publisher's site. The type of a path without an extension is HTML. */
export type SiteFile = { body: string; headers?: Record<string, string>; delayMs?: number };

/** A visitor of the site. */
export type Visitor = {
  page: Page;
  open: (path: string) => Promise<void>;
  /** Waits until this many views of the site's ad are counted. */
  viewed: (views: number) => Promise<void>;
};

/** Counted and filtered events by kind and reason, such as { decision: 1, view: 1, click: 1 }. */
export type Counts = Record<string, number>;

export type HostilePage = {
  /** The kind of page, with the version whose behavior its lines imitate. */
  name: string;
  /** The site's host is `{host}.localhost`, which a browser trusts as it trusts https. */
  host: string;
  /** The files of the site by path. The first page is '/'. `codes` has the code of each ad zone. */
  files: (code: Code, codes: readonly Code[]) => Record<string, string | SiteFile>;
  /** The visitor's steps until the ad is in view. By default, they open '/'. */
  visit?: (visitor: Visitor) => Promise<void>;
};

export type EarningPage = HostilePage & {
  /** The counted events, if they are more than one decision, one view and one click. */
  counted?: Counts;
  /** How many ad zones the page has, if it is more than one. Each has an ad of its own, and the first is clicked. */
  zones?: number;
  /** The page visits and clicks by itself, in a browser without remote control. */
  isUnattended?: boolean;
};

export type SilentPage = HostilePage & {
  /** The sentence that the publisher reads in 'Code'. */
  sentence: string;
  /** The counted and filtered events. By default none, because nothing arrives. */
  counted?: Counts;
};

/** A page with a head and a body. `attributes` are those of its root. */
export function html(body: string, { head = '', attributes = 'lang="en"' } = {}): string {
  return `<!doctype html><html ${attributes}><head><meta charset="utf-8"><title>A publisher</title>${head}</head><body>${body}</body></html>`;
}

/** A page of a content security policy. */
export function withPolicy(body: string, policy: string): SiteFile {
  return { body, headers: { 'Content-Security-Policy': policy } };
}

/** `npm test` visits the first page of each kind, the long tier each. */
const ofThisTier = <P>(pages: readonly P[]): readonly P[] => (IS_LONG ? pages : pages.slice(0, 1));

/** The rows of a table for `it.each`, whose titles have the whole name, and the whole sentence if there is one. */
export const rowsOf = <P extends HostilePage>(pages: readonly P[]): [string, P][] =>
  ofThisTier(pages).map((page) => [page.name, page]);
export const sentencesOf = (pages: readonly SilentPage[]): [string, string, SilentPage][] =>
  ofThisTier(pages).map((page) => [page.name, page.sentence, page]);
