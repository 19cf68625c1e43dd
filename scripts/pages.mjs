/**
 * Makes the HTML documents that the server sends. A public page gets a complete document, rendered by the web
 * application's components. If its content depends on the query, this document is for the address without one. Every
 * other page gets a document with the frame of a page that waits, which preloads its scripts.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { modulesOf, readManifest, scriptsOf } from './bundle.mjs';

const TITLE = '<title>%NAME%</title>';
const ROOT = '<div id="root"></div>';
const STYLES = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+\.css)">/;
const ENTRY = /\s*<script type="module"[^>]*><\/script>/;
const NOSCRIPT = /\s*<noscript>[^]*?<\/noscript>/;

/**
 * @typedef {import('../server/platform/http/web-app/built-pages.ts').BuiltPage} BuiltPage
 * @typedef {{ path: string; drawn: 'always' | 'without-query'; listed: boolean }} PublicPage
 * @typedef {{
 *   PUBLIC_PAGES: PublicPage[];
 *   ROUTES: { path: string }[];
 *   drawForVisitor: (path: string) => Promise<string>;
 *   drawWaiting: () => string;
 *   headOf: (page: PublicPage | undefined) => string;
 *   startAfterPaint: (files: readonly string[]) => void;
 * }} Prerender web/prerender.tsx, built for Node
 */

/**
 * @param {string} web the folder of the built web application; this function removes its static/index.html
 * @param {string} prerender the folder for the server build of web/prerender.tsx
 */
