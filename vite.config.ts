import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, runnerImport, type Plugin, type Rolldown } from 'vite';

export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
  cacheDir: '../.cache/vite',
  // Only the folders that the web application imports, because the repository may contain the data of a server.
  server: { fs: { allow: ['.', '../domain', '../tag', '../node_modules', '../.cache/vite'] } },
  plugins: [callsAsData(), react(), tailwindcss()],
  build: {
    outDir: '../dist/web/static',
    manifest: 'manifest.json',
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'assets',
    // Keep fonts and icons in files, because the server's content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Browsers without <link rel=modulepreload> load the same files, one after the other.
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild
      ? {}
      : {
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: 'entry', tags: ['$initial'], priority: 2 },
                { name: sharedFile, debugName: 'shared files', minShareCount: 2 },
              ],
            },
          },
        },
  },
}));

/** Replaces domain/calls.ts and its like by their values, so that the browser gets the calls without zod and the schemas. */
function callsAsData(): Plugin {
  return {
    name: 'calls-as-data',
    apply: 'build',
    load: {
      filter: { id: /\/domain\/(?:.*[/-])?calls\.ts$/ },
      async handler(id) {
        const { module } = await runnerImport<{ calls: object }>(id, { configFile: false, logLevel: 'warn' });
        return `export const calls = ${JSON.stringify(module.calls)};`;
      },
    },
  };
}

const PAGE = /\/web\/(?:pages|pages\/results|app|inventory\/placement)\/([^/]+)\.tsx$/;
const SCHEMAS = /\/domain\/.*(?:contract|fields|target-check|public-host|email-address|timezones)\.ts$/;
/** The files of libraries. Pages of signed-in users share all others. */
const LIBRARIES: Record<string, string> = {
  'lucide-react': 'everybody',
  '@radix-ui/react-radio-group': 'settings-panels-shared',
  '@radix-ui/react-switch': 'settings-panels-shared',
  'd3-array': 'figures',
  'd3-path': 'figures',
  'd3-shape': 'figures',
  'react-hook-form': 'forms',
  '@hookform': 'schemas',
  zod: 'schemas',
};

/** The pages with tables of figures. */
const FIGURES = [
  'billing',
  'campaigns',
  'dashboard',
  'earnings',
  'ledger',
  'plans',
  'results-content',
  'transactions',
];

/**
 * The file of a module that two or more pages or dialogs import: one for all pages, one for the pages of signed-in users,
 * one for the wizard, one for the sign-in and the tab 'Security', one for the choice of a file, one for the dashboard and the page
 * of a campaign, one for these and other pages with tables of figures, one for the pages of money, of suspended accounts
 * and the tabs of the settings, one for the pages of the checkout, and one for each page that shares modules with dialogs.
 * What only one of them imports stays in its own file. By default, the bundler writes a file for each combination, and each
 * file costs a request. That is left to it for what only dialogs share, so that no dialog loads the code of another one.
 */
function sharedFile(id: string, bundle: Rolldown.ChunkingContext): string | null {
  const [, library] = /\/node_modules\/((?:@radix-ui\/)?[^/]+)\//.exec(id) ?? [];
  if (library) return LIBRARIES[library] ?? 'signed-in';
  const pages = pagesThatNeed(id, bundle);
  const isOnlyFor = (...names: string[]) => pages.every((page) => names.includes(page));
  if (pages.length === 0) return SCHEMAS.test(id) ? 'schemas' : null;
  if (pages.includes('landing') || pages.includes('demo')) return 'everybody';
  if (isOnlyFor('add-creative', 'create-ad-content', 'edit-ad')) return 'ad-content';
  if (isOnlyFor('add-creative', 'create-ad', 'create-ad-content', 'edit-ad')) return 'forms';
  if (pages.includes('settings-security') && isOnlyFor('auth', 'settings-security')) return 'sign-in';
  if (pages.every((page) => page.startsWith('checkout'))) return 'checkout-shared';
  if (isOnlyFor('dashboard', 'campaigns')) return 'figures';
  if (isOnlyFor('add-creative', 'create-ad-content', 'edit-ad', 'results-content')) return 'files';
  if (isOnlyFor('earnings', 'billing', 'settings-panels', 'suspended-account'))
    return 'settings-panels-shared';
  if (isOnlyFor(...FIGURES)) return 'tables';
  return pages.length === 1 ? `${pages[0]}-shared` : 'signed-in';
}

/** The lazily loaded pages that import a module, directly or through others. */
function pagesThatNeed(id: string, bundle: Rolldown.ChunkingContext): string[] {
  const needing = new Set([id]);
  // The loop also visits the modules that it adds to the set.
  for (const module of needing) bundle.getModuleInfo(module)?.importers.forEach((each) => needing.add(each));
  return [...needing].flatMap((module) =>
    bundle.getModuleInfo(module)?.dynamicImporters.length ? (PAGE.exec(module)?.[1] ?? []) : [],
  );
}
