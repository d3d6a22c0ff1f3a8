import { z } from 'zod'

// Part of every JavaScript runtime. Only its host parser is used: it is a pure function.
declare const URL: { parse(url: string): { readonly hostname: string } | null }

/** An email address in canonical form, or a sentence that says what is wrong with it. */
export type EmailReading =
  | { readonly address: string; readonly fault?: never }
  | { readonly fault: string; readonly address?: never }

/** Longest local part and longest address, in bytes (RFC 5321 §4.5.3.1). */
const most = { local: 64, address: 254 }

/** A dot-atom: ASCII letters, digits and these signs, with single dots between them (RFC 5322 §3.2.3). */
const localForm = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** Two or more labels of ASCII letters, digits and inner hyphens, and a last label that is not a number. */
const domainForm =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/

/**
 * Reads an email address. The local part keeps its letters and must be ASCII: our mail server and the registries accept only ASCII (RFC 6531
 * is an extension). The domain becomes lower-case A-labels (RFC 5891).
 */
export function readEmail(text: string): EmailReading {
  if (text.length > most.address) return tooLong(text)
  const at = text.lastIndexOf('@')
  if (at < 1) return { fault: 'This is not an email address. Write it as name@example.com.' }
  const local = text.slice(0, at)
  if (/[^\x00-\x7f]/.test(local))
    return {
      fault:
        'The part before the @ can contain only ASCII characters. Use an address without accents or other scripts.',
    }
  if (local.length > most.local)
    return { fault: `The part before the @ has ${local.length} characters. At most ${most.local} are allowed.` }
  if (!localForm.test(local))
    return {
      fault:
        'The part before the @ is not valid. Use letters, digits and characters such as `.`, `_`, `+` and `-`. Spaces, quotes, consecutive dots, and a dot at either end are not allowed.',
    }
  const domain = toALabels(text.slice(at + 1))
  if (domain === undefined) return { fault: 'The part after the @ is not a domain name such as example.com.' }
  const address = `${local}@${domain}`
  return address.length > most.address ? tooLong(address) : { address }
}

function tooLong(address: string): EmailReading {
  return { fault: `The address has ${address.length} characters. At most ${most.address} are allowed.` }
}

/** The domain of an email address in lower-case A-labels; undefined if it is not valid. */
function toALabels(domain: string): string | undefined {
  // The URL parser ends a host at some ASCII characters, and reads others as escapes.
  if (/(?![A-Za-z0-9.-])[\x00-\x7f]/.test(domain)) return undefined
  // With a last label that is a letter, it is never read as an IPv4 address.
  const ascii = URL.parse(`http://${domain}.a/`)?.hostname.replace(/\.a$/, '')
  return ascii !== undefined && domainForm.test(ascii) ? ascii : undefined
}

/** An email address as callers send it; handlers get it in canonical form (`readEmail`). */
export const emailAddress = emailField(false)

/** The same, or an empty text. */
export const optionalEmailAddress = emailField(true)

function emailField(mayBeEmpty: boolean) {
  const isEmpty = (text: string): boolean => mayBeEmpty && text === ''
  return z
    .string()
    .check(({ value, issues }) => {
      const { fault } = readEmail(value)
      if (fault !== undefined && !isEmpty(value)) issues.push({ code: 'custom', message: fault, input: value })
    })
    .overwrite((text) => readEmail(text).address ?? text)
    .meta({
      ...(mayBeEmpty ? {} : { format: 'email' }),
      maxLength: most.address,
      description:
        'The email address. The part before the @ must be ASCII and can have at most 64 characters. You can write the domain in Unicode. The service stores it in A-labels.',
    })
}

/** An email address that an account may have, in canonical form and lower case. Others are refused, because better-auth would not let them sign in. */
export const accountEmail = emailAddress
  .check(({ value, issues }) => {
    if (readEmail(value).fault === undefined && !z.regexes.email.test(value))
      issues.push({
        code: 'custom',
        message:
          "Accounts cannot use this address. The part before the @ can contain letters, digits and `.`, `_`, `'`, `+` and `-`. The last label of the domain must consist of ASCII letters.",
        input: value,
      })
  })
  .toLowerCase()

/** An address as accounts have it. Any other text, which no account can have, only becomes lower case. */
export function accountAddress(text: string): string {
  return accountEmail.safeParse(text).data ?? text.toLowerCase()
}
