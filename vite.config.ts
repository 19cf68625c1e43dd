import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'assets',
    // Fonts and icons stay files: the server's content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
