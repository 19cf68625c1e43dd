import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const tag = fileURLToPath(new URL('.', import.meta.url));
const out = fileURLToPath(new URL('../dist/tag/', import.meta.url));

/** The server sends the same bytes to everyone, so compress them once, here, at the highest level. */
const precompressed: Plugin = {
  name: 'precompressed',
  writeBundle() {
    const script = readFileSync(`${out}tag.js`);
    writeFileSync(`${out}tag.js.gz`, gzipSync(script, { level: 9 }));
    writeFileSync(`${out}tag.js.br`, brotliCompressSync(script));
  },
};

export default defineConfig({
  root: tag,
  plugins: [precompressed],
  build: {
    target: 'es2022',
    rolldownOptions: { optimization: { inlineConst: { mode: 'all', pass: 3 } } },
    outDir: out,
    emptyOutDir: true,
    lib: { entry: 'tag.ts', formats: ['iife'], name: 'openslot', fileName: () => 'tag.js' },
  },
});
