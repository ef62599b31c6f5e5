import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Translators may build the page with languages of their own.
const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
const languages = env.PURLIEU_LANGUAGES ?? new URL('../src/purlieu/languages', import.meta.url).pathname;

// The page is served under a policy that allows no inline script or style, so nothing may be inlined here.
export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { '@languages': languages } },
  build: {
    outDir: '../src/purlieu/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
});
