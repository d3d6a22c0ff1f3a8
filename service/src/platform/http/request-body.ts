import type { IncomingMessage } from 'node:http'
import { isRaw, maxJsonBytes, needsBody } from '@zonewright/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { afterOthers, inSlices } from '../work/slices.ts'
import type { HeldBytes } from './held-bytes.ts'
import { parseLargeJson } from './large-json.ts'
import { utf8Of } from './utf8.ts'
import { refuseUnkeepable, refuseUnkeepableNow } from './validation.ts'
import { isZoneFile, zoneFileText } from './zone-file-body.ts'

/** A body up to this size is processed without pauses. */
export const smallBodyBytes = 4 * 1024

/** Reads bodies: JSON as values, everything else as text. The route decides which types it accepts. */
export function addBodyParsers(fastify: FastifyInstance, held: HeldBytes): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error')
  // Fastify's own parsers count nothing.
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const body = await readBody(request, payload, held)
    const { route, door } = request.routeOptions.config
    // Clients of doors send many different types with their JSON.
    if (door?.body) return jsonOf(request, body)
    return isZoneFile(route?.body) ? zoneFileText(body) : utf8Of(body)
  })
  fastify.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) =>
    jsonOf(request, await readBody(request, payload, held)),
  )

  async function jsonOf(request: FastifyRequest, body: Buffer): Promise<unknown> {
    const { route, door } = request.routeOptions.config
    const wanted = route?.body ?? door?.body
    // Many clients declare JSON in every request, even if it has no body and needs none.
    if (body.length === 0 && !needsBody(wanted)) return undefined
    // The exact bytes are needed, because the body is signed.
    if (isRaw(wanted) && wanted.raw === 'application/json') return utf8Of(body)
    if (body.length > maxJsonBytes) return parseLargeJson(route ?? door, body)
    let value: unknown
    parseJson(request, utf8Of(body), (error, parsed) => {
      if (error) throw error
      value = parsed
    })
    if (body.length <= smallBodyBytes) refuseUnkeepableNow(value, '')
    else {
      // Parsing alone may take as long as other requests may wait.
      await afterOthers()
      await inSlices(refuseUnkeepable(value, ''))
    }
    return value
  }
}

/** Receives a body, up to the limit of its route and while there is room for it. */
function readBody(request: FastifyRequest, payload: IncomingMessage, held: HeldBytes): Promise<Buffer> {
  const { bodyLimit } = request.routeOptions
  const declared = Number(request.headers['content-length'])
  if (declared > bodyLimit) throw tooLarge(bodyLimit)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let received = 0
    const stop = () => payload.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
    const onData = (chunk: Buffer): void => {
      received += chunk.length
      try {
        if (received > bodyLimit) throw tooLarge(bodyLimit)
        held.takeBody(request, chunk.length)
        chunks.push(chunk)
      } catch (error) {
        chunks.length = 0
        stop()
        reject(error)
      }
    }
    const onEnd = (): void => {
      stop()
      if (received === declared || Number.isNaN(declared)) resolve(Buffer.concat(chunks))
      else reject(new Refusal('malformed_request', 'The length of the body differs from its Content-Length header.'))
    }
    const onGone = (): void => {
      stop()
      reject(new Refusal('malformed_request', 'The connection ended before the body did.'))
    }
    payload.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

function tooLarge(limit: number): Refusal {
  const size = limit < 1024 * 1024 ? `${limit / 1024} KiB` : `${limit / 1024 / 1024} MiB`
  return new Refusal('payload_too_large', `The body is larger than ${size}, the limit for this call.`)
}
