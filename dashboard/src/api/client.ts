import { routes } from 'virtual:contract-routes'
import type { RouteId, RouteTable, WireDomainChange, WireZoneChange } from '@zonewright/contract'
import { askService } from './ask-service.ts'

/** The input type of a schema, without naming Zod, because schemas are only types here. */
type Input<S> = S extends { _zod: { input: infer I } } ? I : S extends { raw: string } ? string : undefined
type Output<S> = S extends { _zod: { output: infer O } } ? O : S extends { raw: string } ? string : undefined
type Part<Name extends string, S> = [Input<S>] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : Record<string, never> extends Input<S>
    ? { readonly [N in Name]?: Input<S> }
    : { readonly [N in Name]: Input<S> }

/** The arguments of a call to a route. */
export type Request<Id extends RouteId> = Part<'params', RouteTable[Id]['params']> &
  Part<'query', RouteTable[Id]['query']> &
  Part<'body', RouteTable[Id]['body']> & {
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
  }

type AnswersOf<Id extends RouteId> = RouteTable[Id]['answers']
type AnyAnswer<Id extends RouteId> = { [S in keyof AnswersOf<Id>]: Output<AnswersOf<Id>[S]> }[keyof AnswersOf<Id>]
type Is<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
/** Without the parts of the type that are only for keys that cannot read what they change, because a person always gets everything. */
type Whole<A> = A extends unknown ? (true extends Is<A, WireZoneChange> | Is<A, WireDomainChange> ? never : A) : never

/** The body of the response of a route. */
export type Answer<Id extends RouteId> = Whole<AnyAnswer<Id>>

/** One item of a list route. */
export type Item<Id extends RouteId> = Answer<Id> extends { data: readonly (infer T)[] } ? T : never

const apiPrefix = '/api/v1'

/** Calls a route of the API with the session's cookie, and returns the body of the response. Throws ApiFailure. */
export async function call<Id extends RouteId>(id: Id, request: Request<Id>): Promise<Answer<Id>> {
  return (await callInFull(id, request)).body
}

/** The same, with the version from the ETag of the response. */
export async function callInFull<Id extends RouteId>(
  id: Id,
  request: Request<Id>,
): Promise<{ body: Answer<Id>; version: number | undefined }> {
  const { method, raw } = routeOf(id)
  const { body, headers, signal } = request as {
    body?: unknown
    headers?: Record<string, string>
    signal?: AbortSignal
  }
  const isText = raw !== undefined && typeof body === 'string'
  const init = {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json, text/dns',
      ...(body === undefined ? {} : { 'content-type': isText ? raw : 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  } as const
  return await askService(urlOf(id, request), init, async (answer) => {
    const etag = /^"(\d+)"$/.exec(answer.headers.get('etag') ?? '')?.[1]
    return { body: (await bodyOf(answer)) as Answer<Id>, version: etag === undefined ? undefined : Number(etag) }
  })
}

/** The URL of a call, for download links. */
export function urlOf<Id extends RouteId>(id: Id, request: Request<Id>): string {
  const { params = {}, query = {} } = request as { params?: Record<string, string>; query?: Record<string, unknown> }
  const path = routeOf(id).path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return `${apiPrefix}${path}${search.size === 0 ? '' : `?${search}`}`
}

function routeOf(id: string): { readonly method: string; readonly path: string; readonly raw?: string } {
  const route = routes[id]
  if (route === undefined) throw new Error(`The contract has no route ${id}`)
  return route
}

async function bodyOf(answer: Response): Promise<unknown> {
  const type = answer.headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) return answer.json()
  const text = await answer.text()
  return text === '' ? undefined : text
}

/** The same call of a list in another media type: a page as text, and the cursor of the next page, if there is one. */
export async function pageAsText<Id extends RouteId>(
  id: Id,
  request: Request<Id>,
  type: string,
): Promise<{ text: string; nextCursor: string | undefined }> {
  const init = { method: routeOf(id).method, credentials: 'same-origin', headers: { accept: type } } as const
  return await askService(urlOf(id, request), init, async (answer) => ({
    text: await answer.text(),
    nextCursor: answer.headers.get('next-cursor') || undefined,
  }))
}
