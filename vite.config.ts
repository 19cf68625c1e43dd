import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown } from 'vite';
import { callsOnly } from './scripts/calls-only.ts';

type GetModuleInfo = (id: string) => Rolldown.ModuleInfo | null;

export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
  plugins: [callsOnly(), react(), tailwindcss()],
  build: {
    outDir: '../dist/web/static',
    manifest: 'manifest.json',
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'assets',
    // Keep fonts and icons in files, because the server's content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: isSsrBuild
      ? {}
      : { output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups() } } },
  },
}));

/**
 * By default, the bundler writes a file for every icon that two pages share. Put small modules that many pages of
 * signed-in users need into one file instead. Leave out modules of the public pages and of the toaster, which every page
 * loads, so that visitors do not load the rest.
 */
function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  return [
    { name: 'base', tags: ['$initial'], priority: 3 },
    { name: 'zod', test: /\/node_modules\/zod\//, priority: 2 },
    {
      name: (id, bundle) => {
        if (/\/domain\/.*(?:fields\.ts|\?whole)$/.test(id)) return null;
        const entries = entriesThatNeed(id, (module) => bundle.getModuleInfo(module));
        // A dialog that loads its content when it opens is an entry, but not a page.
        const pages = entries.filter((entry) => /\/web\/(app|pages)\//.test(entry));
        const isPublic = entries.some((entry) =>
          /\/web\/(pages\/(landing|demo|auth)|ui\/toaster)\.tsx$/.test(entry),
        );
        return pages.length >= 4 && !isPublic ? 'kit' : null;
      },
      debugName: 'kit',
      maxModuleSize: 4000,
      priority: 1,
    },
  ];
}

/** Returns the entry and the lazily loaded modules that import this module, directly or through others. */
function entriesThatNeed(id: string, getModuleInfo: GetModuleInfo): string[] {
  const seen = new Set([id]);
  // The loop also visits the modules that it adds to the set.
  for (const module of seen) getModuleInfo(module)?.importers.forEach((importer) => seen.add(importer));
  return [...seen].filter((module) => {
    const info = getModuleInfo(module);
    return info !== null && (info.isEntry || info.dynamicImporters.length > 0);
  });
}
