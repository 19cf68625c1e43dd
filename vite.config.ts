import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, runnerImport, type Plugin, type Rolldown } from 'vite';

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
      : {
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: 'entry', tags: ['$initial'], priority: 2 },
                {
                  name: 'toaster',
                  test: /\/web\/ui\/toaster\.tsx$/,
                  priority: 1,
                  includeDependenciesRecursively: true,
                },
                { name: sharedFile, debugName: 'shared files', minShareCount: 2 },
              ],
            },
          },
        },
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
 * The file of a module that two or more pages or dialogs import. What only one of them imports stays in its own file. By
 * default, the bundler writes a file for each combination of pages, and each file costs a request.
 */
function sharedFile(id: string, bundle: Rolldown.ChunkingContext): string | null {
  if (/\/node_modules\/(zod|@hookform)\//.test(id)) return 'schemas';
  if (/\/node_modules\/react-hook-form\//.test(id)) return 'forms';
  if (id.includes('/node_modules/lucide-react/')) return 'everybody';
  if (id.includes('/node_modules/')) return 'signed-in';
  const needing = new Set([id]);
  // The loop also visits the modules that it adds to the set.
  for (const module of needing) bundle.getModuleInfo(module)?.importers.forEach((each) => needing.add(each));
  const isOf = (pages: RegExp) => [...needing].some((module) => pages.test(module));
  if (isOf(/\/web\/pages\/(landing|demo)\.tsx$/)) return 'everybody';
  if (!isOf(/\/web\/(pages\/[^/]+|app\/signed-in-frame)\.tsx$/))
    return id.includes('/domain/') ? 'schemas' : 'dialogs';
  return /(-form|-fields|form-draft)\.tsx?$/.test(id) ? 'forms' : 'signed-in';
}
