import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A document that is the same for everyone, kept in memory in each encoding that a client may accept. */
export interface StaticDocument {
  readonly plain: Variant
  readonly br: Variant
  readonly gzip: Variant
  /** All headers except those of a variant: the media type, and how long it may be kept. */
  readonly headers: Readonly<Record<string, string>>
}

interface Variant {
  readonly body: Buffer
  /** Strong (RFC 9110 §8.8.1): each encoding has different bytes, and so a different tag. */
  readonly etag: string
}

/** A document whose compressed forms already exist. */
export function staticDocument(
  { plain, br, gzip: gzipped }: Readonly<Record<'plain' | 'br' | 'gzip', Buffer>>,
  headers: Readonly<Record<string, string>>,
): StaticDocument {
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  return {
    plain: { body: plain, etag: `"${hash}"` },
    br: { body: br, etag: `"${hash}-br"` },
    gzip: { body: gzipped, etag: `"${hash}-gzip"` },
    headers: { ...headers, vary: 'accept-encoding' },
  }
}

/** Compresses a document, in Node's thread pool; 0.2 s of it for half a megabyte. */
export async function compressDocument(
  text: string,
  headers: Readonly<Record<string, string>>,
): Promise<StaticDocument> {
  const plain = Buffer.from(text)
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(plain, { level: 9 }),
  ])
  return staticDocument({ plain, br, gzip: gzipped }, headers)
}

/** Sends a document in an encoding that the client accepts, or 304 if the client already has it (RFC 9110 §13.1.2). */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: StaticDocument): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  const { body, etag } = document[encoding]
  reply.headers({ ...document.headers, etag })
  if (hasIt(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (encoding !== 'plain') reply.header('content-encoding', encoding)
  return reply.send(body)
}

/** The smallest encoding that an Accept-Encoding header accepts; `;q=0` refuses one (RFC 9110 §12.5.3). */
function encodingFor(accepted: string | string[] | undefined): 'br' | 'gzip' | 'plain' {
  const taken = new Set<string>()
  for (const part of String(accepted ?? '').split(',')) {
    const [name = '', ...parameters] = part.toLowerCase().split(';')
    if (!parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter))) taken.add(name.trim())
  }
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'plain'
}

/** Compared weakly: a proxy that recompresses a document weakens its tag. */
function hasIt(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
