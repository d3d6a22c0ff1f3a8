import type { FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'

/**
 * The parameters of a request's query.
 *
 * @throws Refusal `validation_failed` if the query cannot be decoded: Fastify would use it undecoded
 */
export function queryOf(request: FastifyRequest): Readonly<Record<string, string | string[]>> {
  const { url } = request
  const start = url.indexOf('?')
  if (start !== -1 && url.includes('%', start)) requireDecodable(url.slice(start))
  return request.query as Readonly<Record<string, string | string[]>>
}

function requireDecodable(query: string): void {
  try {
    decodeURIComponent(query)
  } catch {
    const message = 'The query cannot be decoded. Encode `%` as `%25`, and other characters as UTF-8.'
    throw new Refusal('validation_failed', message, { details: [{ path: '', code: 'invalid', message }] })
  }
}
