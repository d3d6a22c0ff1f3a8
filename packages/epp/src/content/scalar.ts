import { EppFault } from '../faults.ts'

/** A value in the form of text. */
export interface Scalar<T> {
  /** Undefined: the text is not a value of this kind. */
  readonly parse: (text: string) => T | undefined
  /** Throws EppFault `bad_value` if the schemas do not allow the value. */
  readonly format: (value: T) => string
}

interface TextLimits {
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
}

/** The schemas' `token`: leading, trailing and double spaces would be lost, so a value that has them cannot be sent. */
export function token(what: string, limits: TextLimits = {}): Scalar<string> {
  return limited(what, limits, (text) => text.replaceAll(/[\t\n\r ]+/g, ' ').replaceAll(/^ | $/g, ''))
}

/** The schemas' `normalizedString`: one line. */
export function line(what: string, limits: TextLimits = {}): Scalar<string> {
  return limited(what, limits, (text) => text.replaceAll(/[\t\n\r]/g, ' '))
}

/** Also accepts texts that are too long when reading, because some registries send them. */
function limited(
  what: string,
  { min = 0, max, pattern }: TextLimits,
  survivor: (text: string) => string,
): Scalar<string> {
  return {
    parse: survivor,
    format: (value) => {
      // Schemas count characters, not UTF-16 code units.
      const length = [...value].length
      if (survivor(value) !== value || length < min || length > (max ?? length) || pattern?.test(value) === false)
        throw new EppFault('bad_value', `This cannot be sent as ${what}${bounds(min, max)}.`)
      return value
    },
  }
}

function bounds(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '' : `, which has ${min} characters at least`
  return `, which has ${min} to ${max} characters`
}

/** Any text, including several lines. */
export const anyText: Scalar<string> = { parse: (text) => text, format: (value) => value }

/** One of several words. */
export function oneOf<const T extends string>(what: string, words: readonly T[]): Scalar<T> {
  const known = (text: string): text is T => (words as readonly string[]).includes(text)
  return {
    parse: (text) => {
      const word = text.trim()
      return known(word) ? word : undefined
    },
    format: (value) => {
      if (!known(value)) throw new EppFault('bad_value', `This cannot be sent as ${what}.`)
      return value
    },
  }
}

/** One of several words when writing. When reading, other words are also accepted, such as a registry's own statuses. */
export function someOf(what: string, words: readonly string[]): Scalar<string> {
  const { format } = oneOf(what, words)
  return { parse: (text) => text.trim(), format }
}

export function wholeNumber(what: string, min: number, max: number): Scalar<number> {
  return {
    parse: (text) => (/^\s*\+?\d+\s*$/.test(text) ? Number(text) : undefined),
    format: (value) => {
      if (!Number.isSafeInteger(value) || value < min || value > max)
        throw new EppFault(
          'bad_value',
          `This cannot be sent as ${what}, which is a whole number from ${min} to ${max}.`,
        )
      return String(value)
    },
  }
}

export const truth: Scalar<boolean> = {
  parse: (text) => ({ '1': true, true: true, '0': false, false: false })[text.trim()],
  format: (value) => (value ? '1' : '0'),
}

/** `12.50`: as text, so that nothing is rounded. */
export const decimal: Scalar<string> = {
  parse: (text) => (/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*$/.test(text) ? text.trim() : undefined),
  format: (value) => {
    if (!/^-?\d+(?:\.\d+)?$/.test(value)) throw new EppFault('bad_value', 'This cannot be sent as an amount.')
    return value
  },
}

/** An amount that is not below zero. */
export const price: Scalar<string> = {
  parse: (text) => (decimal.parse(text)?.startsWith('-') === false ? decimal.parse(text) : undefined),
  format: (value) => {
    if (value.startsWith('-')) throw new EppFault('bad_value', 'This cannot be sent as a fee.')
    return decimal.format(value)
  },
}

/** An amount that is not above zero. */
export const reduction: Scalar<string> = {
  parse: decimal.parse,
  format: (value) => {
    if (!/^(?:-|0+(?:\.0+)?$)/.test(value)) throw new EppFault('bad_value', 'This cannot be sent as a credit.')
    return decimal.format(value)
  },
}

const instantForm = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/

/** A point in time. EPP requires UTC (RFC 5730 §2.8). A time without a zone is read as UTC, and other offsets are converted. */
export const instant: Scalar<Date> = {
  parse: (text) => {
    const [whole, zone] = instantForm.exec(text.trim()) ?? []
    if (whole === undefined) return undefined
    const date = new Date(zone === undefined ? `${whole}Z` : whole)
    return Number.isNaN(date.getTime()) ? undefined : date
  },
  format: (value) => isoOf(value),
}

/** A day, in UTC. */
export const day: Scalar<Date> = {
  parse: (text) => {
    const [, digits] = /^(\d{4}-\d\d-\d\d)(?:Z|[+-]\d\d:\d\d)?$/.exec(text.trim()) ?? []
    const date = new Date(`${digits}T00:00:00Z`)
    return Number.isNaN(date.getTime()) ? undefined : date
  },
  format: (value) => isoOf(value).slice(0, 10),
}

function isoOf(value: Date): string {
  const year = value.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) throw new EppFault('bad_value', 'This cannot be sent as a time.')
  return value.toISOString()
}

/** Bytes in hexadecimal, upper-case. */
export const hex: Scalar<string> = {
  parse: (text) => (/^\s*(?:[0-9a-f]{2})*\s*$/i.test(text) ? text.trim().toUpperCase() : undefined),
  format: (value) => {
    if (!/^(?:[0-9A-F]{2})+$/.test(value))
      throw new EppFault('bad_value', 'This cannot be sent as bytes in hexadecimal.')
    return value
  },
}

/** Bytes in base64. */
export const base64: Scalar<string> = {
  parse: (text) => text.replaceAll(/\s/g, ''),
  format: (value) => {
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$/.test(value) || value === '')
      throw new EppFault('bad_value', 'This cannot be sent as bytes in base64.')
    return value
  },
}
