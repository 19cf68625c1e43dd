import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const tag = fileURLToPath(new URL('.', import.meta.url));
const out = fileURLToPath(new URL('../dist/tag/', import.meta.url));

/** The server sends every visitor the same bytes, so compress them once, here, at the highest level. */
const precompressed = (name: string): Plugin => ({
  name: 'precompressed',
  writeBundle({ dir = out }) {
    const file = path.join(dir, `${name}.js`);
    const script = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(script, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(script));
  },
});

/** The mode names the script: 'landing', a module of the tag, or the tag by default. Each is a bundle of its own. */
const MODULES = new Set(['facts', 'placement']);
export default defineConfig(({ mode }) => {
  const name = mode === 'landing' || MODULES.has(mode) ? mode : 'tag';
  return {
    root: tag,
    plugins: [precompressed(name)],
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