export async function makePages(web, prerender) {
  const { PUBLIC_PAGES, ROUTES, drawForVisitor, drawWaiting, headOf, startAfterPaint } =
    await buildPrerender(prerender);
  const manifest = readManifest(web);
  const template = readFileSync(path.join(web, 'static', 'index.html'), 'utf8');
  const font = Object.values(manifest).find(({ file }) => /bricolage.*\.woff2$/.test(file));
  if (!font) throw new Error('The build has no font for headings');
  const fontLink = `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font.file}">`;

  /**
   * The document without scripts besides the entry. Only pages for visitors show headings before their scripts.
   * @param {PublicPage | undefined} page
   */
  const documentOf = (page) =>
    withStyles(
      replaceIn(template, TITLE, headOf(page) + (page ? `\n    ${fontLink}` : '')),
      path.join(web, 'static'),
    );

  /**
   * @param {string} html
   * @param {string[]} modules
   */
  const withPreloads = (html, modules) => {
    const preloads = scriptsOf(manifest, modules)
      .filter((file) => !template.includes(file))
      .map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`);
    // Put the preloads last, so that the browser requests the style sheet and the entry first.
    return replaceIn(html, '  </head>', `${preloads.join('')}  </head>`);
  };

  /** @type {BuiltPage[]} */
  const pages = [];
  mkdirSync(path.join(web, 'pages'), { recursive: true });
  /** @param {BuiltPage} page @param {string} html */
  const add = (page, html) => {
    writeFileSync(path.join(web, 'pages', page.file), html);
    pages.push(page);
  };

  for (const page of PUBLIC_PAGES) {
    const { path: route, listed, drawn } = page;
    const body = await drawForVisitor(route);
    if (/<script|<template/.test(body)) throw new Error(`${route} needs a script to show its content`);
    const modules = modulesOf(route, 'visitor');
    const empty = documentOf(page);
    const full = withLateScripts(
      replaceIn(empty, ROOT, `<div id="root">${body}</div>`),
      scriptsOf(manifest, modules),
      startAfterPaint,
    );
    const own = { path: route, reader: /** @type {const} */ ('visitor'), listed };
    const file = `visitor-${nameOf(route)}`;
    if (drawn === 'always') {
      // The page shows all of its content without scripts, so it needs no <noscript>.
      add({ ...own, file: `${file}.html`, withoutQuery: false }, full.replace(NOSCRIPT, ''));
    } else {
      add({ ...own, file: `${file}.html`, withoutQuery: true }, full);
      add({ ...own, file: `${file}-query.html`, withoutQuery: false }, withPreloads(empty, modules));
    }
  }
  for (const { path: route } of [{ path: '/' }, ...ROUTES]) {
    const page = { path: route, reader: /** @type {const} */ ('user'), listed: false, withoutQuery: false };
    const html = withPreloads(documentOf(undefined), modulesOf(route, 'user'));
    add({ ...page, file: `user-${nameOf(route)}.html` }, withSession(html, drawWaiting()));
  }
  const other = { path: '*', listed: false, withoutQuery: false };
  const html = withPreloads(documentOf(undefined), []);
  // The server sends the first document that fits.
  add({ ...other, reader: 'user', file: 'user-other.html' }, withSession(html, drawWaiting()));
  add({ ...other, reader: 'anyone', file: 'other.html' }, html);

  writeFileSync(path.join(web, 'pages.json'), JSON.stringify(pages, null, 2));
  rmSync(path.join(web, 'static', 'index.html'));
}

const USER = '    <link rel="preload" as="fetch" crossorigin="use-credentials" href="/api/auth/user">\n';

/**
 * Marks a document for clients with a session. The application asks who the user is only if it finds this mark. The browser asks
 * already while it loads the scripts, and shows the frame of the page meanwhile.
 * @param {string} html
 * @param {string} waiting
 */
function withSession(html, waiting) {
  const framed = replaceIn(html, ROOT, `<div id="root">${waiting}</div>`);
  return replaceIn(replaceIn(framed, '<html', '<html data-session'), '  </head>', `${USER}  </head>`);
}

/**
 * Puts the style sheet into the document. A request of its own would compete with the scripts, and nothing is painted
 * before its answer. The server allows exactly this text (server/platform/http/web-app/built-pages.ts).
 * @param {string} html
 * @param {string} folder of the files
 */
function withStyles(html, folder) {
  const [link, file] = STYLES.exec(html) ?? [];
  if (!link || !file) throw new Error('The document has no style sheet');
  const styles = readFileSync(path.join(folder, file), 'utf8');
  return replaceIn(html, link, `<style data-file="/${file}">${styles}</style>`);
}

/**
 * Lets the scripts of a page that is complete without them start after its first paint, so that loading and running them
 * delays neither the text nor its font. The server allows exactly this script (server/platform/http/web-app/built-pages.ts).
 * @param {string} html
 * @param {string[]} files the entry first
 * @param {Prerender['startAfterPaint']} start runs in the browser
 */
function withLateScripts(html, files, start) {
  if (!ENTRY.test(html)) throw new Error('The document has no entry');
  const addresses = JSON.stringify(files.map((file) => `/${file}`));
  const starter = `(${start.toString()})(${addresses})`;
  return replaceIn(html.replace(ENTRY, ''), '  </body>', `    <script>${starter}</script>\n  </body>`);
}

/**
 * @param {string} folder
 * @returns {Promise<Prerender>}
 */
async function buildPrerender(folder) {
  const { build: viteBuild } = await import('vite');
  const root = path.resolve(import.meta.dirname, '..');
  await viteBuild({
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { ssr: 'prerender.tsx', outDir: folder, emptyOutDir: true, manifest: false },
  });
  // Node caches modules by address. The query makes a second build in the same process load its own module.
  const address = pathToFileURL(path.join(folder, 'prerender.js'));
  return await import(`${address.href}?${Date.now()}`);
}

/** @param {string} route */
function nameOf(route) {
  return route.split('/')[1] || 'home';
}

/**
 * @param {string} text
 * @param {string} searched
 * @param {string} replacement
 */
function replaceIn(text, searched, replacement) {
  if (!text.includes(searched)) throw new Error(`web/index.html has no ${searched}`);
  return text.replace(searched, () => replacement);
}
