import type { z } from 'zod'
import { type FaultDetail, Refusal } from '../errors.ts'

/** Parses a part of the request with its schema, or names every fault at once (422). */
export function parsePart<S extends z.ZodType>(schema: S, value: unknown, prefix: '' | 'query' | 'path'): z.output<S> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw validationFailed(parsed.error.issues.flatMap((issue) => detailsOf(issue, prefix)))
  const unkeepable = placesUnkeepable(value)
  if (unkeepable.length === 0) return parsed.data
  const message = 'A text cannot hold the character U+0000, nor half a surrogate pair.'
  throw validationFailed(unkeepable.map((path) => ({ path: placeOf(path, prefix), code: 'invalid', message })))
}

/** Where texts hold the one character that PostgreSQL keeps in none, or what is none in UTF-8: U+FFFD would be kept in its place. */
function placesUnkeepable(value: unknown): (readonly PropertyKey[])[] {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [[]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => placesUnkeepable(member).map((place) => [name, ...place]))
}

/** 422 with its faults; the sentence speaks of the first and counts the rest. */
export function validationFailed(details: readonly FaultDetail[]): Refusal {
  const [first] = details
  const rest = details.length - 1
  const place = first?.line === undefined ? first?.path : `line ${first.line}`
  const message = `${place ? `${place}: ` : ''}${first?.message ?? 'The request is not valid.'}${rest > 0 ? ` (and ${rest} more)` : ''}`
  return new Refusal('validation_failed', message, { details })
}

function detailsOf(issue: z.core.$ZodIssue, prefix: string): FaultDetail[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: placeOf([...issue.path, key], prefix),
      code: 'unknown_member',
      message: `There is no ${prefix === 'query' ? 'parameter' : 'member'} named ${JSON.stringify(key)} here.`,
    }))
  return [{ path: placeOf(issue.path, prefix), code: codeOf(issue), message: sentence(issue.message) }]
}

function placeOf(path: readonly PropertyKey[], prefix: string): string {
  if (prefix !== '') return path.map(String).join('.')
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return issue.input === undefined && issue.message.includes('undefined') ? 'missing' : 'wrong_type'
  if (issue.code === 'too_big') return 'too_large'
  if (issue.code === 'too_small') return 'too_small'
  return 'invalid'
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}
