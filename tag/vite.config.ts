import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const tag = fileURLToPath(new URL('.', import.meta.url));
const out = fileURLToPath(new URL('../dist/tag/', import.meta.url));

/** The mode names the script: a module or another script, or the tag by default. Each is a bundle of its own. */
const MODULES = new Set(['facts', 'placement', 'sample']);
const SCRIPTS = new Set(['landing', 'posts']);
export default defineConfig(({ mode }) => {
  const name = SCRIPTS.has(mode) || MODULES.has(mode) ? mode : 'tag';
  return {
    root: tag,
    build: {
      target: 'es2022',
      rolldownOptions: { optimization: { inlineConst: { mode: 'all', pass: 3 } } },
      outDir: out,
      emptyOutDir: name === 'tag',
      lib: {
        entry: `${name}.ts`,
        formats: [MODULES.has(name) ? 'es' : 'iife'],
        name: 'openslot',
        fileName: () => `${name}.js`,
      },
    },
  };
});
