import path from 'node:path';
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
                { name: 'entry', tags: ['$initial'], priority: 1 },
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

/**
 * The file of a module that is no part of the entry: `pages` for what two pages or more need, and one file for each page that shares
 * modules with its dialogs. By default, the bundler writes a file for each combination, and each file costs a request. That is left to
 * it for what only dialogs share, so that no dialog loads the code of another one.
 */
function sharedFile(id: string, bundle: Rolldown.ChunkingContext): string | null {
  const needing = new Set([id]);
  // The loop also visits the modules that it adds to the set.
  for (const module of needing) bundle.getModuleInfo(module)?.importers.forEach((each) => needing.add(each));
  const isPage = (module: string) =>
    bundle
      .getModuleInfo(module)
      ?.dynamicImporters.some((each) => /\/web\/app\/(?:app|routes)\.tsx?$/.test(each));
  const [page, ...others] = [...needing].filter(isPage);
  if (!page) return null;
  return others.length > 0 ? 'pages' : `${path.parse(page).name}-shared`;
}
