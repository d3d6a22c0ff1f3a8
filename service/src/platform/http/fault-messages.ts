import type { z } from 'zod'

/**
 * Says what is wrong with a value and what to send instead. Pass the function to `safeParse` as `error`. A schema's own message takes precedence.
 */
export function faultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `This is required. It must be ${nounOf(issue.expected)}.`
        : `This must be ${nounOf(issue.expected)}${butIs(issue.input)}.`
    case 'invalid_value':
      return `This must be ${oneOf(issue.values.map(quoted))}.`
    case 'invalid_union':
      return `This must be ${oneOf(issue.errors.flatMap(alternative))}.`
    case 'invalid_format':
      return `This must be ${formats[issue.format] ?? 'in the form that the reference describes'}.`
    case 'too_small':
      return `This must ${sizeOf(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')}.`
    case 'too_big':
      return `This must ${sizeOf(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')}.`
    case 'not_multiple_of':
      return `This must be a multiple of ${issue.divisor}.`
    default:
      return undefined
  }
}

/** The types of JSON, as a developer calls them. */
const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID, such as 0192f0c1-2b3d-7e4f-8a5b-6c7d8e9f0a1b',
  datetime: 'a time with a time zone, such as 2026-11-23T12:00:00Z',
  date: 'a date, such as 2026-11-23',
  email: 'an email address, such as ada@example.com',
  url: 'a URL, such as https://example.com/',
}

function nounOf(expected: string): string {
  return nouns[expected] ?? `of the type ${expected}`
}

function butIs(input: unknown): string {
  // The schema has converted the text of a query parameter to a number, so the text is no longer known.
  if (Number.isNaN(input)) return ''
  if (input === null || typeof input === 'boolean') return `, but is ${input}`
  return `, but is ${Array.isArray(input) ? 'an array' : nounOf(typeof input)}`
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

function oneOf(choices: readonly string[]): string {
  const others = [...new Set(choices)]
  const last = others.pop() ?? 'of another form'
  return others.length === 0 ? last : `${others.join(', ')} or ${last}`
}

/** What one option of a union accepts instead of the value. Empty if the value has the right type, and only something inside it is wrong. */
function alternative(issues: readonly z.core.$ZodIssue[]): string[] {
  const [issue] = issues
  if (issue === undefined || issue.path.length > 0) return []
  if (issue.code === 'invalid_type') return [nounOf(issue.expected)]
  if (issue.code === 'invalid_value') return issue.values.map(quoted)
  const form = issue.code === 'invalid_format' ? formats[issue.format] : undefined
  return form === undefined ? [] : [form]
}

function sizeOf(origin: string, bound: number | bigint, comparison: string): string {
  if (origin === 'string') return bound === 1 ? 'not be empty' : `have ${comparison} ${bound} characters`
  if (origin === 'array') return `have ${comparison} ${bound} ${bound === 1 ? 'element' : 'elements'}`
  return `be ${comparison} ${bound}`
}
