import {
  type ErrorCode,
  errorsOf,
  isAlwaysSent,
  type ResponseHeader,
  type Route,
  replayedSchema,
  responseHeaders,
  responseHeadersOf,
} from '@zonewright/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { HttpServer } from '#http/server.ts'

/** How answers violated the contract, one sentence each. */
export type Violations = readonly string[]

/**
 * Compares every answer with the contract: its status, error code and headers must be declared for the route, and its body must have the
 * declared shape without additional members. Call it before the server answers its first request.
 */
export function watchContract({ fastify }: HttpServer): Violations {
  const violations: string[] = []
  fastify.addHook('onSend', async (request, reply, payload) => {
    const route = request.routeOptions.config.route
    if (route === undefined || request.method === 'HEAD') return payload
    const fault =
      reply.statusCode < 400 ? faultOfSuccess(route, reply, payload) : faultOfRefusal(route, request, payload)
    for (const each of [fault, ...headerFaults(route, reply)])
      if (each !== undefined) violations.push(`${route.id} answered ${reply.statusCode}: ${each}`)
    return payload
  })
  return violations
}

function faultOfSuccess(route: Route, reply: FastifyReply, payload: unknown): string | undefined {
  const status = reply.statusCode
  if (!(status in route.answers)) return 'the contract declares no such status'
  const shape = route.answers[status]
  if (shape === null || shape === undefined) return payload ? 'the contract declares no body' : undefined
  if (
    'raw' in shape ||
    (route.alsoAs !== undefined && String(reply.getHeader('content-type')).startsWith(route.alsoAs))
  )
    return undefined
  let exact = exactShapes.get(shape)
  if (exact === undefined) {
    exact = exactly(shape)
    exactShapes.set(shape, exact)
  }
  const body: unknown = JSON.parse(String(payload))
  const { error } = exact.safeParse(body)
  if (error === undefined || (route.long && replayedSchema.strict().safeParse(body).success)) return undefined
  return error.message
}

/**
 * For each declared shape, its strict form that answers are compared with. Cached, because zod compiles a shape at its first use, which
 * takes longer than a request.
 */
const exactShapes = new WeakMap<z.ZodType, z.ZodType>()

/** The shape without unknown members, but only on the outermost level: nested shapes are compared by their own tests. */
function exactly(shape: z.ZodType): z.ZodType {
  if (shape instanceof z.ZodUnion) return z.union(shape.options.map((option) => exactly(option as z.ZodType)))
  return shape instanceof z.ZodObject ? shape.strict() : shape
}

/** Headers that the contract does not declare for this status, and declared ones that are missing. */
function headerFaults(route: Route, reply: FastifyReply): string[] {
  const status = reply.statusCode
  const declared = responseHeadersOf(route, status)
  return (Object.keys(responseHeaders) as ResponseHeader[]).flatMap((header) => {
    const isDeclared = declared.includes(header)
    const isSent = reply.hasHeader(header)
    if (isSent && !isDeclared) return [`the contract does not declare the header ${header}`]
    return isDeclared && !isSent && isAlwaysSent(header, status) ? [`the header ${header} is missing`] : []
  })
}

function faultOfRefusal(route: Route, request: FastifyRequest, payload: unknown): string | undefined {
  const { code } = (JSON.parse(String(payload)) as { error: { code: ErrorCode } }).error
  if (code === 'internal' || errorsOf(route).includes(code)) return undefined
  return `the contract does not declare ${code} (${request.url})`
}
