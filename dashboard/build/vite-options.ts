import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { contractRoutes } from './contract-plugin.ts'

export const dashboardFolder = fileURLToPath(new URL('..', import.meta.url))

/** How Vite builds the dashboard. It lives below /app/; every file but index.html bears its content's hash in its name. */
export function viteOptions(outDir: string): InlineConfig {
  return {
    root: dashboardFolder,
    base: '/app/',
    configFile: false,
    logLevel: 'error',
    plugins: [react(), contractRoutes()],
    build: {
      outDir,
      emptyOutDir: true,
      manifest: true,
      target: 'es2023',
      // These have light-dark(): what imitates it for older ones knows nothing of a scheme that is chosen by a variable.
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      // Data URLs would need a hole in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  }
}
