import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import { contractRoutes } from './contract-plugin.ts'

export const dashboardFolder = fileURLToPath(new URL('..', import.meta.url))

/** The options that the build and the development server share. The dashboard is served below /app/. */
const commonOptions = {
  root: dashboardFolder,
  base: '/app/',
  configFile: false,
  logLevel: 'error',
  plugins: [react(), contractRoutes(), shellBeforeStyles()],
} satisfies InlineConfig

/** A style sheet in the head would delay the first paint. After the shell, it delays only the scripts. */
function shellBeforeStyles(): Plugin {
  return {
    name: 'shell-before-styles',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const links = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
        return links.reduce((page, link) => page.replace(link, ''), html).replace('</body>', `${links.join('')}</body>`)
      },
    },
  }
}

/** How Vite builds the dashboard. Every file except index.html has a hash of its content in its name. */
export function buildOptions(outDir: string): InlineConfig {
  return {
    ...commonOptions,
    build: {
      outDir,
      emptyOutDir: true,
      manifest: true,
      target: 'es2023',
      // These browsers support light-dark(). The fallback for older ones ignores a color scheme that a variable selects.
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      // Data URLs would require an exception in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  }
}

/** How Vite serves the dashboard from its sources, with hot reload, on this server; the service (`http://host:port`) answers the rest. */
export function serveOptions(server: Server, service: string): InlineConfig {
  return {
    ...commonOptions,
    cacheDir: fileURLToPath(new URL('../../.cache/vite', import.meta.url)),
    server: {
      middlewareMode: true,
      ws: { server },
      proxy: { '^/(?!app/)': { target: service } },
    },
  }
}
