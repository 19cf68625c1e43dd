import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown } from 'vite';

type GetModuleInfo = (id: string) => Rolldown.ModuleInfo | null;

export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web/static',
    manifest: 'manifest.json',
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'assets',
    // Fonts and icons stay files: the server's content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: isSsrBuild ? {} : { output: { codeSplitting: { groups: chunkGroups() } } },
  },
}));

/**
 * By itself the bundler makes a file of every icon that two pages share. Small parts that most pages of signed-in
 * people use travel together instead; what a visitor's page needs is never mixed with them.
 */
function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  return [
    { name: 'base', tags: ['$initial'], priority: 2 },
    {
      name: (id, bundle) => {
        const entries = entriesThatNeed(id, (module) => bundle.getModuleInfo(module));
        // A dialog whose content comes when it is opened is no page.
        const pages = entries.filter((entry) => /\/web\/(app|pages)\//.test(entry));
        return pages.length >= 4 && !pages.some((page) => /pages\/(landing|demo|auth)\.tsx$/.test(page))
          ? 'kit'
          : null;
      },
      debugName: 'kit',
      maxModuleSize: 4000,
      priority: 1,
    },
  ];
}

/** The lazily loaded modules, and the entry, that import this one, directly or through others. */
function entriesThatNeed(id: string, getModuleInfo: GetModuleInfo): string[] {
  const seen = new Set([id]);
  // A set may grow while it is walked.
  for (const module of seen) getModuleInfo(module)?.importers.forEach((importer) => seen.add(importer));
  return [...seen].filter((module) => {
    const info = getModuleInfo(module);
    return info !== null && (info.isEntry || info.dynamicImporters.length > 0);
  });
}
