import { displayQuoted } from '@zonewright/contract'
import { z } from 'zod'
import { firstCharacters } from '../bounded-text.ts'
import { type FaultDetail, Faults, Refusal } from '../errors.ts'
import { withoutPauses } from '../work/slices.ts'
import { faultMessage } from './fault-messages.ts'

/** Where a value is: in the body, in the query or in the path. */
export type Part = '' | 'query' | 'path'

/** Parses a small part of a request with its schema, or names the faults (422). */
export function parsePart<S extends z.ZodType>(schema: S, value: unknown, part: Part): z.output<S> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) return withoutPauses(parseSliced(schema, value, part))
  if (part !== '') refuseUnkeepableNow(value, part)
  return parsed.data
}

/**
 * The same with pauses, for a body of any size. Unlike Zod's own parsers it stops at the first fault beyond those that a refusal lists.
 *
 * It descends into objects, arrays, records and unions of an array with anything else; all other schemas are left to Zod.
 *
 * @throws Refusal `validation_failed`
 */
export function* parseSliced<S extends z.ZodType>(
  schema: S,
  value: unknown,
  part: Part,
): Generator<undefined, z.output<S>> {
  const faults = new Faults()
  const parsed = yield* parse(schema, value, { part, path: [], faults })
  faults.refuseAny()
  return parsed as z.output<S>
}

/** Makes Zod use our messages, and keep the value in each issue: an undefined value is missing, any other has the wrong type. */
const explained = { error: faultMessage, reportInput: true } as const

interface Place {
  readonly part: Part
  readonly path: readonly PropertyKey[]
  readonly faults: Faults
}

function* parse(schema: z.ZodType, value: unknown, at: Place): Generator<undefined, unknown> {
  const inner = descended(schema, value)
  if (inner instanceof z.ZodArray && Array.isArray(value)) return yield* parseArray(inner, value, at)
  if (isObject(value)) {
    if (inner instanceof z.ZodObject) return yield* parseObject(inner, value, at)
    if (inner instanceof z.ZodRecord) return yield* parseRecord(inner, value, at)
  }
  yield
  const parsed = schema.safeParse(value, explained)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) at.faults.add(detailOf(issue, at))
  return undefined
}

/** The schema that describes the members of a value: without its optional or nullable wrapper, and the matching one of a union. */
function descended(schema: z.ZodType, value: unknown): z.ZodType | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return descended(schema.unwrap() as z.ZodType, value)
  if (schema instanceof z.ZodUnion)
    return Array.isArray(value) ? schema.options.find((option) => option instanceof z.ZodArray) : undefined
  // A refinement of a whole object only checks something small: a query.
  return schema instanceof z.ZodObject && schema.def.checks?.length ? undefined : schema
}

function* parseArray(schema: z.ZodArray, values: readonly unknown[], at: Place): Generator<undefined, unknown> {
  const length = lengthOf(schema)
  const isLong = values.length > length.maximum
  const parsed = length.schema.safeParse(isLong ? values.slice(0, length.maximum + 1) : values, explained)
  // No element of an array that is too long is checked.
  if (!parsed.success) {
    for (const issue of parsed.error.issues) at.faults.add(detailOf(issue, at))
    return undefined
  }
  const elements: unknown[] = []
  const element = schema.element as z.ZodType
  for (const [i, value] of values.entries()) {
    const parsed = isSmallObject(value) ? element.safeParse(value) : undefined
    elements.push(parsed?.success ? parsed.data : yield* parse(element, value, { ...at, path: [...at.path, i] }))
    yield
  }
  return elements
}

/** Members of a small object, and elements of each. */
const smallMembers = 20
const smallElements = 100

/** Whether a value is an object that can be examined at once. Elements of long lists usually are: without pauses inside them, this is faster. */
function isSmallObject(value: unknown): boolean {
  if (!isObject(value)) return false
  let members = 0
  for (const name in value) if (++members > smallMembers || !isSmallMember(value[name])) return false
  return true
}

function isSmallMember(member: unknown): boolean {
  return Array.isArray(member) ? member.length <= smallElements : typeof member !== 'object' || member === null
}

/** The checks of an array without those of its elements. */
interface ArrayLength {
  readonly maximum: number
  readonly schema: z.ZodType
}

const lengths = new WeakMap<z.ZodArray, ArrayLength>()

function lengthOf(schema: z.ZodArray): ArrayLength {
  const known = lengths.get(schema)
  if (known !== undefined) return known
  const { maximum = Number.POSITIVE_INFINITY } = schema._zod.bag as { maximum?: number }
  const length = {
    maximum,
    schema: z.array(z.unknown()).check(...((schema.def.checks ?? []) as z.core.$ZodCheck<unknown[]>[])),
  }
  lengths.set(schema, length)
  return length
}

