import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, runnerImport, type Plugin, type Rolldown } from 'vite';

type GetModuleInfo = (id: string) => Rolldown.ModuleInfo | null;

export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
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
      : { output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups() } } },
  },
}));

/** Replaces domain/calls.ts by its value, so that the browser gets the calls without zod and the schemas. */
function callsAsData(): Plugin {
  return {
    name: 'calls-as-data',
    apply: 'build',
    load: {
      filter: { id: /\/domain\/calls\.ts$/ },
      async handler(id) {
        const { module } = await runnerImport<{ calls: object }>(id, { configFile: false, logLevel: 'warn' });
        return `export const calls = ${JSON.stringify(module.calls)};`;
      },
    },
  };
}

/**
 * By default, the bundler writes a file for every icon that two pages share, and each file costs a request. Put small
 * modules into files by the pages that need them: those of visitors by the set of visitors' pages, so that a visitor
 * loads nothing of another page, and those of signed-in users into one file. The toaster is loaded by every page after
 * it is shown. Its modules keep files of their own, so that it brings no others along.
 */
function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  return [
    { name: 'base', tags: ['$initial'], priority: 3 },
    { name: 'zod', test: /\/node_modules\/zod\//, priority: 2 },
    {
      name: (id, bundle) => {
        const infoOf: GetModuleInfo = (module) => bundle.getModuleInfo(module);
        if (/\/domain\/.*(?:(?:fields|public-host|target-check)\.ts|\?whole)$/.test(id)) return null;
        const entries = entriesThatNeed(id, infoOf);
        if (entries.some((entry) => entry.endsWith('/web/ui/toaster.tsx'))) return null;
        // A dialog that loads its content when it opens is an entry, but not a page.
        const pages = entries.filter((entry) => /\/web\/(app|pages)\//.test(entry));
        const forVisitors = VISITORS_PAGES.filter((page) =>
          entries.some((entry) => entry.endsWith(`/web/pages/${page}.tsx`)),
        );
        if (forVisitors.length === 0) return pages.length >= 4 ? 'kit' : null;
        if (entries.length === 1) return null;
        const name = `for-${forVisitors.join('-')}`;
        // A file with a part of a form loads the form library, which pages without a form don't need.
        if (isOfForms(id, infoOf)) return `${name}-forms`;
        if (ICON.test(id) || pages.length >= 6 || isForAllUsers(entries)) return name;
        return pages.length === 1 ? `${name}-and-dialogs` : null;
      },
      debugName: 'kit',
      maxModuleSize: 4000,
      priority: 1,
    },
  ];
}

const VISITORS_PAGES = ['landing', 'demo', 'auth'];

function isForAllUsers(entries: string[]): boolean {
  return entries.some((entry) => entry.endsWith('/web/app/signed-in-frame.tsx'));
}

/** Returns the entry and the lazily loaded modules that import this module, directly or through others. */
function entriesThatNeed(id: string, getModuleInfo: GetModuleInfo): string[] {
  const seen = new Set([id]);
  // The loop also visits the modules that it adds to the set.
  for (const module of seen) importersOf(module, getModuleInfo).forEach((importer) => seen.add(importer));
  return [...seen].filter((module) => {
    const info = getModuleInfo(module);
    return info !== null && (info.isEntry || info.dynamicImporters.length > 0);
  });
}

const ICON = /\/lucide-react\/.*\/icons\/([^/]+)\.mjs$/;
const ICON_IMPORT = /import \{([^}]*)\} from ['"]lucide-react['"]/;
const iconsOf = new Map<string, string[]>();

/** All icons are imported through one module of their library. The importers of an icon are those that name it. */
function importersOf(id: string, getModuleInfo: GetModuleInfo): readonly string[] {
  const importers = getModuleInfo(id)?.importers ?? [];
  const name = ICON.exec(id)?.[1]?.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (name === undefined) return importers;
  const users = importers.flatMap((library) => getModuleInfo(library)?.importers ?? []);
  return users.filter((user) => {
    if (!iconsOf.has(user)) {
      const [, names = ''] = ICON_IMPORT.exec(getModuleInfo(user)?.code ?? '') ?? [];
      iconsOf.set(user, names.split(/[\s,]+/));
    }
    return iconsOf.get(user)?.includes(name);
  });
}

/** Whether the module imports the form library, directly or through our others. */
function isOfForms(id: string, getModuleInfo: GetModuleInfo): boolean {
  const seen = new Set([id]);
  for (const module of seen) {
    if (module.includes('/react-hook-form/')) return true;
    if (!module.includes('/node_modules/'))
      getModuleInfo(module)?.importedIds.forEach((imported) => seen.add(imported));
  }
  return false;
}
