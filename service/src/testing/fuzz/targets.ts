import { apiDocument, isRaw, routes } from '@zonewright/contract'
import type { Schema } from './from-schema.ts'
import type { Target } from './wire-case.ts'

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

const document = apiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Every route of the contract whose answer ends. Webhook routes also appear with their paths without the prefix. */
export function contractTargets(): Target[] {
  const { schemas } = document.components
  return routes
    .filter(({ id }) => id !== 'followUpdates')
    .flatMap(({ id, method, path, who, body }) => {
      const operation = document.paths[path]?.[method.toLowerCase()]
      if (operation === undefined) throw new Error(`${id} is not in the document`)
      const json = operation.requestBody?.content['application/json']?.schema
      const target = {
        id,
        method,
        path: `/api/v1${path}`,
        query: Object.fromEntries(
          operation.parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]),
        ),
        schemas,
        isForPeople: who === 'session',
        ...(json && { body: json }),
        ...(isRaw(body) && { raw: body.raw }),
      }
      return path.startsWith('/webhooks') ? [target, { ...target, id: `${id} (no prefix)`, path }] : [target]
    })
}

const text = { type: 'string' }
const flag = { type: 'boolean' }

/** What better-auth's routes read from a body. */
const authBody: Schema = {
  type: 'object',
  properties: {
    email: { type: 'string', format: 'email' },
    password: text,
    newPassword: text,
    currentPassword: text,
    name: text,
    code: text,
    token: text,
    callbackURL: text,
    redirectTo: text,
    rememberMe: flag,
    trustDevice: flag,
    revokeOtherSessions: flag,
  },
}

const authQuery = { token: text, callbackURL: text, disableCookieCache: flag, error: text }

/** The routes outside the contract. `authPaths`: better-auth's, with their methods. */
export function otherTargets(authPaths: Readonly<Record<string, string>>): Target[] {
  const target = (path: string, more: Partial<Target> = {}): Target => ({
    id: `${more.method ?? 'GET'} ${path}`,
    method: 'GET',
    path,
    query: {},
    schemas: {},
    ...more,
  })
  const auth = Object.entries(authPaths).map(([path, method]) =>
    target(`/api/auth${path.replaceAll(/:(\w+)/g, '{$1}')}`, {
      method,
      isAuth: true,
      query: authQuery,
      ...(method === 'POST' && { body: authBody }),
    }),
  )
  return [
    ...auth,
    target('/api/auth/*', { isAuth: true, isNowhere: true, query: authQuery }),
    target('/'),
    target('/app'),
    target('/app/*'),
    target('/app/assets/{asset}', { isStatic: true }),
    target('/healthz'),
    target('/readyz'),
    target('/metrics'),
    target('/api/v1/openapi.json', { isStatic: true }),
    target('/api/v1/reference', { isStatic: true }),
    target('/api/v1/*', { method: 'POST', isNowhere: true, body: { type: 'object', properties: { name: text } } }),
    target('/*', { isNowhere: true }),
  ]
}