function* parseObject(
  schema: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  at: Place,
): Generator<undefined, unknown> {
  const parsed: Record<string, unknown> = {}
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>
  for (const [name, member] of Object.entries(shape)) {
    const isThere = Object.hasOwn(value, name)
    const read = yield* parse(member, isThere ? value[name] : undefined, { ...at, path: [...at.path, name] })
    if (isThere || read !== undefined) parsed[name] = read
  }
  if (!(schema.def.catchall instanceof z.ZodNever)) return parsed
  for (const name in value) {
    if (Object.hasOwn(shape, name)) continue
    at.faults.add({
      path: placeOf([...at.path, name], at.part),
      code: 'unknown_member',
      message: `Unknown ${at.part === 'query' ? 'parameter' : 'member'} ${displayQuoted(firstCharacters(name))}. Remove it.`,
    })
    yield
  }
  return parsed
}

function* parseRecord(
  schema: z.ZodRecord,
  value: Readonly<Record<string, unknown>>,
  at: Place,
): Generator<undefined, unknown> {
  const parsed: [PropertyKey, unknown][] = []
  for (const name in value) {
    const place = { ...at, path: [...at.path, name] }
    const key = yield* parse(schema.keyType as z.ZodType, name, place)
    parsed.push([key as PropertyKey, yield* parse(schema.valueType as z.ZodType, value[name], place)])
  }
  return Object.fromEntries(parsed)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** How deep arrays and objects of a body may be nested. No schema is as deep. */
const maxDepth = 64

/**
 * Refuses text that cannot be stored: with U+0000, which PostgreSQL does not accept, or with half a surrogate pair, which has no UTF-8 and
 * would be stored as U+FFFD. Also refuses values that are nested too deeply. Pauses as it goes.
 *
 * @throws Refusal `validation_failed`
 */
export function* refuseUnkeepable(value: unknown, part: Part): Generator<undefined, void> {
  const faults = new Faults()
  yield* lookInto(value, { part, path: [], faults })
  faults.refuseAny()
}

/** The same without pauses, for a small value: nearly all are valid, and this check is faster. */
export function refuseUnkeepableNow(value: unknown, part: Part): void {
  if (!isKeepable(value, maxDepth)) withoutPauses(refuseUnkeepable(value, part))
}

function isKeepable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return isKeepableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  if (Array.isArray(value)) return value.every((element) => isKeepable(element, levels - 1))
  const members = value as Readonly<Record<string, unknown>>
  return Object.keys(members).every((name) => isKeepableText(name) && isKeepable(members[name], levels - 1))
}

/** `path` is one list that grows and shrinks: a body has many places but few faults. */
function* lookInto(value: unknown, at: Place & { readonly path: PropertyKey[] }): Generator<undefined, void> {
  if (typeof value === 'string') refuseText(value, at)
  if (typeof value !== 'object' || value === null) return
  if (at.path.length === maxDepth)
    throw new Refusal('validation_failed', `The body is nested too deeply. At most ${maxDepth} levels are allowed.`)
  const isList = Array.isArray(value)
  let seen = 0
  for (const [name, member] of isList ? value.entries() : membersOf(value)) {
    at.path.push(name)
    if (typeof name === 'string') refuseText(name, at)
    if (typeof member === 'string') refuseText(member, at)
    else if (isList && isSmallObject(member) && isKeepable(member, maxDepth - at.path.length)) yield
    else if (typeof member === 'object' && member !== null) yield* lookInto(member, at)
    at.path.pop()
    if (++seen % 100 === 0) yield
  }
  yield
}

/** One member at a time: a list of all of them may be long. */
function* membersOf(value: object): Generator<[name: string, member: unknown], void> {
  for (const name in value) yield [name, (value as Readonly<Record<string, unknown>>)[name]]
}

function isKeepableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function refuseText(text: string, { path, part, faults }: Place): void {
  if (isKeepableText(text)) return
  const message = 'Text must not contain the character U+0000 or half of a surrogate pair.'
  faults.add({ path: placeOf(path, part), code: 'invalid', message })
}

function detailOf(issue: z.core.$ZodIssue, { path, part }: Place): FaultDetail {
  return { path: placeOf([...path, ...issue.path], part), code: codeOf(issue), message: sentence(issue.message) }
}

function placeOf(path: readonly PropertyKey[], part: Part): string {
  const names = path.map((name) => firstCharacters(String(name)))
  if (part !== '') return names.join('.')
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'missing' : 'wrong_type'
  if (issue.code === 'too_big') return 'too_large'
  if (issue.code === 'too_small') return 'too_small'
  if (issue.code === 'custom' && typeof issue.params?.['code'] === 'string') return issue.params['code']
  return 'invalid'
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}
