import { isRaw, routes } from '@zonewright/contract'
import type { Plugin } from 'vite'

const moduleId = 'virtual:contract-routes'

/** The part of a route that the typed client needs at run time. Schemas are only types there, so no validator is sent to the browser. */
export interface ClientRoute {
  readonly method: string
  readonly path: string
  /** The media type of a body that is not JSON. */
  readonly raw?: string
}

/** Generates `virtual:contract-routes` from the contract's route table at build time. */
export function contractRoutes(): Plugin {
  return {
    name: 'zonewright-contract-routes',
    resolveId: (id) => (id === moduleId ? `\0${moduleId}` : undefined),
    load: (id) => (id === `\0${moduleId}` ? `export const routes = ${JSON.stringify(tableOf())}` : undefined),
  }
}

function tableOf(): Readonly<Record<string, ClientRoute>> {
  return Object.fromEntries(
    routes.map(({ id, method, path, body }) => [id, { method, path, ...(isRaw(body) && { raw: body.raw }) }]),
  )
}
