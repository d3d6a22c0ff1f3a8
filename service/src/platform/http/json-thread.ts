// Parses and validates one large JSON body (large-json.ts), then sends it back slice by slice.
import { parentPort, workerData } from 'node:worker_threads'
import { doorRoutes, isRaw, routes } from '@zonewright/contract'
import { Refusal } from '../errors.ts'
import { isLongAsJson } from '../json-pieces.ts'
import { withoutPauses } from '../work/slices.ts'
import { type JsonSlice, type JsonThreadData, tooMuchMemory } from './large-json.ts'
import { utf8Of } from './utf8.ts'
import { parseSliced, refuseUnkeepable } from './validation.ts'
import { refuseForeignJson } from './zone-file-body.ts'

/** Elements of one slice, unless they are long. */
const maxElements = 500

/**
 * Maximum number of arrays, objects and members in a body. Its value then fits the thread's memory with room to spare: if a thread runs out of memory
 * while it stops, V8 ends the whole process. The largest accepted import has less than a tenth of them.
 */
const maxNodes = 1_000_000

/** Bytes of JSON, each of them an ASCII character (RFC 8259 §2). */
const codes = { quote: 0x22, backslash: 0x5c, array: 0x5b, object: 0x7b, member: 0x3a }

const { routeId, body } = workerData as JsonThreadData
const slices = slicesOf()
parentPort?.on('message', () => parentPort?.postMessage(slices.next().value satisfies JsonSlice))

function* slicesOf(): Generator<JsonSlice, null> {
  try {
    const value = validated()
    yield { members: withoutLists(value) }
    yield* slicesOfLists(value, [])
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, details } = error
    yield { refused: { code, message, details } }
  }
  return null
}

type Members = Readonly<Record<string, unknown>>

/** The lists of an object in slices. A long element that is an object comes without its lists first, which follow in slices of their own. */
function* slicesOfLists(value: Members, path: readonly (string | number)[]): Generator<JsonSlice> {
  for (const [member, list] of listsOf(value)) {
    const place = [...path, member]
    for (let at = 0; at < list.length; ) {
      const elements = sliceAt(list, at)
      const [only] = elements
      if (elements.length === 1 && isMembers(only) && isLongAsJson(only)) {
        yield { path: place, elements: [withoutLists(only)] }
        yield* slicesOfLists(only, [...place, at])
      } else yield { path: place, elements }
      at += elements.length
    }
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listsOf(value: Members): [string, readonly unknown[]][] {
  return Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
}

function withoutLists(value: Members): Members {
  return { ...value, ...Object.fromEntries(listsOf(value).map(([name]) => [name, []])) }
}

/** Elements from an index on, together not much larger than one piece of JSON. */
function sliceAt(list: readonly unknown[], at: number): unknown[] {
  for (let count = maxElements; count > 1; count = Math.floor(count / 2)) {
    const elements = list.slice(at, at + count)
    if (!isLongAsJson(elements)) return elements
  }
  return list.slice(at, at + 1)
}

function validated(): Readonly<Record<string, unknown>> {
  const wanted = [...routes, ...doorRoutes].find(({ id }) => id === routeId)?.body
  const schema = isRaw(wanted) ? wanted.json : wanted
  if (schema === undefined) throw new Error(`the route ${routeId} accepts no JSON`)
  const sent = parsed()
  refuseForeignJson(wanted, sent)
  const value = withoutPauses(parseSliced(schema, sent, '')) as Readonly<Record<string, unknown>>
  withoutPauses(refuseUnkeepable(value, ''))
  return value
}

function parsed(): unknown {
  refuseManyNodes()
  try {
    const text = utf8Of(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
    // Fastify's parser, which reads smaller bodies, also ignores a byte order mark.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('malformed_request', 'The request cannot be read: the body is not valid JSON.')
  }
}

/** @throws Refusal `payload_too_large` for a body of more than `maxNodes` */
function refuseManyNodes(): void {
  let nodes = 0
  let isInText = false
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]
    if (isInText && byte === codes.backslash) i++
    else if (byte === codes.quote) isInText = !isInText
    else if (!isInText && (byte === codes.array || byte === codes.object || byte === codes.member)) nodes++
  }
  if (nodes > maxNodes) throw tooMuchMemory()
}
